import { expect, it } from 'vitest';
import type { Plan } from '../../src/model/plan.ts';
import { codes, newWorld } from '../support/scene.ts';

type Block = Record<string, unknown>;
/** A change of one block: what it is about, and the block before and after. `undefined`: there is no such block. */
type Edit = [about: string, before: Block | undefined, after: Block | undefined];

const sections = ['oidcPolicies', 'accessGroups', 'globalConfigs', 'projects'] as const;
type Section = (typeof sections)[number];

const claim = (name: string, ...values: (string | Block)[]) => ({
  name,
  values: values.map((value) => (typeof value === 'string' ? { value } : value)),
});
const anyOf = (value: string) => ({ value, wildcards: true });
const policy = (fields: Block = {}) => ({
  ...{ clientId: 'cl_one', issuerUrl: 'https://issuer.example.com', claims: [claim('aud', 'one')] },
  ...(fields.commands ? {} : { permissions: ['*'] }),
  ...fields,
});
const idOf = (project: string) => `\${projects.${project}.id}`;
const trusted = (trustedSources: Block | null) => ({ trustedSources });
const environments = (...slugs: string[]) => ({ slugs });
const rule = (from: string[], to: string[]) => ({ from: environments(...from), to: environments(...to) });
const caller = (...customAllow: Block[]) =>
  trusted({ projects: { prj_a: customAllow.length > 0 ? { customAllow } : {} } });
const token = (claims: Block, ...to: string[]) =>
  trusted({ oidcProviders: { 'https://issuer.example.com': [{ to: environments(...to), claims }] } });
const addresses = (protectionMode: string, ...values: string[]) => ({
  trustedIps: { deploymentType: 'all', protectionMode, addresses: values.map((value) => ({ value })) },
});
const passport = (connectorId: string, deploymentType: string) => ({
  passport: { connectorId, deploymentType },
});
const production = { type: 'system', target: 'production' };
const deployers = (list: string, sources: unknown[], enabled = true) => ({
  deploymentPolicy: { [list]: [{ enabled, environments: [production], sources }] },
});
const linked = (deployHooks: Block) => ({ gitRepository: { type: 'github', repo: 'acme/web' }, deployHooks });

const secretTo = (file: string) => ({ $secretTo: { file } });
const role = (name: string) => ({ projects: { 'wider-1': { role: name } } });
const images = (permissions: Block) => ({ registryRepositories: { images: { permissions } } });
const sdkKey = { environment: 'production', type: 'server', label: 'web', ...secretTo('key') };

