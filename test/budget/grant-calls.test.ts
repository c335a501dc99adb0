import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Draw, draw, leave, stateOf, type Told } from '../../src/budget/grant-calls.ts';
import { expiry, type KnownBucket, newBucket, readBucket, validity } from '../../src/budget/shared-bucket.ts';
import { runs as cases } from '../support/sweep.ts';

const start = 1_000_000_000_000;
const window = 60_000;

let turns = 0;
const asking = (run: string, wanted: number, more: Partial<Draw> = {}): Draw => ({
  run,
  turn: ++turns,
  held: 0,
  reserved: 0,
  wanted,
  ahead: 0,
  due: 0,
  told: [],
  blind: 0,
  untold: false,
  ...more,
});
const told = (remaining: number, more: Partial<Told> = {}): Told => ({
  limit: 10,
  remaining,
  resetIn: window,
  age: 0,
  window: (start + window) / 1000,
  ...more,
});
/** A bucket of which an answer has told that so many are left. */
function known(remaining: number, now = start): KnownBucket {
  const bucket = newBucket();
  draw(bucket, asking('first', 0, { told: [told(remaining)] }), now);
  leave(bucket, 'first');
  return bucket;
}

describe('what a run is given', () => {
  it('one call asks about a bucket that nobody knows; then each gets what its answer says', () => {
    const bucket = newBucket();
    expect(draw(bucket, asking('a', 5), start)).toMatchObject({ granted: 1, isSpent: false });
    expect(draw(bucket, asking('b', 5), start)).toMatchObject({ granted: 0, isSpent: false });
    expect(draw(bucket, asking('a', 4, { told: [told(9)] }), start)).toMatchObject({ granted: 4, limit: 10 });
    expect(draw(bucket, asking('b', 6), start)).toMatchObject({ granted: 5, free: 0, runs: 2 });
  });

  it('where answers tell of no limit there is none, until one does', () => {
    const bucket = newBucket();
    draw(bucket, asking('a', 5), start);
    expect(draw(bucket, asking('a', 5, { blind: 1, untold: true }), start).granted).toBe(Infinity);
    expect(draw(bucket, asking('b', 500), start).granted).toBe(Infinity);
    const refused = told(0, { limit: undefined, window: undefined, resetIn: 5000 });
    expect(draw(bucket, asking('b', 1, { told: [refused] }), start)).toMatchObject({
      granted: 0,
      endsIn: 5000,
      isSpent: true,
    });
    // Then one call asks again.
    expect(draw(bucket, asking('b', 3), start + 5000).granted).toBe(1);
  });

  it('a question that comes late changes nothing', () => {
    const bucket = known(10);
    const late = asking('a', 5);
    draw(bucket, asking('a', 0, { held: 7 }), start);
    expect(draw(bucket, late, start).granted).toBe(0);
    expect(bucket.runs.a).toMatchObject({ held: 7 });
  });

  it('a call that got lost tells nothing: the next one asks', () => {
    const bucket = newBucket();
    draw(bucket, asking('a', 1), start);
    expect(draw(bucket, asking('a', 1, { blind: 1 }), start).granted).toBe(1);
  });

  it('runs get equal parts, whoever asks more often', () => {
    const bucket = known(90);
    const got: Record<string, number> = { fast: 0, slow: 0 };
    const ask = (run: string) => {
      const { granted } = draw(bucket, asking(run, 10, { held: got[run]! }), start);
      got[run]! += granted;
    };
    ask('slow');
    for (let at = 0; at < 20; at++) ask('fast');
    for (let at = 0; at < 20; at++) ask('slow');
    expect(got).toEqual({ fast: 80, slow: 10 });
  });

  it('one that waits and has announced what it needs is not overtaken', () => {
    const bucket = known(0);
    draw(
      bucket,
      asking('slow', 10, { due: 100, told: [told(0, { limit: 90, resetIn: 100 })] }),
      start + window - 100,
    );
    let fast = 0;
    for (let at = 0; at < 20; at++)
      fast += draw(bucket, asking('fast', 10, { held: fast, due: 100 }), start + window).granted;
    expect(fast).toBe(45);
  });

  it('one after the other where there is less than one for each', () => {
    const bucket = known(0);
    const got: string[] = [];
    for (let now = start; now < start + 6 * window; now += 10_000)
      for (const name of ['a', 'b', 'c']) {
        const { granted } = draw(bucket, asking(name, 5), now);
        if (granted === 0) continue;
        got.push(name);
        const answer = told(0, { limit: 1, window: now / 1000 + 60 });
        draw(bucket, asking(name, 5, { told: [answer] }), now);
      }
    expect(got.join('')).toMatch(/^(abc)+a?b?$|^(bca)+b?c?$|^(cab)+c?a?$/);
    expect(got.length).toBeGreaterThan(4);
  });

  it('some ahead of use, if there is plenty', () => {
    expect(draw(known(100), asking('a', 1, { ahead: 10 }), start).granted).toBe(11);
    expect(draw(known(8), asking('a', 1, { ahead: 10 }), start).granted).toBe(4);
    const bucket = known(8);
    draw(bucket, asking('b', 8), start);
    leave(bucket, 'b');
    draw(bucket, asking('c', 7), start);
    expect(draw(bucket, asking('a', 1, { ahead: 10 }), start).granted).toBe(1);
  });

  it('a reservation keeps its room in the next window', () => {
    const bucket = known(10);
    draw(bucket, asking('a', 1), start);
    expect(draw(bucket, asking('a', 0, { held: 1, reserved: 1 }), start).free).toBe(9);
    const later = start + window;
    draw(bucket, asking('a', 0, { held: 1, reserved: 1 }), later);
    expect(draw(bucket, asking('b', 20), later)).toMatchObject({ granted: 9, isSpent: false });
  });

  it('all of a window can be reserved: one call still begins it', () => {
    const bucket = known(10);
    draw(bucket, asking('a', 10), start);
    const later = start + window;
    draw(bucket, asking('a', 0, { held: 10, reserved: 10 }), later);
    expect(draw(bucket, asking('b', 2), later).granted).toBe(1);
    expect(draw(bucket, asking('c', 2), later).granted).toBe(0);
  });
});

