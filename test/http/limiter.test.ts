import { expect, test } from 'vitest';
import type { DocumentedBucket } from '../../src/http/bucket.ts';
import type { LimiterOptions } from '../../src/http/call-queues.ts';
import { RateLimited } from '../../src/http/errors.ts';
import { createLimiter } from '../../src/http/reservations.ts';
import { announceOnce } from '../../src/http/retry.ts';
import type { Limits } from '../../src/model/budget.ts';
import { failure, manualClock } from './serve.ts';

function start(options: LimiterOptions = {}) {
  const clock = manualClock();
  const waits: { seconds: number; reason: string }[] = [];
  const limiter = createLimiter({ clock, onWait: (wait) => waits.push(wait), ...options });
  const started: string[] = [];
  const open = new Map<string, (limits?: Limits, error?: boolean) => Promise<void>>();
  const results: Promise<unknown>[] = [];
  /** Asks for a call; it starts when the limiter lets it and ends when `end` says so. */
  function ask(bucket: string, name: string, documented?: DocumentedBucket[]) {
    const result = limiter.run(bucket, { method: 'GET', path: `/${name}`, documented }, () => {
      started.push(name);
      return new Promise<{ limits?: Limits }>((resolve, reject) => {
        open.set(name, async (limits, error) => {
          if (error) reject(Object.assign(new Error('429'), { limits }));
          else resolve({ limits });
          await clock.settle();
        });
      });
    });
    result.catch(() => {});
    results.push(result);
    return result;
  }
  const end = (name: string, limits?: Limits, error = false) => open.get(name)!(limits, error);
  return { clock, waits, started, ask, end, settle: clock.settle };
}

test('no more calls than allowed, in order of arrival', async () => {
  const { ask, end, started, settle } = start({ concurrency: 2 });
  for (const name of ['a', 'b', 'c', 'd']) ask('x', name);
  await settle();
  expect(started).toEqual(['a', 'b']);
  await end('b');
  expect(started).toEqual(['a', 'b', 'c']);
  await end('a', undefined, true);
  expect(started).toEqual(['a', 'b', 'c', 'd']);
});

test('an empty bucket waits for its reset while others go on', async () => {
  const { ask, end, started, settle, clock, waits } = start({ concurrency: 2 });
  ask('x', 'x1');
  await settle();
  await end('x1', { limit: 2, remaining: 0, resetIn: 30_000 });
  for (const name of ['x2', 'x3', 'x4']) ask('x', name);
  ask('y', 'y1');
  await settle();
  expect(started).toEqual(['x1', 'y1']);
  expect(waits).toEqual([{ seconds: 30, reason: 'rate limit of x' }]);
  await clock.advance(29_999);
  expect(started).toEqual(['x1', 'y1']);
  await end('y1');
  await clock.advance(1);
  expect(started).toEqual(['x1', 'y1', 'x2', 'x3']);
});

test('calls in flight count against what remains', async () => {
  const { ask, end, started, settle } = start();
  ask('x', 'x1');
  await settle();
  await end('x1', { limit: 3, remaining: 2, resetIn: 60_000 });
  for (const name of ['x2', 'x3', 'x4']) ask('x', name);
  await settle();
  expect(started).toEqual(['x1', 'x2', 'x3']);
  // Answers overtake each other: the lowest count of a window holds.
  await end('x3', { limit: 3, remaining: 0, resetIn: 60_000 });
  await end('x2', { limit: 3, remaining: 1, resetIn: 60_400 });
  expect(started).toEqual(['x1', 'x2', 'x3']);
});

test('a new window opens with its limit, also for many at once', async () => {
  const { ask, end, started, settle, clock } = start();
  ask('x', 'x0');
  await settle();
  await end('x0', { limit: 3, remaining: 0, resetIn: 1000 });
  for (let i = 1; i <= 7; i += 1) ask('x', `x${i}`);
  await clock.advance(1000);
  expect(started).toEqual(['x0', 'x1', 'x2', 'x3']);
  await end('x1', { limit: 3, remaining: 2, resetIn: 1000 });
  await end('x2', { limit: 3, remaining: 1, resetIn: 1000 });
  await end('x3', { limit: 3, remaining: 0, resetIn: 1000 });
  expect(started).toHaveLength(4);
  await clock.advance(1000);
  expect(started).toHaveLength(7);
});

test('a 429 stops its bucket, with or without a time', async () => {
  const { ask, end, started, settle, clock } = start();
  ask('x', 'x1');
  await settle();
  await end('x1', { remaining: 0 }, true);
  ask('x', 'x2');
  await clock.advance(999);
  expect(started).toEqual(['x1']);
  await clock.advance(1);
  expect(started).toEqual(['x1', 'x2']);
  await end('x2', { remaining: 0, resetIn: 5000 }, true);
  ask('x', 'x3');
  await clock.advance(4999);
  expect(started).toEqual(['x1', 'x2']);
  await clock.advance(1);
  expect(started).toEqual(['x1', 'x2', 'x3']);
});

test('an answer without headers counts as one, and never blocks for good', async () => {
  const { ask, end, started, settle, clock } = start();
  ask('x', 'x1');
  await settle();
  await end('x1', { limit: 2, remaining: 1, resetIn: 1000 });
  ask('x', 'x2');
  ask('x', 'x3');
  await settle();
  await end('x2');
  expect(started).toEqual(['x1', 'x2']);
  await clock.advance(1000);
  expect(started).toEqual(['x1', 'x2', 'x3']);
});

