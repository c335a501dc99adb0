import { expect } from 'vitest';
import type { FactCase } from './fact-case.ts';

/** The project of a case. */
const path = (project: string) => `/v9/projects/${project}`;
const refused = (member: string) => ({
  status: 400,
  body: {
    error: {
      code: 'bad_request',
      message: `Invalid request: should NOT have additional property \`${member}\`.`,
    },
  },
});

/** Facts about projects. */
export const projectCases: FactCase[] = [
  {
    fact: 'PF19',
    title: '`publicSource` is refused and absent',
    seed: { projects: [{ name: 'pf19' }] },
    steps: [
      {
        request: ['POST', '/v11/projects', { name: 'pf19b', publicSource: true }],
        ...refused('publicSource'),
      },
      { request: ['PATCH', path('pf19'), { publicSource: null }], ...refused('publicSource') },
      {
        request: ['GET', path('pf19')],
        status: 200,
        check: (project) => expect(project).not.toHaveProperty('publicSource'),
      },
    ],
  },
  {
    fact: 'PF20',
    title: 'a PATCH refuses `gitRepository`; `/link` takes it',
    seed: { projects: [{ name: 'pf20' }] },
    steps: [
      {
        request: ['PATCH', path('pf20'), { gitRepository: { type: 'github', repo: 'acme/web' } }],
        ...refused('gitRepository'),
      },
      {
        request: ['POST', `${path('pf20')}/link`, { type: 'github', repo: 'acme/web' }],
        status: 200,
        body: { link: { org: 'acme', repo: 'web' } },
      },
    ],
  },
  {
    fact: 'PF21',
    title: 'a new project protects all deployments but those at custom domains',
    steps: [
      {
        request: ['POST', '/v11/projects', { name: 'pf21' }],
        status: 200,
        body: { ssoProtection: { deploymentType: 'all_except_custom_domains' } },
      },
    ],
  },
  {
    fact: 'PF22',
    title: 'an empty machine type is refused',
    seed: { projects: [{ name: 'pf22' }] },
    steps: [{ request: ['PATCH', path('pf22'), { resourceConfig: { buildMachineType: '' } }], status: 400 }],
  },
  {
    fact: 'PF23',
    title: '`elastic` reads as a selection with a concrete machine',
    seed: { projects: [{ name: 'pf23' }] },
    steps: [
      {
        request: ['PATCH', path('pf23'), { resourceConfig: { buildMachineType: 'elastic' } }],
        status: 200,
        body: { resourceConfig: { buildMachineSelection: 'elastic', buildMachineType: 'standard' } },
      },
    ],
  },
  {
    fact: 'PF30',
    title: 'a deploy hook is deleted after its repository was unlinked',
    seed: { projects: [{ name: 'pf30', gitRepository: { type: 'github', repo: 'acme/web' } }] },
    steps: [
      { request: ['POST', '/v2/projects/pf30/deploy-hooks', { name: 'cms', ref: 'main' }], status: 200 },
      {
        request: ['DELETE', `${path('pf30')}/link`],
        status: 200,
        check: (project) => expect(project).not.toHaveProperty('link'),
      },
      (_, { account }) => ({
        request: [
          'DELETE',
          `/v2/projects/pf30/deploy-hooks/${account.projects.find(({ name }) => name === 'pf30')!.deployHooks[0]!.id}`,
        ],
        status: 200,
      }),
    ],
  },
  {
    fact: 'PF26',
    title: 'unknown members are refused, three that only clients know are taken',
    seed: { projects: [{ name: 'pf26' }] },
    steps: [
      { request: ['POST', '/v11/projects', { name: 'pf26b', future: 1 }], ...refused('future') },
      { request: ['PATCH', path('pf26'), { future: 1 }], ...refused('future') },
      {
        request: [
          'PATCH',
          path('pf26'),
          {
            gitComments: { onCommit: true, onPullRequest: false },
            gitProviderOptions: { createDeployments: 'disabled' },
            productionDeploymentsFastLane: true,
          },
        ],
        status: 200,
        body: { gitComments: { onCommit: true }, productionDeploymentsFastLane: true },
      },
    ],
  },
  {
    fact: 'PF27',
    title: '`serverlessFunctionRegion` mirrors the first region of functions',
    seed: { projects: [{ name: 'pf27' }] },
    steps: [
      {
        request: ['PATCH', path('pf27'), { resourceConfig: { functionDefaultRegions: ['fra1', 'sfo1'] } }],
        status: 200,
        body: { serverlessFunctionRegion: 'fra1' },
      },
    ],
  },
  {
    fact: 'PF28',
    title: 'a new project has NAME.vercel.app, without the settings of a domain',
    seed: { projects: [{ name: 'pf28' }] },
    steps: [
      {
        request: ['GET', `${path('pf28')}/domains`],
        status: 200,
        body: { domains: [{ name: 'pf28.vercel.app', verified: true }] },
        check: ({ domains: [domain] }) => {
          for (const member of ['redirect', 'redirectStatusCode', 'gitBranch'])
            expect(domain).not.toHaveProperty(member);
        },
      },
    ],
  },
  {
    fact: 'PF29',
    title: 'the production branch has a request of its own',
    seed: { projects: [{ name: 'pf29', gitRepository: { type: 'github', repo: 'acme/web' } }] },
    steps: [
      {
        request: ['PATCH', `${path('pf29')}/branch`, { branch: 'live' }],
        status: 200,
        body: { link: { productionBranch: 'live' } },
      },
    ],
  },
  {
    fact: 'PF33',
    title: '`trustedSources` can be written and read',
    seed: { projects: [{ name: 'pf33' }] },
    steps: [
      {
        request: ['PATCH', path('pf33'), { trustedSources: { enableVercelCiSameRepository: true } }],
        status: 200,
        body: { trustedSources: { enableVercelCiSameRepository: true } },
      },
    ],
  },
  {
    fact: 'PF34',
    title: '`protectedSourcemaps` can be written and read',
    seed: { projects: [{ name: 'pf34' }] },
    steps: [
      {
        request: ['PATCH', path('pf34'), { protectedSourcemaps: true }],
        status: 200,
        body: { protectedSourcemaps: true },
      },
    ],
  },
  {
    fact: 'PF84',
    title: 'rolling releases turn on skew protection',
    seed: { projects: [{ name: 'pf84' }] },
    steps: [
      {
        request: [
          'PATCH',
          '/v1/projects/pf84/rolling-release/config',
          {
            enabled: true,
            advancementType: 'manual-approval',
            stages: [{ targetPercentage: 10 }, { targetPercentage: 100 }],
          },
        ],
        status: 200,
      },
      { request: ['GET', path('pf84')], status: 200, body: { skewProtectionMaxAge: 43_200 } },
    ],
  },
];
