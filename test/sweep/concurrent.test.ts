import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noteCounts } from '../support/cost.ts';
import { all, first } from '../support/sweep.ts';
import { applying, type Expected, Stand } from './stand.ts';
import { canaries, type Stage } from './whole-stack.ts';
import type { StoreName } from './workplace.ts';

const counts = { rounds: 0, runs: 0, refused: 0, takenAway: 0 };
noteCounts('concurrent processes', () => counts);

/** Some runs that start at nearly the same time. */
interface Round {
  before: 'nothing' | 'first';
  runs: { stage: Stage; delay: number; waits: boolean }[];
  /** Of each request, in milliseconds. */
  latency: number;
  /** Whether the runs work in one folder, or in one each where the store can do that. */
  folders: 'one' | 'each';
}

const anyRound = fc.record<Round>({
  before: fc.constantFrom('nothing', 'first'),
  runs: fc.array(
    fc.record({
      stage: fc.constantFrom<Stage>('first', 'second'),
      delay: fc.integer({ min: 0, max: 600 }),
      waits: fc.boolean(),
    }),
    { minLength: 2, maxLength: 3 },
  ),
  latency: fc.integer({ min: 0, max: 20 }),
  folders: fc.constantFrom('one', 'each'),
});

const held = /the ledger .* is in use by \S+@\S+ \(process \d+\) since \S+Z; it expires/;

describe.each(first<StoreName>(['file', 'git'], 1))('with the ledger in %s', (store) => {
  /** What stages come to, and how to come back to the beginning. */
  async function prepared() {
    const stand = await Stand.open(store);
    const nothing = stand.remember();
    const first = await stand.smooth('first');
    const before = { nothing, first: stand.remember() };
    const second = await stand.smooth('second');
    const expected: Partial<Record<Stage, Expected>> = { first, second };
    return { stand, before, expected };
  }

  it('of runs that start at once one works at a time; all is done once', async () => {
    const { stand, before, expected } = await prepared();
    const tried = async ({ runs, latency, folders, ...round }: Round) => {
      await before[round.before]();
      counts.rounds += 1;
      stand.begin(async (_, pass) => {
        await setTimeout(Math.random() * latency);
        return pass();
      });
      // One folder has one configuration.
      const isApart = store === 'git' && folders === 'each';
      const started = runs.map(async ({ stage: own, delay, waits }) => {
        const folder = isApart ? stand.place.clone() : stand.place.folder;
        const stage = isApart ? own : runs[0]!.stage;
        stand.configure(stage, folder);
        await setTimeout(delay);
        // A run of the first stage after one of the second takes an access away.
        const allowed = ['--allow', 'remove-access'];
        const ran = await stand.run(
          [...applying, ...allowed, ...(waits ? ['--lock-wait', '600'] : [])],
          folder,
        );
        return { stage, folder, waits, ...ran };
      });
      const ended = await Promise.all(started);
      counts.runs += ended.length;
      const winners = ended.filter(({ status }) => status === 0);
      for (const { stdout } of winners) expect(stdout).toMatch(/No changes\.|Verified: the account matches/);
      for (const { status, waits, stderr, all: said } of ended)
        if (status !== 0) {
          counts.refused += 1;
          expect([status, waits], said).toEqual([75, false]);
          expect(stderr).toMatch(held);
        }
      expect(winners.length).toBeGreaterThan(0);
      const last = winners.find(
        ({ stage }) => JSON.stringify(stand.shape) === JSON.stringify(expected[stage]!.shape),
      );
      const { stage } = last ?? winners[0]!;
      const places = [...new Set([stand.place.folder, ...ended.map(({ folder }) => folder)])];
      await stand.expectDone(stage, expected[stage]!, places);
    };
    await fc.assert(fc.asyncProperty(anyRound, tried), { numRuns: all ? 30 : 1, endOnFailure: true });
  });

  it('a run whose lease is taken away writes nothing more', async () => {
    const { stand, before, expected } = await prepared();
    const { requests } = expected.first!;
    const takenAt = async (request: number) => {
      await before.nothing();
      counts.takenAway += 1;
      const gate = gateAt(stand, request);
      stand.configure('first');
      // One request at a time, so that none is on its way while the other one works.
      const args = [...applying, '--parallelism', '1'];
      const one = stand.start(args, stand.place.folder, { TRUEUP_TOKEN: gate.token });
      await Promise.race([gate.reached, one.ended]);
      expect((await stand.run(['ledger', 'unlock', '--force'])).status).toBe(0);
      // For so long it may not notice.
      const noticed = setTimeout(2000);
      const folder = store === 'git' ? stand.place.clone() : stand.place.folder;
      stand.configure('first', folder);
      const other = await stand.run(applying, folder);
      expect(other.status, other.all).toBe(0);
      await noticed;
      const writes = stand.writes.length;
      gate.open();
      const { status, all: said } = await one.ended;
      expect(stand.writes.slice(writes)).toEqual([]);
      if (status === 0) expect(said).toMatch(/No changes\.|Verified: the account matches/);
      else expect(said).toMatch(/was taken from this run|changed by another run/);
      // What it could not write any more, it leaves in its journal: that harms nobody, and goes with the next change.
      stand.configure('second');
      const next = await stand.run(applying);
      expect(next.status, next.all).toBe(0);
      await stand.expectDone('second', expected.second!, [stand.place.folder, folder]);
    };
    const request = fc.integer({ min: 1, max: requests });
    await fc.assert(fc.asyncProperty(request, takenAt), { numRuns: all ? 15 : 1, endOnFailure: true });
  });
});

/** Does the requests of a run, but holds back all answers from the n-th on. */
function gateAt(stand: Stand, request: number) {
  const token = canaries.otherToken;
  let open = () => {};
  const opened = new Promise<void>((done) => {
    open = done;
  });
  let arrived = () => {};
  const reached = new Promise<void>((done) => {
    arrived = done;
  });
  let count = 0;
  stand.begin(async (passing, pass) => {
    const isHeld = passing.token === token && ++count >= request;
    const answer = await pass();
    if (isHeld) {
      arrived();
      await opened;
    }
    return answer;
  });
  return { token, reached, open: () => open() };
}
