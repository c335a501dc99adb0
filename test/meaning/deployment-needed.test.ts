import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changesWithoutDeployment } from '../../providers/hosting/meaning/deployments/deployment-needed.ts';
import { meaning } from '../../providers/hosting/meaning/index.ts';
import type { View, ViewedChange, ViewedObject } from '../../src/kind/meaning.ts';
import { findInPlan, toViewedChanges } from '../../src/meaning/find.ts';
import { viewsOfPlan } from '../../src/meaning/view.ts';
import { runs } from '../support/sweep.ts';
import { viewOf } from '../support/view-of.ts';
import { kinds, World } from '../support/world.ts';

const served = { 'targets.production.id': 'dpl_1', 'latestDeployments.0.id': 'dpl_2' };
const onlyPreviews = { 'targets.production.id': undefined, 'latestDeployments.0.id': 'dpl_2' };
const undeployed = { 'targets.production.id': undefined, 'latestDeployments.0.id': undefined };

/** Returns a change of an object, by default an update of its value. */
const changeOf = (address: string, changes: Partial<ViewedChange> = {}): ViewedChange => {
  const parent = address.startsWith('projects/') ? address.split('/').slice(0, 2).join('/') : undefined;
  const kind = address.startsWith('sharedEnv/')
    ? 'sharedEnvVar'
    : address === parent
      ? 'project'
      : 'projectEnvVar';
  return {
    address,
    kind,
    parent,
    action: 'update',
    paths: ['value'],
    before: undefined,
    onlyUndoesDrift: false,
    ...changes,
  };
};

const env = (unit: string, changes?: Partial<ViewedChange>) => changeOf(`projects/web/env/${unit}`, changes);

/** Returns a view of an account with projects, and with further objects. */
function accountWith(
  facts: Record<string, ViewedObject['facts']>,
  objects: Partial<ViewedObject>[] = [],
): View {
  const projects = Object.entries(facts).map(([name, known]) => ({
    address: `projects/${name}`,
    facts: known,
  }));
  const all = new Map(
    [...projects, ...objects].map((object) => [
      object.address,
      { kind: '', parent: undefined, fields: {}, isDeclared: true, ...object } as ViewedObject,
    ]),
  );
  return {
    at: (address) => all.get(address),
    ofKind: () => [],
    under: (parent, kind) =>
      [...all.values()].filter((object) => object.parent === parent && object.kind === kind),
    knows: () => 'all',
  };
}

const find = (
  changes: ViewedChange[],
  after = accountWith({ web: served }),
  actions: { action: string; about: string }[] = [],
) => [...changesWithoutDeployment.find({ changes, actions }, after)];

const texts = (...given: Parameters<typeof find>) => find(...given).map(({ message }) => message);

const wait = ': changes of variables and build settings wait for the next deployment';
const production = 'the production deployment of projects/web (dpl_1)';

test('a changed variable waits for a deployment', () => {
  expect(find([env('API_URL@production'), env('API_URL@development')])).toEqual([
    {
      code: 'deployment/needed',
      severity: 'note',
      message: `${production} keeps the old API_URL${wait}`,
      hint: 'add `$then: [{ redeploy: { target: production }, when: [env] }]` to projects/web, so that visitors get such changes as soon as they are built; or deploy once: `trueup run redeploy projects/web`',
      address: 'projects/web',
      related: [{ message: 'waits for a deployment', address: 'projects/web/env/API_URL@production' }],
    },
  ]);
});

test.each<[what: string, changes: ViewedChange[], text: string]>([
  ['a new variable', [env('A@production', { action: 'create' })], `${production} lacks the new A`],
  [
    'a removed variable',
    [env('A@production', { action: 'delete', paths: [] })],
    `${production} keeps the old A`,
  ],
  [
    'a replaced variable',
    [env('A@production', { action: 'replace', paths: ['type'] })],
    `${production} keeps the old A`,
  ],
  [
    'an adopted variable with another value',
    [env('A@production', { action: 'adopt' })],
    `${production} keeps the old A`,
  ],
  [
    'a variable in two places',
    [env('A@production'), env('A@preview')],
    `${production} and existing preview deployments keep the old A`,
  ],
  [
    'a changed and a new one',
    [env('A@production'), env('B@production', { action: 'create' })],
    `${production} keeps the old A and lacks the new B`,
  ],
  [
    'many of them',
    ['A', 'B', 'C', 'D', 'E'].map((name) => env(`${name}@production`)),
    `${production} keeps the old A, B, C and 2 more`,
  ],
  ['a variable of previews', [env('A@preview')], 'projects/web: existing preview deployments keep the old A'],
  [
    'a variable of a branch',
    [env('A@preview:feat%2Fx@2')],
    'projects/web: existing preview deployments keep the old A',
  ],
  [
    'a variable of a custom environment',
    [env('A@custom:staging')],
    'projects/web: existing deployments of staging keep the old A',
  ],
  [
    'build settings',
    [changeOf('projects/web', { paths: ['buildCommand', 'nodeVersion', 'gitComments'] })],
    `${production} and existing preview deployments keep the old buildCommand and nodeVersion`,
  ],
  [
    'regions of functions',
    [changeOf('projects/web', { paths: ['resourceConfig.functionDefaultRegions'] })],
    `${production} and existing preview deployments keep the old resourceConfig.functionDefaultRegions`,
  ],
])('%s waits', (_, changes, text) => {
  expect(texts(changes)).toEqual([`${text}${wait}`]);
});

