import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../providers/hosting/connect.ts';
import { liveVersion } from '../../providers/hosting/twin/projects/staged-versions.ts';
import { inFront } from '../support/in-front.ts';
import { intercept, newWorld } from '../support/scene.ts';
import { inTurn } from '../support/sweep.ts';
import type { World } from '../support/world.ts';

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
// Two of them to each, in turn; all of them with `npm run sweep`.
describe.each([
  ['every write', /routes|bulk-redirects/, inTurn(unreadable, 0, 2)],
  ['each promotion', /versions/, inTurn(unreadable, 1, 2)],
  ['each deletion', /DELETE/, inTurn(unreadable, 2, 2)],
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
