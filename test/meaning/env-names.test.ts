import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findConflictingNames } from '../../providers/hosting/meaning/environment/env-names.ts';
import { variablesIn } from '../../providers/hosting/meaning/environment/env-variables.ts';
import { runs } from '../support/sweep.ts';
import { viewOf } from '../support/view-of.ts';

const findFor = async (project: object, shared: object = {}) => {
  const yaml = `secrets: { a: {} }\nprojects: ${JSON.stringify({ web: project, api: {} })}\nsharedEnv: ${JSON.stringify(shared)}`;
  const view = await viewOf(yaml);
  return [...findConflictingNames(variablesIn(view), view)];
};

test.each<[what: string, code: string, project: object, shared?: object]>([
  ['a system variable', 'env/system-name', { env: { VERCEL_URL: 'www.example.com' } }],
  ['a shared system variable', 'env/system-name', {}, { VERCEL_ENV: 'live' }],
  ['two cases', 'env/case', { env: { API_URL: 'a', Api_Url: 'b' } }],
  ['two cases of the team', 'env/case', {}, { API_URL: 'a', api_url: 'b' }],
  [
    'two cases in one common place',
    'env/case',
    { env: { API_URL: { value: 'a', target: ['production'] }, api_url: 'b' } },
  ],
  [
    'a hidden shared variable',
    'env/hides-shared',
    { env: { LEVEL: 'a' } },
    { LEVEL: { value: 'b', projectId: ['web'] } },
  ],
])('%s gets a note', async (_, code, ...given) => {
  expect(await findFor(...given)).toMatchObject([{ code, severity: 'note' }]);
});

test('the places of a hidden variable are listed', async () => {
  const env = {
    LEVEL: [
      { value: 'a', target: ['production'] },
      { value: 'b', target: ['preview'] },
    ],
  };
  expect(await findFor({ env }, { LEVEL: { value: 'c', projectId: ['web'] } })).toEqual([
    {
      code: 'env/hides-shared',
      severity: 'note',
      message:
        'the shared variable LEVEL has no effect in production and preview of projects/web, because the project has a variable of that name',
      hint: 'remove one of them, or leave it if the project needs a value of its own',
      address: 'projects/web/env/LEVEL@production',
      related: [{ message: 'the shared variable', address: 'sharedEnv/LEVEL@production' }],
    },
  ]);
});

test.each<[what: string, project: object, shared?: object]>([
  [
    'a branch beside all previews',
    {
      env: {
        A: [
          { value: 'a', target: ['preview'] },
          { value: 'b', target: ['preview'], gitBranch: 'next' },
        ],
      },
    },
  ],
  ['other names', { env: { API_URL: 'a', API_URLS: 'b' } }],
  [
    'two cases in two places',
    { env: { A_B: { value: 'a', target: ['production'] }, a_b: { value: 'b', target: ['preview'] } } },
  ],
  ['proxies', { env: { HTTP_PROXY: 'http://a', http_proxy: 'http://b', NO_PROXY: 'a', no_proxy: 'b' } }],
  ['two cases of one value', { env: { API_URL: 'a', api_url: 'a' } }],
  ['system variables that are off', { autoExposeSystemEnvs: false, env: { VERCEL_URL: 'a' } }],
  [
    'other variables with the prefix',
    { env: { VERCEL_FORCE_NO_BUILD_CACHE: '1', NEXT_PUBLIC_VERCEL_URL: 'a', CI: 'false' } },
  ],
  [
    'a shared variable of another project',
    { env: { LEVEL: 'a' } },
    { LEVEL: { value: 'b', projectId: ['api'] } },
  ],
  [
    'a shared variable in other places',
    { env: { LEVEL: { value: 'a', target: ['preview'] } } },
    { LEVEL: { value: 'b', target: ['production'], projectId: ['web'] } },
  ],
  [
    'a branch beside a shared variable',
    { env: { LEVEL: { value: 'a', gitBranch: 'next' } } },
    { LEVEL: { value: 'b', projectId: ['web'] } },
  ],
  ['a shared variable without links', { env: { LEVEL: 'a' } }, { LEVEL: 'b' }],
])('%s gets none', async (_, ...given) => {
  expect(await findFor(...given)).toEqual([]);
});

test('a shared variable is hidden if and only if a linked project has its name in one of its places', async () => {
  const targets = ['production', 'preview', 'development'];
  const variables = fc.dictionary(
    fc.constantFrom('A', 'B', 'C'),
    fc.record({ target: fc.subarray(targets, { minLength: 1 }), projectId: fc.subarray(['web', 'api']) }),
  );
  const check = async (
    own: Record<string, { target: string[] }>,
    shared: Record<string, { target: string[]; projectId: string[] }>,
  ) => {
    const env = Object.fromEntries(
      Object.entries(own).map(([name, { target }]) => [name, { value: 'own', target }]),
    );
    const sharedEnv = Object.fromEntries(
      Object.entries(shared).map(([name, variable]) => [name, { value: 'shared', ...variable }]),
    );
    const expected = Object.keys(own).filter(
      (name) =>
        Object.hasOwn(shared, name) &&
        shared[name]!.projectId.includes('web') &&
        targets.some((target) => own[name]!.target.includes(target) && shared[name]!.target.includes(target)),
    );
    const found = await findFor({ env }, sharedEnv);
    expect(found.map(({ address }) => /env\/(\w)@/.exec(address)?.[1]).sort()).toEqual(expected.sort());
  };
  await fc.assert(fc.asyncProperty(variables, variables, check), { numRuns: runs(2_000) });
});
