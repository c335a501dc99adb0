import { expect, it } from 'vitest';
import type { Ledger } from '../../src/model/ledger.ts';
import { newWorld } from '../support/scene.ts';
import { oneStoryIn } from '../support/sweep.ts';
import type { World } from '../support/world.ts';

const story = oneStoryIn(4);

interface Saves {
  /** What was stored wherever the ledger is kept, with the number of writes that the account had received by then. */
  everywhere: { ledger: Ledger; sent: number }[];
}

/** Applies a configuration, and keeps what it stores. */
async function applied(world: World, yaml: string): Promise<Saves> {
  const everywhere: Saves['everywhere'] = [];
  const writes = () => world.twin.requests.filter(({ method }) => method !== 'GET').length;
  world.twin.clearRequests();
  const { outcome } = await world.apply(await world.plan(yaml), {
    deliver: async () => {},
    save: async (ledger, how) => {
      if (how.everywhere) everywhere.push({ ledger: structuredClone(ledger), sent: writes() });
    },
  });
  expect(outcome.failed).toEqual([]);
  return { everywhere };
}

const project = (name: string, destination: string) => `
  ${name}:
    bulkRedirects: { /old: { destination: "${destination}" } }
    routes: [{ name: docs, route: { src: /docs, dest: /new-docs } }]`;
const webhook = (name: string) => `
  ${name}: { url: "https://hooks.example.com/${name}", events: [deployment.error], $secretTo: { file: secrets/${name} } }`;
const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

it('stores the whole ledger before the first request and at the end, however many lists are staged and secrets delivered', async () => {
  const world = await newWorld();
  const { everywhere } = await applied(
    world,
    `projects:${names.map((name) => project(name, '/new')).join('')}\nwebhooks:${names.map(webhook).join('')}`,
  );
  expect(everywhere).toHaveLength(2);
  const [first, last] = everywhere;
  expect(first!.sent).toBe(0);
  const lists = names.flatMap((name) => [`projects/${name}#bulkRedirects`, `projects/${name}#projectRoute`]);
  expect(Object.keys(first!.ledger.staged ?? {}).sort()).toEqual(lists);
  expect(Object.keys(first!.ledger.begun ?? {})).toEqual(
    expect.arrayContaining(names.map((name) => `webhooks/${name}`)),
  );
  expect(last!.ledger).not.toHaveProperty('staged');
  expect(last!.ledger).not.toHaveProperty('begun');
  expect(Object.values(last!.ledger.entries).filter(({ tainted }) => tainted)).toEqual([]);
});

story('stores the whole ledger before a list is staged whose content has holes', async () => {
  const world = await newWorld();
  const { everywhere } = await applied(
    world,
    `projects:${project('a', '/${projects.b.id}')}${project('b', '/x')}`,
  );
  expect(everywhere).toHaveLength(3);
  const [first, filled] = everywhere.map(({ ledger }) => Object.keys(ledger.staged ?? {}).sort());
  expect(first).toEqual(['projects/a#projectRoute', 'projects/b#bulkRedirects', 'projects/b#projectRoute']);
  expect(filled).toContain('projects/a#bulkRedirects');
});

it('drops a list at the end that it recorded and did not stage', async () => {
  const world = await newWorld();
  const { send } = world.connection;
  const { outcome } = await world.apply(await world.plan(`projects:${project('a', '/new')}`), {
    send: async (request) => {
      if (request.endpoint.startsWith('POST') && request.endpoint.endsWith('/projects'))
        throw Object.assign(new Error('refused'), { mayBeCarriedOut: false });
      return send(request);
    },
  });
  expect(outcome.failed.map(({ address }) => address)).toEqual(['projects/a']);
  expect(world.ledger).not.toHaveProperty('staged');
});
