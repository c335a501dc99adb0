import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Reservation } from '../../src/http/bucket.ts';
import type { LimiterOptions } from '../../src/http/call-queues.ts';
import { RateLimited } from '../../src/http/errors.ts';
import { createLimiter, openReservations } from '../../src/http/reservations.ts';
import type { Limits } from '../../src/model/budget.ts';
import { runs } from '../support/sweep.ts';
import { failure, manualClock } from './serve.ts';

const window = 60_000;
const asked = { method: 'POST', path: '/x' } as const;

/** A platform that counts calls when they come, in windows that begin with a call, and a limiter in front of it. */
function start(limit: number, options: LimiterOptions = {}) {
  const clock = manualClock();
  const limiter = createLimiter({ clock, ...options });
  let reset = 0;
  let count = 0;
  const busiest: number[] = [];
  const started: string[] = [];
  const inFlight: ((failed: boolean) => void)[] = [];
  const call = (name: string, reservation?: Reservation) => {
    const result = limiter.run(
      'x',
      asked,
      () => {
        if (reset <= clock.now()) {
          reset = clock.now() + window;
          count = 0;
        }
        busiest.push(++count);
        started.push(name);
        const seen = { limit, remaining: Math.max(0, limit - count), reset };
        return new Promise<{ limits: Limits }>((resolve, reject) => {
          inFlight.push((failed) => {
            const limits = { ...seen, resetIn: Math.max(0, seen.reset - clock.now()) };
            if (failed) reject(Object.assign(new Error('no'), { limits }));
            else resolve({ limits });
          });
        });
      },
      reservation,
    );
    result.catch(() => {});
    return result;
  };
  const end = async (failed = false) => {
    inFlight.shift()?.(failed);
    await clock.settle();
  };
  const endAll = async () => {
    while (inFlight.length > 0) await end();
  };
  const reserve = (held: Reservation[] = []) => {
    const result = limiter.reserve('x', asked).then((one) => void held.push(one));
    result.catch(() => {});
    return result;
  };
  /** From here on the bucket is known. */
  const begin = async () => {
    call('first');
    await clock.settle();
    await end();
  };
  return { clock, limiter, started, busiest, call, end, endAll, reserve, begin };
}

describe('a reservation', () => {
  test('keeps room for its call while others wait', async () => {
    const { call, begin, endAll, reserve, started, clock } = start(3);
    await begin();
    const held: Reservation[] = [];
    await reserve(held);
    for (const name of ['a', 'b', 'c']) call(name);
    await clock.settle();
    await endAll();
    expect(started).toEqual(['first', 'a']);
    call('kept', held[0]);
    await clock.settle();
    expect(started).toEqual(['first', 'a', 'kept']);
    await endAll();
    await clock.advance(window);
    expect(started.slice(3)).toEqual(['b', 'c']);
  });

  test('that nobody uses spans the reset, and stays one call', async () => {
    const { call, begin, endAll, reserve, started, clock } = start(3);
    await begin();
    const held: Reservation[] = [];
    await reserve(held);
    await clock.advance(window);
    for (const name of ['a', 'b', 'c', 'd']) call(name);
    await clock.settle();
    await endAll();
    expect(started.slice(1)).toEqual(['a', 'b']);
    call('kept', held[0]);
    call('again', held[0]);
    await clock.settle();
    await endAll();
    expect(started.slice(3)).toEqual(['kept']);
  });

  test('that is given back lets the next one in, once', async () => {
    const { call, begin, endAll, reserve, started, clock } = start(3);
    await begin();
    const held: Reservation[] = [];
    await reserve(held);
    await reserve(held);
    for (const name of ['a', 'b', 'c']) call(name);
    await clock.settle();
    expect(started).toEqual(['first']);
    held[0]!.release();
    held[0]!.release();
    await clock.settle();
    await endAll();
    expect(started).toEqual(['first', 'a']);
  });

  test('outlives a call that fails, for its next attempt', async () => {
    const { call, begin, end, endAll, reserve, started, clock } = start(4);
    await begin();
    const held: Reservation[] = [];
    await reserve(held);
    call('kept', held[0]);
    await clock.settle();
    await end(true);
    for (const name of ['a', 'b']) call(name);
    await clock.settle();
    await endAll();
    call('kept again', held[0]);
    await clock.settle();
    expect(started).toEqual(['first', 'kept', 'a', 'kept again']);
  });

  test('waits for the reset, and is refused where that is too far off', async () => {
    const waits: string[] = [];
    const patient = start(1, { onWait: ({ seconds, reason }) => waits.push(`${seconds} ${reason}`) });
    await patient.begin();
    const held: Reservation[] = [];
    patient.reserve(held);
    await patient.clock.settle();
    expect(held).toEqual([]);
    expect(waits).toEqual(['60 rate limit of x']);
    await patient.clock.advance(window);
    expect(held).toHaveLength(1);
    const hasty = start(1, { maxWait: window - 1 });
    await hasty.begin();
    expect(await failure(hasty.reserve(), RateLimited)).toMatchObject({
      rateLimit: { bucket: 'x', until: hasty.clock.now() + window },
    });
  });
});

