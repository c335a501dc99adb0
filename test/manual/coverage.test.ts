import { expect, it } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
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
  return { group, method, path, operationId: null };
});

const coverage = () =>
  coverageOf(
    operations,
    [...kinds.values()].map((kind) => ({ kind, requests: requestsOf(kind) })),
    ['GET /env/{id}'],
  );

it('claims what the kinds use, and nothing else', () => {
  const { total, claimed, groups } = coverage();
  expect({ total, claimed }).toEqual({ total: 7, claimed: 5 });
  expect(groups.map(({ group, total, claimed }) => [group, total, claimed])).toEqual([
    ['sites', 4, 3],
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
    "sites  3 of 4
      GET    /sites           site (list)
      POST   /sites           site (create)
      PATCH  /sites/{siteId}  site (create, update)
      PUT    /sites/{siteId}  trueup api

    env  2 of 3
      GET    /sites/{siteId}/env  variable (list)
      GET    /unseen              trueup api
      GET    /env/{envId}         every run (account)

    5 of 7 operations are claimed (71 %); \`trueup api\` calls any of them."
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
    'create PUT /v1/projects/{project}/feature-flags/flags',
    'update,delete GET /v1/projects/{project}/feature-flags/flags/{id}',
    'update,delete PATCH /v1/projects/{project}/feature-flags/flags/{id}?ifMatch={etag}',
    'delete DELETE /v1/projects/{project}/feature-flags/flags/{id}?ifMatch={etag}',
  ]);
  const all = await hosting.operations();
  const found = hosting.lookups.map((endpoint) => operationOf(endpoint, all)?.path);
  expect(found).toEqual(['/v2/teams/{teamId}', '/v2/user']);
});
