import { describe, expect, it } from 'vitest';
import { actions, codes, newWorld } from '../support/scene.ts';
import { oneRowIn } from '../support/sweep.ts';
import { describe as described, type World } from '../support/world.ts';

type Account = World['twin']['account'];
type Outside = (account: Account) => void;

const seed = {
  domains: [{ name: 'example.com' }],
  projects: [{ name: 'web', customEnvironments: [{ slug: 'theirs' }] }],
};
const web = (...sections: string[]) => `projects: { web: { ${sections.join(', ')} } }`;
const records = (lines: string) => `domains: { example.com: { $existing: true, records: [${lines}] } }`;
const drain = (name: string, host: string) =>
  `${name}: { schemas: { log: {} }, delivery: { type: http, endpoint: "https://${host}.example.com", encoding: json } }`;
const rule = (name: string, path = name) =>
  `{ name: ${name}, active: true, conditionGroup: [{ conditions: [{ type: path, op: eq, value: /${path} }] }], action: { mitigate: { action: deny } } }`;

const projectOf = ({ projects }: Account) => projects[0]!;
const environmentOf = (account: Account, slug: string) =>
  projectOf(account).customEnvironments.find((environment) => environment.slug === slug)!;

/** Gives objects new names, all at once. */
function rename<Member extends string>(
  objects: Iterable<{ [name in Member]?: unknown }>,
  member: Member,
  names: Record<string, string>,
): void {
  for (const object of objects) {
    const name = names[String(object[member])];
    if (name !== undefined) object[member] = name;
  }
}
const renameVariables =
  (names: Record<string, string>): Outside =>
  (account) =>
    rename(projectOf(account).env, 'key', names);
const renameEnvironments =
  (names: Record<string, string>): Outside =>
  (account) =>
    rename(projectOf(account).customEnvironments, 'slug', names);
const both = renameEnvironments({ qa: 'stage' });
const qa = (more = '') =>
  web('customEnvironments: { qa: {} }', `env: { OLD: { value: a, customEnvironmentIds: [qa]${more} } }`);

