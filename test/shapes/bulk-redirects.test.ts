import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Seed } from '../../providers/hosting/twin/index.ts';
import { toExportedFiles } from '../../src/export/export-files.ts';
import { exportLive } from '../../src/export/export-live.ts';
import { emptyLedger } from '../../src/model/ledger.ts';
import { observe } from '../../src/observe/observe.ts';
import { actions, codes, intercept, newWorld } from '../support/scene.ts';
import { all, oneRowIn, oneStoryIn, sampled } from '../support/sweep.ts';
import { kinds, type World } from '../support/world.ts';

const story = oneStoryIn(7);

type SeedProject = NonNullable<Seed['projects']>[number];
type Options = NonNullable<Parameters<typeof newWorld>[0]>;

const start = async (project: Partial<SeedProject> = {}, options: Omit<Options, 'seed'> = {}) => {
  const world = await newWorld({ ...options, seed: { projects: [{ name: 'web', ...project }] } });
  world.parallelism = 1;
  return world;
};
const yaml = (redirects: object, more: object = {}) =>
  `projects: ${JSON.stringify({ web: { ...more, bulkRedirects: redirects } })}`;
const versions = (world: World) => world.twin.account.projects[0]!.bulkRedirects;
/** What visitors meet: `/old -> /new`, in the order of the list. */
const live = (world: World) =>
  (versions(world).find(({ isLive }) => isLive)?.items ?? []).map(
    ({ source, destination }) => `${source} -> ${destination}`,
  );
const staged = (world: World) => versions(world).find(({ isStaging }) => isStaging);
/** The writes since `since`, without what is the same for all: `PUT 2`, `POST promote`. */
const asked = (world: World, since = 0) =>
  world.twin.requests
    .slice(since)
    .filter(({ method }) => method !== 'GET')
    .map(({ method, body }) => {
      const { action, redirects, redirect } = body as {
        action?: string;
        redirects?: unknown[];
        redirect?: { source: string };
      };
      return `${method} ${action ?? redirect?.source ?? redirects?.length}`;
    });

describe('redirects', () => {
  story('are live all at once: nothing of them is before the promotion', async () => {
    const world = await start({ bulkRedirects: [{ source: '/a', destination: '/1' }] });
    await world.converge(yaml({ '/a': '/1', '/b': '/2' }));
    const seen: string[][] = [];
    intercept(world, async (request, send) => {
      if (!request.endpoint.startsWith('GET')) seen.push(live(world));
      return send(request);
    });
    const since = world.twin.requests.length;
    await world.converge(yaml({ '/b': '/3', '/c': '/4', '/d': '/5' }));
    expect(asked(world, since)).toEqual(['DELETE 1', 'PATCH /b', 'PUT 2', 'POST promote']);
    expect(seen).toEqual(Array(4).fill(['/a -> /1', '/b -> /2']));
    expect(live(world)).toEqual(['/b -> /3', '/c -> /4', '/d -> /5']);
  });

  story('are adopted where they are equal, and those of others stay', async () => {
    const world = await start({
      bulkRedirects: [
        { source: '/a', destination: '/1', permanent: true },
        { source: '/theirs', destination: '/x' },
      ],
    });
    const plan = await world.converge(yaml({ '/a': { destination: '/1', statusCode: 308 } }));
    expect(actions(plan)).toEqual(['adopt projects/web', 'adopt projects/web/bulkRedirects/%2Fa']);
    expect(asked(world)).toEqual([]);
    await world.converge(yaml({ '/b': '/2' }));
    expect(live(world)).toEqual(['/theirs -> /x', '/b -> /2']);
  });

  story('can answer 303, and keep the query string', async () => {
    const world = await start();
    await world.converge(yaml({ '/a': { destination: '/1', statusCode: 303, query: true } }));
    expect(versions(world).find(({ isLive }) => isLive)!.items).toMatchObject([
      { source: '/a', statusCode: 303, query: true },
    ]);
  });

  story('come back from an export as short as they were written, and so do routes', async () => {
    const world = await start({
      bulkRedirects: [
        { source: '/a', destination: '/1' },
        { source: '/b', destination: '/2', permanent: true },
      ],
      routes: [{ name: 'gone', srcSyntax: 'equals', route: { src: '/gone', status: 410 } }],
    });
    const nothing = { stack: '', resources: new Map(), inputs: [], folders: [] };
    const { send } = world.connection;
    const live = await observe(nothing, emptyLedger('', '', ''), kinds, send, {
      facts: {},
      also: () => true,
    });
    const [file] = toExportedFiles(exportLive({ live, kinds }), {
      stack: 'test',
      platform: { team: 'acme' },
      isSplit: false,
    });
    const { bulkRedirects, routes } = parse(file!.text).projects.web;
    expect(bulkRedirects).toEqual({ '/a': '/1', '/b': { destination: '/2', statusCode: 308 } });
    // Whether a route applies is always said.
    const route = { src: '/gone', status: 410 };
    expect(routes).toEqual([{ name: 'gone', enabled: true, srcSyntax: 'equals', route }]);
  });

  it('are never `permanent`: the status is named in its place', async () => {
    const world = await start();
    const { diagnostics } = await world.configure(yaml({ '/a': { destination: '/1', permanent: true } }));
    expect(diagnostics).toMatchObject([
      { code: 'config/unknown-key', hint: expect.stringContaining('`statusCode: 308`') },
    ]);
  });

  story('can be the first ones of a project, by the thousands in one request, and go in one', async () => {
    const world = await start();
    const count = all ? 2000 : 301;
    const many = Object.fromEntries(Array.from({ length: count }, (_, i) => [`/old/${i}`, `/new/${i}`]));
    await world.converge(yaml(many));
    expect(asked(world)).toEqual([`PUT ${count}`, 'POST promote']);
    expect(live(world)).toHaveLength(count);
    await world.converge(yaml({ '/old/0': '/new/0' }), { maxDeletions: count });
    expect(asked(world).slice(2)).toEqual([`DELETE ${count - 1}`, 'POST promote']);
    expect(live(world)).toEqual(['/old/0 -> /new/0']);
  });
});

