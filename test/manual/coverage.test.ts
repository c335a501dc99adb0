import { expect, it } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { instead } from '../../providers/hosting/instead.ts';
import type { ApiOperation } from '../../src/kind/provider.ts';
import { coverageOf, coverageText, operationOf } from '../../src/manual/coverage.ts';
import { requestsOf } from '../../src/manual/kind-requests.ts';
import { styleFor } from '../../src/report/style.ts';
import { kinds } from './kinds.ts';

const operations = [
  'sites GET /sites',
  'sites POST /sites',
  'sites PATCH /sites/{siteId}',
  'sites PUT /sites/{siteId}',
  'env GET /sites/{siteId}/env',
  'env GET /unseen',
  'env GET /env/{envId}',
].map((line): ApiOperation => {
  const [group, method, path] = line.split(' ') as [string, string, string];
  return {
    ...{ group, method, path, operationId: null },
    ...(group === 'sites' ? { isDeclarable: true } : {}),
    ...(method === 'PUT' ? { instead: { use: 'PATCH /sites/{siteId}', why: 'the same' } } : {}),
  };
});

const coverage = () =>
  coverageOf(
    operations,
    [...kinds.values()].map((kind) => ({ kind, requests: requestsOf(kind) })),
    ['GET /env/{id}'],
  );

it('claims what the kinds use, and nothing else', () => {
  const { total, claimed, declarable, groups } = coverage();
  expect({ total, claimed }).toEqual({ total: 7, claimed: 6 });
  expect(declarable).toEqual({ total: 4, claimed: 4 });
  expect(groups.map(({ group, total, claimed }) => [group, total, claimed])).toEqual([
    ['sites', 4, 4],
    ['env', 3, 2],
  ]);
  const claims = groups.flatMap(({ operations }) => operations.map((one) => [one.path, one.claims]));
  expect(claims).toContainEqual(['/sites/{siteId}', [{ kind: 'site', when: ['create', 'update'] }]]);
  expect(claims).toContainEqual(['/unseen', []]);
  expect(claims).toContainEqual(['/env/{envId}', []]);
});

it('reads as a table by group', () => {
  const text = coverageText(coverage(), { style: styleFor({ color: false, width: 80 }) });
  expect(text).toMatchInlineSnapshot(`
    "sites  4 of 4
      GET    /sites           site (list)
      POST   /sites           site (create)
      PATCH  /sites/{siteId}  site (create, update)
      PUT    /sites/{siteId}  site (not sent: the same)

    env  2 of 3
      GET    /sites/{siteId}/env  variable (list)
      GET    /unseen              trueup api
      GET    /env/{envId}         every run (account)

    4 of 4 operations that can be declared are claimed by kinds; of the other 3, 2 are actions, lookups, or read by every run. \`trueup api\` can call all 7."
  `);
});

it('an endpoint is an operation by its form, a word in place of a placeholder included', () => {
  const path = (endpoint: string) => operationOf(endpoint, operations)?.path;
  expect(path('GET /sites?limit=1')).toBe('/sites');
  expect(path('GET /sites/{project}/env')).toBe('/sites/{siteId}/env');
  expect(path('GET /env/active')).toBe('/env/{envId}');
  expect(path('DELETE /sites/{id}')).toBeUndefined();
  expect(path('GET /sites/{id}/env/more')).toBeUndefined();
});

it('lists a kind once for one operation, however many of its requests are that', () => {
  const kind = kinds.get('site')!;
  const requests = ['GET /sites?state=a', 'GET /sites?state=b'].map((endpoint) => ({
    endpoint: endpoint as 'GET /sites',
    when: ['list' as const],
  }));
  const { groups } = coverageOf(operations, [{ kind, requests }], []);
  expect(groups[0]!.operations[0]!.claims).toEqual([{ kind: 'site', when: ['list'] }]);
});

it('claims every list of a kind, the guards of its writes, and what a connection looks up', async () => {
  const flag = hosting.kinds.find(({ name }) => name === 'featureFlag')!;
  expect(requestsOf(flag).map(({ endpoint, when }) => `${when} ${endpoint}`)).toEqual([
    'list GET /v2/projects/{project}/feature-flags/flags?state=active',
    'list GET /v2/projects/{project}/feature-flags/flags?state=archived',
    'read,update,delete GET /v1/projects/{project}/feature-flags/flags/{id}',
    'create PUT /v1/projects/{project}/feature-flags/flags',
    'update,delete PATCH /v1/projects/{project}/feature-flags/flags/{id}?ifMatch={etag}',
    'delete DELETE /v1/projects/{project}/feature-flags/flags/{id}?ifMatch={etag}',
  ]);
  const all = await hosting.operations();
  const found = hosting.lookups.map((endpoint) => operationOf(endpoint, all)?.path);
  expect(found).toEqual(['/v2/teams/{teamId}', '/v2/user']);
});

it('each operation that can be declared is claimed, by one kind or by a document that several are in', async () => {
  const all = await hosting.operations();
  const requests = hosting.kinds.map((kind) => ({ kind, requests: requestsOf(kind) }));
  const { declarable, groups } = coverageOf(all, requests, hosting.lookups);
  const operations = groups.flatMap((group) => group.operations).filter(({ isDeclarable }) => isDeclarable);
  expect(
    operations
      .filter(({ claims, isLookup }) => claims.length === 0 && !isLookup)
      .map(({ method, path }) => `${method} ${path}`),
  ).toEqual([]);
  expect(declarable).toEqual({ total: 250, claimed: 250 });
});

it('what is done by another operation is in the catalog, is sent by no kind, and the other one is', async () => {
  const all = await hosting.operations();
  const sent = new Set(
    hosting.kinds.flatMap((kind) => requestsOf(kind).map(({ endpoint }) => operationOf(endpoint, all))),
  );
  for (const [name, { use }] of Object.entries(instead)) {
    const find = (endpoint: string) => all.find(({ method, path }) => `${method} ${path}` === endpoint);
    expect(find(name), name).toBeDefined();
    expect(sent.has(find(name)), `${name} is sent`).toBe(false);
    expect(sent.has(find(use)), `${name}: ${use} is not sent`).toBe(true);
  }
});
