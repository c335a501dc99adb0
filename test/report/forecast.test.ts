import { expect, it } from 'vitest';
import { paceOf } from '../../providers/hosting/limits/pace.ts';
import type { Operation } from '../../src/model/plan.ts';
import type { Endpoint } from '../../src/model/request.ts';
import type { Value } from '../../src/model/value.ts';
import { forecast, waitLines } from '../../src/report/forecast.ts';
import { planHtml } from '../../src/report/html/page.ts';
import { planMarkdown } from '../../src/report/markdown/plan-markdown.ts';
import { planJson } from '../../src/report/plan-json.ts';
import { planText } from '../../src/report/plan-text.ts';
import { change, operation, plainStyle, planOf } from './builders.ts';

const pace = paceOf();
const creations = (count: number) =>
  planOf({
    changes: [change('create', 'a')],
    operations: Array.from({ length: count }, (_, i) =>
      operation(['a'], [{ endpoint: 'POST /v2/domains/{name}/records' }], { id: String(i) }),
    ),
  });
const lastLines = (plan: Parameters<typeof planText>[0]) =>
  planText(plan, { style: plainStyle, requests: false, pace }).split('\n\n').at(-1);

it('a published limit lets a window of requests through, and then the next one', () => {
  const limit = { what: 'DNS record creations', allowed: 100, window: 3600 };
  expect(forecast(creations(100), pace)).toEqual({
    requests: 100,
    seconds: 3,
    limits: [{ ...limit, requests: 100 }],
  });
  expect(forecast(creations(101), pace).seconds).toBe(3604);
  expect(forecast(creations(250), pace).seconds).toBe(7208);
});

it('operations that depend on each other take their time', () => {
  const chain = (length: number): Operation[] =>
    Array.from({ length }, (_, i) =>
      operation(['a'], [{ endpoint: 'PATCH /a' }, { endpoint: 'PUT /a' }], {
        id: String(i),
        dependsOn: i > 0 ? [String(i - 1)] : [],
      }),
    );
  expect(forecast(planOf({ operations: chain(50) }), pace)).toEqual({
    requests: 100,
    seconds: 30,
    limits: [],
  });
  expect(forecast(planOf({ operations: chain(50) }))).toEqual({ requests: 100, seconds: 0, limits: [] });
});

it('only what takes long is told, and which limit is why', () => {
  expect(lastLines(creations(14))).toBe(
    `To send: 14 POST in 14 operations.
Plan: 1 to create, 0 to adopt, 0 to update, 0 to delete. 14 requests.`,
  );
  expect(lastLines(creations(250))).toBe(
    `To send: 250 POST in 250 operations, about 2 h.
250 DNS record creations: limited to 100 an hour.
Plan: 1 to create, 0 to adopt, 0 to update, 0 to delete. 250 requests.`,
  );
});

it('the page and the comment tell it as well', () => {
  expect(planMarkdown(creations(250), pace)).toContain(
    `250 requests: 250 POST, about 2 h.\n\n250 DNS record creations: limited to 100 an hour.\n`,
  );
  expect(planHtml(creations(250), pace)).toContain('250 requests, about 2 h.</p>');
  for (const report of [planMarkdown(creations(14), pace), planHtml(creations(14), pace)])
    expect(report).not.toMatch(/, about |limited to/);
});

it('what it took to read is told beside it, where that is known', () => {
  const plan = { ...creations(14), reads: { sent: 28, ofApply: new Map() } };
  expect(lastLines(plan)).toBe(
    `Read with 28 requests. To send: 14 POST in 14 operations.
Plan: 1 to create, 0 to adopt, 0 to update, 0 to delete. 14 requests.`,
  );
  expect(planMarkdown(plan, pace)).toContain('14 requests: 14 POST. Read with 28 requests.\n');
  expect(planHtml(plan, pace)).toContain('14 requests. Read with 28 requests.</p>');
  expect(planJson(plan)).toMatchObject({ reads: 28 });
  expect(planJson(creations(14)).reads).toBeUndefined();

  const nothing = planOf({ reads: { sent: 1, ofApply: new Map() } });
  expect(lastLines(nothing)).toBe('Read with 1 request.\nNo changes. The account matches the configuration.');
  expect(planMarkdown(nothing)).toContain('matches the configuration. Read with 1 request.\n');
  expect(planHtml(nothing)).toContain('matches the configuration. Read with 1 request.</p>');
});

const requestsOf = (endpoint: Endpoint, count: number, body?: Value) =>
  planOf({
    operations: Array.from({ length: count }, (_, i) =>
      operation(['a'], [{ endpoint, ...(body === undefined ? {} : { body }) }], { id: String(i) }),
    ),
  });
const items: Endpoint = 'PATCH /v1/global-config/{globalConfig}/items';

it.each([
  ['a day, with little of it used', requestsOf(items, 24), 'pro', []],
  [
    'a day, with a tenth of it used',
    requestsOf(items, 48),
    'pro',
    ['Global config writes: 48 of 480 a day, earlier ones included.'],
  ],
  [
    '30 days, in a free account',
    requestsOf(items, 25),
    'hobby',
    ['Global config writes: 25 of 250 in 30 days, earlier ones included.'],
  ],
  [
    'a week, for one member of a body',
    requestsOf('PATCH /v2/teams/{team}', 1, { slug: 'a' }),
    'pro',
    ['Team slug updates: 1 of 6 a week, earlier ones included.'],
  ],
  ['a week, for another member', requestsOf('PATCH /v2/teams/{team}', 1, { name: 'a' }), 'pro', []],
  [
    'an hour, for operations that only probably count',
    requestsOf('PUT /v8/certs', 31),
    'pro',
    ['31 certificate uploads: probably limited to 30 an hour.'],
  ],
] as const)('a window of %s', (_, plan, billing, lines) => {
  expect(waitLines(plan, paceOf(billing), 200)).toEqual(lines);
});

it('the reads of an apply count towards the limits of reads, and take time', () => {
  const plan = requestsOf(items, 1);
  const ofApply = new Map<Endpoint, number>([
    ['GET /v1/global-config/{id}/items', 41],
    ['GET /v1/other', 959],
  ]);
  expect(forecast({ ...plan, reads: { sent: 500, ofApply } }, pace)).toMatchObject({
    requests: 1,
    reads: 1000,
    // Two windows of a minute, 1,000 reads ten at a time, and one write.
    seconds: 120 + 30 + 1,
    limits: expect.arrayContaining([
      expect.objectContaining({
        what: 'global config item reads',
        requests: 41,
        allowed: 20,
        window: 60,
      }),
    ]),
  });
  expect(forecast({ ...planOf({}), reads: { sent: 500, ofApply } }, pace)).toMatchObject({
    reads: 0,
    limits: [],
  });
});
