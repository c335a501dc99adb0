import { expect, it } from 'vitest';
import { planExample } from '../../src/cli/plan-example.ts';
import type { ApiOperation } from '../../src/kind/provider.ts';
import { coverageOf, operationOf } from '../../src/manual/coverage.ts';
import { coverageText } from '../../src/manual/coverage-text.ts';
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

const coverage = async () =>
  coverageOf(
    operations,
    await Promise.all(
      [...kinds.values()].map(async (kind) => ({
        kind,
        requests: requestsOf(kind, (await planExample(kinds, kind)).requests),
      })),
    ),
  );

it('claims what the kinds use, and nothing else', async () => {
  const { total, claimed, groups } = await coverage();
  expect({ total, claimed }).toEqual({ total: 7, claimed: 5 });
  expect(groups.map(({ group, total, claimed }) => [group, total, claimed])).toEqual([
    ['sites', 4, 3],
    ['env', 3, 2],
  ]);
  const claims = groups.flatMap(({ operations }) => operations.map((one) => [one.path, one.claims]));
  expect(claims).toContainEqual(['/sites/{siteId}', [{ kind: 'site', when: ['create', 'update'] }]]);
  expect(claims).toContainEqual(['/unseen', [{ kind: 'variable', when: [] }]]);
  expect(claims).toContainEqual(['/env/{envId}', []]);
});

it('reads as a table by group', async () => {
  const text = coverageText(await coverage(), { style: styleFor({ color: false, width: 80 }) });
  expect(text).toMatchInlineSnapshot(`
    "sites  3 of 4
      GET    /sites           site (list)
      POST   /sites           site (create)
      PATCH  /sites/{siteId}  site (create, update)
      PUT    /sites/{siteId}  not claimed yet

    env  2 of 3
      GET    /sites/{siteId}/env  variable (list)
      GET    /unseen              variable
      GET    /env/{envId}         not claimed yet

    5 of 7 operations are claimed (71 %)."
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