describe('a run that is not heard of', () => {
  it('gives back what it held, counted as used unless an answer was told of since', () => {
    const hour = 3_600_000;
    const answer = (remaining: number, age = 0) =>
      told(remaining, { resetIn: hour - age, window: 7200, age });
    const bucket = newBucket();
    draw(bucket, asking('a', 5, { told: [answer(10)] }), start);
    expect(draw(bucket, asking('b', 10), start).free).toBe(0);
    draw(bucket, asking('b', 0), start + 20_000);
    expect(stateOf(bucket, 'b', start + expiry)).toMatchObject({ left: 5 });

    const seen = newBucket();
    draw(seen, asking('a', 5, { told: [answer(10)] }), start);
    draw(seen, asking('b', 0, { told: [answer(8)] }), start + validity + 1);
    expect(draw(seen, asking('b', 10), start + expiry).granted).toBe(8);
  });

  it('may have begun a window that nobody told of: what it held counts until that is over', () => {
    const later = start + window;
    const bucket = known(10);
    draw(bucket, asking('a', 4), later);
    draw(bucket, asking('b', 0), later + expiry);
    expect(bucket.runs.a).toBeUndefined();
    expect(stateOf(bucket, 'b', later + expiry)).toMatchObject({ left: 6 });
    expect(draw(bucket, asking('b', 10), later + expiry)).toMatchObject({ granted: 6, runs: 1 });
    expect(draw(bucket, asking('b', 4, { held: 6 }), later + validity + window - 1).granted).toBe(0);
    expect(draw(bucket, asking('b', 4, { held: 6 }), later + validity + window).granted).toBe(4);
  });

  it('a call whose answer got lost is the same, until another answer tells of it', () => {
    const bucket = known(10);
    const later = start + window + 1000;
    draw(bucket, asking('a', 1), later);
    expect(draw(bucket, asking('a', 10, { blind: 1 }), later).granted).toBe(9);
    const answer = told(8, { window: (later + window) / 1000 });
    expect(draw(bucket, asking('a', 10, { told: [answer] }), later + 1).granted).toBe(8);
  });
});

