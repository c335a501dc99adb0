import { describe, expect, it } from 'vitest';
import type { Seed } from '../../providers/hosting/twin/index.ts';
import { emptyLedger } from '../../src/model/ledger.ts';
import { readOnly } from '../../src/model/request.ts';
import { collectionsNeededWhole, observe } from '../../src/observe/observe.ts';
import type { PlanOptions } from '../../src/plan/input.ts';
import { everyKind } from '../support/every-kind.ts';
import { sampleSeed } from '../support/samples.ts';
import { actions, codes, intercept, newWorld, refuse } from '../support/scene.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import { kinds, type World, type Yaml } from '../support/world.ts';

const story = oneStoryIn(7);

const names = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({ name: `p${String(from + index).padStart(2, '0')}` }));

/** An account with 40 projects, of which five come on a page; the one that was added last comes first. */
const crowded = (seed: Partial<Seed> = {}) =>
  newWorld({ seed: { projects: names(40), ...seed } as Seed, pageSize: 5 });

/** What was asked for since, ids and cursors left out. */
const readsSince = (world: World, since: number): string[] =>
  world.twin.requests
    .slice(since)
    .filter(({ method }) => method === 'GET')
    .map(({ path }) =>
      path
        .replace(/[?&](teamId|limit)=[^&]*/g, '')
        .replace(/(from|until)=[^&]*/, '+')
        .replace(/prj_[^/?&]+/g, 'ID')
        .replace('&+', '?+'),
    );

async function planned(world: World, yaml: Yaml, options: PlanOptions = {}) {
  const since = world.twin.requests.length;
  const { plan, live } = await world.plan(yaml, options);
  return { plan, live, reads: readsSince(world, since).sort() };
}

/** What was asked for more than once since. */
const twice = (world: World, since: number): string[] =>
  world.twin.requests
    .slice(since)
    .map(({ path }) => path)
    .filter((path, index, all) => all.indexOf(path) !== index);

const page = '/v10/projects';
const pages = (count: number) => [page, ...Array.from({ length: count - 1 }, () => `${page}?+`)];

describe('of a long list little is mentioned', () => {
  it('what is on the first page costs nothing more', async () => {
    const world = await crowded();
    const [first] = [...world.twin.account.projects].sort((a, b) => b.updatedAt - a.updatedAt);
    const { plan, reads } = await planned(world, `projects: { ${first!.name}: {} }`);
    expect([actions(plan), reads]).toEqual([[`adopt projects/${first!.name}`], [page]]);
    expect(plan).toMatchObject({ unmanaged: [], partialKinds: ['project'] });
  });

  it('what is not there is read by itself: by its name, and by its id once that is known', async () => {
    const world = await crowded();
    const yaml = 'projects: { p03: {}, p17: {} }';
    const { plan, live, reads } = await planned(world, yaml);
    expect(actions(plan)).toEqual(['adopt projects/p03', 'adopt projects/p17']);
    expect(reads).toEqual([page, '/v9/projects/p03', '/v9/projects/p17']);
    expect([...live.resources.keys()].sort()).toEqual(['projects/p03', 'projects/p17']);
    await world.converge(yaml);
    const again = await planned(world, yaml);
    expect([actions(again.plan), again.reads]).toEqual([[], [page, '/v9/projects/ID', '/v9/projects/ID']]);
  });

  it('the same of domains', async () => {
    const domains = names(12).map(({ name }) => ({ name: `${name}.com` }));
    const world = await newWorld({ seed: { domains }, pageSize: 5 });
    const yaml = 'domains: { p00.com: { records: [{ type: A, name: x, value: 192.0.2.1 }] }, new.com: {} }';
    const { plan, reads } = await planned(world, yaml);
    expect(actions(plan)).toContain('create domains/new.com');
    expect(plan.partialKinds).toEqual(['domain']);
    expect(reads).toEqual([
      '/v5/domains',
      '/v5/domains/new.com',
      '/v5/domains/p00.com',
      '/v5/domains/p00.com/records',
    ]);
    await world.converge(yaml);
  });

  it('the same of access groups', async () => {
    const accessGroups = names(12);
    const world = await newWorld({ seed: { accessGroups } as Seed, pageSize: 5 });
    const yaml = 'accessGroups: { p00: {}, A new one: {} }';
    const { plan, reads } = await planned(world, yaml);
    expect(actions(plan)).toEqual(['create accessGroups/A new one', 'adopt accessGroups/p00']);
    expect(reads).toEqual(['/v1/access-groups', '/v1/access-groups/A%20new%20one', '/v1/access-groups/p00']);
    await world.converge(yaml);
  });

  story('what is answered 404 is created, and found afterwards', async () => {
    const world = await crowded();
    const yaml = 'projects: { fresh: { framework: nextjs, domains: { a.example.com: {} } } }';
    const { plan, reads } = await planned(world, yaml);
    expect(actions(plan)).toEqual(['create projects/fresh', 'create projects/fresh/domains/a.example.com']);
    expect(reads).toEqual([page, '/v9/projects/fresh']);
    await world.converge(yaml);
    expect(world.beside).toEqual([]);
    expect(world.twin.account.projects).toHaveLength(41);
  });

  story('what is read by its name is not read again by its id', async () => {
    const world = await crowded();
    const { reads } = await planned(world, 'projects: { p01: { attackMode: {} } }');
    expect(reads).toEqual([page, '/v9/projects/p01']);
  });

  story('of more than a few the list is read on, as long as it takes', async () => {
    const world = await crowded();
    const most = [...names(3), ...names(10, 30)].map(({ name }) => `${name}: {}`).join(', ');
    const { plan, reads } = await planned(world, `projects: { ${most} }`);
    expect(reads).toEqual([...pages(2), '/v9/projects/p00', '/v9/projects/p01', '/v9/projects/p02']);
    expect(actions(plan)).toHaveLength(13);
    const all = names(40).map(({ name }) => `${name}: {}`);
    const whole = await planned(world, `projects: { ${all.join(', ')} }`);
    expect([whole.reads.length, whole.plan.partialKinds]).toEqual([8, undefined]);
  });

  it('what comes on one page is counted', async () => {
    const world = await newWorld({ seed: { projects: names(5) }, pageSize: 5 });
    const { plan } = await planned(world, 'projects: { p01: {} }');
    expect([plan.unmanaged.length, plan.partialKinds]).toEqual([4, undefined]);
  });
});

