import { expect } from 'vitest';
import type { FactCase, FactStep } from './fact-case.ts';

const variable = (key: string, more: object = {}) => ({
  ...{ key, value: 'v', type: 'encrypted', target: ['production'] },
  ...more,
});
const envPath = (project: string) => `/v10/projects/${project}/env`;
const guarded = { slug: 'acme', sensitiveEnvironmentVariablePolicy: 'on' as const };
const manyEnv = (count: number, more: { target?: ['production'] } = {}) =>
  Array.from({ length: count }, (_, i) => ({ key: `K${i}`, value: 'v', ...more }));
const shared = (count: number, prefix = 'S') => ({
  evs: Array.from({ length: count }, (_, i) => ({ key: `${prefix}${i}`, value: 'v' })),
  target: ['production'],
});
/** A request for a deployment, which ends in this state. */
const deploys = (project: string, body: object, readyState: string): FactStep => ({
  request: ['POST', '/v13/deployments?forceNew=1', { name: project, project, files: [], ...body }],
  status: 200,
  body: { readyState },
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
    fact: 'PF5',
    title: 'the message of a conflict names a branch even if there is none',
    seed: {
      projects: [{ name: 'pf5', env: [{ key: 'A', value: 'v', target: ['production', 'preview'] }] }],
    },
    steps: [
      {
        request: ['POST', envPath('pf5'), variable('A')],
        status: 400,
        rule: 'PF6',
        body: {
          error: {
            code: 'ENV_CONFLICT',
            message:
              'A variable with the name `A` already exists for the target production,preview on branch undefined',
          },
        },
      },
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
        rule: 'PF6',
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
    fact: 'PF10',
    title: 'a name with a public prefix cannot be secret in production or preview',
    seed: { projects: [{ name: 'pf10', env: [{ key: 'NEXT_PUBLIC_OLD', value: 'v', type: 'sensitive' }] }] },
    steps: [
      ...[
        variable('NEXT_PUBLIC_A', { type: 'sensitive' }),
        variable('vite_A', { target: ['preview'], visibility: 'secret' }),
        variable('Sanity_Studio_A', { target: ['preview'], gitBranch: 'next', type: 'sensitive' }),
      ].map((body): FactStep => ({ request: ['POST', envPath('pf10'), body], status: 400 })),
      {
        request: ['POST', '/v1/env', { ...shared(1, 'PUBLIC_'), type: 'sensitive' }],
        status: 400,
      },
      {
        request: [
          'POST',
          envPath('pf10'),
          [
            variable('NEXT_PUBLIC_A'),
            variable('VITE_A', { target: ['development'], visibility: 'secret' }),
            variable('NOT_PUBLIC_A', { type: 'sensitive' }),
          ],
        ],
        status: 201,
        body: { failed: [] },
      },
      ({ body }) => ({
        request: ['PATCH', `/v9/projects/pf10/env/${body.created[0].id}`, { type: 'sensitive' }],
        status: 400,
      }),
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
    fact: 'PF12',
    title: 'reserved names are refused, similar ones are not',
    seed: { projects: [{ name: 'pf12' }] },
    steps: [
      ...['TZ', 'NOW_REGION', 'AWS_SECRET_KEY', 'LAMBDA_RUNTIME_DIR'].map(
        (name): FactStep => ({
          request: ['POST', envPath('pf12'), variable(name)],
          status: 400,
          body: { error: { message: 'The name of your Environment Variable is reserved' } },
        }),
      ),
      {
        request: ['POST', '/v1/env', { evs: [{ key: 'TZ', value: 'v' }], target: ['preview'] }],
        status: 400,
      },
      {
        request: [
          'POST',
          envPath('pf12'),
          ['AWS_REGION', 'AWS_SECRET_ACCESS_KEY', 'tz'].map((name) => variable(name)),
        ],
        status: 201,
        body: { failed: [] },
      },
      ({ body }) => ({
        request: ['PATCH', `/v9/projects/pf12/env/${body.created[0].id}`, { key: 'TZ' }],
        status: 400,
      }),
    ],
  },
  {
    fact: 'PF13',
    title: 'an environment takes 1,000 variables',
    seed: { projects: [{ name: 'pf13', env: manyEnv(999, { target: ['production'] }) }] },
    steps: [
      { request: ['POST', envPath('pf13'), [variable('A'), variable('B')]], status: 400 },
      { request: ['POST', envPath('pf13'), variable('A')], status: 201 },
      { request: ['POST', envPath('pf13'), variable('B')], status: 400 },
      { request: ['POST', envPath('pf13'), variable('B', { target: ['preview'] })], status: 201 },
      ({ body }) => ({
        request: ['PATCH', `/v9/projects/pf13/env/${body.created.id}`, { target: ['production'] }],
        status: 400,
      }),
    ],
  },
  {
    fact: 'PF13',
    title: 'a deployment fails if its names and values have more than 64 KB, with the shared ones',
    seed: {
      projects: [
        {
          name: 'pf13b',
          env: [
            { key: 'A', value: 'v'.repeat(40_000), target: ['production', 'preview'] },
            { key: 'B', value: 'v'.repeat(20_000), target: ['production'] },
            { key: 'B', value: 'v'.repeat(20_000), target: ['preview'], gitBranch: 'next' },
          ],
        },
      ],
      sharedEnv: [
        { key: 'PF13', value: 'v'.repeat(9000), projects: ['pf13b'] },
        // The project's own variable wins.
        { key: 'A', value: 'v'.repeat(40_000), projects: ['pf13b'] },
      ],
    },
    steps: [
      deploys('pf13b', { target: 'production' }, 'ERROR'),
      deploys('pf13b', {}, 'READY'),
      deploys('pf13b', { gitSource: { type: 'github', repo: 'acme/web', ref: 'next' } }, 'ERROR'),
    ],
  },
  ...[true, false].map(
    (makes): FactCase => ({
      fact: 'PF14',
      title: `the policy of a team ${makes ? 'makes new variables sensitive' : 'refuses other types'}`,
      own: { switches: { policyMakesSensitive: makes }, seed: { teams: [guarded] } },
      seed: { projects: [{ name: 'pf14' }] },
      steps: [
        {
          request: ['POST', envPath('pf14'), variable('A')],
          ...(makes ? { status: 201, body: { created: { type: 'sensitive' } } } : { status: 400 }),
        },
        {
          request: ['POST', '/v1/env', shared(1)],
          ...(makes ? { status: 201, body: { created: [{ type: 'sensitive' }] } } : { status: 400 }),
        },
        // A name with a public prefix could otherwise not be used at all.
        {
          request: ['POST', envPath('pf14'), variable('NEXT_PUBLIC_A', { type: 'sensitive' })],
          status: 201,
        },
        {
          request: ['POST', envPath('pf14'), variable('A', { target: ['development'] })],
          status: 201,
          body: { created: { type: 'encrypted' } },
        },
      ],
    }),
  ),
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
