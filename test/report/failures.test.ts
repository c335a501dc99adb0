import { expect, it } from 'vitest';
import { HttpError } from '../../src/http/errors.ts';
import type { Change } from '../../src/model/change.ts';
import { problem } from '../../src/model/diagnostic.ts';
import type { Outcome } from '../../src/model/event.ts';
import type { Operation, Plan } from '../../src/model/plan.ts';
import { eventWriter } from '../../src/report/events-text.ts';
import { createFailureGrouping } from '../../src/report/failures.ts';
import { outcomeDiagnostics } from '../../src/report/outcome-diagnostics.ts';
import { outcomeText } from '../../src/report/outcome-text.ts';
import { at, change, plainStyle } from './builders.ts';

const refused = (index: number, status = 403) =>
  new HttpError(
    { method: 'POST', path: `/v10/projects/prj_${index}/env` },
    { status, code: 'forbidden', message: 'Not authorized' },
  );
const addressOf = (index: number) => `projects/p${index}/env/A`;
const changes = Array.from({ length: 63 }, (_, index) =>
  change('create', addressOf(index), { kind: 'projectEnvVar', at: at(index + 1, 3) }),
);
const plan: Plan = {
  stack: 'demo',
  complete: true,
  changes,
  operations: [],
  unmanaged: [],
  diagnostics: [],
};
const outcome: Outcome = {
  done: changes.slice(39).map(({ address }) => address),
  failed: changes.slice(0, 39).map(({ address }, index) => ({ address, error: refused(index) })),
  postponed: [],
  skipped: [],
  overwritten: [],
  interrupted: false,
};

it('39 equal failures are one message, whose hint fits a token that worked in this run', () => {
  const text = outcomeText(plan, outcome, { style: plainStyle, now: 0 });
  expect(text).toContain(`failed projects/p0/env/A
failed projects/p1/env/A
failed projects/p2/env/A
failed 36 more for the same reason
  Error: POST /v10/projects/prj_0/env answered 403 forbidden: Not authorized
  -> the token is valid, since it could read the account, but it may not do`);
  expect(text).not.toContain('invalid');
  const diagnostics = outcomeDiagnostics(plan, outcome, 0);
  expect(diagnostics).toMatchObject([
    {
      ...problem(
        'apply/failed',
        'POST /v10/projects/prj_0/env answered 403 forbidden: Not authorized (39 times, for projects/p0/env/A, projects/p1/env/A, projects/p2/env/A and 36 more)',
        { at: at(1, 3) },
      ),
      folded: { length: 39 },
    },
  ]);
});

it('the changes of one request have one cause, although its error names some of them', () => {
  const error = Object.assign(refused(1, 400), { hint: 'the request was to create projects/p1 and p2' });
  const causeOf = pair({}, {}, 'another');
  expect(causeOf(error, 'projects/p2')).toBe(causeOf(error, 'projects/p1'));
});

it('the log of an apply shows an error once, and refers to it later', () => {
  const operations = changes.slice(0, 3).map(
    ({ address, kind }): Operation => ({
      id: address,
      kind,
      changes: [address],
      requests: [],
      dependsOn: [],
    }),
  );
  const write = eventWriter({ ...plan, operations }, { style: plainStyle });
  const lines = operations.map((operation, index) =>
    write({ type: 'failed', operation, error: refused(index) }),
  );
  expect(lines[0]).toContain('answered 403');
  expect(lines.slice(1)).toEqual([
    'projects/p1/env/A: failed for the same reason as projects/p0/env/A',
    'projects/p2/env/A: failed for the same reason as projects/p0/env/A',
  ]);
});

const withFields = (index: number, kind: string, fields: Change['after']): Change =>
  change('create', `projects/p${index}`, { kind, ...(fields ? { after: fields } : {}) });
const pair = (first: Record<string, unknown> = {}, second: Record<string, unknown> = {}, kind = 'k') =>
  createFailureGrouping({
    changes: [
      withFields(1, 'k', { fields: first } as Change['after']),
      withFields(2, kind, { fields: second } as Change['after']),
    ],
  });

it.each<[string, unknown, unknown, boolean, ReturnType<typeof pair>?]>([
  ['other paths', refused(1), refused(2), true],
  ['other names', new Error('p1 is taken'), new Error('p2 is taken'), true],
  [
    'behind another error',
    new Error('no', { cause: refused(1) }),
    new Error('no', { cause: refused(2) }),
    true,
  ],
  ['another answer', refused(1), refused(2, 409), false],
  ['another text', new Error('x'), new Error('y'), false],
  ['another kind', refused(1), refused(2), false, pair({}, {}, 'another')],
  ['an expired token and another kind', refused(1, 401), refused(2, 401), true, pair({}, {}, 'another')],
  ['no request and another kind', new Error('p1: no'), new Error('p2: no'), true, pair({}, {}, 'another')],
  [
    'other values',
    new Error('a.b is wrong'),
    new Error('c is wrong'),
    true,
    pair({ url: 'a.b' }, { url: 'c' }),
  ],
  [
    'other values, deep and quoted',
    new Error('"say \\"x\\"" is wrong'),
    new Error('"y" is wrong'),
    true,
    pair({ list: [{ text: 'say "x"' }] }, { list: [{ text: 'y' }] }),
  ],
  [
    'one value inside another',
    new Error('/a/b: no such place'),
    new Error('/c: no such place'),
    true,
    pair({ from: 'a', to: '/a/b' }, { from: 'x', to: '/c' }),
  ],
  [
    'a word of the message as a value',
    new Error('key is needed'),
    new Error('key is needed'),
    true,
    pair({ a: 'key' }),
  ],
  [
    'texts that no field has',
    new Error('a.b is wrong'),
    new Error('c is wrong'),
    false,
    pair({ url: 'a.b' }),
  ],
])('causes: %s', (_, first, second, isEqual, causeOf = pair()) => {
  expect(causeOf(first, 'projects/p1') === causeOf(second, 'projects/p2')).toBe(isEqual);
});

it('what is shown keeps the values', () => {
  const failing = [1, 2, 3, 4].map((index) =>
    withFields(index, 'k', { fields: { url: `u${index}` } } as Partial<Change['after']> as Change['after']),
  );
  const failed = failing.map(({ address, after }) => ({
    address,
    error: new Error(`${after!.fields.url} is wrong`),
  }));
  const text = outcomeText(
    { ...plan, changes: failing },
    { ...outcome, done: [], failed },
    { style: plainStyle, now: 0 },
  );
  expect(text).toContain('failed 1 more for the same reason\n  Error: u1 is wrong');
});
