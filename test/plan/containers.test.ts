import { describe, expect, it } from 'vitest';
import { actions, changeAt, codes, newWorld } from '../support/scene.ts';
import type { World } from '../support/world.ts';

const inside = `
    customEnvironments: { staging: {} }
    env: { A: a }
    domains: { www.example.com: {} }`;
const both = (meta = '') => `
projects:
  api: {}
  web:
    framework: nextjs${meta && `\n    ${meta}`}${inside}
`;
const rest = 'projects: { api: {} }';
const names = (world: World) => world.twin.account.projects.map(({ name }) => name).sort();
const owned = (world: World) => Object.keys(world.ledger.entries);

it('what no request deletes is no deletion, whoever asks for it', async () => {
  const world = await newWorld({ seed: { installations: [{ id: 'icfg_shop' }] } });
  const yaml = 'projects: { web: {} }\n';
  await world.converge(`${yaml}installations: { icfg_shop: {} }`);
  const destroy = { destroy: true, containersToDelete: ['installations/icfg_shop'] };
  const { plan } = await world.plan(yaml, { ...destroy, targets: destroy.containersToDelete });
  expect(codes(plan, 'warning')).toContain('delete/impossible');
  expect(actions(plan)).toEqual(['release installations/icfg_shop']);
  expect(actions(await world.converge(yaml))).toEqual(['release installations/icfg_shop']);
});

describe('a container whose block is gone', () => {
  it('is let go with all that is in it', async () => {
    const world = await newWorld();
    await world.converge(both());
    const since = world.twin.requests.length;
    const plan = await world.converge(rest);
    expect(new Set(actions(plan).map((line) => line.split(' ')[0]))).toEqual(new Set(['release']));
    expect(plan.changes.filter(({ action }) => action === 'release')).toHaveLength(6);
    expect(world.writes(since)).toEqual([]);
    expect(owned(world)).toEqual(['projects/api']);
    expect(names(world)).toEqual(['api', 'web']);
  });

  it('is adopted again when the block comes back', async () => {
    const world = await newWorld();
    await world.converge(both());
    await world.converge(rest);
    const since = world.twin.requests.length;
    expect(changeAt(await world.converge(both()), 'projects/web')!.action).toBe('adopt');
    expect(world.writes(since)).toEqual([]);
  });

  it.each(['the ledger of an earlier version', 'a name on the command line'])(
    'is deleted at once where that was asked for (%s)',
    async (how) => {
      const world = await newWorld();
      await world.converge(both());
      const isRecorded = how.startsWith('the ledger');
      if (isRecorded) world.ledger.entries['projects/web']!.onRemove = 'delete';
      const since = world.twin.requests.length;
      const plan = await world.converge(rest, isRecorded ? {} : { containersToDelete: ['projects/web'] });
      expect(actions(plan)).toEqual(['delete projects/web']);
      expect(changeAt(plan, 'projects/web')).toMatchObject({ grade: 'irreversible' });
      expect(changeAt(plan, 'projects/web')!.deletes).toMatchObject({ objects: 4 });
      expect(world.writes(since)).toHaveLength(1);
      expect(owned(world)).toEqual(['projects/api']);
      expect(names(world)).toEqual(['api']);
    },
  );

  it('is released though an earlier version recorded its deletion, if `removed` says so', async () => {
    const world = await newWorld();
    await world.converge(both());
    world.ledger.entries['projects/web']!.onRemove = 'delete';
    const plan = await world.converge(`${rest}\nremoved: [{ at: projects/web, delete: false }]`);
    expect(actions(plan)).toContain('release projects/web');
    expect(names(world)).toEqual(['api', 'web']);
  });

  it('counts with all that is known of it, others’ things included', async () => {
    const world = await newWorld();
    await world.converge(both());
    for (let i = 0; i < 8; i++)
      world.twin.account.projects
        .find(({ name }) => name === 'web')!
        .customEnvironments.push({
          id: `env_${i}`,
          slug: `s${i}`,
          type: 'preview',
          createdAt: 1,
          updatedAt: 1,
        });
    const { plan } = await world.plan(rest, { containersToDelete: ['projects/web'] });
    expect(codes(plan)).toEqual(['guard/deletions']);
    expect(plan.diagnostics[0]!.hint).toContain('12');
    await world.converge(rest, { containersToDelete: ['projects/web'], maxDeletions: 12 });
    expect(names(world)).toEqual(['api']);
  });

  it('keeps what was in it, even where the ledger lost the container first', async () => {
    const world = await newWorld();
    await world.converge(both());
    delete world.ledger.entries['projects/web'];
    const since = world.twin.requests.length;
    await world.converge(rest);
    expect(world.writes(since)).toEqual([]);
    expect(owned(world)).toEqual(['projects/api']);
  });

  it('--target of the container alone lets nothing in it be deleted later', async () => {
    const world = await newWorld();
    await world.converge(both());
    await world.apply(await world.plan(rest, { targets: ['projects/web'] }));
    const since = world.twin.requests.length;
    await world.converge(rest);
    expect(world.writes(since)).toEqual([]);
  });
});

