import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../providers/hosting/connect.ts';
import { liveVersion } from '../../providers/hosting/twin/projects/staged-versions.ts';
import type { Request } from '../../src/model/request.ts';
import { inFront } from '../support/in-front.ts';
import { actions, codes, intercept, newWorld } from '../support/scene.ts';
import { inTurn, oneStoryIn } from '../support/sweep.ts';
import type { World } from '../support/world.ts';

const story = oneStoryIn(7);

// Answers about staged versions that nobody understands: the staged version shows what was done, and only what is whole is promoted.

const first = `projects:
  web:
    routes: [{ name: a, route: { src: /a, dest: /b } }, { name: b, route: { src: /c, dest: /d } }]
    bulkRedirects: { /a: { destination: /b }, /c: { destination: /d } }`;
const next = `projects:
  web:
    routes: [{ name: c, route: { src: /x, dest: /y } }, { name: a, route: { src: /a, dest: /e } }]
    bulkRedirects: { /a: { destination: /e }, /f: { destination: /g } }`;

const routesIn = ({ twin }: World): string[] =>
  liveVersion(twin.account.projects[0]!.routes)!.items.map(({ name }) => name);

/** A run whose answers to these writes come as this text. */
async function appliedThrough(world: World, part: RegExp, text: string, yaml = next) {
  const front = await inFront(
    () => world.twin.url,
    async ({ method, path }, pass) => {
      const answer = await pass();
      const isMeant = method !== 'GET' && part.test(`${method} ${path}`);
      return isMeant ? { status: 200, body: Buffer.from(text) } : answer;
    },
  );
  onTestFinished(front.close);
  const connection = connect({
    baseUrl: front.url,
    token: 'test-token',
    scope: { team: world.twin.account.teams[0]!.slug },
  });
  onTestFinished(() => connection.close());
  return (await world.apply(await world.plan(yaml), { send: connection.send })).outcome;
}

const unreadable = ['<!doctype html>', '{"version":{"id":"', 'null', '{"version":{"id":null},"route":[]}'];
// One of them to each, in turn; all of them with `npm run sweep`.
describe.each([
  ['every write', /routes|bulk-redirects/, inTurn(unreadable, 0, 1)],
  ['each promotion', /versions/, inTurn(unreadable, 1, 1)],
  ['each deletion', /DELETE/, inTurn(unreadable, 2, 1)],
])('answers that nobody can read, to %s', (_, part, some) => {
  it.each(some)('%s', async (text) => {
    const world = await newWorld();
    await world.converge(first);
    const { failed } = await appliedThrough(world, part, text);
    expect(failed).toEqual([]);
    expect(world.ledger.staged).toBe(undefined);
    const { plan } = await world.plan(next);
    expect([plan.operations, plan.unmanaged]).toEqual([[], []]);
    expect(routesIn(world)).toEqual(['c', 'a']);
  });
});

describe('what was not staged is not promoted, whatever the answers say', () => {
  it.each(['POST', 'PATCH', 'DELETE'])('%s', async (method) => {
    const world = await newWorld();
    await world.converge(first);
    const before = routesIn(world);
    const honest = intercept(world, async (request, send) =>
      request.endpoint.startsWith(`${method} `) && /routes(\/\{id\})?$/.test(request.endpoint)
        ? {}
        : send(request),
    );
    const { outcome } = await world.apply(await world.plan(next));
    const errors = outcome.failed
      .filter(({ address }) => address.includes('/routes/'))
      .map(({ error }) => error as Error);
    expect(errors.length).toBeGreaterThan(0);
    for (const { message } of errors) {
      expect(message).toContain('does not show the outcome, and ');
      expect(message).toContain('it is not promoted, so none of it is live; run again');
    }
    expect(routesIn(world)).toEqual(before);
    honest();
    await world.converge(next);
    expect(routesIn(world)).toEqual(['c', 'a']);
  });
});

