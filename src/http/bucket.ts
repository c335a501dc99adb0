import type { Limits } from '../model/budget.ts';

/*
 * The rate limits of the platform, as far as its documentation and its answers state them. What an answer states overrides the
 * documentation.
 *
 *   bucket       a counter of the platform that several operations share. It allows `limit` calls for each window
 *   window       the time until the platform resets the counter. A new window begins with the first call after the reset
 *   reservation  room for one call, kept for somebody who will need it soon
 */

/** Room for one call in all buckets that it counts towards. A call that succeeds uses it up. */
export interface Reservation {
  /** True until a call uses it or it is released. */
  isUnused(): boolean;
  /** Returns the room to its buckets, unless a call has used it. */
  release(): void;
}

/** The state of one rate bucket, as far as it is known. */
export interface Bucket {
  /** The number of calls whose answer has not come yet. */
  inFlight: number;
  /** Unused reservations. A call under way has left this set and counts in `inFlight`. */
  reserved: Set<Reservation>;
  limit: number;
  /** The calls that remain according to the last answer. It may or may not count those in flight. */
  remaining: number;
  /** The time at which `remaining` becomes `limit` again, in milliseconds since 1970. Undefined while it is unknown. */
  resetAt?: number | undefined;
  /** The documented length of a window in milliseconds. Absent for a bucket that only answers can describe. */
  window?: number | undefined;
  /**
   * True if an answer has stated the limit, or shown that there is none, so that the documentation does not matter
   * any more.
   */
  isStated: boolean;
  /** True if `resetAt` is only our own count from the first answer of a window. */
  isResetGuessed: boolean;
}

/** A documented rate limit of a call. It holds until an answer of the platform states another one. */
export interface DocumentedBucket {
  name: string;
  allowed: number;
  /** In milliseconds. */
  window: number;
}

/** The resets in two answers of the same window may differ by this many milliseconds, because servers round to seconds. */
export const sameWindowTolerance = 1500;

/** The pause in milliseconds after a 429 that names no time, so that other calls of the bucket do not run into the limit, too. */
export const defaultPause = 1000;

/**
 * Returns the first state of a bucket: a rate limit of the platform, which several operations may share. `documented`:
 * the limit and the window in the documentation, which hold until an answer states others, or shows that there is no
 * limit. Without it, the bucket holds no calls back until an answer states a limit.
 */
export const createBucket = (documented?: Pick<DocumentedBucket, 'allowed' | 'window'>): Bucket => ({
  inFlight: 0,
  reserved: new Set(),
  limit: documented?.allowed ?? Infinity,
  remaining: documented?.allowed ?? Infinity,
  window: documented?.window,
  isStated: false,
  isResetGuessed: false,
});

/**
 * Removes the documented limit from a bucket (a rate limit), so that the limiter does not hold calls back any more: an answer without any
 * limit shows that the platform (for example a twin without rate limits) does not apply it. A pause that a refusal demanded stays.
 */
export function dropDocumentedLimit(bucket: Bucket): void {
  if (bucket.isStated) return;
  bucket.isStated = true;
  bucket.limit = Infinity;
  const hasDemandedPause = bucket.resetAt !== undefined && !bucket.isResetGuessed;
  if (hasDemandedPause) return;
  bucket.remaining = Infinity;
  bucket.resetAt = undefined;
}

/**
 * Makes all calls of a bucket (a rate limit, which allows `limit` calls in each window of time) available again if its current window is
 * over. The next window begins with the next call, so its end is not known yet. Called before the limiter asks if a bucket has room.
 */
export function renewWindow(bucket: Bucket, now: number): void {
  if (bucket.resetAt === undefined || bucket.resetAt > now) return;
  bucket.remaining = bucket.limit;
  bucket.resetAt = undefined;
}

/**
 * Updates a bucket (a rate limit) after each call, so that the limiter knows how many calls remain in the current window (the time until
 * the platform resets its counter). `limits`: what the answer states. If it does not say how many remain and until when, the call is
 * counted here.
 */
export function updateBucket(bucket: Bucket, limits: Limits | undefined, now: number): void {
  renewWindow(bucket, now);
  if (limits?.limit) {
    bucket.limit = limits.limit;
    bucket.isStated = true;
  }
  const { remaining } = limits ?? {};
  // A used-up limit without a reset time counts as a pause of usual length.
  const resetIn = limits?.resetIn ?? (remaining === 0 ? defaultPause : undefined);
  if (remaining === undefined || resetIn === undefined) countCall(bucket, now);
  else takeStatedCount(bucket, remaining, now + resetIn);
}

/**
 * Counts a call in a bucket (a rate limit) whose answer did not say how many calls remain, or until when. The first
 * call starts the window of a bucket whose length is documented. Without any window, nothing is counted, because
 * nothing would ever reset the count.
 */
