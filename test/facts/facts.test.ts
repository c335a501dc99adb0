import { expect, it } from 'vitest';
import { catalog } from '../../providers/hosting/catalog.ts';
import { extraOperations } from '../../providers/hosting/extra-operations.ts';
import { facts } from '../../providers/hosting/facts.ts';
import { kinds } from '../../providers/hosting/kinds/index.ts';
import type { FactVerdict, ObservedAnswer } from '../../src/kind/evidence.ts';

const factOf = (id: string) => facts.find((fact) => fact.id === id)!;
const numbered = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);

it('has each fact once, about kinds and operations that exist', () => {
  const ids = facts.map(({ id }) => id);
  expect(ids.toSorted()).toEqual([...numbered('PF', 85), ...numbered('PT', 11)].toSorted());
  const operations = new Set([...catalog, ...extraOperations].map(({ method, path }) => `${method} ${path}`));
  const kindNames = new Set(kinds.map(({ name }) => name));
  for (const fact of facts) {
    expect(fact.operations.filter((operation) => !operations.has(operation))).toEqual([]);
    expect(fact.kinds.filter((kind) => !kindNames.has(kind))).toEqual([]);
    expect(fact.statement).toMatch(/^[A-Z`].{15,}\.$/);
  }
});

it('judges only facts that a read can show', () => {
  const unreadable = facts.filter(
    ({ answer, operations }) =>
      answer && operations.length > 0 && !operations.some((operation) => operation.startsWith('GET ')),
  );
  expect(unreadable.map(({ id }) => id)).toEqual([]);
});

const env = (...envs: object[]) => ({ envs });
const encrypted = { key: 'A', type: 'encrypted', value: 'x', target: ['production'] };
const sensitive = { ...encrypted, type: 'sensitive' };
const records = (...rows: object[]) => ({ records: rows.map((row) => ({ ttl: 60, ...row })) });
const rule = (mitigate: object, condition: object = {}) => ({
  active: { rules: [{ action: { mitigate }, conditionGroup: [{ conditions: [condition] }] }] },
});
const full = { rateLimit: null, redirect: null, actionDuration: null };
const user = (members: object) => ({ user: members });
const limited = (error: object) => ({ error: { code: 'rate_limited', ...error } });
const limit = { total: 1, remaining: 0, reset: 1 };

/** For each fact that a read can show: answers that confirm it, contradict it, and say nothing about it. */
const answers: Record<
  string,
  { confirms?: unknown[]; contradicts?: unknown[]; silent?: unknown[]; seen?: Partial<ObservedAnswer> }
> = {
  PF1: {
    confirms: [env(encrypted, sensitive)],
    contradicts: [{ ...env(encrypted), pagination: { next: 1 } }],
    silent: [env(encrypted), { ...env(encrypted), pagination: { next: null } }],
    seen: { query: { limit: '1' } },
  },
  PF2: {
    confirms: [{ data: [{}], pagination: { next: 1 } }],
    contradicts: [{ data: Array(51).fill({}) }, { data: [{}], pagination: { next: 'x' } }],
    silent: [{ data: [{}] }],
  },
  PF9: {
    confirms: [env({ ...encrypted, decrypted: false })],
    contradicts: [env(encrypted)],
    silent: [env({ ...encrypted, type: 'plain' })],
  },
  PF10: {
    contradicts: [env({ ...sensitive, key: 'vite_A' })],
    silent: [env({ ...encrypted, key: 'VITE_A' })],
  },
  PF11: { contradicts: [env({ ...sensitive, target: 'development' })], silent: [env(sensitive)] },
  PF12: {
    contradicts: [env({ ...encrypted, key: 'TZ' })],
    silent: [env({ ...encrypted, key: 'AWS_REGION' })],
  },
  PF13: { contradicts: [env(...Array(1001).fill(encrypted))], silent: [env(encrypted)] },
  PF16: {
    confirms: [env({ key: 'A', target: ['preview'] }, { key: 'A', target: 'preview', gitBranch: 'x' })],
    silent: [env({ key: 'A', target: ['preview'] }, { key: 'B', target: ['preview'], gitBranch: 'x' })],
  },
  PF18: { confirms: [{ data: [{ projectId: [] }] }], contradicts: [{ data: [{ projectId: 'a' }] }] },
  PF82: { confirms: [{ envs: [], hiddenProductionEnvCount: 2 }], silent: [{ hiddenProductionEnvCount: 0 }] },
  PF19: { confirms: [{}, { projects: [{}] }], contradicts: [{ projects: [{ publicSource: null }] }] },
  PF23: {
    confirms: [
      { projects: [{ resourceConfig: { buildMachineSelection: 'elastic', buildMachineType: 'x' } }] },
    ],
    contradicts: [{ projects: [{ resourceConfig: { buildMachineType: 'elastic' } }] }],
  },
  PF24: {
    confirms: [{ projects: [{ enableAffectedProjectsDeployments: false }] }],
    contradicts: [{ projects: [{ enableAffectedProjectsDeployments: null }] }],
    silent: [{ projects: [{ enableAffectedProjectsDeployments: true }, {}] }],
  },
  PF25: {
    confirms: [{ projects: [{ trustedIps: { addresses: [{ note: '' }] } }] }],
    contradicts: [{ projects: [{ trustedIps: { addresses: [{ note: null }] } }] }],
    silent: [{ projects: [{ trustedIps: null }] }],
  },
  PF27: {
    confirms: [region('a', ['a', 'b'])],
    contradicts: [region('b', ['a', 'b'])],
    silent: [region('a', [])],
  },
  PF32: { confirms: [{ projects: [{ skewProtectionMaxAge: 14400 }] }], silent: [{ projects: [{}] }] },
  PF33: {
    confirms: [{ projects: [{ trustedSources: {} }] }],
    silent: [{ projects: [{ trustedSources: null }] }],
  },
  PF34: { confirms: [{ projects: [{ protectedSourcemaps: false }] }], silent: [{ projects: [{}] }] },
  PF28: {
    confirms: [{ domains: [{ name: 'a.vercel.app' }] }],
    contradicts: [{ domains: [{ name: 'a.vercel.app', redirect: null }] }],
    silent: [{ domains: [{ name: 'example.com', redirect: null }] }],
  },
  PF35: {
    confirms: [{ domains: [{ redirect: 'a', redirectStatusCode: null }] }],
    silent: [{ domains: [{ redirect: 'a', redirectStatusCode: 307 }] }],
  },
  PF37: { confirms: [{ misconfigured: true }], contradicts: [{}] },
  PF44: { contradicts: [records({ ttl: 30 })], silent: [records({ ttl: 30, creator: 'system' }, {})] },
  PF45: { confirms: [records({ ttl: undefined })], silent: [records({})] },
  PF46: { confirms: [records({ name: '' })], contradicts: [records({ name: '@' })] },
  PF83: { contradicts: [records(...Array(51).fill({ name: 'a', type: 'A' }))], silent: [records({})] },
  PF85: {
    contradicts: [records({ name: '', type: 'CNAME' })],
    silent: [records({ name: 'a', type: 'CNAME' })],
  },
  PF51: { confirms: [{}], seen: { headers: { 'x-ratelimit-limit': '500' } } },
  PF53: { contradicts: [{}], seen: { headers: { 'x-ratelimit-limit': '500' } } },
  PF55: { silent: [{}] },
  PF64: {
    confirms: [limited({ limit })],
    contradicts: [limited({})],
    seen: { status: 429 },
  },
  PF65: { confirms: [limited({ name: 'api-a' })], silent: [limited({})], seen: { status: 429 } },
  PF66: { confirms: [{ result: [{ Id: 'p#1.2.3.4' }] }], contradicts: [{ result: [{ Id: 'bypass_1' }] }] },
  PF67: { confirms: [{ result: [{ Ip: '::/0' }] }], contradicts: [{ result: [{ Ip: '*' }] }] },
  PF68: { confirms: [rule(full)], contradicts: [rule({ action: 'deny' })] },
  PF69: { confirms: [rule(full, { neg: false, key: '' })], contradicts: [rule(full, { type: 'path' })] },
  PF70: { confirms: [{ active: null, draft: null, versions: [] }], contradicts: [{ active: null }] },
  PF71: { confirms: [rule(full, { type: 'rate_limit_api_id' })], silent: [rule(full, { type: 'path' })] },
  PF72: { confirms: [[]], contradicts: [{ webhooks: [] }] },
  PF73: { confirms: [[{ events: ['alerts.triggered'] }]], silent: [[{ events: ['project.created'] }]] },
  PF80: {
    confirms: [user({ version: 'northstar', defaultTeamId: 'team_1' })],
    contradicts: [user({ version: 'northstar' })],
    silent: [user({ defaultTeamId: null })],
  },
  PF81: {
    confirms: [{ stores: [{ type: 'blob', ownerId: 'a', size: 0, count: 0 }] }],
    contradicts: [{ stores: [{ type: 'blob' }] }],
    silent: [{ stores: [{ type: 'integration' }] }],
  },
  PF78: {
    confirms: [{ tokens: [{ origin: 'manual', type: 'token', prefix: 'vcp_' }] }],
    contradicts: [{ tokens: [{ origin: 'manual', type: 'oauth2-token' }] }],
    silent: [{ tokens: [{ origin: 'github', type: 'oauth2-token' }] }],
  },
  PT3: {
    confirms: [{ error: { code: 'team_unauthorized' } }],
    silent: [{ error: { code: 'forbidden' } }],
    seen: { status: 403 },
  },
  PT4: {
    confirms: [{ error: { code: 'forbidden', saml: true } }],
    silent: [{ error: { code: 'forbidden' } }],
    seen: { status: 403 },
  },
};

/** Returns a list with one project that has these regions of functions. */
function region(serverlessFunctionRegion: string, functionDefaultRegions: string[]) {
  return { projects: [{ serverlessFunctionRegion, defaultResourceConfig: { functionDefaultRegions } }] };
}

it('has an example for each check, and no check fails on a strange answer', () => {
  const checked = facts.filter(({ answer }) => answer);
  expect(Object.keys(answers).toSorted()).toEqual(checked.map(({ id }) => id).toSorted());
  for (const { answer } of checked)
    for (const body of [undefined, null, 'text', 1, [], [null], { envs: null }, { projects: {} }])
      for (const status of [200, 403, 404, 429])
        answer!({ operation: 'GET /v10/projects', query: {}, headers: {}, status, body });
});

it.each(Object.entries(answers))('judges answers by %s', (id, { confirms, contradicts, silent, seen }) => {
  const { answer, operations } = factOf(id);
  // A single project is judged like a list of them.
  const judge = (body: unknown): FactVerdict => {
    const operation = operations.find((name) => name.startsWith('GET ')) ?? 'GET /v2/user';
    const list = operation === 'GET /v10/projects' && !Object.hasOwn(body as object, 'projects');
    const at = list ? 'GET /v9/projects/{idOrName}' : operation;
    return answer!({ operation: at, query: {}, headers: {}, status: 200, ...seen, body });
  };
  expect(confirms?.map(judge) ?? []).toEqual(confirms?.map(() => 'confirmed') ?? []);
  expect(contradicts?.map(judge) ?? []).toEqual(contradicts?.map(() => 'contradicted') ?? []);
  expect(silent?.map(judge) ?? []).toEqual(silent?.map(() => undefined) ?? []);
});