describe('what the database has', () => {
  it.each([
    ['nothing', undefined],
    ['no JSON', 'x'],
    ['a number', '1'],
    ['what is below zero', '{"limit":-1,"runs":{}}'],
    [
      'too many runs',
      JSON.stringify({ runs: Object.fromEntries(Array.from({ length: 300 }, (_, at) => [at, {}])) }),
    ],
    ['more than is written', '{"runs":{},"also":1}'],
    ['no number', '{"remaining":"many","runs":{}}'],
  ])('%s is taken as nothing known', (_, text) => {
    expect(readBucket(text, start)).toEqual(newBucket());
  });

  it('holds nobody longer than a day, and a run no longer than it is silent', () => {
    const lying = {
      limit: 1,
      remaining: 0,
      endsAt: 1e13,
      length: 1e13,
      lost: { calls: 9, by: 1e13 },
      runs: { x: { held: 9, reserved: 9, waiting: 9, due: 9, turn: 0, got: 0, gotAt: 0, seen: 1e13 } },
    };
    const bucket = readBucket(JSON.stringify(lying), start);
    expect(draw(bucket, asking('a', 1), start)).toMatchObject({ granted: 0, endsIn: 24 * 3_600_000 });
    expect(Object.keys(bucket.runs)).toEqual(['x', 'a']);
    draw(bucket, asking('a', 1), start + expiry);
    expect(Object.keys(bucket.runs)).toEqual(['a']);
  });
});

/** A platform that counts in windows from the first call on, and runs that are given calls of it. */
class World {
  now = start;
  bucket = newBucket();
  most = 0;
  used = 0;
  /** Those of the window that nobody can know of: lost before any answer told of a limit, and so of how long a window is. */
  unknowable = new Set<Told>();
  #ends = 0;
  readonly limit: number;
  readonly runs: {
    name: string;
    left: number;
    told: Told[];
    inFlight: Told[];
    lost: Told[];
    heard: number;
    isDead: boolean;
  }[];

  constructor(limit: number, count: number) {
    this.limit = limit;
    this.runs = Array.from({ length: count }, (_, at) => ({
      ...{ name: `run ${at}`, left: 0, told: [], inFlight: [], lost: [], heard: start, isDead: false },
    }));
  }

  draw(at: number, wanted: number, kept: number): void {
    const run = this.runs[at % this.runs.length]!;
    if (run.isDead) return;
    if (this.now - run.heard > validity) run.left = 0;
    run.left = Math.min(run.left, kept);
    if (this.bucket.limit === undefined) {
      const silent = this.runs.filter(({ heard }) => this.now - heard >= expiry);
      for (const one of silent.flatMap(({ told, inFlight, lost }) => [...told, ...inFlight, ...lost]))
        this.unknowable.add(one);
      for (const one of run.lost) this.unknowable.add(one);
    }
    const drawn = draw(
      this.bucket,
      asking(run.name, wanted, {
        held: run.left + run.inFlight.length,
        ahead: wanted > 0 ? 3 : 0,
        told: run.told.map((one) => ({
          ...one,
          resetIn: one.resetIn - (this.now - one.age),
          age: this.now - one.age,
        })),
        blind: run.lost.length,
      }),
      this.now,
    );
    run.told = [];
    run.lost = [];
    run.heard = this.now;
    run.left += drawn.granted;
  }

