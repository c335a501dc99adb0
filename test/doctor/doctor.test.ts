import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { Seed } from '../../providers/hosting/twin/index.ts';
import type { DoctorReport } from '../../src/doctor/doctor-report.ts';
import { type ReadClient, toSend } from '../../src/doctor/examine-account.ts';
import { atEnd } from '../support/at-end.ts';
import { Shell } from '../support/cli.ts';
import { inFront, type PassedAnswer } from '../support/in-front.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const header = 'stack: canary-stack\nplatform: { team: team_canary }\n';
const yaml = `${header}
projects:
  app: {}
  canary-web:
    env: { CANARY_KEY: { value: canary-value, comment: canary-comment, type: plain } }
    domains: { canary.example.com: {} }
    protectionBypass: { ci: { note: canary-note } }
    firewall: { rules: [{ name: canary-rule, active: true, conditionGroup: [{ conditions: [{ type: path, op: pre, value: /canary }] }], action: { mitigate: { action: deny } } }] }
sharedEnv: { CANARY_SHARED: canary-shared }
webhooks: { hook: { url: "https://canary.example.com", events: [deployment.created] } }
globalConfigs: { canary-config: { items: { canary-item: { value: { canaryMember: canary } } } } }
`;
const seed: Seed = {
  team: { id: 'team_canary', slug: 'canary-team', name: 'canary' },
  projects: [
    { name: 'app' },
    {
      name: 'canary-web',
      env: [{ key: 'CANARY_KEY', value: 'canary-value', comment: 'canary-comment', type: 'plain' }],
      domains: [{ name: 'canary.example.com' }],
      // As a person writes it: without the members that the platform adds (PF68, PF69).
      firewall: {
        rules: [
          {
            name: 'canary-rule',
            active: true,
            conditionGroup: [{ conditions: [{ type: 'path', op: 'pre', value: '/canary' }] }],
            action: { mitigate: { action: 'deny' } },
          },
        ],
      },
    },
  ],
  globalConfigs: [{ slug: 'canary-config', items: { 'canary-item': { canaryMember: 'canary' } } }],
  authTokens: [
    { name: 'canary', bearer: 'canary-bearer' },
    { name: 'canary-project', bearer: 'canary-of-project', projectId: 'canary-web' },
    { name: 'canary-sso', bearer: 'canary-without-sso', owner: 'personal', withoutSso: true },
  ],
};

type Change = (body: unknown, path: string) => unknown;

/** What happens to the answers of the twin on their way: the body changes, or another answer comes. */
let change: Change = (body) => body;
const shell = new Shell();
const twin = await shell.withTwin(seed, { token: 'canary-token', switches: { projectReadIncomplete: true } });
const front = await inFront(
  () => twin.url,
  async ({ path }, pass) => {
    const answer = (await pass())!;
    const changed = change(JSON.parse(String(answer.body) || 'null'), path);
    if (isPassedAnswer(changed)) return changed;
    return { ...answer, body: Buffer.from(JSON.stringify(changed)) };
  },
);
atEnd(() => front.close());
const env = { ...shell.env, TRUEUP_BASE_URL: front.url, TRUEUP_TOKEN: 'canary-bearer' };

beforeEach(async () => {
  change = (body) => body;
  shell.env = env;
  await shell.write({ 'trueup.yaml': yaml });
});

/** Runs the command with answers that are changed on their way. */
async function doctor(changeOfRun: Change = (body) => body, ...args: string[]) {
  change = changeOfRun;
  const ran = await shell.run(['doctor', '--json', '--max-wait', '0', ...args]);
  return { ...ran, report: JSON.parse(ran.stdout) as DoctorReport };
}
const isPassedAnswer = (value: unknown): value is PassedAnswer =>
  typeof value === 'object' &&
  value !== null &&
  Object.hasOwn(value, 'status') &&
  Object.hasOwn(value, 'body');