describe.each(sampled([false, true], 1))(
  'a run that fails, each write staged under a new id: %s',
  (renewed) => {
    const before = { '/a': '/1', '/b': '/2', '/c': '/3' };
    const after = yaml({ '/b': '/9', '/d': '/4' });
    const goal = ['/b -> /9', '/d -> /4'];

    oneRowIn(3)(['PATCH', 'PUT', 'POST'])(
      'at its %s leaves what is live, and the next one starts over',
      async (verb) => {
        const world = await start({}, { switches: { stagedVersionRenewed: renewed } });
        await world.converge(yaml(before));
        const old = live(world);
        const end = intercept(world, async (request, send) => {
          if (request.endpoint.startsWith(verb)) throw new Error('the line is dead');
          return send(request);
        });
        const { outcome } = await world.apply(await world.plan(after));
        end();
        expect(outcome.failed).toHaveLength(4);
        expect(live(world)).toEqual(old);
        expect(Object.values(world.ledger.staged ?? {}).map(({ base }) => base)).toEqual([
          versions(world).find(({ isLive }) => isLive)!.id,
        ]);

        const since = world.twin.requests.length;
        const plan = await world.converge(after, { unattended: true });
        expect(actions(plan).map((line) => line.replace('projects/web/bulkRedirects/%2F', ''))).toEqual([
          'delete a',
          'update b',
          'delete c',
          'create d',
        ]);
        expect(plan.changes.filter(({ reason }) => reason === 'deleted outside')).toEqual([]);
        expect(asked(world, since)).toEqual([
          'POST discard',
          'DELETE 2',
          'PATCH /b',
          'PUT 1',
          'POST promote',
        ]);
        expect(live(world)).toEqual(goal);
        expect([staged(world), world.ledger.staged]).toEqual([undefined, undefined]);
      },
    );

    story('to hear that its promotion was done leaves nothing to do but to remember', async () => {
      const world = await start({}, { switches: { stagedVersionRenewed: renewed } });
      await world.converge(yaml(before));
      const end = intercept(world, async (request, send) => {
        const answer = await send(request);
        if (JSON.stringify(request.body)?.includes('promote')) throw new Error('the line is dead');
        return answer;
      });
      await world.apply(await world.plan(after));
      end();
      const since = world.twin.requests.length;
      const plan = await world.converge(after, { unattended: true });
      expect(asked(world, since)).toEqual([]);
      expect(actions(plan).map((line) => line.replace('projects/web/bulkRedirects/%2F', ''))).toEqual([
        'forget a',
        'adopt b',
        'forget c',
        'adopt d',
      ]);
      expect(live(world)).toEqual(goal);
    });

    story('and then is not wanted any more: what it staged stands in the way of nobody', async () => {
      const world = await start({}, { switches: { stagedVersionRenewed: renewed } });
      await world.converge(yaml(before));
      const end = intercept(world, async (request, send) => {
        if (request.endpoint.startsWith('POST')) throw new Error('the line is dead');
        return send(request);
      });
      await world.apply(await world.plan(after));
      end();
      await world.converge(yaml(before));
      await world.converge(yaml({ ...before, '/e': '/5' }));
      expect(live(world)).toEqual(['/a -> /1', '/b -> /2', '/c -> /3', '/e -> /5']);
    });
  },
);

story('what a failed run staged is still known after the project got another name', async () => {
  const world = await start();
  await world.converge(yaml({ '/a': '/1' }));
  const end = intercept(world, async (request, send) => {
    if (request.endpoint.startsWith('POST')) throw new Error('the line is dead');
    return send(request);
  });
  await world.apply(await world.plan(yaml({ '/a': '/2' })));
  end();
  await world.converge('projects: { shop: { $was: web, bulkRedirects: { /a: /2 } } }');
  expect([live(world), world.ledger.staged]).toEqual([['/a -> /2'], undefined]);
});

describe('a version that somebody else staged', () => {
  const theirs = { stagedBulkRedirects: [{ source: '/x', destination: '/theirs' }] };

  it('stops the plan by its id, and nothing is sent', async () => {
    const world = await start(theirs);
    const { plan } = await world.plan(yaml({ '/a': '/1' }));
    expect(codes(plan)).toEqual(['staged/elsewhere']);
    const [problem] = plan.diagnostics;
    expect(problem!.message).toContain(staged(world)!.id);
    expect(problem!.hint).toMatch(/promote or discard/);
    expect(asked(world)).toEqual([]);
  });

  it('is in the way of nothing that changes no redirect', async () => {
    const world = await start({ bulkRedirects: [{ source: '/a', destination: '/1' }], ...theirs });
    await world.converge(yaml({ '/a': '/1' }, { framework: 'nextjs' }));
    expect(live(world)).toEqual(['/a -> /1']);
    expect(staged(world)!.items).toHaveLength(1);
  });

  it('after ours failed is not discarded', async () => {
    const world = await start();
    await world.converge(yaml({ '/a': '/1' }));
    const end = intercept(world, async (request, send) => {
      if (request.endpoint.startsWith('POST')) throw new Error('the line is dead');
      return send(request);
    });
    await world.apply(await world.plan(yaml({ '/a': '/2' })));
    end();
    staged(world)!.items[0]!.destination = '/theirs';
    expect(codes((await world.plan(yaml({ '/a': '/2' }))).plan)).toEqual(['staged/elsewhere']);
  });
});