describe('changes outside', () => {
  const yaml = 'projects: { p03: { framework: nextjs } }';
  async function managed() {
    const world = await crowded();
    await world.converge(yaml);
    // As if all others had been changed since.
    for (const one of world.twin.account.projects) one.updatedAt += one.name === 'p03' ? 0 : 1_000_000;
    const own = world.twin.account.projects.find(({ name }) => name === 'p03')!;
    return { world, own };
  }

  story('a project that was renamed is found by its id, and its name looked for', async () => {
    const { world, own } = await managed();
    own.name = 'elsewhere';
    const { plan, reads } = await planned(world, yaml);
    expect(plan.changes).toMatchObject([
      { action: 'update', address: 'projects/p03', reason: 'renamed outside' },
    ]);
    expect(reads).toEqual([page, '/v9/projects/ID', '/v9/projects/p03']);
    await world.converge(yaml);
    expect(own.name).toBe('p03');
  });

  it('a project that has its name by now is seen', async () => {
    const { world, own } = await managed();
    own.name = 'elsewhere';
    world.twin.account.projects.find(({ name }) => name === 'p05')!.name = 'p03';
    expect(codes((await planned(world, yaml)).plan)).toEqual(['match/name-taken']);
  });

  story('a project that was deleted is created again', async () => {
    const { world, own } = await managed();
    world.twin.account.projects.splice(world.twin.account.projects.indexOf(own), 1);
    const { plan, reads } = await planned(world, yaml);
    expect(plan.changes).toMatchObject([{ action: 'create', reason: 'deleted outside' }]);
    expect(reads).toEqual([page, '/v9/projects/ID', '/v9/projects/p03']);
  });

  it('a project that was made anew is another one', async () => {
    const { world, own } = await managed();
    own.id = 'prj_another';
    const { plan } = await planned(world, yaml);
    expect(plan.changes).toMatchObject([{ action: 'adopt', reason: 'replaced outside' }]);
  });

  it('one that is created between plan and apply is not taken for ours', async () => {
    const { world } = await managed();
    const run = await world.plan('projects: { p03: {}, fresh: {} }');
    const { account } = world.twin;
    world.twin.add({ projects: [{ name: 'fresh' }] });
    for (const one of account.projects) one.updatedAt += one.name === 'fresh' ? 0 : 1_000_000;
    const { outcome } = await world.apply(run);
    expect(outcome.failed).toMatchObject([{ address: 'projects/fresh' }]);
    expect(String(outcome.failed[0]!.error)).toContain('created by somebody else');
  });

  story(
    'a managed one is deleted where that is asked for, and one that is not declared any more let go',
    async () => {
      const { world } = await managed();
      const both = 'projects: { p03: { framework: nextjs }, p04: {} }';
      await world.converge(both);
      const first = await world.converge('projects: { p04: {} }', { containersToDelete: ['projects/p03'] });
      expect(actions(first)).toEqual(['delete projects/p03']);
      expect(world.beside).toEqual([]);
      expect(world.twin.account.projects.map(({ name }) => name)).not.toContain('p03');
      expect(actions(await world.converge('projects: { p05: {} }'))).toEqual([
        'release projects/p04',
        'adopt projects/p05',
      ]);
      expect(world.beside).toEqual([]);
    },
  );

  story('`$was` finds what it was, applied here or not', async () => {
    const { world, own } = await managed();
    await world.converge('projects: { web: { $was: p03, framework: nextjs } }');
    expect(own.name).toBe('web');
    const other = 'projects: { web: { framework: nextjs }, api: { $was: p07 } }';
    expect(actions((await planned(world, other, { adoptRenamed: true })).plan)).toEqual([
      'adopt projects/api',
    ]);
  });
});

