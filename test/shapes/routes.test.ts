import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Seed } from '../../providers/hosting/twin/index.ts';
import { noteCounts } from '../support/cost.ts';
import { actions, codes, intercept, newWorld } from '../support/scene.ts';
import { oneRowIn, oneStoryIn, runs } from '../support/sweep.ts';
import { World } from '../support/world.ts';

const story = oneStoryIn(7);

const rule = (name: string, status = 404) => ({
  name,
  srcSyntax: 'equals' as const,
  route: { src: `/${name}`, status },
});
type Rule = ReturnType<typeof rule>;
const seedOf = (routes: Rule[], stagedRoutes?: Rule[]): Seed => ({
  projects: [
    { name: 'web', ...(routes.length > 0 ? { routes } : {}), ...(stagedRoutes ? { stagedRoutes } : {}) },
  ],
});
const yaml = (routes: Rule[]) => `projects: ${JSON.stringify({ web: { routes } })}`;
const versions = (world: World) => world.twin.account.projects[0]!.routes;
const items = (world: World) => versions(world).find(({ isLive }) => isLive)?.items ?? [];
const live = (world: World) => items(world).map(({ name, route }) => `${name} ${route.status}`);
const idOf = (world: World, name: string) => items(world).find((one) => one.name === name)?.id;
const start = async (routes: Rule[], staged?: Rule[]) => {
  const world = await newWorld({ seed: seedOf(routes, staged) });
  world.parallelism = 1;
  return world;
};
const writes = (world: World, since = 0) =>
  world.twin.requests.slice(since).filter(({ method }) => method !== 'GET');
const verbs = (world: World, since = 0) => writes(world, since).map(({ method }) => method);

describe('routes', () => {
  story('are the first ones of a project, in their order', async () => {
    const world = await start([]);
    await world.converge(yaml([rule('b'), rule('a'), rule('c')]));
    expect(live(world)).toEqual(['b 404', 'a 404', 'c 404']);
    expect(verbs(world)).toEqual(['POST', 'POST', 'POST', 'POST']);
  });

  it('are adopted where they are as they should be', async () => {
    const world = await start([rule('theirs'), rule('a'), rule('b')]);
    const plan = await world.converge(yaml([rule('a'), rule('b')]));
    expect(actions(plan)).toEqual([
      'adopt projects/web',
      'adopt projects/web/routes/a',
      'adopt projects/web/routes/b',
    ]);
    expect(writes(world)).toEqual([]);
  });

  story('go to their new places before anybody sees one of them there', async () => {
    const world = await start([rule('theirs'), rule('a'), rule('b'), rule('gone')]);
    await world.converge(yaml([rule('a'), rule('b'), rule('gone')]));
    const theirs = idOf(world, 'theirs');
    const seen = new Set<string>();
    intercept(world, (request, send) => {
      seen.add(live(world).join(', '));
      return send(request);
    });
    const plan = await world.plan(yaml([rule('new'), rule('b', 410), rule('a')]));
    await world.apply(plan);
    expect([...seen]).toEqual(['theirs 404, a 404, b 404, gone 404']);
    expect(live(world)).toEqual(['theirs 404', 'new 404', 'b 410', 'a 404']);
    expect(idOf(world, 'theirs')).toBe(theirs);
  });

  oneRowIn(3)(['POST', 'PATCH', 'promote'])(
    'that fail at a %s leave what is live, and the next run starts over',
    async (at) => {
      const world = await start([rule('theirs')]);
      await world.converge(yaml([rule('a'), rule('b'), rule('c'), rule('gone')]));
      const before = live(world);
      const goal = yaml([rule('new'), rule('c'), rule('a', 410), rule('b')]);
      const end = intercept(world, async (request, send) => {
        const isIt =
          at === 'promote' ? request.endpoint.endsWith('versions') : request.endpoint.startsWith(at);
        if (isIt && !request.endpoint.startsWith('GET')) throw new Error('the line is dead');
        return send(request);
      });
      const first = await world.plan(goal);
      const { outcome } = await world.apply(first);
      end();
      expect(outcome.failed.map(({ address }) => address)).toEqual(
        expect.arrayContaining(['projects/web/routes/gone']),
      );
      expect(live(world)).toEqual(before);
      const since = world.twin.requests.length;
      const again = await world.converge(goal, { unattended: true });
      expect(actions(again)).toEqual(actions(first.plan));
      expect(writes(world, since)[0]!.body).toMatchObject({ action: 'discard' });
      expect(live(world)).toEqual(['theirs 404', 'new 404', 'c 404', 'a 410', 'b 404']);
      expect(world.ledger.staged).toBeUndefined();
    },
  );

  story('that go and move are taken out in one request', async () => {
    const world = await start([rule('theirs'), rule('a'), rule('b'), rule('c'), rule('gone')]);
    await world.converge(yaml([rule('a'), rule('b'), rule('c'), rule('gone')]));
    const since = world.twin.requests.length;
    await world.converge(yaml([rule('c'), rule('a'), rule('b')]));
    expect(verbs(world, since)).toEqual(['DELETE', 'POST', 'POST']);
    expect((writes(world, since)[0]!.body as { routeIds: string[] }).routeIds).toHaveLength(2);
    expect(live(world)).toEqual(['theirs 404', 'c 404', 'a 404', 'b 404']);
  });

  story(
    'that are all gone by the time they are to go leave what is live, and the next run knows',
    async () => {
      const world = await start([rule('a'), rule('gone')]);
      await world.converge(yaml([rule('a'), rule('gone')]));
      const planned = await world.plan(yaml([rule('a', 410)]));
      const [version] = versions(world);
      version!.items = version!.items.filter(({ name }) => name !== 'gone');
      const { outcome } = await world.apply(planned);
      expect(outcome.failed).not.toEqual([]);
      expect(live(world)).toEqual(['a 404']);
      await world.converge(yaml([rule('a', 410)]));
      expect(live(world)).toEqual(['a 410']);
    },
  );

  it('of which one is gone by the time it is to go come to what is wanted all the same', async () => {
    const world = await start([rule('a'), rule('b'), rule('gone')]);
    await world.converge(yaml([rule('a'), rule('b'), rule('gone')]));
    const planned = await world.plan(yaml([rule('b'), rule('a')]));
    const [version] = versions(world);
    version!.items = version!.items.filter(({ name }) => name !== 'gone');
    await world.apply(planned);
    await world.converge(yaml([rule('b'), rule('a')]));
    expect(live(world)).toEqual(['b 404', 'a 404']);
  });

  story('can be renamed, and are the same ones', async () => {
    const world = await start([]);
    await world.converge(yaml([rule('a'), rule('b')]));
    const id = idOf(world, 'a');
    const since = world.twin.requests.length;
    await world.converge(yaml([{ ...rule('new'), $was: 'a' } as Rule, rule('b')]));
    expect(live(world)).toEqual(['new 404', 'b 404']);
    expect([idOf(world, 'new'), verbs(world, since)]).toEqual([id, ['PATCH', 'POST']]);
  });

  it('that somebody else staged stop the plan by their version, and nothing is sent', async () => {
    const world = await start([rule('a')], [rule('a'), rule('theirs')]);
    const { plan } = await world.plan(yaml([rule('a', 410)]));
    expect(codes(plan)).toEqual(['staged/elsewhere']);
    expect(plan.diagnostics[0]!.message).toContain(versions(world).find(({ isStaging }) => isStaging)!.id);
    await world.converge(yaml([rule('a')]));
    expect(writes(world)).toEqual([]);
  });
});

