import { describe, expect, it } from 'vitest';
import { joinBudget, type SharedBudget } from '../../src/budget/open-budget.ts';
import {
  type BudgetStore,
  createSharedBucket,
  parseSharedBucket,
  type SharedBucket,
} from '../../src/budget/shared-bucket.ts';
import { HttpError } from '../../src/http/errors.ts';
import { createLimiter, type Limiter } from '../../src/http/reservations.ts';
import type { Limits } from '../../src/model/budget.ts';
import { oneRowIn } from '../support/sweep.ts';

const asked = { method: 'POST', path: '/x' } as const;
const start = 1_000_000_000_300;

/** A time that passes when nothing else happens: from one sleeper to the next. */
function ownTime() {
  let now = start;
  const sleepers = new Set<{ at: number; wake(): void }>();
  const add = (milliseconds: number, wake: () => void) => {
    const one = { at: now + Math.max(0, milliseconds), wake };
    sleepers.add(one);
    return () => sleepers.delete(one);
  };
  return {
    now: () => now,
    sleep: (milliseconds: number) => new Promise<void>((done) => void add(milliseconds, done)),
    alarm: (milliseconds: number, ring: () => void) => {
      const stop = add(milliseconds, ring);
      return () => void stop();
    },
    /** Until something is over, or for so long. */
    async pass(over: Promise<unknown> | number): Promise<void> {
      let isOver = false;
      const until = typeof over === 'number' ? now + over : Infinity;
      if (typeof over !== 'number')
        void over.then(
          () => (isOver = true),
          () => (isOver = true),
        );
      for (;;) {
        for (let turn = 0; turn < 3; turn++) await new Promise((done) => setImmediate(done));
        const first = [...sleepers].reduce((a, b) => (b.at < a.at ? b : a), { at: Infinity, wake() {} });
        if (isOver || first.at > until) break;
        if (first.at === Infinity) throw new Error('everybody waits, and nobody will wake them');
        sleepers.delete(first);
        now = Math.max(now, first.at);
        first.wake();
      }
      if (until < Infinity) now = until;
    },
  };
}
type Time = ReturnType<typeof ownTime>;

/** Buckets in memory, kept as a database keeps them. It answers late, and not at all while `isAway`. */
function memoryRows(time: Time) {
  const texts = new Map<string, string>();
  const database = { isAway: false, asked: 0 };
  const answer = async () => {
    database.asked++;
    await time.sleep(5);
    if (database.isAway) throw new Error('connection terminated');
  };
  const read = (bucket: string): SharedBucket => parseSharedBucket(texts.get(bucket), time.now());
  const rows: BudgetStore = {
    async change(bucket, change) {
      await answer();
      const known = read(bucket);
      const done = change(known, time.now());
      texts.set(bucket, JSON.stringify(known));
      return done;
    },
    async read() {
      await answer();
      return { buckets: new Map([...texts.keys()].map((one) => [one, read(one)])), now: time.now() };
    },
  };
  return {
    rows,
    database,
    read,
    write: (bucket: string, known: SharedBucket) => texts.set(bucket, JSON.stringify(known)),
  };
}

/** A platform that takes so many calls in a window, which begins with a call; `limit` 0: it tells of none. */
function platform(time: Time, limit: number, window: number) {
  let [count, end] = [0, 0];
  const seen = { refused: 0, taken: 0, first: 0, last: 0 };
  const call = async (): Promise<{ limits?: Limits }> => {
    await time.sleep(30);
    if (end <= time.now()) [count, end] = [0, time.now() + window];
    count++;
    seen.first ||= time.now();
    const named = Math.ceil(end / 1000);
    const resetIn = named * 1000 - Math.floor(time.now() / 1000) * 1000;
    const limits = { limit, remaining: Math.max(0, limit - count), resetIn, window: named };
    const isRefused = limit > 0 && count > limit;
    await time.sleep(30);
    if (isRefused) seen.refused++;
    if (isRefused)
      throw new HttpError(asked, {
        status: 429,
        code: '',
        message: '',
        invalidToken: false,
        limits: { ...limits, remaining: 0 },
      });
    seen.taken++;
    seen.last = time.now();
    return limit > 0 ? { limits } : {};
  };
  return { call, seen };
}

async function world(limit: number, window = 60_000) {
  const time = ownTime();
  const { rows, database, read, write } = memoryRows(time);
  const { call, seen } = platform(time, limit, window);
  const silences: string[] = [];
  const join = async (): Promise<{ budget: SharedBudget; limiter: Limiter }> => {
    const joined = joinBudget(
      { store: rows, clock: time, alarm: time.alarm, onSilence: ({ message }) => silences.push(message) },
      () => true,
    );
    await time.pass(joined);
    const budget = await joined;
    return { budget, limiter: createLimiter({ clock: time, budget, maxWait: 10 * window }) };
  };
  /** So many calls one run makes, ten at a time. */
  const calls = (limiter: Limiter, count: number) =>
    Promise.all(Array.from({ length: count }, () => limiter.run('x', asked, call)));
  return { time, database, read, write, seen, silences, join, calls, call };
}

