import { describe, expect, it } from 'vitest';
import type { ApplyEvent } from '../../src/model/event.ts';
import { createMasking } from '../../src/model/masking.ts';
import type { Request, Send } from '../../src/model/request.ts';
import { execute } from '../../src/run/execute.ts';
import type { ExecuteOptions } from '../../src/run/execute-options.ts';
import { changeAt, newWorld } from '../support/scene.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { type Tinies, tinyKinds, tinyLedger, tinyLive, tinyPlan } from '../support/tiny.ts';

const story = oneStoryIn(4);

const items = (count: number, more: Tinies[string] = {}): Tinies =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`boxes/a/items/i${i}`, more]));

type Answer = (request: Request) => Promise<unknown>;

/** Applies a plan for tiny kinds to a server that is only this function. */
async function run(
  objects: { desired: Tinies; live: Tinies; known?: Tinies },
  answer: Answer,
  more: Partial<Pick<ExecuteOptions, 'parallelism' | 'stop' | 'save' | 'refresh'>> = {},
) {
  const events: ApplyEvent[] = [];
  const sent: string[] = [];
  const send: Send = async (request) => {
    const name = (request.body as { name?: string } | undefined)?.name;
    sent.push([request.endpoint.split(' ')[0], name ?? request.params?.id].join(' '));
    return answer(request);
  };
  const result = await execute({
    plan: tinyPlan({ known: objects.live, ...objects }),
    live: tinyLive(objects.live),
    ledger: tinyLedger(objects.known ?? objects.live),
    moves: [],
    kinds: tinyKinds,
    secrets: new Map(),
    masking: createMasking(),
    inputs: [],
    send,
    parallelism: 8,
    onEvent: (event) => events.push(event),
    save: async () => {},
    now: Date.now,
    refresh: async () => tinyLive(objects.live),
    ...more,
  });
  return { ...result, events, sent };
}

const made: Answer = async ({ body }) => ({ id: `new ${(body as { name?: string } | undefined)?.name}` });
const failingFor =
  (...names: string[]): Answer =>
  async (request) => {
    if (names.includes((request.body as { name: string }).name)) throw new Error('refused');
    return made(request);
  };

describe('a failure', () => {
  const desired: Tinies = {
    'boxes/a': {},
    'boxes/a/items/i0': {},
    'boxes/a/items/i1': { uses: ['boxes/a/items/i0'] },
    'boxes/a/items/i2': { uses: ['boxes/a/items/i1'] },
    'boxes/a/items/i3': {},
  };

  it('skips what depends on it, and no more', async () => {
    const { outcome, ledger, events } = await run({ desired, live: {} }, failingFor('i0'));
    expect(outcome.done).toEqual(['boxes/a', 'boxes/a/items/i3']);
    expect(outcome.failed.map(({ address }) => address)).toEqual(['boxes/a/items/i0']);
    expect(outcome.skipped).toEqual([
      { address: 'boxes/a/items/i1', reason: 'boxes/a/items/i0' },
      { address: 'boxes/a/items/i2', reason: 'boxes/a/items/i0' },
    ]);
    expect(Object.keys(ledger.entries)).toEqual(['boxes/a', 'boxes/a/items/i3']);
    const last = events.filter(({ type }) => type !== 'started').map(({ type }) => type);
    expect(last.sort()).toEqual(['failed', 'skipped', 'skipped', 'succeeded', 'succeeded']);
  });

  it('of the first one leaves nothing behind', async () => {
    const { outcome, ledger, sent } = await run({ desired, live: {} }, failingFor('a'));
    expect(outcome.done).toEqual([]);
    expect(outcome.skipped).toHaveLength(4);
    expect(sent).toEqual(['POST a']);
    expect(ledger.entries).toEqual({});
  });

  story('a long chain of dependents is no problem', async () => {
    const chain: Tinies = { 'boxes/a': {} };
    for (let i = 0; i < 3000; i++)
      chain[`boxes/a/items/i${i}`] = i === 0 ? {} : { uses: [`boxes/a/items/i${i - 1}`] };
    const { outcome } = await run({ desired: chain, live: {} }, failingFor('i0'));
    expect(outcome.skipped).toHaveLength(2999);
  });
});

