import { type Method, maxReadAge } from '../model/request.ts';
import { type Clock, systemClock } from './clock.ts';
import { HttpError, RateLimited, RequestError } from './errors.ts';

/** Called for every wait of more than a second. `again`: the request failed for this reason and will be sent again. */
export type OnWait = (wait: { seconds: number; reason: string; again?: true }) => void;

export interface RetryOptions {
  clock?: Clock;
  /** Returns a number from 0 to below 1. Default: `Math.random`. */
  random?: () => number;
  /** The number of attempts if the connection or the platform fails. Default: 5. */
  attempts?: number;
  /** The longest time that rate limits may delay one call, in milliseconds. Default: 15 minutes. */
  maxWait?: number;
  onWait?: OnWait;
  /** Error codes which mean that an earlier write has not reached every server of the platform yet, so that the call is repeated. */
  late?: readonly string[] | undefined;
  /** The name of the rate limit in messages. Default: method and path. */
  bucket?: string;
  /** Once aborted, the wait for another attempt ends, and the call is not repeated. */
  signal?: AbortSignal | undefined;
}

export const standardMaxWait = 15 * 60_000;
/**
 * After so many answers 429, their waits are at least half of `longestBackoff`, even if the platform asks for less: other programs use the
 * limit up. Only `maxWait` ends these attempts, because nothing was done, and the user allows such a wait.
 */
const promptRateLimitedAttempts = 20;
/** The number of attempts while an earlier write has not reached every server. */
const lateAttempts = 8;
const firstBackoff = 500;
const longestBackoff = 20_000;

/**
 * Sends a request with `send`, given the number of the attempt from 1, and repeats it after a failure if that is safe (`repeatReasonOf`),
 * so that a moment of trouble or a rate limit does not end a run. Waits in between (`chooseWait`); each reason has its own number of
 * attempts. Throws the last error if the request must not or need not be repeated any more, or `RateLimited` if rate limits would delay the
 * call beyond `maxWait`, with all of this delay.
 */
export async function retry<T>(
  method: Method,
  send: (attempt: number) => Promise<T>,
  options: RetryOptions = {},
): Promise<T> {
  const { clock = systemClock, random = Math.random, maxWait = standardMaxWait, onWait } = options;
  const { attempts = 5, late = [] } = options;
  const failureCounts: Record<RepeatReason, number> = { late: 0, rateLimit: 0, fault: 0 };
  const mostAttempts = { late: lateAttempts, rateLimit: Number.POSITIVE_INFINITY, fault: attempts };
  let rateLimitWait = 0;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send(attempt);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const repeatReason = repeatReasonOf(error, method, late);
      if (repeatReason === undefined) throw error;
      const failures = ++failureCounts[repeatReason];
      if (failures >= mostAttempts[repeatReason]) throw error;

      const isRateLimit = error instanceof HttpError && error.status === 429;
      const wait = chooseWait(error, failures, random);
      if (isRateLimit) rateLimitWait += wait;
      const bucket = options.bucket ?? `${method} ${error.path}`;
      if (wait > maxWait || rateLimitWait > maxWait) {
        if (!isRateLimit) throw error;
        const waits = { wait: Math.max(wait, rateLimitWait), maxWait };
        throw new RateLimited(error, { bucket, until: clock.now() + wait }, waits);
      }
      if (wait > 1000)
        onWait?.({
          seconds: Math.ceil(wait / 1000),
          ...(isRateLimit ? { reason: `rate limit of ${bucket}` } : { reason: error.message, again: true }),
        });
      await clock.sleep(wait, options.signal);
    }
  }
}

/**
 * Returns how long `retry` waits after a failure, in milliseconds: as long as the platform asks, or else a random time whose limit doubles
 * with each failure. After many answers 429 it is at least half of `longestBackoff`. `failures`: the number of failures for the same reason
 * so far.
 */
function chooseWait(error: RequestError, failures: number, random: () => number): number {
  const backoff = random() * Math.min(longestBackoff, firstBackoff * 2 ** (failures - 1));
  const wait = (error instanceof HttpError && error.retryAfter) || backoff;
  const isRateLimit = error instanceof HttpError && error.status === 429;
  const isStorm = isRateLimit && failures > promptRateLimitedAttempts;
  // In a storm, a random time from half of `longestBackoff` up to all of it.
  return isStorm ? Math.max(wait, ((1 + random()) / 2) * longestBackoff) : wait;
}

/**
 * Why a failed call is repeated: an earlier write has not reached every server yet, the platform asks to wait, or something failed for the
 * moment. Each has its own number of attempts.
 */
type RepeatReason = 'late' | 'rateLimit' | 'fault';

/**
 * Returns why a failed call may be sent again; undefined if it must not, because it would fail again or could do a write twice:
 *
 *   | failure                                               | read     | write                      |
 *   | 429, or no connection at the moment                   | repeated | repeated                   |
 *   | a code in `late`: an earlier write is not known yet   | repeated | repeated                   |
 *   |   to each server of the platform                      |          |                            |
 *   | 5xx (not 501, 505), connection cut, no answer in time | repeated | not: it may be carried out |
 *   | anything else                                         | not      | not                        |
 */
function repeatReasonOf(
  error: RequestError,
  method: Method,
  late: readonly string[],
): RepeatReason | undefined {
  // `RateLimited` comes from the limiter. It has already decided that the wait is too long.
  if (error instanceof RateLimited) return undefined;
  if (error instanceof HttpError && late.includes(error.code)) return 'late';
  if (!error.isTransient || (method !== 'GET' && error.mayBeCarriedOut)) return undefined;
  return error instanceof HttpError && error.status === 429 ? 'rateLimit' : 'fault';
}

/** Wraps `onWait` so that the user reads of a wait only once, although many calls wait for the same rate limit until the same time. */
export function announceOnce(onWait: OnWait | undefined, clock: Clock): OnWait {
  const announcedEnds = new Map<string, number>();
  return (wait) => {
    const end = clock.now() + wait.seconds * 1000;
    // Waits are rounded up to seconds, so the ends of the same wait may differ by one second.
    if (end <= (announcedEnds.get(wait.reason) ?? 0) + 1000) return;
    announcedEnds.set(wait.reason, end);
    onWait?.(wait);
  };
}

/** The call had its turn but did not send anything, because it must be confirmed first. */
export class NotConfirmed extends Error {}

/** Runs `sendInTurn`, which waits for its turn and calls `beforeSending` immediately before it sends. */
type Confirmation = <T>(sendInTurn: (beforeSending: () => void) => Promise<T>) => Promise<T>;

/**
 * Creates a guard for the attempts to send one write. Its caller has just checked that the object is unchanged. If
 * the write has to wait long for a rate limit, that check is outdated: the guard then calls `confirm`, which checks
 * again and throws if the write must not be sent. While it checks, other calls go first, and the write waits for its
 * turn once more.
 */
export function createConfirmation(confirm: (() => Promise<void>) | undefined, clock: Clock): Confirmation {
  let confirmedAt = clock.now();
  return async (sendInTurn) => {
    for (;;) {
      try {
        return await sendInTurn(() => {
          if (confirm && clock.now() - confirmedAt >= maxReadAge) throw new NotConfirmed();
        });
      } catch (error) {
        if (!(error instanceof NotConfirmed)) throw error;
        await confirm?.();
        confirmedAt = clock.now();
      }
    }
  };
}
