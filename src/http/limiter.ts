import { type Clock, systemClock } from './clock.ts';
import { type Asked, RateLimited } from './errors.ts';
import type { Limits } from './limits.ts';
import { type OnWait, standardMaxWait } from './retry.ts';

export interface LimiterOptions {
  /** How many calls may be under way at once. Default 10. */
  concurrency?: number;
  clock?: Clock;
  /** Longest wait for a bucket, in milliseconds. Default 15 minutes. */
  maxWait?: number;
  onWait?: OnWait;
}

/** Lets calls through as fast as the platform's rate buckets allow. */
export interface Limiter {
  /**
   * Runs `once` when there is room, within a bucket in order of arrival, and learns from the `limits` of what it returns or
   * throws. Throws `RateLimited`, without running it, if its bucket stays empty for longer than `maxWait`.
   */
  run<T extends { limits?: Limits }>(bucket: string, asked: Asked, once: () => Promise<T>): Promise<T>;
}

interface Waiting {
  turn: number;
  asked: Asked;
  start(): void;
  reject(error: Error): void;
}

interface Bucket {
  name: string;
  waiting: Waiting[];
  inFlight: number;
  limit: number;
  /** As of the last answer; those in flight may or may not be counted in it. */
  remaining: number;
  /** When `remaining` becomes `limit` again; undefined while that is not known. */
  resetAt?: number;
  /** The `resetAt` for which a timer runs. */
  timerFor?: number;
}

// Two answers of one window may give resets that differ by the rounding of a clock to seconds.
const sameWindow = 1500;
// For a 429 that does not say when to come back: keeps the others of the bucket from running into it too.
const shortPause = 1000;

export function createLimiter(options: LimiterOptions = {}): Limiter {
  const { concurrency = 10, clock = systemClock, maxWait = standardMaxWait, onWait } = options;
  const buckets = new Map<string, Bucket>();
  let running = 0;
  let turns = 0;

  function bucketOf(name: string): Bucket {
    let bucket = buckets.get(name);
    if (!bucket) {
      bucket = { name, waiting: [], inFlight: 0, limit: Infinity, remaining: Infinity };
      buckets.set(name, bucket);
    }
    return bucket;
  }

  function renew(bucket: Bucket): void {
    if (bucket.resetAt === undefined || bucket.resetAt > clock.now()) return;
    bucket.remaining = bucket.limit;
    bucket.resetAt = undefined;
  }

  function learn(bucket: Bucket, limits: Limits | undefined): void {
    renew(bucket);
    if (limits?.limit) bucket.limit = limits.limit;
    if (limits?.remaining === undefined) {
      if (bucket.resetAt !== undefined) bucket.remaining = Math.max(0, bucket.remaining - 1);
      return;
    }
    const { remaining } = limits;
    const resetIn = limits.resetIn ?? (remaining === 0 ? shortPause : undefined);
    if (resetIn === undefined) return;
    const resetAt = clock.now() + resetIn;
    const known = bucket.resetAt;
    const same = known !== undefined && Math.abs(resetAt - known) <= sameWindow;
    // Answers may overtake each other: in one window the lowest count is the latest, and an older window says nothing.
    if (known !== undefined && !same && resetAt < known) return;
    bucket.remaining = same ? Math.min(bucket.remaining, remaining) : remaining;
    bucket.resetAt = same ? Math.max(known, resetAt) : resetAt;
  }

  /** Sees to it that the calls of an empty bucket go on at its reset, or fail if that is too far off. */
  function hold(bucket: Bucket, resetAt: number): void {
    const wait = resetAt - clock.now();
    if (wait > maxWait) {
      const rateLimit = { bucket: bucket.name, until: resetAt };
      for (const { asked, reject } of bucket.waiting.splice(0))
        reject(new RateLimited(asked, rateLimit, { wait, maxWait }));
      return;
    }
    if (bucket.timerFor === resetAt) return;
    bucket.timerFor = resetAt;
    if (wait > 1000) onWait?.({ seconds: Math.ceil(wait / 1000), reason: `rate limit of ${bucket.name}` });
    void clock.sleep(wait).then(() => {
      // A timer may fire a little early: then the next look sets another one.
      bucket.timerFor = undefined;
      pump();
    });
  }

  function next(): Bucket | undefined {
    let first: Bucket | undefined;
    for (const bucket of buckets.values()) {
      if (bucket.waiting.length === 0) continue;
      renew(bucket);
      if (bucket.inFlight < bucket.remaining) {
        if (!first || bucket.waiting[0]!.turn < first.waiting[0]!.turn) first = bucket;
      } else if (bucket.remaining === 0 && bucket.resetAt !== undefined) hold(bucket, bucket.resetAt);
    }
    return first;
  }

  function pump(): void {
    while (running < concurrency) {
      const bucket = next();
      if (!bucket) return;
      running += 1;
      bucket.inFlight += 1;
      bucket.waiting.shift()!.start();
    }
  }

  return {
    async run(name, asked, once) {
      const bucket = bucketOf(name);
      await new Promise<void>((start, reject) => {
        bucket.waiting.push({ turn: turns++, asked, start, reject });
        pump();
      });
      let limits: Limits | undefined;
      try {
        const answer = await once();
        limits = answer.limits;
        return answer;
      } catch (error) {
        limits = (error as { limits?: Limits }).limits;
        throw error;
      } finally {
        running -= 1;
        bucket.inFlight -= 1;
        learn(bucket, limits);
        pump();
      }
    },
  };
}