describe('what is not certain', () => {
  const yaml = 'projects: { p03: {}, fresh: {} }';

  oneRowIn(3)([403, 500, 410])('a single read that answers %s: then all pages are read', async (status) => {
    const world = await crowded();
    refuse(world, 'GET /v9/projects/{id}', status);
    const { plan, reads } = await planned(world, yaml);
    expect([actions(plan), codes(plan)]).toEqual([['create projects/fresh', 'adopt projects/p03'], []]);
    expect([reads, plan.partialKinds]).toEqual([pages(8), undefined]);
  });

  it('nothing is planned where these cannot be read either', async () => {
    const world = await crowded();
    refuse(world, 'GET /v9/projects/{id}', 403);
    intercept(world, async (request, send) => {
      const answer = (await send(request)) as { readNext?: unknown };
      if (!request.pages) return answer;
      return { ...answer, readNext: () => Promise.reject(new Error('no more')) };
    });
    const { plan } = await planned(world, yaml);
    expect([actions(plan), codes(plan), plan.complete]).toEqual([[], ['observe/incomplete'], false]);
  });

  story('an answer with another project says nothing: a name may look like an id', async () => {
    const world = await crowded();
    const id = 'prj_01';
    world.twin.account.projects.find(({ name }) => name === 'p01')!.id = id;
    const { plan, reads } = await planned(world, `projects: { ${id}: {} }`);
    expect([actions(plan), reads.length]).toEqual([[`create projects/${id}`], 1 + 1 + 7]);
  });
});

describe('all of a list is read', () => {
  it('where an `$exclusive` names it', async () => {
    const world = await newWorld();
    const { desired } = await world.configure('projects: { a: { $exclusive: [env, domains] }, b: {} }');
    expect([...collectionsNeededWhole(desired, emptyLedger('', '', ''), kinds)].sort()).toEqual([
      'projects/a#projectDomain',
      'projects/a#projectEnvVar',
    ]);
  });

  story('by an export', async () => {
    const world = await crowded();
    const since = world.twin.requests.length;
    const nothing = { stack: '', resources: new Map(), inputs: [], folders: [] };
    const live = await observe(nothing, emptyLedger('', '', ''), kinds, readOnly(world.connection.send), {
      facts: {},
      also: ({ name }) => name === 'project',
    });
    expect([readsSince(world, since), live.resources.size]).toEqual([pages(8), 40]);
  });

  story('where something names an object that was not read, and each page once', async () => {
    const world = await crowded();
    const apply =
      'projects: { p01: {}, p02: {} }\naccessGroups: { G: { projects: { p01: { role: ADMIN } } } }';
    await world.converge(apply);
    expect((await planned(world, apply)).reads.filter((path) => path.startsWith(page))).toEqual([page]);
    const { account } = world.twin;
    const [group] = account.accessGroups;
    const stranger = account.projects.find(({ name }) => name === 'p09')!;
    group!.projects.push({ ...group!.projects[0]!, projectId: stranger.id });
    const { plan, reads } = await planned(world, apply);
    expect(reads.filter((path) => path.startsWith(page))).toEqual(pages(8));
    expect(plan.partialKinds).toBeUndefined();
    expect(plan.unmanaged).toContainEqual(
      expect.objectContaining({ address: 'accessGroups/G/projects/p09' }),
    );
    await world.converge(apply);
  });

  story('where a run has begun something in it', async () => {
    const world = await crowded();
    const yaml = 'projects: { p01: {}, fresh: {} }';
    const planBefore = await world.plan(yaml);
    // Neither the answer arrives, nor can the run look the object up.
    let isCut = false;
    const end = intercept(world, async (request, send) => {
      const answer = await send(request);
      isCut ||= request.endpoint.startsWith('POST');
      if (!isCut) return answer;
      throw Object.assign(new Error('the connection was cut'), { mayBeCarriedOut: true });
    });
    await world.apply(planBefore);
    end();
    expect(Object.keys(world.ledger.begun ?? {})).toEqual(['projects/fresh']);
    const { reads } = await planned(world, yaml);
    expect(reads).toEqual(pages(Math.ceil(41 / 5)));
    await world.converge(yaml);
    expect(world.twin.account.projects).toHaveLength(41);
  });
});

story('nothing is read twice for a plan of every kind', async () => {
  const world = await newWorld({ seed: sampleSeed });
  const since = world.twin.requests.length;
  const yaml = everyKind(undefined, 18)(0);
  const planned = await world.plan(yaml);
  expect(twice(world, since)).toEqual([]);
  const { outcome } = await world.apply(planned);
  expect([...outcome.failed, ...outcome.postponed, ...outcome.skipped]).toEqual([]);
  const then = world.twin.requests.length;
  await world.plan(yaml);
  expect(world.twin.requests.length - then).toBeGreaterThan(30);
  expect(twice(world, then)).toEqual([]);
});
