import { expect } from 'vitest';
import type { FactCase } from './fact-case.ts';

const variable = (key: string, more: object = {}) => ({
  ...{ key, value: 'v', type: 'encrypted', target: ['production'] },
  ...more,
});
const envPath = (project: string) => `/v10/projects/${project}/env`;
const manyEnv = (count: number) => Array.from({ length: count }, (_, i) => ({ key: `K${i}`, value: 'v' }));
const shared = (count: number) => ({
  evs: Array.from({ length: count }, (_, i) => ({ key: `S${i}`, value: 'v' })),
  target: ['production'],
});
const developer = {
  user: { id: 'user_dev' },
  teams: [
    {
      slug: 'acme',
      members: [{ uid: 'user_dev', email: 'dev@example.com', role: 'DEVELOPER' as const }],
    },
  ],
};

/** Facts about variables of projects and of teams. */
export const variableCases: FactCase[] = [
  {
    fact: 'PF1',
    title: 'the list ignores `limit`',
    seed: { projects: [{ name: 'pf1', env: manyEnv(30) }] },
    steps: [
      {
        request: ['GET', `${envPath('pf1')}?limit=2`],
        status: 200,
        body: { pagination: { count: 30, next: null } },
        check: ({ envs }) => expect(envs).toHaveLength(30),
      },
    ],
  },
  {
    fact: 'PF2',
    title: 'pages of 25, of 50 at most; `until` loses rows of one time at the edge',
    own: {},
    steps: [
      { request: ['POST', '/v1/env', shared(60)], status: 201 },
      {
        request: ['GET', '/v1/env'],
        status: 200,
        check: ({ data, pagination }) =>
          expect([data.length, pagination.next]).toEqual([25, data[24].createdAt]),
      },
      {
        request: ['GET', '/v1/env?limit=100'],
        status: 200,
        check: ({ data }) => expect(data).toHaveLength(50),
      },
      ({ body }) => ({
        request: ['GET', `/v1/env?limit=50&until=${body.pagination.next}`],
        status: 200,
        body: { data: [], pagination: { next: null } },
      }),
    ],
  },
  {
    fact: 'PF3',
    title: 'an upsert with other targets is a conflict',
    seed: { projects: [{ name: 'pf3', env: [{ key: 'A', value: 'v', target: ['production'] }] }] },
    steps: [
      {
        request: [
          'POST',
          `${envPath('pf3')}?upsert=true`,
          variable('A', { target: ['production', 'preview'] }),
        ],
        status: 400,
        body: { error: { code: 'ENV_CONFLICT' } },
      },
      { request: ['POST', `${envPath('pf3')}?upsert=true`, variable('A')], status: 201 },
    ],
  },
  {
    fact: 'PF7',
    title: 'a batch of which nothing is created is refused, with each reason',
    seed: { projects: [{ name: 'pf7', env: [{ key: 'A', value: 'v' }] }] },
    steps: [
      {
        request: ['POST', envPath('pf7'), [variable('A')]],
        status: 400,
        body: {
          error: { code: 'BAD_REQUEST', message: 'No environment variables were created' },
          failed: [{ error: { code: 'ENV_CONFLICT', envVarKey: 'A' } }],
        },
      },
    ],
  },
  {
    fact: 'PF8',
    title: 'a batch of which something is created succeeds, with the reasons for the rest',
    seed: { projects: [{ name: 'pf8', env: [{ key: 'A', value: 'v' }] }] },
    steps: [
      {
        request: ['POST', envPath('pf8'), [variable('A'), variable('B')]],
        status: 201,
        body: { created: [{ key: 'B' }], failed: [{ error: { envVarKey: 'A' } }] },
      },
    ],
  },
  {
    fact: 'PF9',
    title: 'the list has ciphertext, and says that it is not decrypted',
    seed: { projects: [{ name: 'pf9', env: [{ key: 'A', value: 'clear' }] }] },
    steps: [
      {
        request: ['GET', envPath('pf9')],
        status: 200,
        body: { envs: [{ decrypted: false, customEnvironmentIds: [] }] },
        check: ({ envs }) => expect(envs[0].value).toMatch(/^eyJ/),
      },
    ],
  },
  {
    fact: 'PF11',
    title: 'development takes no sensitive variable',
    seed: { projects: [{ name: 'pf11' }] },
    steps: [
      {
        request: ['POST', envPath('pf11'), variable('A', { type: 'sensitive', target: ['development'] })],
        status: 400,
      },
    ],
  },
  {
    fact: 'PF15',
    title: 'a sensitive variable keeps its type',
    seed: { projects: [{ name: 'pf15', env: [{ key: 'A', value: 'v', type: 'sensitive' }] }] },
    steps: [
      { request: ['GET', envPath('pf15')], status: 200 },
      ({ body }) => ({
        request: ['PATCH', `/v9/projects/pf15/env/${body.envs[0].id}`, { type: 'encrypted' }],
        status: 400,
      }),
    ],
  },
  {
    fact: 'PF16',
    title: 'preview and preview of a branch are two rows',
    seed: { projects: [{ name: 'pf16' }] },
    steps: [
      {
        request: [
          'POST',
          envPath('pf16'),
          ['', 'next'].map((gitBranch) =>
            variable('A', { target: ['preview'], ...(gitBranch && { gitBranch }) }),
          ),
        ],
        status: 201,
        body: { created: [{}, { gitBranch: 'next' }], failed: [] },
      },
    ],
  },
  {
    fact: 'PF17',
    title: 'the command line sends `visibility` as well',
    seed: { projects: [{ name: 'pf17' }] },
    steps: [
      {
        request: ['POST', envPath('pf17'), variable('A', { type: 'sensitive', visibility: 'secret' })],
        status: 201,
        body: { created: { visibility: 'secret' } },
      },
    ],
  },
  {
    fact: 'PF18',
    title: '`projectId` of a shared variable is a list',
    seed: { projects: [{ name: 'pf18' }], sharedEnv: [{ key: 'PF18', value: 'v', projects: ['pf18'] }] },
    steps: [
      {
        request: ['GET', '/v1/env?search=PF18'],
        status: 200,
        body: { data: [{ projectId: [expect.any(String)] }] },
      },
    ],
  },
  {
    fact: 'PF82',
    title: 'a developer gets no rows of production, and their number',
    own: { seed: developer },
    seed: {
      projects: [
        {
          name: 'pf82',
          env: [
            { key: 'A', value: 'v', target: ['production'] },
            { key: 'A', value: 'v', target: ['preview'] },
          ],
        },
      ],
    },
    steps: [
      {
        request: ['GET', envPath('pf82')],
        status: 200,
        body: { envs: [{ target: ['preview'] }], hiddenProductionEnvCount: 1 },
        check: ({ envs }) => expect(envs).toHaveLength(1),
      },
      {
        request: ['POST', envPath('pf82'), variable('B')],
        status: 403,
        body: {
          error: {
            message: 'Additional permissions are required to create production environment variables',
          },
        },
      },
    ],
  },
];