describe('an $existing parent', () => {
  const records = (list: string) => `domains: { example.com: { $existing: true, records: [${list}] } }`;
  const a = '{ type: A, name: a, value: 192.0.2.1 }';
  const seed = { domains: [{ name: 'example.com' }] };

  it('must exist', async () => {
    const world = await newWorld();
    expect(codes((await world.plan(records(a))).plan)).toEqual(['existing/missing']);
  });

  it('is never changed; what is in it is managed', async () => {
    const world = await newWorld({ seed: { projects: [{ name: 'web', framework: 'vite' }] } });
    await world.converge('projects: { web: { $existing: true, env: { A: a } } }');
    expect(world.twin.account.projects[0]).toMatchObject({ framework: 'vite', env: [{ key: 'A' }] });
  });

  it('is in the ledger, as not ours, until the last of its children is gone', async () => {
    const world = await newWorld({ seed: { ...seed, projects: [{ name: 'web' }] } });
    const web = 'projects: { web: {} }\n';
    await world.converge(web + records(`${a}, { type: A, name: b, value: 192.0.2.2 }`));
    expect(world.ledger.entries['domains/example.com']).toMatchObject({ existing: true, fields: {} });
    await world.converge(web + records(a));
    expect(owned(world)).toContain('domains/example.com');
    // The whole block goes: the records are deleted, as the parent itself was never ours to let go.
    const plan = await world.converge(web);
    expect(actions(plan)).toEqual(['delete domains/example.com/records/a/A']);
    expect(owned(world)).toEqual(['projects/web']);
    expect(world.twin.account.domains).toHaveLength(1);
  });

  it('stays in the ledger when the deletion of its last child fails', async () => {
    const world = await newWorld({ seed: { ...seed, projects: [{ name: 'web' }] } });
    const web = 'projects: { web: {} }\n';
    await world.converge(web + records(a));
    const planned = await world.plan(web);
    const { outcome } = await world.apply(planned, { send: () => Promise.reject(new Error('no')) });
    expect(outcome.failed).toHaveLength(1);
    expect(owned(world)).toContain('domains/example.com');
    await world.converge(web);
    expect(owned(world)).toEqual(['projects/web']);
  });

  it('may become ours, and may stop being ours', async () => {
    const world = await newWorld({ seed });
    await world.converge(records(a));
    const ours = records(a).replace('$existing: true, ', '');
    expect(actions(await world.converge(ours))).toEqual(['adopt domains/example.com']);
    expect(world.ledger.entries['domains/example.com']!.existing).toBeUndefined();
    expect(actions(await world.converge(records(a)))).toEqual(['release domains/example.com']);
    expect(world.ledger.entries['domains/example.com']).toMatchObject({ existing: true });
  });
});

describe('destroy', () => {
  const yaml = both();
  const destroy = { destroy: true };

  it('deletes what is no container, needed things last, and lets containers go', async () => {
    const world = await newWorld();
    await world.converge(`
projects:
  web:
    customEnvironments: { staging: {} }
    domains:
      www.example.com: {}
      example.com: { redirect: www.example.com, redirectStatusCode: 308 }
      staging.example.com: { customEnvironmentId: staging }
`);
    const since = world.twin.requests.length;
    const plan = await world.converge('projects: { web: {} }', destroy);
    expect(actions(plan)).toEqual([
      'release projects/web',
      'delete projects/web/customEnvironments/staging',
      'delete projects/web/domains/example.com',
      'delete projects/web/domains/staging.example.com',
      'delete projects/web/domains/www.example.com',
    ]);
    const order = world.writes(since).map((line) => line.replace(/.*\//, ''));
    expect(order.indexOf('example.com')).toBeLessThan(order.indexOf('www.example.com'));
    const environment = order.findIndex((id) => id.startsWith('env_'));
    expect(order.indexOf('staging.example.com')).toBeLessThan(environment);
    expect(owned(world)).toEqual([]);
    expect(names(world)).toEqual(['web']);
  });

  it('deletes containers that are named, and needs no budget', async () => {
    const world = await newWorld();
    await world.converge(yaml);
    await world.converge(yaml, { ...destroy, containersToDelete: ['projects/web'] });
    expect(names(world)).toEqual(['api']);
    expect(owned(world)).toEqual([]);
  });

  it('respects $protect', async () => {
    const world = await newWorld();
    await world.converge('projects: { web: { customEnvironments: { staging: { $protect: true } } } }');
    expect(codes((await world.plan('projects: {}', destroy)).plan)).toEqual(['guard/protected']);
  });
});
