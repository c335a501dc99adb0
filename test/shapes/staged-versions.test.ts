import { describe, expect, it } from 'vitest';
import { actions, codes, intercept, newWorld } from '../support/scene.ts';
import { inTurn, oneRowIn, oneStoryIn, sampled } from '../support/sweep.ts';
import { describe as told, type World } from '../support/world.ts';

const story = oneStoryIn(3);

// A change of a staged list is many writes on top of each other. Whatever becomes of one of them, the next run knows what is staged.

const rules = (...all: string[]) => `projects: { web: { routes: [${all.join(', ')}] } }`;
const rule = (name: string, status = 404, more = '') =>
  `{ name: ${name}, srcSyntax: equals, route: { src: /${name}, status: ${status} }${more} }`;
const redirects = (all: Record<string, string>) =>
  `projects: { web: { bulkRedirects: ${JSON.stringify(all)} } }`;

const changes: [what: string, before: string, after: string][] = [
  ['a rename', rules(rule('a'), rule('b')), rules(rule('new', 404, ', $was: a'), rule('b'))],
  ['a rename with an edit', rules(rule('a'), rule('b')), rules(rule('new', 410, ', $was: a'), rule('b'))],
  [
    'a rename beside what comes and goes',
    rules(rule('a'), rule('b'), rule('c')),
    rules(rule('new', 404, ', $was: a'), rule('d'), rule('c', 410)),
  ],
  [
    'several edits',
    rules(rule('a'), rule('b'), rule('c')),
    rules(rule('a', 410), rule('b', 410), rule('c', 410)),
  ],
  ['another order', rules(rule('a'), rule('b'), rule('c')), rules(rule('c'), rule('b'), rule('a'))],
  ['the first ones', 'projects: { web: {} }', rules(rule('a'), rule('b'))],
  ['the last ones', rules(rule('a'), rule('b')), 'projects: { web: {} }'],
  ['redirects of each sort', redirects({ '/a': '/1', '/b': '/2' }), redirects({ '/b': '/3', '/c': '/4' })],
  ['the first redirects', 'projects: { web: {} }', redirects({ '/b': '/3', '/c': '/4' })],
];

const isStaging = (world: World) => {
  const [{ routes, bulkRedirects }] = world.twin.account.projects as [
    World['twin']['account']['projects'][0],
  ];
  return [...routes, ...bulkRedirects].find((one) => one.isStaging);
};
const items = (world: World) => {
  const [{ routes, bulkRedirects }] = world.twin.account.projects as [
    World['twin']['account']['projects'][0],
  ];
  return [routes, bulkRedirects].map((all) =>
    JSON.stringify(all.find(({ isLive }) => isLive)?.items ?? []).replace(/"route_\w+"/g, 'id'),
  );
};

/** A run of which the nth write is not done, or done and not heard of. Tells how many writes there were. */
async function broken(world: World, yaml: string, at: number, isDone: boolean): Promise<number> {
  let count = 0;
  const end = intercept(world, async (request, send) => {
    if (request.endpoint.startsWith('GET ')) return send(request);
    count += 1;
    if (count === at && !isDone) throw new Error('the line is dead');
    const answer = await send(request);
    if (count === at) throw new Error('the line is dead');
    return answer;
  });
  await world.apply(await world.plan(yaml));
  end();
  return count;
}

const ends: [what: string, isDone: boolean, renewed: boolean][] = [
  ['was not done', false, true],
  ['was done, and nobody heard of it', true, true],
  ['was done, and nobody heard of it; versions keep their id', true, false],
];
const some = sampled(changes, 1).map((change, at) => [...change, inTurn(ends, at, 1)] as const);

describe.each(some)('%s', (_, before, after, each) => {
  it.each(each)('whichever write %s, the next run starts over', async (_, isDone, renewed) => {
    const switches = { stagedVersionRenewed: renewed };
    const smooth = await newWorld({ switches });
    await smooth.converge(before);
    await smooth.converge(after);
    for (let at = 1; ; at++) {
      const world = await newWorld({ switches });
      await world.converge(before);
      if ((await broken(world, after, at, isDone)) < at) break;
      const { plan } = await world.plan(after, { unattended: true });
      expect(codes(plan), `write ${at}: ${told(plan)}`).toEqual([]);
      await world.converge(after, { unattended: true });
      expect(items(world)).toEqual(items(smooth));
      expect([isStaging(world), world.ledger.staged, world.ledger.begun]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect(Object.keys(world.ledger.entries).sort()).toEqual(Object.keys(smooth.ledger.entries).sort());
    }
  });
});

describe('what somebody else did to a version that a run has left', () => {
  const before = rules(rule('a'), rule('b'), rule('c'), rule('d'));
  const after = rules(rule('a', 410), rule('b'), rule('c'), rule('d', 410));
  type Items = { name: string; route: { status?: number } }[];

  oneRowIn(5)<[string, (all: Items) => void]>([
    ['another object was changed', (all) => void Object.assign(all[1]!.route, { status: 403 })],
    ['ours was changed to something else', (all) => void Object.assign(all[0]!.route, { status: 403 })],
    [
      'an object was added',
      (all) => void all.push({ ...structuredClone(all[1]!), name: 'theirs', id: 'x' } as never),
    ],
    ['an object was taken out', (all) => void all.splice(1, 1)],
    ['the order is another one', (all) => void all.splice(1, 2, all[2]!, all[1]!)],
  ])('stops the plan: %s', async (_, change) => {
    const world = await newWorld();
    await world.converge(before);
    await broken(world, after, 2, true);
    expect(codes((await world.plan(after)).plan)).toEqual([]);
    change(isStaging(world)!.items as never);
    expect(codes((await world.plan(after)).plan)).toEqual(['staged/elsewhere']);
  });

  story('stops the plan where it is on top of another version by now', async () => {
    const world = await newWorld();
    await world.converge(before);
    await broken(world, after, 1, true);
    const { routes } = world.twin.account.projects[0]!;
    routes.find(({ isLive }) => isLive)!.id = 'another';
    expect(codes((await world.plan(after)).plan)).toEqual(['staged/elsewhere']);
  });

  story('is nothing where nothing was done: it is discarded, and what is wanted now is staged', async () => {
    const world = await newWorld();
    await world.converge(before);
    await broken(world, after, 2, true);
    const other = rules(rule('b'), rule('c'), rule('e'));
    const since = world.twin.requests.length;
    await world.converge(other);
    expect(world.writes(since)[0]).toMatch(/versions$/);
    expect(actions((await world.plan(other)).plan)).toEqual([]);
  });
});
