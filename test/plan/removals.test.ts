import { describe, expect, it } from 'vitest';
import { actions, changeAt, codes, newWorld } from '../support/scene.ts';
import type { World } from '../support/world.ts';

const web = `  web:
    framework: nextjs
    customEnvironments: { staging: {} }
    env: { A: a }
    domains: { www.example.com: {} }`;
const both = `projects:\n  api: {}\n${web}`;
const rest = 'projects: { api: {} }';
const removed = (...entries: string[]) =>
  `${rest}\nremoved: [${entries.map((entry) => `{ ${entry} }`).join(', ')}]`;
const projects = (world: World) => world.twin.account.projects.map(({ name }) => name).sort();
const owned = (world: World) => Object.keys(world.ledger.entries);
const details = async (world: World, yaml: string) => (await world.plan(yaml)).plan.diagnostics;

describe('`removed`', () => {
  it('deletes a container whose block is gone, and then says that its entry can be dropped', async () => {
    const world = await newWorld();
    await world.converge(both);
    const since = world.twin.requests.length;
    const yaml = removed('at: projects/web, delete: true, objects: 4');
    const plan = await world.converge(yaml);
    expect(actions(plan)).toEqual(['delete projects/web']);
    expect(changeAt(plan, 'projects/web')).toMatchObject({ grade: 'irreversible' });
    expect(world.writes(since)).toHaveLength(1);
    expect([projects(world), owned(world)]).toEqual([['api'], ['projects/api']]);
    const [note, ...others] = await details(world, yaml);
    expect(others).toEqual([]);
    expect(note).toMatchObject({ severity: 'note', code: 'removed/done' });
    expect(note).toMatchObject({ message: expect.stringMatching(/: projects\/web$/), at: { line: 4 } });
  });

  it('limits its deletions to `objects`, and names the number by kind and the line to write', async () => {
    const world = await newWorld();
    await world.converge(both);
    for (const options of [{}, { maxDeletions: 100 }]) {
      const { plan } = await world.plan(removed('at: projects/web, delete: true, objects: 3'), options);
      expect(codes(plan)).toEqual(['removed/objects']);
      expect(plan.diagnostics[0]).toMatchObject({
        message: expect.stringContaining('1 customEnvironment'),
        hint: expect.stringContaining('- { at: projects/web, delete: true, objects: 4 }'),
      });
    }
  });

  it('counts contents of kinds that the configuration never mentioned, whether it deletes or advises to', async () => {
    const world = await newWorld({
      seed: {
        projects: [
          {
            name: 'web',
            env: [{ key: 'OF_SOMEBODY', value: 'a', type: 'plain', target: ['production', 'preview'] }],
            customEnvironments: [{ slug: 'qa' }],
          },
        ],
      },
    });
    await world.converge('projects: { api: {}, web: { domains: { www.example.com: {} } } }');
    const { plan } = await world.plan(removed('at: projects/web, delete: true, objects: 1'));
    expect(codes(plan)).toEqual(['removed/objects']);
    expect(changeAt(plan, 'projects/web')!.deletes).toEqual({
      objects: 4,
      byKind: { customEnvironment: 1, project: 1, projectDomain: 1, projectEnvVar: 1 },
      unread: expect.not.arrayContaining(['projectEnvVar', 'webhook']),
    });
    const advised = (await world.plan(rest)).plan;
    expect(advised.diagnostics[0]!.hint).toContain('{ at: projects/web, delete: true, objects: 4 }');
    // Their lists decide nothing else: the plan deletes, releases and reports the same objects as without them.
    expect(advised.unmanaged).toEqual([]);
    expect(actions(advised)).toEqual([
      'release projects/web',
      'release projects/web/domains/www.example.com',
    ]);
  });

  it('reads these contents only if a container goes, and is not blocked by lists that fail', async () => {
    const world = await newWorld();
    await world.converge('projects: { api: {}, web: {} }');
    const readsEnv = (since: number) =>
      world.twin.requests.slice(since).some(({ path }) => path.includes('/env'));
    const before = world.twin.requests.length;
    await world.plan('projects: { api: {}, web: { framework: nextjs } }');
    expect(readsEnv(before)).toBe(false);
    world.twin.setFaults({
      faults: [{ at: { operation: 'filterProjectEnvs' }, do: { type: 'status', status: 403 } }],
    });
    const { plan } = await world.plan(removed('at: projects/web, delete: true, objects: 1'));
    expect(readsEnv(before)).toBe(true);
    expect([plan.complete, codes(plan)]).toEqual([true, []]);
    expect(changeAt(plan, 'projects/web')!.deletes!.unread).toContain('projectEnvVar');
  });

  it('counts what lies deeper in a container, and names only the outermost one', async () => {
    const world = await newWorld();
    const repository =
      'registryRepositories: { app: { permissions: { team_x: { $allow: [remove-access] } } } }';
    await world.converge(`projects: { api: {}, web: { ${repository} } }`);
    const [advice, ...others] = await details(world, rest);
    expect(others).toEqual([]);
    expect(advice).toMatchObject({
      message: expect.stringMatching(/^projects\/web is released/),
      hint: expect.stringContaining('{ at: projects/web, delete: true, objects: 3 }'),
    });
    // As if somebody else had made both.
    for (const address of owned(world))
      if (address.startsWith('projects/web/')) delete world.ledger.entries[address];
    expect((await details(world, rest))[0]!.hint).toBe(advice!.hint);
  });

  it('reads no contents for the advice of `destroy` about several containers, which has no number', async () => {
    const world = await newWorld();
    await world.converge(both);
    for (const address of owned(world))
      if (address.startsWith('projects/web/')) delete world.ledger.entries[address];
    const since = world.twin.requests.length;
    const { plan } = await world.plan('projects: {}', { destroy: true });
    expect(plan.diagnostics[0]!.hint).toMatch(/^to delete them, run `trueup destroy [^`]+` first$/);
    expect(world.twin.requests.slice(since).filter(({ path }) => path.includes('/env'))).toEqual([]);
  });

  it('deletes more than the usual limit only with `objects`', async () => {
    const world = await newWorld();
    const names = Array.from({ length: 14 }, (_, index) => `V${index}: a`).join(', ');
    await world.converge(`projects: { api: {}, web: { env: { ${names} } } }`);
    const { plan } = await world.plan(removed('at: projects/web, delete: true'));
    expect(codes(plan)).toEqual(['guard/deletions', 'guard/share']);
    expect(plan.diagnostics[0]!.hint).toContain('\n  - { at: projects/web, delete: true, objects: 15 }');
    const whole = removed('at: projects/web, delete: true, objects: 15');
    expect(codes((await world.plan(whole, { maxDeletions: 0 })).plan)).toEqual([]);
    await world.converge(whole);
    expect(projects(world)).toEqual(['api']);
  });

  it('releases with `delete: false`: a container with all of it, and a variable in all its targets', async () => {
    const world = await newWorld();
    await world.converge(both);
    const since = world.twin.requests.length;
    const withoutA = both.replace('env: { A: a }', 'env: {}');
    await world.converge(`${withoutA}\nremoved: [{ at: projects/web/env/A, delete: false }]`);
    expect(owned(world).filter((address) => address.includes('/env/'))).toEqual([]);
    const plan = await world.converge(removed('at: projects/web, delete: false'));
    expect(new Set(actions(plan).map((line) => line.split(' ')[0]))).toEqual(new Set(['release']));
    expect(codes(plan, 'warning')).toEqual([]);
    expect(world.writes(since)).toEqual([]);
    expect([projects(world), owned(world)]).toEqual([['api', 'web'], ['projects/api']]);
    expect(codes((await world.plan(removed('at: projects/web, delete: false'))).plan, 'note')).toEqual([
      'removed/done',
    ]);
  });

  it('keeps an object with `delete: false` although something else names its container for deletion', async () => {
    const world = await newWorld();
    await world.converge(both);
    const yaml = removed('at: projects/web/env/A, delete: false');
    const { plan } = await world.plan(yaml, { containersToDelete: ['projects/web'] });
    expect(codes(plan)).toEqual(['removed/inside']);
    // Ledgers of earlier versions remember what to do once a block is gone.
    world.ledger.entries['projects/web']!.onRemove = 'delete';
    expect(codes((await world.plan(yaml)).plan)).toEqual(['removed/inside']);
  });

  it('releases a target that shares its row with a declared one, and leaves the row as it is', async () => {
    const world = await newWorld();
    const variable = (target: string) =>
      `projects: { web: { env: { A: { value: a, target: [${target}] } } } }`;
    await world.converge(variable('production, preview'));
    const since = world.twin.requests.length;
    await world.converge(
      `${variable('production')}\nremoved: [{ at: projects/web/env/A@preview, delete: false }]`,
    );
    expect(world.writes(since)).toEqual([]);
    expect(owned(world)).toEqual(['projects/web', 'projects/web/env/A@production']);
  });

  it('deletes an object in a container that is released', async () => {
    const world = await newWorld();
    await world.converge(both);
    const plan = await world.converge(
      removed('at: projects/web, delete: false', 'at: projects/web/env/A, delete: true'),
    );
    expect(actions(plan).filter((line) => line.startsWith('delete'))).toHaveLength(3);
    expect(world.twin.account.projects.find(({ name }) => name === 'web')!.env).toEqual([]);
  });

  it('is refused where `$exclusive` would delete the released object', async () => {
    const world = await newWorld();
    await world.converge('projects: { web: { $exclusive: [env], env: { A: a } } }');
    const yaml =
      'projects: { web: { $exclusive: [env] } }\nremoved: [{ at: projects/web/env/A, delete: false }]';
    expect(new Set(codes((await world.plan(yaml)).plan))).toEqual(new Set(['removed/exclusive']));
  });

  it('deletes nothing that this stack does not own (any more), and says what to do', async () => {
    const world = await newWorld();
    await world.converge(both);
    await world.converge(rest);
    const yaml = removed('at: projects/web, delete: true, objects: 4');
    const since = world.twin.requests.length;
    const plan = await world.converge(yaml);
    expect(world.writes(since)).toEqual([]);
    expect(codes(plan, 'warning')).toEqual(['removed/not-owned']);
    expect(plan.diagnostics[0]!.hint).toContain('declare the object again');
    await world.converge(both);
    await world.converge(yaml);
    expect(projects(world)).toEqual(['api']);
  });

  it('does not delete what is protected', async () => {
    const world = await newWorld();
    await world.converge(both.replace('env: { A: a }', 'env: { A: { value: a, $protect: true } }'));
    expect(codes((await world.plan(removed('at: projects/web, delete: true, objects: 4'))).plan)).toEqual([
      'guard/protected',
    ]);
  });
});

describe('a released container without an entry', () => {
  it('comes with the lines that delete it, ready to be pasted', async () => {
    const world = await newWorld();
    await world.converge(both);
    const [warning, ...others] = await details(world, rest);
    expect(others).toEqual([]);
    expect(warning).toMatchObject({ severity: 'warning', code: 'removed/released', address: 'projects/web' });
    const [sentence, ...lines] = warning!.hint!.split('\n');
    expect(sentence).toMatch(
      /add this in the same change.*This deletes 4 objects \(.*\); not counted: deployments and \d+ other kinds$/,
    );
    expect(lines).toEqual(['removed: [{ at: projects/web, delete: true, objects: 4 }]']);
    const pasted = await world.converge([rest, ...lines].join('\n'));
    expect(actions(pasted)).toEqual(['delete projects/web']);
    expect(codes(pasted, 'warning')).toEqual([]);
  });

  it('of several is one warning with a line for each', async () => {
    const world = await newWorld();
    await world.converge(`${both}\ndomains: { e.com: {} }`);
    const [warning, ...others] = await details(world, rest);
    expect(others).toEqual([]);
    const [, ...lines] = warning!.hint!.split('\n');
    expect(lines).toHaveLength(3);
    await world.converge([rest, ...lines].join('\n'));
    expect([projects(world), world.twin.account.domains]).toEqual([['api'], []]);
  });
});

describe('destroy', () => {
  it('deletes containers that it names or that `removed` deletes, releases the others, and says how to name them', async () => {
    const world = await newWorld();
    await world.converge(`${both}\n  old: {}`);
    const destroy = { destroy: true, containersToDelete: ['projects/web'] };
    const yaml = `projects: {}\nremoved: [{ at: projects/old, delete: true }]`;
    const planned = await world.plan(yaml, destroy);
    expect(actions(planned.plan)).toEqual([
      'release projects/api',
      'delete projects/old',
      'delete projects/web',
    ]);
    expect(planned.plan.diagnostics).toMatchObject([
      { code: 'removed/released', hint: expect.stringContaining("run `trueup destroy 'projects/api'`") },
    ]);
    expect((await world.apply(planned)).outcome.failed).toEqual([]);
    expect(projects(world)).toEqual(['api']);
  });

  it('may name an object that is gone, but no other target that matches nothing', async () => {
    const world = await newWorld();
    await world.converge(both);
    const destroy = { destroy: true, containersToDelete: ['projects/old'] };
    const repeated = await world.plan(both, { ...destroy, targets: ['projects/old/**'] });
    expect(codes(repeated.plan)).toEqual([]);
    expect(codes(repeated.plan, 'warning')).toEqual(['delete/not-owned']);
    const misspelled = await world.plan(both, { ...destroy, targets: ['projects/wbe'] });
    expect(codes(misspelled.plan)).toEqual(['target/nothing']);
  });

  it('deletes a variable in all its targets, also if it is named without them', async () => {
    const world = await newWorld();
    await world.converge(both);
    const options = { destroy: true, targets: ['projects/web/env/A/**'] };
    const { plan } = await world.plan(both, { ...options, containersToDelete: ['projects/web/env/A'] });
    expect(new Set(actions(plan).map((line) => line.split('@')[0]))).toEqual(
      new Set(['delete projects/web/env/A']),
    );
    expect(plan.diagnostics).toEqual([]);
    const { plan: misspelled } = await world.plan(both, {
      destroy: true,
      containersToDelete: ['projects/web/env/B'],
    });
    expect(codes(misspelled, 'warning')).toContain('delete/not-owned');
  });

  it('deletes all objects of a section that it names', async () => {
    const world = await newWorld();
    await world.converge(both);
    const options = { destroy: true, targets: ['projects/web/env/**'] };
    const { plan } = await world.plan(both, { ...options, containersToDelete: ['projects/web/env'] });
    expect(new Set(actions(plan).map((line) => line.split('@')[0]))).toEqual(
      new Set(['delete projects/web/env/A']),
    );
    expect(plan.diagnostics).toEqual([]);
  });

  it('deletes one item of a list in which the order decides, and leaves the others', async () => {
    const world = await newWorld();
    const rule = (name: string) =>
      `{ name: ${name}, active: true, conditionGroup: [{ conditions: [{ type: path, op: eq, value: /${name} }] }], action: { mitigate: { action: deny } } }`;
    const route = (name: string) => `{ name: ${name}, route: { src: /${name}, status: 410 } }`;
    const lists = (...names: string[]) =>
      `projects: { web: { firewall: { rules: [${names.map(rule).join(', ')}] }, routes: [${names.map(route).join(', ')}] } }`;
    await world.converge(lists('a', 'b', 'c'));
    const named = ['projects/web/firewall/rules/b', 'projects/web/routes/b'];
    const destroy = { destroy: true, containersToDelete: named, targets: named.map((name) => `${name}/**`) };
    const planned = await world.plan(lists('a', 'b', 'c'), destroy);
    expect(actions(planned.plan)).toEqual(named.map((name) => `delete ${name}`));
    expect(planned.plan.diagnostics).toEqual([]);
    expect((await world.apply(planned)).outcome.failed).toEqual([]);
    const [project] = world.twin.account.projects;
    expect(project!.firewall.active!.rules.map(({ name }) => name)).toEqual(['a', 'c']);
    expect(project!.routes.find(({ isLive }) => isLive)!.items).toMatchObject([{ name: 'a' }, { name: 'c' }]);
    expect(actions((await world.plan(lists('a', 'c'))).plan)).toEqual([]);
    expect(actions(await world.converge(lists('a', 'b', 'c')))).toEqual(
      named.map((name) => `create ${name}`),
    );
  });

  it('does not delete what `removed` keeps, also if it is named', async () => {
    const world = await newWorld();
    await world.converge(both);
    const kept = 'projects: {}\nremoved: [{ at: projects/web, delete: false }]';
    const { plan } = await world.plan(kept, { destroy: true, containersToDelete: ['projects/web'] });
    expect(codes(plan)).toEqual(['delete/kept']);
    expect(actions((await world.plan(kept, { destroy: true })).plan)).toContain('release projects/web');
  });
});