/** Routes as anybody may write them, and what is live of the one with this name. */
const anyRoutes = (routes: object[]) => yaml(routes as Rule[]);
const liveRoute = (world: World, name: string) => items(world).find((one) => one.name === name)!;

describe('a route that is written whole', () => {
  const docs = { name: 'docs', route: { src: '/docs', status: 404 } };
  const seeded = async (...routes: object[]) => start(routes as Rule[]);

  it.each([
    ['is inferred anew for another `src`', {}, 'path-to-regexp'],
    ['stays with another `src` where it is declared', { srcSyntax: 'equals' }, 'equals'],
  ])('the syntax %s', async (_, declared, expected) => {
    const world = await seeded(docs);
    expect(liveRoute(world, 'docs').srcSyntax).toBe('equals');
    await world.converge(anyRoutes([{ ...docs, ...declared, route: { src: '/docs/:path', status: 404 } }]));
    expect(liveRoute(world, 'docs')).toMatchObject({ srcSyntax: expected, rawSrc: '/docs/:path' });
  });

  story('keeps the syntax that was found where `src` is as it was, moved or not', async () => {
    const plain = { name: 'a', srcSyntax: 'regex', route: { src: '/a', status: 404 } };
    const world = await seeded(plain, docs);
    const wanted = { name: 'a', route: { src: '/a', status: 404 } };
    await world.converge(anyRoutes([{ ...wanted, route: { src: '/a', status: 410 } }, docs]));
    expect(liveRoute(world, 'a')).toMatchObject({ srcSyntax: 'regex', route: { status: 410 } });
    const id = idOf(world, 'a');
    await world.converge(anyRoutes([docs, { ...wanted, route: { src: '/a', status: 410 } }]));
    expect(liveRoute(world, 'a')).toMatchObject({ srcSyntax: 'regex', route: { status: 410 } });
    expect([idOf(world, 'a') === id, idOf(world, 'docs') === id]).toContain(false);
  });

  it('infers the syntax of another `src` also where it moves', async () => {
    const world = await seeded(docs, rule('b'), rule('c'));
    const changed = { ...docs, route: { src: '/docs/:path', status: 404 } };
    await world.converge(anyRoutes([rule('b'), rule('c'), changed]));
    expect(live(world)).toEqual(['b 404', 'c 404', 'docs 404']);
    expect(liveRoute(world, 'docs').srcSyntax).toBe('path-to-regexp');
  });

  it.each([
    ['changed', [{ ...docs, route: { src: '/docs', status: 410 } }, rule('b'), rule('c')]],
    ['moved', [rule('b'), rule('c'), docs]],
  ])('keeps `continue` and `check` that are not declared when it is %s', async (_, wanted) => {
    const found = { ...docs, route: { ...docs.route, continue: true, check: true } };
    const world = await seeded(found, rule('b'), rule('c'));
    await world.converge(anyRoutes(wanted));
    expect(liveRoute(world, 'docs').route).toMatchObject({ continue: true, check: true });
  });

  it.each([
    ['changed', [{ ...docs, route: { src: '/docs', status: 410 } }, rule('b'), rule('c')]],
    ['moved', [rule('b'), rule('c'), docs]],
  ])('is not %s where it has what no body can say, and nothing else is', async (_, wanted) => {
    const world = await seeded(docs, rule('b'), rule('c'));
    const before = live(world);
    Object.assign(liveRoute(world, 'docs').route, { methods: ['GET'], locale: {}, important: false });
    const { plan } = await world.plan(anyRoutes([...wanted, rule('new')]));
    expect(codes(plan)).toEqual(['write/loses']);
    const [loss] = plan.diagnostics;
    expect(loss).toMatchObject({ address: 'projects/web/routes/docs', at: { file: 'trueup.yaml' } });
    expect(loss!.message.match(/`.*?`/g)).toEqual(['`route.methods`']);
    expect(plan.operations.flatMap(({ requests }) => requests)).toEqual([]);
    expect(live(world)).toEqual(before);
  });

  story('may have it where it is not declared, goes, or is adopted as it is', async () => {
    const world = await seeded(docs, rule('b'), rule('c'));
    Object.assign(liveRoute(world, 'docs').route, { methods: ['GET'] });
    await world.converge(anyRoutes([rule('c', 410), rule('b')]));
    expect(liveRoute(world, 'docs').route).toMatchObject({ methods: ['GET'] });
    await world.converge(anyRoutes([docs, rule('c', 410), rule('b')]));
    expect(liveRoute(world, 'docs').route).toMatchObject({ methods: ['GET'] });
    await world.converge(anyRoutes([rule('c', 410), rule('b')]));
    expect(live(world)).toEqual(['c 410', 'b 404']);
  });

  story('loses what is null, and each header that is not in its map any more', async () => {
    const route = { src: '/docs', dest: '/d', status: 404, headers: { 'x-a': '1', 'x-b': '2' } };
    const world = await seeded({ ...docs, description: 'old', route });
    const declared = { name: 'docs', description: null, route: { ...route, dest: null, status: null } };
    await world.converge(anyRoutes([{ ...declared, route: { ...declared.route, headers: { 'x-b': '2' } } }]));
    const found = liveRoute(world, 'docs');
    expect([found.route, found.description, found.rawDest]).toEqual([
      { src: '^\\/docs$', headers: { 'x-b': '2' } },
      undefined,
      undefined,
    ]);
    await world.converge(anyRoutes([{ ...declared, route: { ...declared.route, headers: null } }]));
    expect(liveRoute(world, 'docs').route).toEqual({ src: '^\\/docs$' });
  });
});

