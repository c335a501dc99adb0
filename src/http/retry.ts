import type { Method } from '../model/request.ts';
import { type Clock, systemClock } from './clock.ts';
import { HttpError, RateLimited, RequestError } from './errors.ts';

/** Told about every wait of more than a second. `again`: the request failed for the reason, and is sent once more. */
export type OnWait = (wait: { seconds: number; reason: string; again?: true }) => void;

export interface RetryOptions {
  clock?: Clock;
  /** From 0 up to, not including, 1. */
  random?: () => number;
  /** Attempts when the connection or the platform fails. Default 5. */
  attempts?: number;
  /** Longest time that rate limits may hold up one call, in milliseconds. Default 15 minutes. */
  maxWait?: number;
  onWait?: OnWait;
  /** Error codes that only mean that something has not arrived everywhere yet: tried again. */
  late?: readonly string[] | undefined;
  /** The name of the rate limit, for people. Default: method and path. */
  bucket?: string;
}

export const standardMaxWait = 15 * 60_000;
/** Attempts while the platform says "too many requests", and while something has not arrived everywhere. */
const limitedAttempts = 20;
const lateAttempts = 8;
const firstBackoff = 500;
const longestBackoff = 20_000;

/**
 * Repeats `once` (told its number, from 1) as long as that is safe: a read after 429, 5xx, connection faults and timeouts; a
 * write only after 429, where nothing was sent, and after a `late` code. Waits as the platform asks, else exponentially with full jitter. Throws
 * the last error, or `RateLimited` if rate limits hold it up beyond `maxWait`.
 */
export async function retry<T>(
  method: Method,
  once: (attempt: number) => Promise<T>,
  options: RetryOptions = {},
): Promise<T> {
  const { clock = systemClock, random = Math.random, maxWait = standardMaxWait, onWait } = options;
  const { attempts = 5, late = [] } = options;
  let faults = 0;
  let limited = 0;
  let tooEarly = 0;
  let waited = 0;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(attempt);
    } catch (error) {
      // A wait that is beyond bounds has been decided already, by the limiter.
      if (!(error instanceof RequestError) || error instanceof RateLimited) throw error;
      const isLate = error instanceof HttpError && late.includes(error.code);
      if (!isLate && (!error.passing || (method !== 'GET' && error.sent))) throw error;
      const isLimit = error instanceof HttpError && error.status === 429;
      const failures = isLate ? ++tooEarly : isLimit ? ++limited : ++faults;
      if (failures >= (isLate ? lateAttempts : isLimit ? limitedAttempts : attempts)) throw error;

      const backoff = random() * Math.min(longestBackoff, firstBackoff * 2 ** (failures - 1));
      const wait = (error instanceof HttpError && error.retryAfter) || backoff;
      if (isLimit) waited += wait;
      const bucket = options.bucket ?? `${method} ${error.path}`;
      if (wait > maxWait || waited > maxWait) {
        if (!isLimit) throw error;
        throw new RateLimited(error, { bucket, until: clock.now() + wait }, { wait, maxWait });
      }
      if (wait > 1000)
        onWait?.({
          seconds: Math.ceil(wait / 1000),
          ...(isLimit ? { reason: `rate limit of ${bucket}` } : { reason: error.message, again: true }),
        });
      await clock.sleep(wait);
    }
  }
}

/** Passes each wait on once: calls that wait for the same thing until the same time make one announcement. */
export function announceOnce(onWait: OnWait | undefined, clock: Clock): OnWait {
  const until = new Map<string, number>();
  return (wait) => {
    const end = clock.now() + wait.seconds * 1000;
    // Ends are rounded up to seconds, so those of one wait may lie that far apart.
    if (end <= (until.get(wait.reason) ?? 0) + 1000) return;
    until.set(wait.reason, end);
    onWait?.(wait);
  };
}