test.each<[what: string, ...Parameters<typeof find>]>([
  ['development', [env('A@development')]],
  ['a comment', [env('A@production', { paths: ['comment'] })]],
  ['an object that is given up', [env('A@production', { action: 'forget' })]],
  ['a type', [env('A@production', { paths: ['type'] })]],
  ['a value that only the ledger records', [env('A@production', { paths: [] })]],
  ['an adopted variable', [env('A@production', { action: 'adopt', paths: [] })]],
  ['a variable that is given up', [env('A@production', { action: 'release', paths: [] })]],
  ['drift that is taken back', [env('A@production', { onlyUndoesDrift: true })]],
  [
    'another setting',
    [changeOf('projects/web', { paths: ['ssoProtection', 'devCommand', 'autoAssignCustomDomains'] })],
  ],
  [
    'a new project',
    [
      changeOf('projects/web', { action: 'create', paths: ['framework'] }),
      env('A@production', { action: 'create' }),
    ],
    accountWith({ web: undefined }),
  ],
  ['a removed project', [env('A@production', { action: 'delete', paths: [] })], accountWith({})],
  ['a project without deployments', [env('A@production')], accountWith({ web: undeployed })],
  ['a project without production', [env('A@production')], accountWith({ web: onlyPreviews })],
  [
    'a redeployed project',
    [env('A@production'), env('A@preview')],
    undefined,
    [{ action: 'redeploy', about: 'projects/web' }],
  ],
  [
    'a project with a new deployment',
    [env('A@production'), changeOf('projects/web/deployments/v2', { kind: 'deployment', action: 'create' })],
    accountWith({ web: served }, [
      {
        address: 'projects/web/deployments/v2',
        parent: 'projects/web',
        kind: 'deployment',
        fields: { target: 'production' },
      },
    ]),
  ],
  ['a shared variable without links', [changeOf('sharedEnv/A@production')]],
  [
    'a shared variable that the project hides',
    [changeOf('sharedEnv/A@production')],
    accountWith({ web: served }, [
      { address: 'sharedEnv/A@production', fields: { projectId: [{ $ref: 'projects/web', attr: 'id' }] } },
      { address: 'projects/web/env/A@production' },
    ]),
  ],
])('%s does not wait', (_, ...given) => {
  expect(find(...given)).toEqual([]);
});

const linkedTo = (...names: string[]) => ({
  projectId: names.map((name) => ({ $ref: `projects/${name}`, attr: 'id' })),
});

test('each project is named once, with the place of its own `$then`', () => {
  const before = linkedTo('web', 'api', 'docs');
  const after = accountWith({ web: served, api: served, docs: undeployed }, [
    { address: 'sharedEnv/A@production', fields: before },
  ]);
  const changes = [
    changeOf('sharedEnv/A@production', { before }),
    env('B@production'),
    changeOf('projects/web', { paths: ['framework'] }),
  ];
  const other = { action: 'redeploy', about: 'projects/other' };
  expect(find(changes, after, [other]).map(({ address, hint }) => [address, hint!.split(',')[0]])).toEqual([
    ['projects/web', expect.anything()],
    ['projects/api', 'add `$then: [{ redeploy: { project: [projects/api] } }]` to sharedEnv.A'],
  ]);
  expect(find(changes, after)[0]!.hint).toContain(
    'add `$then: [{ redeploy: { target: production }, when: [env, framework] }]` to projects/web and `$then: [{ redeploy: { project: [projects/web] } }]` to sharedEnv.A, so',
  );
});

test('links of a shared variable that begin or end wait, and so does its deletion', () => {
  const both = { web: served, api: served };
  const [web, all] = [linkedTo('web'), linkedTo('web', 'api')];
  const account = (fields: typeof web) => accountWith(both, [{ address: 'sharedEnv/A@production', fields }]);
  const relinked = (before: typeof web) =>
    changeOf('sharedEnv/A@production', { before, paths: ['projectId'] });
  const api = 'the production deployment of projects/api (dpl_1)';
  expect(texts([relinked(web)], account(all))).toEqual([`${api} lacks the new A${wait}`]);
  expect(texts([relinked(all)], account(web))).toEqual([`${api} keeps the old A${wait}`]);
  const deletion = changeOf('sharedEnv/A@production', { action: 'delete', before: web, paths: [] });
  expect(find([deletion], accountWith(both))).toMatchObject([
    {
      message: `${production} keeps the old A${wait}`,
      hint: 'deploy once: `trueup run redeploy projects/web`; visitors get it as soon as it is built',
    },
  ]);
});