const counts = { runs: 0, requests: 0 };
noteCounts('routes', () => counts);

story('among those of others come into any order, by writes that name none of the others', async () => {
  const names = fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e']);
  const theirs = fc.subarray(['x', 'y', 'z']);
  const goals = fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e'], { minLength: 1 });
  const wanted = fc.tuple(goals, fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }));
  await fc.assert(
    fc.asyncProperty(
      names,
      theirs,
      fc.array(fc.nat(), { maxLength: 3 }),
      wanted,
      async (ours, others, places, [goal, edited]) => {
        const list = [...ours];
        for (const [index, name] of others.entries())
          list.splice((places[index] ?? 0) % (list.length + 1), 0, name);
        const world = await World.start({
          seed: seedOf(list.map((name) => rule(name))),
          switches: { stagedVersionRenewed: list.length % 2 === 0 },
        });
        try {
          await world.converge(yaml(list.filter((name) => ours.includes(name)).map((name) => rule(name))), {
            maxDeletions: 9,
          });
          const strangers = items(world).filter(({ name }) => others.includes(name));
          const since = world.twin.requests.length;
          const rules = goal.map((name, index) => rule(name, edited[index] ? 410 : 404));
          await world.converge(yaml(rules), { maxDeletions: 9 });
          expect(live(world).filter((line) => goal.includes(line[0]!))).toEqual(
            rules.map(({ name, route }) => `${name} ${route.status}`),
          );
          expect(items(world).filter(({ name }) => !goal.includes(name))).toEqual(strangers);
          const sent = writes(world, since);
          for (const { id } of strangers)
            for (const { path, body } of sent) {
              expect(path).not.toContain(id);
              expect((body as { routeIds?: string[] }).routeIds ?? []).not.toContain(id);
            }
          counts.runs += 1;
          counts.requests += sent.length;
        } finally {
          await world.stop();
        }
      },
    ),
    { numRuns: runs(90) },
  );
});