describe('reservations under one name', () => {
  const calls = (...buckets: string[]) => buckets.map((bucket) => ({ operation: bucket, call: asked }));

  test('are taken by bucket, each once, and asked for once', async () => {
    let asks = 0;
    const released: string[] = [];
    const reservations = openReservations({
      reserve: async (bucket) => {
        asks++;
        return { isUnused: () => true, release: () => void released.push(bucket) };
      },
    });
    const reserveThree = () => reservations.reserve('a', calls('x', 'y', 'x'));
    await Promise.all([reserveThree(), reserveThree()]);
    expect(asks).toBe(3);
    expect(reservations.take('b', 'x')).toBeUndefined();
    expect(reservations.take('a', 'x')).toBeDefined();
    reservations.release('a');
    reservations.release('a');
    expect(released).toEqual(['y', 'x']);
    expect(reservations.take('a', 'x')).toBeUndefined();
  });

  test('are all given back if one is refused, or if nobody wants them any more', async () => {
    const { limiter, begin, call, endAll, started, clock } = start(2, { maxWait: 1 });
    await begin();
    const reservations = openReservations(limiter);
    await failure(reservations.reserve('a', calls('x', 'x')), RateLimited);
    call('a');
    await clock.settle();
    await endAll();
    expect(started).toEqual(['first', 'a']);

    const other = start(2);
    await other.begin();
    const late = openReservations(other.limiter);
    const granted = late.reserve('a', calls('x', 'x'));
    await other.clock.settle();
    late.release('a');
    await other.clock.advance(window);
    await granted;
    for (const name of ['a', 'b']) other.call(name);
    await other.clock.settle();
    await other.endAll();
    expect(other.started).toEqual(['first', 'a', 'b']);
  });
});

type Step = 'call' | 'reserve' | 'use' | 'release' | 'end' | 'fail' | 'second' | 'window';
const step = fc.constantFrom<Step>(
  'call',
  'call',
  'reserve',
  'use',
  'release',
  'end',
  'end',
  'fail',
  'second',
  'window',
);

test('whatever comes: no window has more calls than its limit, what is reserved has room, and nobody waits for ever', async () => {
  const seen = { within: 0, beyond: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.array(step, { minLength: 20, maxLength: 60 }),
      async (limit, steps) => {
        const { clock, started, busiest, call, end, endAll, reserve, begin } = start(limit, {
          concurrency: 50,
        });
        await begin();
        const held: Reservation[] = [];
        let asks = 0;
        let calls = 1;
        let given = 0;
        let isOver = false;
        const use = async (one: Reservation) => {
          const name = `reserved ${++calls}`;
          call(name, one).then(one.release, one.release);
          given++;
          await clock.settle();
          // Those under way may count twice until they are back.
          if (!isOver) await endAll();
          if (!isOver) expect(started).toContain(name);
          seen[isOver ? 'beyond' : 'within']++;
        };
        for (const one of steps) {
          if (one === 'call') call(`call ${++calls}`);
          else if (one === 'reserve') {
            asks++;
            // More than all but one call of a window is not kept.
            isOver ||= asks - given >= limit;
            reserve(held);
          } else if (one === 'use' && held.length > 0) await use(held.shift()!);
          else if (one === 'release' && held.length > 0) {
            held.shift()!.release();
            given++;
          } else if (one === 'end') await end();
          else if (one === 'fail') await end(true);
          else if (one === 'second') await clock.advance(1000);
          else if (one === 'window') await clock.advance(window);
          await clock.settle();
        }
        // With all that is reserved still kept, in as many windows as there are calls.
        for (let i = 0; i < calls + asks + 1; i++) {
          await endAll();
          await clock.advance(window);
        }
        await endAll();
        expect(started).toHaveLength(calls);
        expect(Math.max(...busiest)).toBeLessThanOrEqual(limit);

        for (const one of held) one.release();
        await clock.advance(window);
        const before = started.length;
        for (let i = 0; i < limit + 1; i++) call('last');
        await clock.settle();
        expect(started).toHaveLength(before + limit);
      },
    ),
    { numRuns: runs(1200, 20) },
  );
  console.log(`reserved calls: ${JSON.stringify(seen)}`);
  expect(Math.min(seen.within, seen.beyond)).toBeGreaterThan(10);
});
