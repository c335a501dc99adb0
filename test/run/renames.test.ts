import { beforeAll, describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/model/ledger.ts';
import type { Send } from '../../src/model/request.ts';
import { actions, codes, newWorld } from '../support/scene.ts';
import { inTurn, oneRowIn, oneStoryIn, sampled } from '../support/sweep.ts';
import { describe as told, World } from '../support/world.ts';

const story = oneStoryIn(5);

const isWrite = ({ endpoint }: Parameters<Send>[0]) => !endpoint.startsWith('GET ');

/**
 * A run that ends at its first write, which is done or not; what is left is the ledger as it was kept last. `isKept`: the process
 * lives on, and keeps its ledger to the end.
 */
async function interrupted(world: World, yaml: string, isDone: boolean, isKept = false): Promise<void> {
  const planned = await world.plan(yaml);
  expect(codes(planned.plan), told(planned.plan)).toEqual([]);
  let kept: Ledger | undefined;
  let isDown = false;
  const { send } = world.connection;
  await world.apply(planned, {
    send: async (request) => {
      if (!isWrite(request)) return send(request);
      if (!isDown && isDone) await send(request);
      isDown = true;
      throw new Error('the process is gone');
    },
    save: async (ledger) => {
      if (isKept || !isDown) kept = structuredClone(ledger);
    },
  });
  expect(isDown).toBe(true);
  world.ledger = kept!;
}

const zone = { domains: [{ name: 'example.com' }] };
const records = (line: string) => `domains: { example.com: { $existing: true, records: [${line}] } }`;
const hook = (name: string, more = '') =>
  `webhooks: { ${name}: { url: "https://hooks.example.com/a", events: [domain.created], $secretTo: discard${more} } }`;

const renames: [what: string, before: string, after: string][] = [
  [
    'a variable of a project',
    'projects: { web: { env: { OLD: { value: one } } } }',
    'projects: { web: { env: { NEW: { value: one, $was: OLD } } } }',
  ],
  [
    'a variable of a project with a new value',
    'projects: { web: { env: { OLD: { value: one, target: [production, preview] } } } }',
    'projects: { web: { env: { NEW: { value: two, target: [production, preview], $was: OLD } } } }',
  ],
  [
    'a sensitive variable of a branch',
    'projects: { web: { env: { OLD: { value: one, type: sensitive, target: [preview], gitBranch: main } } } }',
    'projects: { web: { env: { NEW: { value: one, type: sensitive, target: [preview], gitBranch: main, $was: OLD } } } }',
  ],
  [
    'a variable in a custom environment that is renamed as well',
    'projects: { web: { customEnvironments: { qa: {} }, env: { OLD: { value: one, customEnvironmentIds: [qa] } } } }',
    'projects: { web: { customEnvironments: { staging: { $was: qa } }, env: { NEW: { value: one, customEnvironmentIds: [staging], $was: OLD } } } }',
  ],
  [
    'a variable of the team',
    'sharedEnv: { OLD: { value: one, target: [production, preview] } }',
    'sharedEnv: { NEW: { value: one, target: [production, preview], $was: OLD } }',
  ],
  [
    'a set of records',
    records('{ type: A, name: old, value: 192.0.2.1 }, { type: A, name: old, value: 192.0.2.2 }'),
    records(
      '{ type: A, name: new, value: 192.0.2.1, $was: old/A }, { type: A, name: new, value: 192.0.2.2, $was: old/A }',
    ),
  ],
  [
    'a project with what is in it',
    'projects: { old: { env: { A: { value: one } }, customEnvironments: { qa: {} } } }',
    'projects: { new: { $was: old, env: { B: { value: one, $was: A } }, customEnvironments: { qa: { description: d } } } }',
  ],
  [
    'a custom environment with a variable in it',
    'projects: { web: { customEnvironments: { old: {} }, env: { A: { value: one, customEnvironmentIds: [old] } } } }',
    'projects: { web: { customEnvironments: { new: { $was: old } }, env: { A: { value: two, customEnvironmentIds: [new] } } } }',
  ],
  ['a webhook, which has no name', hook('old'), `${hook('new', ', $was: old')}\nprojects: { web: {} }`],
];

const ends: [what: string, isDone: boolean, isKept: boolean][] = [
  ['was not done', false, false],
  ['was done, and nobody heard of it', true, false],
  ['was not done, and the run went on to its end', false, true],
  ['was done, nobody heard of it, and the run went on to its end', true, true],
];

// Some renames with one of the ends each; with `npm run sweep` all of them.
const rows = sampled(renames, 4).map((rename, at) => [...rename, inTurn(ends, at, 1)] as const);
describe.each(rows)('the rename of %s', (_, before, after, some) => {
  let smooth: World;
  beforeAll(async () => {
    smooth = await World.start({ seed: zone });
    await smooth.converge(before);
    await smooth.converge(after);
    return () => smooth.stop();
  });

  it.each(some)('that %s is made once', async (_, isDone, isKept) => {
    const world = await newWorld({ seed: zone });
    await world.converge(before);
    await interrupted(world, after, isDone, isKept);
    const again = await world.plan(after);
    expect(codes(again.plan), told(again.plan)).toEqual([]);
    expect(
      actions(again.plan).filter((line) => /^(create projects\/web\/env|delete|forget)/.test(line)),
    ).toEqual([]);
    await world.converge(after);
    expect(namesIn(world)).toEqual(namesIn(smooth));
    expect((await world.plan(after)).plan.unmanaged).toEqual([]);
    expect(Object.keys(world.ledger.entries).sort()).toEqual(Object.keys(smooth.ledger.entries).sort());
  });

  story('is taken back with its line in the configuration, as long as it was not done', async () => {
    const world = await newWorld({ seed: zone });
    await world.converge(before);
    await interrupted(world, after, false);
    const { plan } = await world.plan(before);
    // A label is only ours: it was done at once.
    const isLabel = before.startsWith('webhooks');
    expect(actions(plan)).toEqual(isLabel ? ['adopt webhooks/old'] : []);
    expect(plan.operations).toEqual([]);
  });
});

/** What there is, by name and content. */
function namesIn({ twin: { account } }: World) {
  return {
    projects: account.projects.map(({ name, env, customEnvironments }) => ({
      name,
      env: env.map(({ key, value, target }) => ({ key, value, target })),
      customEnvironments: customEnvironments.map(({ slug }) => slug),
    })),
    shared: account.sharedEnv.map(({ key, value }) => ({ key, value })),
    records: account.domains.flatMap((domain) => domain.records.map(({ name, value }) => ({ name, value }))),
    webhooks: account.webhooks.map(({ url }) => url),
  };
}

describe('what was renamed outside is known by its id', () => {
  oneRowIn(2)([
    ['a variable of a project', 'projects: { web: { env: { A: { value: one } } } }', 'projects: { web: {} }'],
    ['a variable of the team', 'sharedEnv: { A: { value: one } }', 'projects: { web: {} }'],
  ])('%s', async (_, yaml, without) => {
    const world = await newWorld();
    await world.converge(`${yaml}`);
    const rows = () => [
      ...world.twin.account.sharedEnv,
      ...world.twin.account.projects.flatMap(({ env }) => env),
    ];
    const rename = () => {
      rows()[0]!.key = 'THEIRS';
    };
    rename();
    const { plan } = await world.plan(yaml);
    expect(actions(plan).every((line) => line.startsWith('update'))).toBe(true);
    expect(plan.changes.find(({ action }) => action === 'update')).toMatchObject({
      outside: true,
      reason: 'renamed outside',
    });
    const { id } = rows()[0]!;
    await world.converge(yaml);
    expect(rows().map((row) => [row.id, row.key])).toEqual([[id, 'A']]);
    rename();
    await world.converge(without);
    expect(rows()).toEqual([]);
  });

  it('a record of a set', async () => {
    const yaml = records(
      '{ type: A, name: www, value: 192.0.2.1 }, { type: A, name: www, value: 192.0.2.2 }',
    );
    const world = await newWorld({ seed: zone });
    await world.converge(yaml);
    const rows = () => world.twin.account.domains[0]!.records.filter(({ type }) => type === 'A');
    const ids = rows().map(({ id }) => id);
    rows()[1]!.name = 'theirs';
    const { plan } = await world.plan(yaml);
    expect(actions(plan)).toEqual(['update domains/example.com/records/www/A']);
    await world.converge(yaml);
    expect(rows().map(({ id, name }) => [id, name])).toEqual(ids.map((id) => [id, 'www']));
  });
});

describe('what is renamed takes along what is named after it, also where that goes in the same change', () => {
  story('a custom environment and its variable', async () => {
    const world = await newWorld();
    await world.converge(
      'projects: { web: { customEnvironments: { old: {} }, env: { A: { value: a, customEnvironmentIds: [old] }, B: { value: b, customEnvironmentIds: [old] } } } }',
    );
    const next =
      'projects: { web: { customEnvironments: { new: { $was: old } }, env: { A: { value: a, customEnvironmentIds: [new] } } } }';
    const { plan } = await world.plan(next);
    expect(actions(plan)).toEqual([
      'update projects/web/customEnvironments/new',
      'delete projects/web/env/B@custom:old',
    ]);
    await world.converge(next);
    expect(world.twin.account.projects[0]!.env.map(({ key }) => key)).toEqual(['A']);
    expect(Object.keys(world.ledger.entries).sort()).toEqual([
      'projects/web',
      'projects/web/customEnvironments/new',
      'projects/web/env/A@custom:new',
    ]);
  });

  it('a custom environment with a variable whose own `$was` is history', async () => {
    const world = await newWorld();
    const yaml = (environment: string, variable: string) =>
      `projects: { web: { customEnvironments: { ${environment} }, env: { ${variable} } } }`;
    const variable = (name: string, environment: string, was = '') =>
      `${name}: { value: one, customEnvironmentIds: [${environment}]${was} }`;
    await world.converge(yaml('old: {}', variable('A', 'old')));
    await world.converge(yaml('old: {}', variable('B', 'old', ', $was: A')));
    const next = yaml('new: { $was: old }', variable('B', 'new', ', $was: A'));
    expect(actions(await world.converge(next))).toEqual(['update projects/web/customEnvironments/new']);
  });

  story('two custom environments that share the row of a variable, which leaves one of them', async () => {
    const world = await newWorld();
    const environments = (a: string, b: string) => `customEnvironments: { ${a}, ${b} }`;
    await world.converge(
      `projects: { web: { ${environments('a: {}', 'b: {}')}, env: { X: { value: x, target: [production], customEnvironmentIds: [a, b] } } } }`,
    );
    const next = `projects: { web: { ${environments('c: { $was: a }', 'd: { $was: b }')}, env: { X: { value: x, target: [production], customEnvironmentIds: [d] } } } }`;
    const { plan } = await world.plan(next);
    expect(actions(plan)).toContain('delete projects/web/env/X@custom:a');
    await world.converge(next);
    const [project] = world.twin.account.projects;
    const d = project!.customEnvironments.find(({ slug }) => slug === 'd')!;
    expect(project!.env.map(({ target, customEnvironmentIds }) => [target, customEnvironmentIds])).toEqual([
      [['production'], [d.id]],
    ]);
  });

  story('two custom environments that share the row of a variable, which leaves both', async () => {
    const world = await newWorld();
    const yaml = (a: string, b: string, ids: string) =>
      `projects: { web: { customEnvironments: { ${a}, ${b} }, env: { X: { value: x, target: [production]${ids} } } } }`;
    await world.converge(yaml('a: {}', 'b: {}', ', customEnvironmentIds: [a, b]'));
    const next = yaml('c: { $was: a }', 'd: { $was: b }', '');
    expect(actions((await world.plan(next)).plan).slice(2)).toEqual([
      'delete projects/web/env/X@custom:c',
      'delete projects/web/env/X@custom:d',
    ]);
    await world.converge(next);
    expect(
      world.twin.account.projects[0]!.env.map(({ customEnvironmentIds }) => customEnvironmentIds),
    ).toEqual([[]]);
  });

  story('a project and a member of a group that names it', async () => {
    const world = await newWorld();
    await world.converge(
      'projects: { old: {} }\naccessGroups: { G: { projects: { old: { role: ADMIN } } } }',
    );
    await world.converge('projects: { new: { $was: old } }\naccessGroups: { G: {} }');
    expect(world.twin.account.accessGroups[0]!).not.toMatchObject({ projects: [expect.anything()] });
    expect(Object.keys(world.ledger.entries).sort()).toEqual(['accessGroups/G', 'projects/new']);
  });
});

it('a rename that a target left out stays in the ledger as it is in the account', async () => {
  const world = await newWorld();
  await world.converge('projects: { old: {}, api: {} }');
  const renamed = 'projects: { new: { $was: old }, api: { framework: nextjs } }';
  await world.apply(await world.plan(renamed, { targets: ['projects/api'] }));
  expect(Object.keys(world.ledger.entries).sort()).toEqual(['projects/api', 'projects/old']);
  await world.converge(renamed);
  expect(Object.keys(world.ledger.entries).sort()).toEqual(['projects/api', 'projects/new']);
});