  send(at: number): void {
    const run = this.runs[at % this.runs.length]!;
    if (run.isDead || run.left < 1 || this.now - run.heard > validity) return;
    run.left -= 1;
    if (this.#ends <= this.now) {
      this.#ends = this.now + window;
      this.used = 0;
      this.unknowable.clear();
    }
    this.used += 1;
    this.most = Math.max(this.most, this.used - this.unknowable.size);
    // The end in whole seconds, as headers have it; `age` is for now when it was said.
    const end = Math.ceil(this.#ends / 1000);
    const resetIn = end * 1000 - this.now;
    run.inFlight.push({
      limit: this.limit,
      remaining: Math.max(0, this.limit - this.used),
      resetIn,
      window: end,
      age: this.now,
    });
  }

  answer(at: number, which: number): void {
    const run = this.runs[at % this.runs.length]!;
    const [one] = run.inFlight.splice(which % Math.max(1, run.inFlight.length), 1);
    if (one) run.told.push(one);
  }

  lose(at: number, which: number): void {
    const run = this.runs[at % this.runs.length]!;
    run.lost.push(...run.inFlight.splice(which % Math.max(1, run.inFlight.length), 1));
  }
}

describe('over any course of things', () => {
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('draw' as const),
        run: fc.nat(4),
        wanted: fc.nat(6),
        kept: fc.nat(6),
      }),
    },
    { weight: 8, arbitrary: fc.record({ do: fc.constant('send' as const), run: fc.nat(4) }) },
    {
      weight: 8,
      arbitrary: fc.record({ do: fc.constant('answer' as const), run: fc.nat(4), which: fc.nat(5) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('pass' as const),
        time: fc.constantFrom(10, 500, 5000, 25_000, 59_000, 61_000),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('lose' as const), run: fc.nat(4), which: fc.nat(5) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('kill' as const), run: fc.nat(4) }) },
  );

  it('no window of the platform gets more calls than it takes, also where runs are killed', () => {
    let calls = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 5 }),
        fc.array(step, { maxLength: 300, size: 'max' }),
        (limit, count, steps) => {
          const world = new World(limit, count);
          for (const one of steps) {
            if (one.do === 'draw') world.draw(one.run, one.wanted, one.kept);
            else if (one.do === 'send') world.send(one.run);
            else if (one.do === 'answer') world.answer(one.run, one.which);
            else if (one.do === 'lose') world.lose(one.run, one.which);
            else if (one.do === 'pass') world.now += one.time;
            else world.runs[one.run % count]!.isDead = true;
          }
          calls += world.most;
          expect(world.most).toBeLessThanOrEqual(limit);
        },
      ),
      { numRuns: cases(4000, 12) },
    );
    expect(calls).toBeGreaterThan(400);
  });

  it('what waits is given in the end, to each run', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.nat(4), { minLength: 20 }),
        (limit, count, order) => {
          const world = new World(limit, count);
          const got = new Map<number, number>();
          // As many windows as it takes until each had its turn, and one in which what is left is told.
          for (let round = 0; round < 2 * count + 2; round++) {
            for (const at of [...order, ...Array.from({ length: 2 * count }, (_, one) => one)]) {
              const run = world.runs[at % count]!;
              world.draw(at, 3, 3);
              if (run.left > 0) got.set(at % count, (got.get(at % count) ?? 0) + run.left);
              while (run.left > 0) world.send(at);
              while (run.inFlight.length > 0) world.answer(at, 0);
              world.now += 100;
            }
            for (let time = 0; time < window; time += 10_000) {
              for (let at = 0; at < count; at++) world.draw(at, 3, 3);
              world.now += 10_000;
            }
          }
          expect(got.size).toBe(count);
          expect(world.most).toBeLessThanOrEqual(limit);
        },
      ),
      { numRuns: cases(400) },
    );
  });
});
