import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type GrantRequest,
  grantCalls,
  type LimitReport,
  otherRunsUse,
  removeRun,
} from '../../src/budget/grant-calls.ts';
import {
  createSharedBucket,
  expiry,
  parseSharedBucket,
  type SharedBucket,
  validity,
} from '../../src/budget/shared-bucket.ts';
import { runs as cases, oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const start = 1_000_000_000_000;
const window = 60_000;

let turns = 0;
const asking = (run: string, wanted: number, more: Partial<GrantRequest> = {}): GrantRequest => ({
  run,
  turn: ++turns,
  held: 0,
  reserved: 0,
  wanted,
  ahead: 0,
  due: 0,
  reports: [],
  unreportedCalls: 0,
  isUnlimited: false,
  ...more,
});
const report = (remaining: number, more: Partial<LimitReport> = {}): LimitReport => ({
  limit: 10,
  remaining,
  resetIn: window,
  age: 0,
  window: (start + window) / 1000,
  ...more,
});
/** A bucket of which an answer has told that so many are left. */
function known(remaining: number, now = start): SharedBucket {
  const bucket = createSharedBucket();
  grantCalls(bucket, asking('first', 0, { reports: [report(remaining)] }), now);
  removeRun(bucket, 'first');
  return bucket;
}

describe('what a run is given', () => {
  it('one call asks about a bucket that nobody knows; then each gets what its answer says', () => {
    const bucket = createSharedBucket();
    expect(grantCalls(bucket, asking('a', 5), start)).toMatchObject({ granted: 1, isSpent: false });
    expect(grantCalls(bucket, asking('b', 5), start)).toMatchObject({ granted: 0, isSpent: false });
    expect(grantCalls(bucket, asking('a', 4, { reports: [report(9)] }), start)).toMatchObject({
      granted: 4,
      limit: 10,
    });
    expect(grantCalls(bucket, asking('b', 6), start)).toMatchObject({ granted: 5, free: 0, runs: 2 });
  });

  it('where answers tell of no limit there is none, until one does', () => {
    const bucket = createSharedBucket();
    grantCalls(bucket, asking('a', 5), start);
    expect(grantCalls(bucket, asking('a', 5, { unreportedCalls: 1, isUnlimited: true }), start).granted).toBe(
      Infinity,
    );
    expect(grantCalls(bucket, asking('b', 500), start).granted).toBe(Infinity);
    const refused = report(0, { limit: undefined, window: undefined, resetIn: 5000 });
    expect(grantCalls(bucket, asking('b', 1, { reports: [refused] }), start)).toMatchObject({
      granted: 0,
      endsIn: 5000,
      isSpent: true,
    });
    // Then one call asks again.
    expect(grantCalls(bucket, asking('b', 3), start + 5000).granted).toBe(1);
  });

  it('a question that comes late changes nothing', () => {
    const bucket = known(10);
    const late = asking('a', 5);
    grantCalls(bucket, asking('a', 0, { held: 7 }), start);
    expect(grantCalls(bucket, late, start).granted).toBe(0);
    expect(bucket.runs.a).toMatchObject({ held: 7 });
  });

  it('a call that got lost tells nothing: the next one asks', () => {
    const bucket = createSharedBucket();
    grantCalls(bucket, asking('a', 1), start);
    expect(grantCalls(bucket, asking('a', 1, { unreportedCalls: 1 }), start).granted).toBe(1);
  });

  it('runs get equal parts, whoever asks more often', () => {
    const bucket = known(90);
    const got: Record<string, number> = { fast: 0, slow: 0 };
    const ask = (run: string) => {
      const { granted } = grantCalls(bucket, asking(run, 10, { held: got[run]! }), start);
      got[run]! += granted;
    };
    ask('slow');
    for (let at = 0; at < 20; at++) ask('fast');
    for (let at = 0; at < 20; at++) ask('slow');
    expect(got).toEqual({ fast: 80, slow: 10 });
  });

  it('one that waits and has announced what it needs is not overtaken', () => {
    const bucket = known(0);
    grantCalls(
      bucket,
      asking('slow', 10, { due: 100, reports: [report(0, { limit: 90, resetIn: 100 })] }),
      start + window - 100,
    );
    let fast = 0;
    for (let at = 0; at < 20; at++)
      fast += grantCalls(bucket, asking('fast', 10, { held: fast, due: 100 }), start + window).granted;
    expect(fast).toBe(45);
  });

  it('one after the other where there is less than one for each', () => {
    const bucket = known(0);
    const got: string[] = [];
    for (let now = start; now < start + 6 * window; now += 10_000)
      for (const name of ['a', 'b', 'c']) {
        const { granted } = grantCalls(bucket, asking(name, 5), now);
        if (granted === 0) continue;
        got.push(name);
        const answer = report(0, { limit: 1, window: now / 1000 + 60 });
        grantCalls(bucket, asking(name, 5, { reports: [answer] }), now);
      }
    expect(got.join('')).toMatch(/^(abc)+a?b?$|^(bca)+b?c?$|^(cab)+c?a?$/);
    expect(got.length).toBeGreaterThan(4);
  });

  it('some ahead of use, if there is plenty', () => {
    expect(grantCalls(known(100), asking('a', 1, { ahead: 10 }), start).granted).toBe(11);
    expect(grantCalls(known(8), asking('a', 1, { ahead: 10 }), start).granted).toBe(4);
    const bucket = known(8);
    grantCalls(bucket, asking('b', 8), start);
    removeRun(bucket, 'b');
    grantCalls(bucket, asking('c', 7), start);
    expect(grantCalls(bucket, asking('a', 1, { ahead: 10 }), start).granted).toBe(1);
  });

  it('a reservation keeps its room in the next window', () => {
    const bucket = known(10);
    grantCalls(bucket, asking('a', 1), start);
    expect(grantCalls(bucket, asking('a', 0, { held: 1, reserved: 1 }), start).free).toBe(9);
    const later = start + window;
    grantCalls(bucket, asking('a', 0, { held: 1, reserved: 1 }), later);
    expect(grantCalls(bucket, asking('b', 20), later)).toMatchObject({ granted: 9, isSpent: false });
  });

  it('all of a window can be reserved: one call still begins it', () => {
    const bucket = known(10);
    grantCalls(bucket, asking('a', 10), start);
    const later = start + window;
    grantCalls(bucket, asking('a', 0, { held: 10, reserved: 10 }), later);
    expect(grantCalls(bucket, asking('b', 2), later).granted).toBe(1);
    expect(grantCalls(bucket, asking('c', 2), later).granted).toBe(0);
  });
});

describe('a run that is not heard of', () => {
  it('gives back what it held, counted as used unless an answer was told of since', () => {
    const hour = 3_600_000;
    const answer = (remaining: number, age = 0) =>
      report(remaining, { resetIn: hour - age, window: 7200, age });
    const bucket = createSharedBucket();
    grantCalls(bucket, asking('a', 5, { reports: [answer(10)] }), start);
    expect(grantCalls(bucket, asking('b', 10), start).free).toBe(0);
    grantCalls(bucket, asking('b', 0), start + 20_000);
    expect(otherRunsUse(bucket, 'b', start + expiry)).toMatchObject({ remaining: 5 });

    const seen = createSharedBucket();
    grantCalls(seen, asking('a', 5, { reports: [answer(10)] }), start);
    grantCalls(seen, asking('b', 0, { reports: [answer(8)] }), start + validity + 1);
    expect(grantCalls(seen, asking('b', 10), start + expiry).granted).toBe(8);
  });

  it('may have begun a window that nobody told of: what it held counts until that is over', () => {
    const later = start + window;
    const bucket = known(10);
    grantCalls(bucket, asking('a', 4), later);
    grantCalls(bucket, asking('b', 0), later + expiry);
    expect(bucket.runs.a).toBeUndefined();
    expect(otherRunsUse(bucket, 'b', later + expiry)).toMatchObject({ remaining: 6 });
    expect(grantCalls(bucket, asking('b', 10), later + expiry)).toMatchObject({ granted: 6, runs: 1 });
    expect(grantCalls(bucket, asking('b', 4, { held: 6 }), later + validity + window - 1).granted).toBe(0);
    expect(grantCalls(bucket, asking('b', 4, { held: 6 }), later + validity + window).granted).toBe(4);
  });

  it('a call whose answer got lost is the same, until another answer tells of it', () => {
    const bucket = known(10);
    const later = start + window + 1000;
    grantCalls(bucket, asking('a', 1), later);
    expect(grantCalls(bucket, asking('a', 10, { unreportedCalls: 1 }), later).granted).toBe(9);
    const answer = report(8, { window: (later + window) / 1000 });
    expect(grantCalls(bucket, asking('a', 10, { reports: [answer] }), later + 1).granted).toBe(8);
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
    expect(parseSharedBucket(text, start)).toEqual(createSharedBucket());
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
    const bucket = parseSharedBucket(JSON.stringify(lying), start);
    expect(grantCalls(bucket, asking('a', 1), start)).toMatchObject({ granted: 0, endsIn: 24 * 3_600_000 });
    expect(Object.keys(bucket.runs)).toEqual(['x', 'a']);
    grantCalls(bucket, asking('a', 1), start + expiry);
    expect(Object.keys(bucket.runs)).toEqual(['a']);
  });
});

/** A platform that counts in windows from the first call on, and runs that are given calls of it. */
class World {
  now = start;
  bucket = createSharedBucket();
  most = 0;
  used = 0;
  /** Those of the window that nobody can know of: lost before any answer told of a limit, and so of how long a window is. */
  unknowable = new Set<LimitReport>();
  #ends = 0;
  readonly limit: number;
  readonly runs: {
    name: string;
    left: number;
    reports: LimitReport[];
    inFlight: LimitReport[];
    lost: LimitReport[];
    heard: number;
    isDead: boolean;
  }[];

  constructor(limit: number, count: number) {
    this.limit = limit;
    this.runs = Array.from({ length: count }, (_, at) => ({
      ...{ name: `run ${at}`, left: 0, reports: [], inFlight: [], lost: [], heard: start, isDead: false },
    }));
  }

  draw(at: number, wanted: number, kept: number): void {
    const run = this.runs[at % this.runs.length]!;
    if (run.isDead) return;
    if (this.now - run.heard > validity) run.left = 0;
    run.left = Math.min(run.left, kept);
    if (this.bucket.limit === undefined) {
      const silent = this.runs.filter(({ heard }) => this.now - heard >= expiry);
      for (const one of silent.flatMap(({ reports, inFlight, lost }) => [...reports, ...inFlight, ...lost]))
        this.unknowable.add(one);
      for (const one of run.lost) this.unknowable.add(one);
    }
    const drawn = grantCalls(
      this.bucket,
      asking(run.name, wanted, {
        held: run.left + run.inFlight.length,
        ahead: wanted > 0 ? 3 : 0,
        reports: run.reports.map((one) => ({
          ...one,
          resetIn: one.resetIn - (this.now - one.age),
          age: this.now - one.age,
        })),
        unreportedCalls: run.lost.length,
      }),
      this.now,
    );
    run.reports = [];
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
    if (one) run.reports.push(one);
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

  story('no window of the platform gets more calls than it takes, also where runs are killed', () => {
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
          // As many windows as it takes until each had its turn, and one in which what is left is reports.
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