describe('an answer', () => {
  it.each([404, 410])(
    '%i to a deletion: done if the account does not show it any more, else it has failed',
    async (status) => {
      for (const isGone of [true, false]) {
        const live = { 'boxes/a': {}, ...items(1) };
        let isAsked = false;
        const { outcome, ledger } = await run(
          { desired: { 'boxes/a': {} }, live },
          () => {
            isAsked = true;
            return Promise.reject(Object.assign(new Error('gone'), { status }));
          },
          { refresh: async () => tinyLive(isAsked && isGone ? { 'boxes/a': {} } : live) },
        );
        const item = 'boxes/a/items/i0';
        expect(outcome.done).toEqual(isGone ? [item] : []);
        expect(outcome.failed.map(({ address }) => address)).toEqual(isGone ? [] : [item]);
        expect(Object.keys(ledger.entries)).toEqual(isGone ? ['boxes/a'] : ['boxes/a', item]);
      }
    },
  );

  it('404 to anything else is a failure', async () => {
    const live = { 'boxes/a': { colour: 'red' } };
    const { outcome, ledger } = await run({ desired: { 'boxes/a': { colour: 'blue' } }, live }, () =>
      Promise.reject(Object.assign(new Error('gone'), { status: 404 })),
    );
    expect(outcome.failed).toHaveLength(1);
    expect(ledger.entries).toEqual(tinyLedger(live).entries);
  });

  it('without the id of what was created is a failure; nothing is claimed', async () => {
    const { outcome, ledger } = await run(
      { desired: { 'boxes/a': {}, ...items(1) }, live: {} },
      async () => ({}),
    );
    expect(outcome.failed.map(({ address }) => address)).toEqual(['boxes/a']);
    expect(outcome.skipped).toHaveLength(1);
    expect(ledger.entries).toEqual({});
  });
});

describe('Ctrl-C', () => {
  it('lets finish what is in flight, records it, and starts nothing new', async () => {
    const stop = new AbortController();
    const { outcome, ledger, sent } = await run(
      { desired: { 'boxes/a': {}, 'boxes/b': {}, ...items(3) }, live: {} },
      async (request) => {
        await new Promise((done) => setImmediate(done));
        stop.abort();
        return made(request);
      },
      { stop: stop.signal },
    );
    expect(sent).toEqual(['POST a', 'POST b']);
    expect(outcome.interrupted).toBe(true);
    expect(outcome.done).toEqual(['boxes/a', 'boxes/b']);
    expect(outcome.failed).toEqual([]);
    expect(outcome.skipped).toHaveLength(3);
    expect(Object.keys(ledger.entries)).toEqual(['boxes/a', 'boxes/b']);
  });
});

describe('parallelism', () => {
  it.each([1, 3, 50])('at most %i at once, and that many where there is work', async (parallelism) => {
    let now = 0;
    let most = 0;
    await run(
      { desired: { 'boxes/a': {}, ...items(12) }, live: { 'boxes/a': {} } },
      async (request) => {
        most = Math.max(most, ++now);
        await new Promise((done) => setImmediate(done));
        now--;
        return made(request);
      },
      { parallelism },
    );
    expect(most).toBe(Math.min(parallelism, 12));
  });
});