describe('a promotion that is refused or not heard of', () => {
  const theirs = { name: 'theirs', srcSyntax: 'equals', route: { src: '/t', status: 404 } };
  /** Applies while somebody else does this before each promotion; what the run says of what failed. */
  async function applied(
    world: World,
    act: (send: World['connection']['send'], request: Request) => unknown,
    yaml = next,
  ) {
    const planned = await world.plan(yaml);
    const alone = intercept(world, async (request, send) => {
      if (request.endpoint.startsWith('POST ') && request.endpoint.includes('/versions'))
        await act(send, request);
      return send(request);
    });
    const { outcome } = await world.apply(planned);
    alone();
    return outcome.failed.map(({ address, error }) => `${address}: ${(error as Error).message}`);
  }
  const acting = (send: World['connection']['send'], request: Request, action: string) =>
    send({ ...request, body: { ...(request.body as object), action } });
  /** Stages a route of somebody else on top; gives back the version with both. */
  const stagedOnTop = async (send: World['connection']['send'], { params }: Request) => {
    const { version } = (await send({
      endpoint: 'POST /v1/projects/{project}/routes',
      params: params!,
      body: { route: theirs, position: { placement: 'end' } },
    })) as { version: { id: string } };
    return version;
  };
  const sources = ({ twin }: World) =>
    liveVersion(twin.account.projects[0]!.bulkRedirects)!.items.map(({ source }) => source);

  story('is done where all of it is live, and in the ledger', async () => {
    const world = await newWorld();
    await world.converge(first);
    expect(await applied(world, (send, request) => acting(send, request, 'promote'))).toEqual([]);
    expect([routesIn(world), sources(world), world.ledger.staged]).toEqual([
      ['c', 'a'],
      ['/a', '/f'],
      undefined,
    ]);
    expect(world.ledger.entries['projects/web/bulkRedirects/%2Fc']).toBe(undefined);
    // What comes next is an edit of ours, in conflict with nobody.
    const edited = next.replaceAll('/e', '/h');
    expect(codes((await world.plan(edited, { unattended: true })).plan)).toEqual([]);
    await world.converge(edited);
  });

  story('is done where it went live under another version, with more', async () => {
    const world = await newWorld({ switches: { stagedVersionRenewed: true } });
    await world.converge(first);
    const failed = await applied(world, async (send, request) => {
      if (!request.endpoint.includes('/routes/')) return;
      const { id } = await stagedOnTop(send, request);
      await send({ ...request, body: { id, action: 'promote' } });
    });
    expect([failed, routesIn(world)]).toEqual([[], ['c', 'a', 'theirs']]);
    expect(codes((await world.plan(next)).plan)).toEqual([]);
  });

  story(
    'has failed where it was discarded: nothing is live, and the next run stages it once more',
    async () => {
      const world = await newWorld();
      await world.converge(first);
      const failed = await applied(world, (send, request) => acting(send, request, 'discard'));
      expect(failed).toHaveLength(6);
      for (const text of failed)
        expect(text).toContain(
          'somebody else discarded or replaced what this run had staged, and it is not live: run again to stage it once more',
        );
      expect([routesIn(world), sources(world)]).toEqual([
        ['a', 'b'],
        ['/a', '/c'],
      ]);
      await world.converge(next);
    },
  );

  story('has failed where it was a mere order, which no content tells', async () => {
    const world = await newWorld();
    const [one, two] = ['one', 'two'].map((name) => `{ name: ${name}, route: { src: /${name}, dest: /b } }`);
    await world.converge(`projects: { web: { routes: [${one}, ${two}] } }`);
    const turned = `projects: { web: { routes: [${two}, ${one}] } }`;
    const failed = await applied(world, (send, request) => acting(send, request, 'discard'), turned);
    expect([failed.length > 0, routesIn(world)]).toEqual([true, ['one', 'two']]);
    await world.converge(turned);
  });

  story('has failed where more is staged on top; once that is live, so is this, and it is ours', async () => {
    const world = await newWorld({ switches: { stagedVersionRenewed: true } });
    await world.converge(first);
    let promote = async () => {};
    const failed = await applied(world, async (send, request) => {
      if (!request.endpoint.includes('/routes/')) return;
      const { id } = await stagedOnTop(send, request);
      promote = async () => void (await send({ ...request, body: { id, action: 'promote' } }));
    });
    expect(failed).toHaveLength(3);
    for (const text of failed) expect(text).toContain('it goes live with that or not at all: run again once');
    expect(codes((await world.plan(next)).plan)).toEqual(['staged/elsewhere']);
    await promote();
    const edited = next.replace('/e }', '/h }');
    const { plan } = await world.plan(edited, { unattended: true });
    expect([codes(plan), actions(plan)]).toEqual([
      [],
      expect.arrayContaining(['update projects/web/routes/a']),
    ]);
    await world.converge(edited);
  });

  story('is ours, too, where nobody heard of it: the next edit is in conflict with nobody', async () => {
    const world = await newWorld();
    await world.converge(first);
    const failed = await applied(world, async (send, request) => {
      await send(request);
      throw new Error('the line is dead');
    });
    expect(failed).toHaveLength(6);
    const edited = next.replaceAll('/e', '/h');
    const { plan } = await world.plan(edited, { unattended: true });
    expect(codes(plan)).toEqual([]);
    expect(actions(plan)).toEqual(
      expect.arrayContaining(['update projects/web/routes/a', 'update projects/web/bulkRedirects/%2Fa']),
    );
    await world.converge(edited);
  });

  story('says why it was refused where the version is still staged as it was', async () => {
    const world = await newWorld();
    await world.converge(first);
    const failed = await applied(world, () => {
      throw Object.assign(new Error('answered 403 forbidden'), { status: 403, mayBeCarriedOut: false });
    });
    expect(failed).toHaveLength(6);
    for (const text of failed) expect(text).toMatch(/: answered 403 forbidden$/);
    await world.converge(next);
  });
});

it('a version that somebody else staged something in is not promoted', async () => {
  const world = await newWorld();
  await world.converge(first);
  intercept(world, async (request, send) => {
    const answer = await send(request);
    if (!request.endpoint.startsWith('PATCH /v1/projects/{project}/routes')) return answer;
    await send({
      endpoint: 'POST /v1/projects/{project}/routes',
      params: { project: request.params!.project! },
      body: { route: { name: 'theirs', route: { src: '/t' } }, position: { placement: 'end' } },
    });
    return {};
  });
  const { outcome } = await world.apply(await world.plan(next));
  expect(outcome.failed.map(({ error }) => (error as Error).message).join()).toContain(
    'no version is staged that has this and nothing else',
  );
  expect(routesIn(world)).not.toContain('theirs');
});