const answerWith = (status: number, body: string): PassedAnswer => ({ status, body: Buffer.from(body) });

/** A value with members that are not published added to each object in it, also with names that a user chose. */
function withUnknownMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknownMembers);
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.entries(value).map(([name, member]) => [name, withUnknownMembers(member)]);
  return {
    ...Object.fromEntries(inner),
    CANARY_X: 'canary',
    canaryToken32chars: { canary: 'canary' },
    // A project can have the name of any word of the API.
    app: { app: 'canary' },
    publicSource: 'canary',
  };
}

it('reports what answers show, without any value, name or id of the account', async () => {
  const ids = [...twin.account.teams, ...twin.account.projects].map(({ id }) => new RegExp(id));
  const { report, all } = await doctor(withUnknownMembers, '--report', 'report.json');
  const file = readFileSync(join(shell.folder, 'report.json'), 'utf8');
  const text = await shell.run(['doctor']);
  expect(report.kinds.map(({ kind, result }) => [kind, result])).toEqual(
    expect.arrayContaining([
      ['projectEnvVar', 'fits'],
      ['globalConfigItem', 'fits'],
    ]),
  );
  const paths = report.operations.flatMap(({ differences }) => differences.map(({ path }) => path));
  expect(paths).toEqual(expect.arrayContaining(['envs[].publicSource', 'envs[].*', 'projects[].*']));
  expect(JSON.parse(file)).toEqual(report);
  for (const shown of [all, file, text.all])
    for (const secret of [/canary/i, /(?<!vercel\.)\bapp\b/, /127\.0\.0\.1/, ...ids])
      expect(shown).not.toMatch(secret);
});