/** Edits that take access away. */
const narrower: Record<Section, Edit[]> = {
  oidcPolicies: [
    ['a removed policy', policy(), undefined],
    ['another claim', policy(), policy({ claims: [claim('aud', 'one'), claim('ref', 'main')] })],
    ['another value', policy(), policy({ claims: [claim('aud', 'two')] })],
    ['fewer values', policy({ claims: [claim('aud', 'one', 'two')] }), policy()],
    [
      'a narrower wildcard',
      policy({ claims: [claim('ref', anyOf('refs/*'))] }),
      policy({ claims: [claim('ref', anyOf('refs/heads/*'))] }),
    ],
    [
      'no wildcard',
      policy({ claims: [claim('ref', anyOf('r*'))] }),
      policy({ claims: [claim('ref', 'r*')] }),
    ],
    ['fewer permissions', policy(), policy({ permissions: ['read'] })],
    ['other permissions', policy({ permissions: ['read'] }), policy({ permissions: ['write'] })],
    ['fewer commands', policy({ commands: ['deploy', 'env'] }), policy({ commands: ['env'] })],
    ['no projects', policy({ resources: { projectIds: ['*'] } }), policy({ resources: { projectIds: [] } })],
    ['chosen projects instead of all', policy(), policy({ resources: { projectIds: ['prj_a'] } })],
  ],
  accessGroups: [
    ['a lower role', role('ADMIN'), role('PROJECT_VIEWER')],
    ['no role', role('PROJECT_VIEWER'), {}],
  ],
  globalConfigs: [['a removed token', { tokens: { web: secretTo('token') } }, {}]],
  projects: [
    ['a removed key of flags', { featureFlagSdkKeys: [sdkKey] }, {}],
    ['a removed bypass', { protectionBypass: { e2e: { note: 'tests' } } }, {}],
    ['a team that cannot pull images', images({ team_two: {} }), images({})],
    ['no trusted sources', caller(), trusted(null)],
    ['fewer projects', trusted({ projects: { prj_a: {}, prj_b: {} } }), caller()],
    ['rules where there were none', caller(), caller(rule(['preview'], ['preview']))],
    [
      'fewer environments',
      caller(rule(['production', 'preview'], ['preview'])),
      caller(rule(['production'], ['preview'])),
    ],
    ['fewer issuers', token({ aud: ['a'] }, 'preview'), trusted({})],
    [
      'more claims of a token',
      token({ aud: ['a'] }, 'preview'),
      token({ aud: ['a'], sub: ['b'] }, 'preview'),
    ],
    ['fewer values of a claim', token({ aud: ['a', 'b'] }, 'preview'), token({ aud: ['a'] }, 'preview')],
    [
      'no runs in the same repository',
      trusted({ enableVercelCiSameRepository: true }),
      trusted({ enableVercelCiSameRepository: false }),
    ],
    [
      'fewer addresses',
      addresses('exclusive', '192.0.2.1', '192.0.2.2'),
      addresses('exclusive', '192.0.2.1'),
    ],
    ['only these addresses', { trustedIps: null }, addresses('exclusive', '192.0.2.1')],
    ['these addresses no longer pass', addresses('additional', '192.0.2.1'), { trustedIps: null }],
    ['sign-in', { passport: null }, passport('con_one', 'preview')],
    ['sign-in elsewhere', passport('con_one', 'preview'), passport('con_two', 'preview')],
    ['sign-in for more', passport('con_one', 'preview'), passport('con_one', 'all')],
    ['a removed integration', { integrations: { icfg_one: {} } }, {}],
    ['a removed deploy hook', linked({ nightly: { ref: 'main', ...secretTo('hook') } }), linked({})],
    [
      'fewer ways to deploy',
      deployers('deploymentSources', ['git', 'cli']),
      deployers('deploymentSources', ['git']),
    ],
    [
      'one repository instead of all',
      deployers('gitSources', [{ provider: 'github', org: 'acme' }]),
      deployers('gitSources', [{ provider: 'github', org: 'acme', repo: 'web' }]),
    ],
    ['a rule that applies', deployers('deploymentSources', [], false), deployers('deploymentSources', [])],
    ['a new policy', {}, deployers('deploymentSources', ['git'])],
    ["the team's policy again", deployers('deploymentSources', ['git']), {}],
  ],
};