const silent: [what: string, before: string, outside: Outside[], after: string][] = [
  [
    'a custom environment with a variable',
    qa(),
    [both],
    web('customEnvironments: { stage: {} }', 'env: { OLD: { value: a, customEnvironmentIds: [stage] } }'),
  ],
  [
    'a custom environment and its variable',
    qa(),
    [both, renameVariables({ OLD: 'NEW' })],
    web('customEnvironments: { stage: {} }', 'env: { NEW: { value: a, customEnvironmentIds: [stage] } }'),
  ],
  [
    'a custom environment and its sensitive variable',
    qa(', type: sensitive'),
    [both, renameVariables({ OLD: 'NEW' })],
    web(
      'customEnvironments: { stage: {} }',
      'env: { NEW: { value: a, type: sensitive, customEnvironmentIds: [stage] } }',
    ),
  ],
  [
    'a custom environment of another stack and its variable',
    web(
      'customEnvironments: { theirs: { $existing: true } }',
      'env: { OLD: { value: a, customEnvironmentIds: [theirs] } }',
    ),
    [renameEnvironments({ theirs: 'stage' }), renameVariables({ OLD: 'NEW' })],
    web(
      'customEnvironments: { stage: { $existing: true } }',
      'env: { NEW: { value: a, customEnvironmentIds: [stage] } }',
    ),
  ],
  [
    'two custom environments and two variables in several targets',
    web(
      'customEnvironments: { a: {}, b: {} }',
      'env: { X: { value: x, target: [production, preview], customEnvironmentIds: [a, b] }, Y: { value: y, customEnvironmentIds: [b] } }',
    ),
    [renameEnvironments({ a: 'c', b: 'd' }), renameVariables({ X: 'V', Y: 'W' })],
    web(
      'customEnvironments: { c: {}, d: {} }',
      'env: { V: { value: x, target: [production, preview], customEnvironmentIds: [c, d] }, W: { value: y, customEnvironmentIds: [d] } }',
    ),
  ],
  [
    'a custom environment and the variable that moves there',
    web('customEnvironments: { qa: {}, lab: {} }', 'env: { OLD: { value: a, customEnvironmentIds: [qa] } }'),
    [
      renameEnvironments({ lab: 'stage' }),
      renameVariables({ OLD: 'NEW' }),
      (account) => {
        projectOf(account).env[0]!.customEnvironmentIds = [environmentOf(account, 'stage').id];
      },
    ],
    web(
      'customEnvironments: { qa: {}, stage: {} }',
      'env: { NEW: { value: a, customEnvironmentIds: [stage] } }',
    ),
  ],
  [
    'variables that pass on a name',
    web('env: { A: { value: a }, B: { value: b } }'),
    [renameVariables({ A: 'B', B: 'C' })],
    web('env: { B: { value: a }, C: { value: b } }'),
  ],
  [
    'custom environments that pass on a name, with their variables',
    web(
      'customEnvironments: { a: {}, b: {} }',
      'env: { X: { value: x, customEnvironmentIds: [a] }, Y: { value: y, customEnvironmentIds: [b] }, Z: { value: z, customEnvironmentIds: [a, b] } }',
    ),
    [renameEnvironments({ a: 'b', b: 'c' })],
    web(
      'customEnvironments: { b: {}, c: {} }',
      'env: { X: { value: x, customEnvironmentIds: [b] }, Y: { value: y, customEnvironmentIds: [c] }, Z: { value: z, customEnvironmentIds: [b, c] } }',
    ),
  ],
  [
    'three drains that pass on their names',
    `drains: { ${drain('a', 'a')}, ${drain('b', 'b')}, ${drain('c', 'c')} }`,
    [({ drains }) => rename(drains, 'name', { a: 'b', b: 'c', c: 'd' })],
    `drains: { ${drain('b', 'a')}, ${drain('c', 'b')}, ${drain('d', 'c')} }`,
  ],
  [
    'a variable and its branch',
    web('env: { OLD: { value: a, target: [preview], gitBranch: one } }'),
    [
      renameVariables({ OLD: 'NEW' }),
      (account) => {
        projectOf(account).env[0]!.gitBranch = 'two';
      },
    ],
    web('env: { NEW: { value: a, target: [preview], gitBranch: two } }'),
  ],
  [
    'a variable and its target',
    web('env: { OLD: { value: a, target: [preview] } }'),
    [
      renameVariables({ OLD: 'NEW' }),
      (account) => {
        projectOf(account).env[0]!.target = ['production'];
      },
    ],
    web('env: { NEW: { value: a, target: [production] } }'),
  ],
  [
    'a variable of the team',
    'sharedEnv: { OLD: { value: a, target: [production, preview] } }',
    [({ sharedEnv }) => rename(sharedEnv, 'key', { OLD: 'NEW' })],
    'sharedEnv: { NEW: { value: a, target: [production, preview] } }',
  ],
  [
    'sets of records that pass on a name',
    records('{ type: A, name: a, value: 192.0.2.1 }, { type: A, name: b, value: 192.0.2.2 }'),
    [({ domains }) => rename(domains[0]!.records, 'name', { a: 'b', b: 'c' })],
    records('{ type: A, name: b, value: 192.0.2.1 }, { type: A, name: c, value: 192.0.2.2 }'),
  ],
  [
    'rules of a firewall, which keep their order',
    web(`firewall: { rules: [${rule('a')}, ${rule('b')}, ${rule('c')}] }`),
    [(account) => rename(projectOf(account).firewall!.active!.rules, 'name', { a: 'x', c: 'y' })],
    web(`firewall: { rules: [${rule('x', 'a')}, ${rule('b')}, ${rule('y', 'c')}] }`),
  ],
];

describe('renames outside that the configuration follows send nothing', () => {
  oneRowIn(5)(silent)('%s', async (_, before, outside, after) => {
    const world = await newWorld({ seed });
    await world.converge(before);
    for (const change of outside) change(world.twin.account);
    const { plan } = await world.plan(after);
    expect(codes(plan), described(plan)).toEqual([]);
    expect(plan.operations, described(plan)).toEqual([]);
    const targets = plan.changes.slice(-1).map(({ address }) => address);
    expect((await world.plan(after, { targets })).plan.operations).toEqual([]);
    await world.converge(after);
    const { unmanaged } = (await world.plan(after)).plan;
    expect(unmanaged.filter(({ address }) => !address.endsWith('/theirs'))).toEqual([]);
  });
});