describe('keeping the ledger', () => {
  it('happens before the first request, around each creation, and only grows by what is done', async () => {
    const kept: [number, number, boolean][] = [];
    await run({ desired: { 'boxes/a': {}, ...items(2) }, live: {} }, made, {
      parallelism: 1,
      save: async ({ entries, begun = {} }, { everywhere = false }) =>
        void kept.push([Object.keys(entries).length, Object.keys(begun).length, everywhere]),
    });
    expect(kept).toEqual([
      // What is begun, wherever the ledger is kept.
      [0, 3, true],
      // It is sent; it is done.
      [0, 3, false],
      [1, 2, false],
      [1, 2, false],
      [2, 1, false],
      [2, 1, false],
      [3, 0, false],
      [3, 0, true],
    ]);
  });

  it('if it fails, nothing new is started, what is in flight ends, and the error is told', async () => {
    let saves = 0;
    let inFlight = 0;
    const running = run(
      { desired: { 'boxes/a': {}, ...items(6) }, live: { 'boxes/a': {} } },
      async (request) => {
        inFlight++;
        await new Promise((done) => setImmediate(done));
        inFlight--;
        return made(request);
      },
      {
        parallelism: 2,
        save: async () => (saves++ > 1 ? Promise.reject(new Error('the disk is full')) : undefined),
      },
    );
    await expect(running).rejects.toThrow('the disk is full');
    expect(inFlight).toBe(0);
    // One before the first operation, a good one in it, and then no more than were in flight.
    expect(saves).toBeLessThanOrEqual(6);
  });
});

describe('on the twin', () => {
  story(
    'after the first of two requests the object is ours; the next run sends only the second',
    async () => {
      const world = await newWorld();
      const yaml = 'projects: { web: { framework: nextjs, nodeVersion: 22.x, env: { A: a } } }';
      const failing: Send = (request) =>
        request.endpoint.startsWith('PATCH')
          ? Promise.reject(new Error('cut'))
          : world.connection.send(request);
      const { outcome } = await world.apply(await world.plan(yaml), { send: failing });
      expect(outcome.failed.map(({ address }) => address)).toEqual(['projects/web']);
      const { id } = world.twin.account.projects[0]!;
      const entry = world.ledger.entries['projects/web']!;
      expect(entry).toMatchObject({ ids: [id], origin: 'created' });
      expect(Object.keys(entry.fields)).toEqual(['name', 'framework']);
      const since = world.twin.requests.length;
      const plan = await world.converge(yaml);
      expect(changeAt(plan, 'projects/web')).toMatchObject({
        action: 'update',
        fields: [{ path: 'nodeVersion', cause: 'edit' }],
      });
      expect(world.writes(since)).toEqual([
        `PATCH /v9/projects/${id}`,
        expect.stringMatching(/^POST .*\/env/),
      ]);
    },
  );

  story('of a batch what was accepted is done, and what was refused is not', async () => {
    const world = await newWorld({ seed: { projects: [{ name: 'web' }] } });
    const yaml = 'projects: { web: { env: { A: a, B: b, C: c } } }';
    const planned = await world.plan(yaml);
    // Somebody makes one of them at the last moment.
    const makeOne = () =>
      void world.twin.account.projects[0]!.env.push({
        id: 'theirs',
        key: 'B',
        value: 'theirs',
        type: 'encrypted',
        target: ['production'],
        customEnvironmentIds: [],
        createdAt: 1,
        updatedAt: 1,
        createdBy: null,
        updatedBy: null,
      });
    const { outcome } = await world.apply(planned, {
      send: (request) => {
        makeOne();
        return world.connection.send(request);
      },
    });
    expect(new Set(outcome.failed.map(({ address }) => address.split('@')[0]))).toEqual(
      new Set(['projects/web/env/B']),
    );
    const known = Object.keys(world.ledger.entries).filter((address) => address.includes('/env/'));
    expect(new Set(known.map((address) => address.split('@')[0]))).toEqual(
      new Set(['projects/web/env/A', 'projects/web/env/C']),
    );
    await world.converge(yaml);
    expect(world.twin.account.projects[0]!.env.map(({ key, value }) => `${key}=${value}`).sort()).toEqual(
      expect.arrayContaining(['A=a', 'B=b', 'C=c']),
    );
  });

  story('what is adopted is not called created, whatever is sent to it', async () => {
    const world = await newWorld({
      seed: { domains: [{ name: 'example.com', records: [{ type: 'TXT', name: 't', value: 'one' }] }] },
    });
    await world.converge(
      'domains: { example.com: { $existing: true, records: [{ type: TXT, name: t, value: one }, { type: TXT, name: t, value: two }] } }',
    );
    expect(world.ledger.entries['domains/example.com/records/t/TXT']).toMatchObject({ origin: 'adopted' });
  });
});