test('a timer that fires early does not strand anybody', async () => {
  const clock = manualClock();
  const early = { now: clock.now, sleep: (milliseconds: number) => clock.sleep(milliseconds - 1) };
  const { ask, end, started, settle } = start({ clock: early });
  ask('x', 'x1');
  await settle();
  await end('x1', { remaining: 0, resetIn: 100 });
  ask('x', 'x2');
  await settle();
  await clock.advance(99);
  expect(started).toEqual(['x1']);
  await clock.advance(1);
  expect(started).toEqual(['x1', 'x2']);
});

test('too long a wait fails all that wait, and only those', async () => {
  const { ask, end, started, settle } = start({ maxWait: 60_000 });
  ask('x', 'x1');
  await settle();
  await end('x1', { limit: 100, remaining: 0, resetIn: 3_000_000 });
  const second = ask('x', 'x2');
  const third = ask('x', 'x3');
  ask('y', 'y1');
  expect(await failure(second, RateLimited)).toMatchObject({
    wait: 3_000_000,
    path: '/x2',
    mayBeCarriedOut: false,
  });
  await failure(third, RateLimited);
  expect(started).toEqual(['x1', 'y1']);
});

test('one wait is announced once', () => {
  const clock = manualClock();
  const heard: unknown[] = [];
  const say = announceOnce((wait) => heard.push(wait), clock);
  say({ seconds: 30, reason: 'a' });
  say({ seconds: 31, reason: 'a' });
  say({ seconds: 30, reason: 'b' });
  say({ seconds: 90, reason: 'a' });
  expect(heard).toHaveLength(3);
});

const minute = 60_000;
const few: DocumentedBucket = { name: 'few', allowed: 2, window: minute };

test('a documented limit holds before any answer, and is shared by its operations', async () => {
  const { ask, end, started, settle, clock } = start();
  for (const name of ['x1', 'x2']) ask('x', name, [few]);
  ask('y', 'y1', [few]);
  ask('z', 'z1');
  await settle();
  expect(started).toEqual(['x1', 'x2', 'z1']);
  await end('x1', { limit: 2, remaining: 0, resetIn: 5000 });
  await clock.advance(4999);
  expect(started).toHaveLength(3);
  await end('x2', { limit: 2, remaining: 0, resetIn: 1 });
  await clock.advance(1);
  expect(started).toEqual(['x1', 'x2', 'z1', 'y1']);
});

test('an answer that states another number overrides the documentation; one without any number ends it', async () => {
  const { ask, end, started, settle } = start();
  for (let i = 1; i <= 5; i++) ask('x', `x${i}`, [few]);
  await settle();
  await end('x1', { limit: 4, remaining: 3, resetIn: minute });
  expect(started).toEqual(['x1', 'x2', 'x3', 'x4']);
  for (let i = 1; i <= 5; i++) ask('y', `y${i}`, [{ ...few, name: 'other' }]);
  await settle();
  await end('y1');
  expect(started.slice(4)).toEqual(['y1', 'y2', 'y3', 'y4', 'y5']);
});

test('a call that got lost says nothing about the limit', async () => {
  const { ask, end, started, settle, clock } = start();
  for (let i = 1; i <= 3; i++) ask('x', `x${i}`, [few]);
  await settle();
  await end('x1', undefined, true);
  await end('x2', undefined, true);
  expect(started).toEqual(['x1', 'x2']);
  await clock.advance(minute);
  expect(started).toEqual(['x1', 'x2', 'x3']);
});

test('an operation with two limits obeys both, although an answer states only one', async () => {
  const { ask, end, started, settle, clock } = start({ maxWait: Infinity });
  const limits = [few, { name: 'many', allowed: 3, window: 60 * minute }];
  for (let i = 1; i <= 4; i++) ask('x', `x${i}`, limits);
  await settle();
  await end('x1', { limit: 2, remaining: 1, resetIn: minute });
  await end('x2', { limit: 2, remaining: 0, resetIn: minute });
  await clock.advance(minute);
  expect(started).toEqual(['x1', 'x2', 'x3']);
  await end('x3', { limit: 2, remaining: 1, resetIn: minute });
  await clock.advance(58 * minute);
  expect(started).toHaveLength(3);
  await clock.advance(minute);
  expect(started).toEqual(['x1', 'x2', 'x3', 'x4']);
});

test('operations that refusals name the same bucket for share it from then on', async () => {
  const { ask, end, started, settle, clock } = start();
  ask('x', 'x1');
  ask('y', 'y1');
  await settle();
  const refusal = { bucket: 'api-projects', limit: 10, remaining: 0 };
  await end('x1', { ...refusal, resetIn: 1000 }, true);
  await end('y1', { ...refusal, resetIn: 2000 }, true);
  ask('x', 'x2');
  await clock.advance(1999);
  expect(started).toEqual(['x1', 'y1']);
  await clock.advance(1);
  expect(started).toEqual(['x1', 'y1', 'x2']);
  // And what is left for one is left for the other.
  await end('x2', { limit: 10, remaining: 0, resetIn: 3000 });
  ask('y', 'y2');
  await clock.advance(2999);
  expect(started).toHaveLength(3);
  await clock.advance(1);
  expect(started).toEqual(['x1', 'y1', 'x2', 'y2']);
});

test('a call counts towards its documented limit also if its answer names no reset', async () => {
  const { ask, end, started, settle, clock } = start();
  const documented = [{ name: 'creations', allowed: 2, window: 60_000 }];
  for (const name of ['a', 'b', 'c']) ask('x', name, documented);
  await settle();
  expect(started).toEqual(['a', 'b']);
  for (const name of ['a', 'b']) await end(name, { limit: 2, remaining: 1 });
  expect(started).toEqual(['a', 'b']);
  await clock.advance(60_000);
  expect(started).toEqual(['a', 'b', 'c']);
});