describe('runs that share a budget', () => {
  oneRowIn(4)([
    ['4 runs', 4, 100, 75],
    ['8 runs', 8, 100, 75],
    ['8 runs, and less than one call for each', 8, 5, 4],
    ['more than there is concurrency for', 3, 7, 40],
  ])(
    '%s are refused nothing, and take no longer than a tenth more than the limit asks',
    async (_, runs, limit, count) => {
      const { time, seen, join, calls, read } = await world(limit);
      const all = [];
      for (let run = 0; run < runs; run++) all.push(await join());
      await time.pass(Promise.all(all.map(({ limiter }) => calls(limiter, count))));
      expect(seen).toMatchObject({ refused: 0, taken: runs * count });
      const least = (Math.ceil((runs * count) / limit) - 1) * 60_000;
      expect((seen.last - seen.first) / least).toBeLessThan(1.1);
      await time.pass(Promise.all(all.map(({ budget }) => budget.close())));
      expect(read('x').runs).toEqual({});
    },
  );

  it('each for itself they are refused some', async () => {
    const { time, seen, call } = await world(100);
    const runs = [1, 2, 3].map(() => createLimiter({ clock: time }));
    const all = runs.flatMap((limiter) =>
      Array.from({ length: 75 }, () => limiter.run('x', asked, call).catch(() => {})),
    );
    await time.pass(Promise.all(all));
    expect(seen.refused).toBeGreaterThan(0);
  });

  it('those that announce what they will send end together', async () => {
    const { time, join, calls } = await world(40);
    const ends: number[] = [];
    const all = [];
    for (let run = 0; run < 4; run++) {
      const { limiter, budget } = await join();
      budget.announce(new Map([['x', 50]]));
      all.push(calls(limiter, 50).then(() => ends.push(time.now())));
    }
    await time.pass(Promise.all(all));
    expect(Math.max(...ends) - Math.min(...ends)).toBeLessThan(60_000);
  });

  it('where answers tell of no limit, nothing is asked again', async () => {
    const { time, database, join, calls } = await world(0);
    const { limiter } = await join();
    await time.pass(calls(limiter, 100));
    const before = database.asked;
    expect(before).toBeLessThan(6);
    const other = await join();
    await time.pass(calls(other.limiter, 100));
    expect(database.asked).toBe(before + 1);
  });

  it('a reservation of one run holds in the next window, whatever the others want', async () => {
    const { time, seen, join, calls, call } = await world(10);
    const [one, other] = [await join(), await join()];
    await time.pass(calls(one.limiter, 1));
    const reserved = one.limiter.reserve('x', asked);
    await time.pass(reserved);
    const busy = calls(other.limiter, 60);
    await time.pass(150_000);
    const kept = one.limiter.run('x', asked, call, await reserved);
    const before = time.now();
    await time.pass(kept);
    expect(time.now() - before).toBeLessThan(100);
    await time.pass(busy);
    expect(seen).toMatchObject({ refused: 0, taken: 62 });
  });

  it('what a run does not use is there for the others within a second', async () => {
    const { time, seen, join, calls } = await world(20);
    const [one, other] = [await join(), await join()];
    await time.pass(calls(one.limiter, 3));
    await time.pass(1000);
    const before = time.now();
    await time.pass(calls(other.limiter, 17));
    expect(time.now() - before).toBeLessThan(2000);
    expect(seen.refused).toBe(0);
  });

  it('a run that ends without a word is forgotten, and the others go on', async () => {
    const { time, seen, join, calls, read, write } = await world(20, 3_600_000);
    const [, other] = [await join(), await join()];
    await time.pass(calls(other.limiter, 1));
    const known = read('x');
    known.runs.dead = {
      turn: 1,
      held: 9,
      reserved: 9,
      waiting: 9,
      due: 9,
      got: 9,
      gotAt: 1,
      seen: time.now(),
    };
    write('x', known);
    await time.pass(calls(other.limiter, 10));
    const before = time.now();
    // Nine are held: nobody knows whether they were used, until answers of later tell.
    await time.pass(31_000);
    await time.pass(calls(other.limiter, 1).catch(() => {}));
    expect(read('x').runs).not.toHaveProperty('dead');
    expect(time.now() - before).toBeLessThan(40_000);
    expect(seen.refused).toBe(0);
  });
});

describe('while the database does not answer', () => {
  it('a run goes on with an equal part of what was last known, window after window, and says so once', async () => {
    const { time, database, seen, silences, join, calls } = await world(40);
    const all = [await join(), await join()];
    await time.pass(Promise.all(all.map(({ limiter }) => calls(limiter, 2))));
    database.isAway = true;
    const going = all.map(({ limiter }) => calls(limiter, 50));
    await time.pass(Promise.all(going));
    expect(silences).toEqual(['connection terminated', 'connection terminated']);
    expect(seen.taken).toBe(104);
    expect(seen.refused).toBe(0);
    expect(seen.last - seen.first).toBeLessThan(4 * 62_000);
  });

  it('and it shares again as soon as that answers', async () => {
    const { time, database, seen, join, calls, read } = await world(40);
    const { limiter, budget } = await join();
    database.isAway = true;
    await time.pass(calls(limiter, 10));
    expect(read('x')).toEqual(createSharedBucket());
    database.isAway = false;
    await time.pass(10_000);
    await time.pass(calls(limiter, 10));
    await time.pass(1000);
    expect(read('x')).toMatchObject({ limit: 40, remaining: 20 });
    expect(seen).toMatchObject({ taken: 20, refused: 0 });
    await time.pass(budget.close());
  });

  it('one that never answered leaves a run to what its own answers say', async () => {
    const { time, database, seen, silences, join, calls } = await world(20);
    database.isAway = true;
    const { limiter, budget } = await join();
    await time.pass(calls(limiter, 50));
    expect(seen).toMatchObject({ taken: 50, refused: 0 });
    expect(silences).toHaveLength(1);
    await time.pass(budget.close());
  });

  it('states are those that were known to nobody', async () => {
    const { time, database, join } = await world(20);
    const { budget } = await join();
    database.isAway = true;
    const states = budget.states(['x']);
    await time.pass(states);
    expect(await states).toEqual(new Map());
  });
});