/** Edits that take no access away: they give some, or are about something else. */
const wider: typeof narrower = {
  oidcPolicies: [
    ['a new policy', undefined, policy()],
    ['fewer claims', policy({ claims: [claim('aud', 'one'), claim('ref', 'main')] }), policy()],
    ['more values', policy(), policy({ claims: [claim('aud', 'two', 'one')] })],
    [
      'a wildcard',
      policy({ claims: [claim('ref', 'refs/heads/main', anyOf('refs/heads/v*'))] }),
      policy({ claims: [claim('ref', anyOf('refs/*/*'))] }),
    ],
    ['all permissions', policy({ permissions: ['read'] }), policy()],
    ['more commands', policy({ commands: ['env'] }), policy({ commands: ['deploy', 'env'] })],
    [
      'all projects',
      policy({ resources: { projectIds: ['prj_a'] } }),
      policy({ resources: { projectIds: ['*'] } }),
    ],
    [
      'a first project',
      policy({ resources: { projectIds: [] } }),
      policy({ resources: { projectIds: ['prj_a'] } }),
    ],
    [
      'a project of the same plan',
      policy({ resources: { projectIds: [idOf('wider-1')] } }),
      policy({ resources: { projectIds: [idOf('wider-0'), idOf('wider-1')] } }),
    ],
    [
      'one more project',
      policy({ resources: { projectIds: ['prj_a'] } }),
      policy({ resources: { projectIds: ['prj_a', 'prj_b'] } }),
    ],
  ],
  accessGroups: [
    ['a higher role', role('PROJECT_VIEWER'), role('PROJECT_DEVELOPER')],
    ['a first role', {}, role('ADMIN')],
  ],
  globalConfigs: [['a new token', {}, { tokens: { web: secretTo('token') } }]],
  projects: [
    ['a policy of a new project', undefined, deployers('deploymentSources', ['git'])],
    ['first trusted sources', trusted(null), caller()],
    ['more projects', caller(), trusted({ projects: { prj_a: { label: 'a' }, prj_b: {} } })],
    [
      'more environments',
      caller(rule(['production'], ['preview'])),
      caller(rule(['preview', 'production'], ['preview'])),
    ],
    [
      'all custom environments',
      caller(rule(['staging'], ['preview'])),
      trusted({
        projects: {
          prj_a: { customAllow: [{ from: { preset: 'all-custom' }, to: environments('preview') }] },
        },
      }),
    ],
    [
      'fewer claims of a token',
      token({ aud: ['a'], sub: ['b'] }, 'preview'),
      token({ aud: ['a'] }, 'preview'),
    ],
    ['more addresses', addresses('exclusive', '192.0.2.1'), addresses('exclusive', '192.0.2.2', '192.0.2.1')],
    ['all addresses', addresses('exclusive', '192.0.2.1'), { trustedIps: null }],
    ['addresses that pass', { trustedIps: null }, addresses('additional', '192.0.2.1')],
    ['no sign-in', passport('con_one', 'all'), { passport: null }],
    ['sign-in for fewer', passport('con_one', 'all'), passport('con_one', 'preview')],
    ['a new integration', {}, { integrations: { icfg_one: {} } }],
    ['a new deploy hook', linked({}), linked({ nightly: { ref: 'main', ...secretTo('hook') } })],
    [
      'more ways to deploy',
      deployers('deploymentSources', ['git']),
      deployers('deploymentSources', ['cli', 'git']),
    ],
    [
      'all repositories',
      deployers('gitSources', [{ provider: 'github', org: 'acme', repo: 'web' }]),
      deployers('gitSources', [{ provider: 'github', org: 'acme' }]),
    ],
    ['a rule that is off', deployers('deploymentSources', []), deployers('deploymentSources', [], false)],
    // What runs, how long something is kept and where it runs is nobody's access.
    ['no cron jobs', { crons: { enabled: true } }, { crons: { enabled: false } }],
    [
      'a shorter retention',
      { deploymentRetention: { expiration: '1y' } },
      { deploymentRetention: { expiration: '1d' } },
    ],
    ['no traces', { tracingConfig: { enabled: true } }, {}],
    [
      'another production branch',
      { ...linked({}), productionBranch: 'main' },
      { ...linked({}), productionBranch: 'next' },
    ],
  ],
};

/** Returns the YAML of all edits, before or after them. Each edit has an own policy or project, `NAME-1`. */
function yamlOf(side: 1 | 2): string {
  const blocksOf = (list: Section) =>
    Object.fromEntries(
      Object.entries({ narrower, wider }).flatMap(([name, edits]) =>
        edits[list].flatMap((edit, index) => (edit[side] ? [[`${name}-${index}`, edit[side]]] : [])),
      ),
    );
  return sections.map((list) => `${list}: ${JSON.stringify(blocksOf(list))}`).join('\n');
}

/** Returns what each edit is about whose change needs a permission, with the permissions. */
const askedIn = ({ changes }: Plan, edits: typeof narrower, name: string) =>
  sections.flatMap((list) =>
    edits[list].map(([about], index) => {
      const root = `${list}/${name}-${index}`;
      const own = changes.filter(({ address }) => address === root || address.startsWith(`${root}/`));
      return [
        about,
        own.some(({ action }) => action !== 'noop'),
        [...new Set(own.flatMap(({ permissions = [] }) => permissions))],
      ];
    }),
  );

it('each change that takes access away needs the permission for it, and none that gives access does', async () => {
  const world = await newWorld();
  await world.converge(yamlOf(1));
  const { plan } = await world.plan(yamlOf(2), { allow: [], maxDeletions: 99 });
  const expected = (edits: typeof narrower, ...permissions: string[]) =>
    sections.flatMap((list) => edits[list].map(([about]) => [about, true, permissions]));
  expect(askedIn(plan, narrower, 'narrower')).toEqual(expected(narrower, 'remove-access'));
  expect(askedIn(plan, wider, 'wider')).toEqual(expected(wider));
  expect(codes(plan)).toEqual(expected(narrower).map(() => 'allow/missing'));
});