function countCall(bucket: Bucket, now: number): void {
  if (bucket.resetAt === undefined && bucket.window !== undefined) {
    bucket.resetAt = now + bucket.window;
    bucket.isResetGuessed = true;
  }
  if (bucket.resetAt !== undefined) bucket.remaining = Math.max(0, bucket.remaining - 1);
}

/**
 * Takes over what an answer states about a bucket (a rate limit): the calls that remain until the time `resetAt`. Answers can arrive in
 * another order than the platform sent them. So of two answers with the same reset, the lower count is the later one, and an earlier reset
 * belongs to a window that is over and is ignored.
 */
function takeStatedCount(bucket: Bucket, remaining: number, resetAt: number): void {
  // A reset that was only guessed does not show which window is running.
  const currentResetAt = bucket.isResetGuessed ? undefined : bucket.resetAt;
  bucket.isResetGuessed = false;
  const isSameWindow =
    currentResetAt !== undefined && Math.abs(resetAt - currentResetAt) <= sameWindowTolerance;
  if (currentResetAt !== undefined && !isSameWindow && resetAt < currentResetAt) return;
  bucket.remaining = isSameWindow ? Math.min(bucket.remaining, remaining) : remaining;
  bucket.resetAt = isSameWindow ? Math.max(currentResetAt, resetAt) : resetAt;
}

/**
 * Returns how many calls may be under way in a bucket. A call with a reservation may use everything that remains; the others leave room for
 * all reservations. Before a window starts, one call may go first even if all room is reserved, because the first call starts the window.
 */
export function freeCallsIn({ remaining, resetAt, reserved }: Bucket, hasReservation: boolean): number {
  if (hasReservation) return remaining;
  return remaining - (resetAt === undefined ? Math.min(reserved.size, remaining - 1) : reserved.size);
}

export type Headers = Record<string, string | string[] | undefined>;

/** Returns the text of a header; of a header that came several times, the first one. */
export const headerText = (value: string | string[] | undefined): string | undefined => [value].flat()[0];

/** Returns the number in a header of a rate limit; undefined if the header is absent or not a plain number. */
function parseCount(value: string | string[] | undefined): number | undefined {
  const text = headerText(value)?.trim();
  return text && /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

const day = 24 * 3_600_000;

/** Limits a wait to between 0 and one year, since a server may state any number and a `Date` cannot hold every time. In milliseconds. */
export const clampWait = (milliseconds: number): number => Math.min(Math.max(0, milliseconds), 365 * day);

/**
 * Returns the server's time from its `Date` header, because the clock of this machine may be wrong by more than a
 * window. Returns `now` without the header, or if it differs by more than a day: it then comes from a cache or from a
 * test with a clock of its own.
 */
function serverTime(headers: Headers, now: number): number {
  const date = Date.parse(headerText(headers.date) ?? '');
  return Math.abs(date - now) < day ? date : now;
}

/** Returns a time since 1970 in seconds, because the platform states it in seconds or in milliseconds. */
const epochSecondsOf = (epoch: number): number => (epoch > 1e11 ? epoch / 1000 : epoch);

/**
 * Returns the milliseconds from now until a time since 1970 that the platform states, in seconds or milliseconds.
 * Measured with the server's clock if the answer has its time.
 */
export const waitUntilEpoch = (epoch: number, headers: Headers, now: number): number =>
  clampWait(epochSecondsOf(epoch) * 1000 - serverTime(headers, now));

/**
 * Reads the state of the rate limit from the `x-ratelimit-*` headers of an answer; undefined if there are none. The limiter then slows down
 * before the platform refuses calls.
 */
export function parseLimits(headers: Headers, now: number): Limits | undefined {
  const limit = parseCount(headers['x-ratelimit-limit']);
  const remaining = parseCount(headers['x-ratelimit-remaining']);
  const reset = parseCount(headers['x-ratelimit-reset']);
  if (limit === undefined && remaining === undefined && reset === undefined) return undefined;
  return {
    limit,
    remaining,
    resetIn: reset === undefined ? undefined : waitUntilEpoch(reset, headers, now),
    window: reset === undefined ? undefined : epochSecondsOf(reset),
  };
}

/**
 * Returns the wait that `Retry-After` (seconds or an HTTP date) or `Retry-After-Ms` asks for, in milliseconds.
 * Undefined if both are absent or malformed. Used to wait as long as the platform wants before a call is repeated, at
 * most a year.
 */
export function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const exactWait = parseCount(headers['retry-after-ms']);
  if (exactWait !== undefined) return clampWait(exactWait);
  const seconds = parseCount(headers['retry-after']);
  if (seconds !== undefined) return clampWait(seconds * 1000);
  const date = headerText(headers['retry-after']);
  // An HTTP date begins with the name of a day. Date.parse would take a number such as "-5" for a year.
  if (date === undefined || !/^[A-Z][a-z]/.test(date)) return undefined;
  const time = Date.parse(date);
  return Number.isNaN(time) ? undefined : clampWait(time - serverTime(headers, now));
}