test('a project without a block gets no advice about one', () => {
  const undeclared = accountWith({}, [{ address: 'projects/web', facts: served, isDeclared: false }]);
  expect(find([env('A@production', { action: 'delete', paths: [] })], undeclared)).toMatchObject([
    { hint: 'deploy once: `trueup run redeploy projects/web`; visitors get it as soon as it is built' },
  ]);
});

test('the advice is valid YAML', async () => {
  const view = await viewOf(`projects:
  web:
    $then: [{ redeploy: { target: production }, when: [env, framework, resourceConfig] }]
sharedEnv:
  A: { value: a, $then: [{ redeploy: { project: [projects/web] } }] }
`);
  expect(view.ofKind('project')).toHaveLength(1);
});

test('a change waits if and only if a deployment that exists was built with another value', () => {
  const places = ['production', 'preview', 'development', 'custom:qa'];
  const change = fc.record({
    project: fc.constantFrom('web', 'api'),
    place: fc.constantFrom(...places),
    action: fc.constantFrom('create', 'update', 'delete', 'release'),
    onlyUndoesDrift: fc.boolean(),
    hasValue: fc.boolean(),
  });
  const state = fc.constantFrom(served, onlyPreviews, undeployed, undefined);
  const given = fc.tuple(fc.array(change, { maxLength: 4 }), state, state, fc.subarray(['web', 'api']));
  const check = ([changes, web, api, redeployed]: typeof given extends fc.Arbitrary<infer T> ? T : never) => {
    const facts = { web, api };
    const viewed = changes.map(({ project, place, action, onlyUndoesDrift, hasValue }, index) =>
      changeOf(`projects/${project}/env/V${index}@${place}`, {
        action,
        onlyUndoesDrift,
        paths: hasValue ? ['value'] : ['comment'],
      }),
    );
    const actions = redeployed.map((name) => ({ action: 'redeploy', about: `projects/${name}` }));
    const found = find(viewed, accountWith(facts), actions).map(({ address }) => address);
    // Slowly: for each project, each place with deployments, and each change.
    const expected = (['web', 'api'] as const).filter((project) =>
      places.some((place) => {
        const known = facts[project];
        const exists =
          place === 'production'
            ? known?.['targets.production.id'] !== undefined
            : place !== 'development' && known?.['latestDeployments.0.id'] !== undefined;
        const differs = changes.some(
          (item) =>
            item.project === project &&
            item.place === place &&
            !item.onlyUndoesDrift &&
            (['create', 'delete'].includes(item.action) || (item.action === 'update' && item.hasValue)),
        );
        return exists && differs && !redeployed.includes(project);
      }),
    );
    expect(found.sort()).toEqual(expected.map((project) => `projects/${project}`).sort());
  };
  fc.assert(fc.property(given, check), { numRuns: runs(10_000) });
});

let world: World;
beforeAll(async () => {
  world = await World.start({
    seed: {
      projects: [
        { name: 'web', deployments: [{ target: 'production' }] },
        { name: 'new', deployments: [] },
      ],
    },
  });
});
beforeEach(() => {
  world.env = {};
});
afterAll(() => world.stop());

/** Returns the messages of a plan that follows a converged configuration. */
async function messagesOfPlan(applied: string, planned: string): Promise<string[]> {
  await world.converge(applied);
  const { plan, live, input } = await world.plan(planned);
  const { shown } = await findInPlan(
    meaning,
    viewsOfPlan(live, plan.changes, { desired: input.desired, kinds }),
    { changes: toViewedChanges(plan.changes), desired: input.desired },
  );
  return shown.filter(({ code }) => code === 'deployment/needed').map(({ message }) => message);
}

test('a plan names the deployment that the account shows', async () => {
  const yaml = (value: string, more = '') => `
projects:
  web: { env: { LEVEL: ${value} } }
  new: { env: { LEVEL: ${value} } }
sharedEnv: { NAME: { value: ${value}, projectId: [web] }${more} }
`;
  const [first] = world.twin.account.projects[0]!.deployments as readonly { id: string }[];
  const subject = `the production deployment of projects/web (${first!.id}) and existing preview deployments`;
  expect(await messagesOfPlan(yaml('info'), yaml('warn'))).toEqual([
    `${subject} keep the old LEVEL and NAME${wait}`,
  ]);
  const other = ', OTHER: { value: a, projectId: [web] }';
  expect(await messagesOfPlan(yaml('info', other), yaml('info'))).toEqual([
    `${subject} keep the old OTHER${wait}`,
  ]);
  expect(await messagesOfPlan(yaml('info'), yaml('info', other))).toEqual([
    `${subject} lack the new OTHER${wait}`,
  ]);
});