story('reports a healthy account on one screen, and exits with 0', async () => {
  const { report, status } = await doctor();
  expect(report.facts.findings.filter(({ verdict }) => verdict === 'contradicted')).toEqual([]);
  expect(report.facts.findings.map(({ id }) => id)).toEqual(expect.arrayContaining(['PF68', 'PF69']));
  expect({ status, failures: report.failures, token: report.token.state }).toEqual({
    status: 0,
    failures: [],
    token: 'accepted',
  });
  const { stdout } = await shell.run(['doctor']);
  expect(stdout.split('\n').length).toBeLessThan(30);
  expect(stdout).toContain('token    accepted, for one team, never expires, role OWNER');
  // Nothing but reads was sent.
  expect(twin.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

it('finds members that are missing or have another type', async () => {
  const changeRow = (row: object) => ({ ...row, type: undefined, comment: 1, createdAt: 'canary' });
  const { report, status } = await doctor((body, path) => {
    const { envs } = (body ?? {}) as { envs?: object[] };
    return envs && path.includes('/projects/') ? { ...(body as object), envs: envs.map(changeRow) } : body;
  });
  const operation = 'GET /v10/projects/{idOrName}/env';
  const found = report.operations.find((findings) => findings.operation === operation)!.differences;
  expect(found.map(({ problem, path, isRead }) => [problem, path, isRead])).toEqual([
    ['type', 'envs[].comment', true],
    ['type', 'envs[].createdAt', false],
    ['missing', 'envs[].type', true],
  ]);
  expect(report.kinds.find(({ kind }) => kind === 'projectEnvVar')!.result).toBe('unreadable');
  expect(status).toBe(1);
});

oneRowIn(4)<[string, PassedAnswer, failure: object, exit: number]>([
  ['403', answerWith(403, '{"error":{"code":"forbidden","message":"canary"}}'), { status: 403 }, 1],
  [
    '429',
    answerWith(
      429,
      '{"error":{"code":"rate_limited","message":"canary","limit":{"total":1,"remaining":0,"reset":1}}}',
    ),
    { code: 'http/rate-limited' },
    75,
  ],
  ['an answer that is not JSON', answerWith(200, '<html>canary'), { code: 'http/not-json' }, 1],
  ['a list that is none', answerWith(200, '{"data":"canary"}'), {}, 1],
])('reports a failed read with advice: %s', async (_, answer, failure, exit) => {
  const { report, status, all } = await doctor((body, path) => (path.startsWith('/v1/env') ? answer : body));
  expect(report.failures).toEqual([expect.objectContaining({ endpoint: 'GET /v1/env', ...failure })]);
  expect(report.kinds.find(({ kind }) => kind === 'sharedEnvVar')).toMatchObject({ unreadable: 1 });
  expect(all).not.toContain('canary');
  expect(status).toBe(exit);
});

it('reports a token or an account that cannot be used, and never crashes', async () => {
  const states: unknown[] = [];
  const changes = [
    { TRUEUP_TOKEN: 'wrong' },
    { TRUEUP_TOKEN: 'with space' },
    { TRUEUP_TOKEN: '' },
    { TRUEUP_BASE_URL: 'ftp://canary.example.com' },
    { TRUEUP_BASE_URL: 'http://127.0.0.1:9' },
  ];
  for (const change of changes) {
    shell.env = { ...env, ...change };
    const { report, status } = await doctor();
    states.push([status, report.token.state, report.account.problem]);
    // Nothing was read, which says nothing about any kind.
    expect(report.kinds).toEqual([]);
  }
  expect(states).toEqual([
    [1, 'refused', 'auth/token'],
    [1, 'refused', 'auth/token'],
    [1, 'missing', 'auth/no-token'],
    [1, 'unknown', 'auth/base-url'],
    [1, 'unknown', 'http/unreachable'],
  ]);
  shell.env = { ...env, TRUEUP_TOKEN: 'canary-without-sso' };
  expect((await shell.run(['doctor'])).stdout).toMatch(/\bSSO\b[\s\S]*auth\/scope/);
  shell.env = env;
  await shell.write({ 'trueup.yaml': yaml.replace('team_canary', 'nobody') });
  expect((await doctor()).report.account).toEqual({ state: 'unread', problem: 'auth/scope' });
});

it('is healthy if a token of one project may read everything that is declared', async () => {
  shell.env = { ...env, TRUEUP_TOKEN: 'canary-of-project' };
  await shell.write({ 'trueup.yaml': `${header}projects: { canary-web: {} }\n` });
  const { report, status } = await doctor();
  expect([status, report.failures]).toEqual([0, []]);
  // The refused list of projects leaves the plan complete.
  const list = report.operations.find(({ operation }) => operation === 'GET /v10/projects');
  expect(list?.statuses).toEqual({ 403: 1 });
});

it('reports a token of one project, and what it cannot reach', async () => {
  shell.env = { ...env, TRUEUP_TOKEN: 'canary-of-project' };
  const { report, all, status } = await doctor();
  expect([status, report.token.scope]).toEqual([1, 'project']);
  expect(report.kinds.find(({ kind }) => kind === 'projectEnvVar')!.result).toBe('fits');
  expect(report.failures).toContainEqual({ endpoint: 'GET /v1/env', status: 403 });
  expect(report.needs.find(({ command }) => command === 'plan')!.allowed).toBe('no');
  expect(all).not.toContain('canary');
});

it('refuses a report that cannot be written before it reads the account', async () => {
  const since = twin.requests.length;
  const ran = await shell.run(['doctor', '--report', '.']);
  expect([ran.status, ran.stdout, twin.requests.length - since]).toEqual([1, '', 0]);
  expect(ran.stderr).toContain('[output/no-file]');
});

it('cannot express a write', async () => {
  const client: ReadClient = { read: async () => 'read', owner: async () => ({}) as never };
  // @ts-expect-error: only GET
  const write = () => client.read({ endpoint: 'DELETE /v1/env' });
  expect(write).toBeTypeOf('function');
  await expect(toSend(client)({ endpoint: 'DELETE /v1/env' })).rejects.toThrow('only reads');
  await expect(toSend(client)({ endpoint: 'GET /v1/env' })).resolves.toBe('read');
});