/** The changes that a plan makes of renames outside that the configuration follows in part, or together with another change. */
const mixed: [what: string, outside: Outside[], after: string, sent: string[]][] = [
  [
    'a new value',
    [both, renameVariables({ OLD: 'NEW' })],
    web('customEnvironments: { stage: {} }', 'env: { NEW: { value: b, customEnvironmentIds: [stage] } }'),
    ['update projects/web/env/NEW@custom:stage'],
  ],
  [
    'one more target',
    [both, renameVariables({ OLD: 'NEW' })],
    web(
      'customEnvironments: { stage: {} }',
      'env: { NEW: { value: a, target: [preview], customEnvironmentIds: [stage] } }',
    ),
    ['create projects/web/env/NEW@preview'],
  ],
  [
    'a rename of the variable here',
    [both],
    web(
      'customEnvironments: { stage: {} }',
      'env: { NEW: { value: a, customEnvironmentIds: [stage], $was: OLD } }',
    ),
    ['update projects/web/env/NEW@custom:stage'],
  ],
  [
    'a rename of the custom environment here',
    [renameVariables({ OLD: 'NEW' })],
    web(
      'customEnvironments: { stage: { $was: qa } }',
      'env: { NEW: { value: a, customEnvironmentIds: [stage] } }',
    ),
    ['update projects/web/customEnvironments/stage'],
  ],
  [
    'a rename here from the name outside',
    [both, renameVariables({ OLD: 'NEW' })],
    web(
      'customEnvironments: { lab: { $was: stage } }',
      'env: { LAST: { value: a, customEnvironmentIds: [lab], $was: NEW } }',
    ),
    ['update projects/web/customEnvironments/lab', 'update projects/web/env/LAST@custom:lab'],
  ],
  [
    'a `$was` for each',
    [both, renameVariables({ OLD: 'NEW' })],
    web(
      'customEnvironments: { stage: { $was: qa } }',
      'env: { NEW: { value: a, customEnvironmentIds: [stage], $was: OLD } }',
    ),
    [],
  ],
  [
    'the removal of the variable',
    [both, renameVariables({ OLD: 'NEW' })],
    web('customEnvironments: { stage: {} }'),
    ['delete projects/web/env/OLD@custom:qa'],
  ],
];

describe('renames outside that the configuration follows, with', () => {
  it.each(mixed)('%s', async (_, outside, after, sent) => {
    const world = await newWorld();
    await world.converge(qa());
    for (const change of outside) change(world.twin.account);
    const { plan } = await world.plan(after);
    expect(codes(plan), described(plan)).toEqual([]);
    expect(plan.operations.flatMap(({ changes }) => changes).sort(), described(plan)).toEqual(
      sent.map((line) => line.split(' ')[1]),
    );
    expect(actions(plan)).toEqual(expect.arrayContaining(sent));
    await world.converge(after);
    expect((await world.plan(after)).plan.unmanaged).toEqual([]);
  });
});

describe('a rename outside of an object with others in it is asked to be followed with `$was`', () => {
  const group = (name: string, was = '') =>
    `projects: { web: {} }\nmicrofrontends: { ${name}: { defaultApp: web, projects: { web: { isDefaultApp: true } }${was} } }`;
  const site = (name: string, variable: string, was = '') =>
    `projects: { ${name}: { env: { ${variable}: { value: a } }${was} } }`;

  it.each([
    [
      'a project, and its variable',
      site('old', 'OLD'),
      [({ projects }: Account) => rename(projects, 'name', { old: 'new' }), renameVariables({ OLD: 'NEW' })],
      site('new', 'NEW'),
      site('new', 'NEW', ', $was: old'),
    ],
    [
      'a group of microfrontends',
      group('old'),
      [({ microfrontendsGroups }: Account) => rename(microfrontendsGroups, 'name', { old: 'new' })],
      group('new'),
      group('new', ', $was: old'),
    ],
  ])('%s', async (_, before, outside, after, withWas) => {
    const world = await newWorld();
    await world.converge(before);
    for (const change of outside) change(world.twin.account);
    const { plan } = await world.plan(after);
    expect(codes(plan), described(plan)).toEqual(['was/missing']);
    expect((await world.plan(withWas)).plan.operations).toEqual([]);
    await world.converge(withWas);
  });
});

it('a variable of somebody else in a renamed environment is no other difference', async () => {
  const world = await newWorld();
  await world.converge(qa());
  const { twin } = world;
  const [own] = projectOf(twin.account).env;
  projectOf(twin.account).env.push({ ...own!, id: 'theirs', key: 'THEIRS' });
  both(twin.account);
  await world.converge(
    web('customEnvironments: { stage: {} }', 'env: { OLD: { value: a, customEnvironmentIds: [stage] } }'),
  );
  expect(world.beside).toEqual([]);
});

it('names that were exchanged outside are exchanged back', async () => {
  const world = await newWorld();
  const yaml = web('env: { A: { value: a }, B: { value: b } }');
  await world.converge(yaml);
  renameVariables({ A: 'B', B: 'A' })(world.twin.account);
  const { plan } = await world.plan(yaml);
  expect(actions(plan).filter((line) => !line.startsWith('update'))).toEqual([]);
});
