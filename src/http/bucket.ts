import type { Limits } from '../model/budget.ts';

/** Room in a bucket for one call. It is used up by a call that succeeds. */
export interface Reservation {
  /** Gives the room back, if it was not used. */
  release(): void;
}

/** The known state of one rate bucket of the platform. */
export interface Bucket {
  inFlight: number;
  /** Not used yet: a call that is under way is in `inFlight`. */
  reserved: Set<Reservation>;
  limit: number;
  /** As of the last answer; those in flight may or may not be counted in it. */
  remaining: number;
  /** When `remaining` becomes `limit` again; undefined while that is not known. */
  resetAt?: number | undefined;
}

// Two answers of one window may give resets that differ by the rounding of a clock to seconds.
export const sameWindow = 1500;
// For a 429 that does not say when to come back: keeps the others of the bucket from running into it too.
export const shortPause = 1000;

/** A bucket of which nothing was heard yet. */
export const unknownBucket = (): Bucket => ({
  inFlight: 0,
  reserved: new Set(),
  limit: Infinity,
  remaining: Infinity,
});

/** Begins the next window if it is time. */
export function renew(bucket: Bucket, now: number): void {
  if (bucket.resetAt === undefined || bucket.resetAt > now) return;
  bucket.remaining = bucket.limit;
  bucket.resetAt = undefined;
}

/** Takes in what the answer to a call said, or that it said nothing. */
export function learn(bucket: Bucket, limits: Limits | undefined, now: number): void {
  renew(bucket, now);
  if (limits?.limit) bucket.limit = limits.limit;
  if (limits?.remaining === undefined) {
    if (bucket.resetAt !== undefined) bucket.remaining = Math.max(0, bucket.remaining - 1);
    return;
  }
  const { remaining } = limits;
  const resetIn = limits.resetIn ?? (remaining === 0 ? shortPause : undefined);
  if (resetIn === undefined) return;
  const resetAt = now + resetIn;
  const known = bucket.resetAt;
  const same = known !== undefined && Math.abs(resetAt - known) <= sameWindow;
  // Answers may overtake each other: in one window the lowest count is the latest, and an older window says nothing.
  if (known !== undefined && !same && resetAt < known) return;
  bucket.remaining = same ? Math.min(bucket.remaining, remaining) : remaining;
  bucket.resetAt = same ? Math.max(known, resetAt) : resetAt;
}

/** Calls that the bucket has room for: for those with a reservation of their own, or beside everything reserved. */
export function roomIn({ remaining, resetAt, reserved }: Bucket, isReserved: boolean): number {
  if (isReserved) return remaining;
  // A window that has not begun keeps one call free for everybody, or nothing might ever begin it.
  return remaining - (resetAt === undefined ? Math.min(reserved.size, remaining - 1) : reserved.size);
}

export type Headers = Record<string, string | string[] | undefined>;

const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;

function count(value: string | string[] | undefined): number | undefined {
  const text = one(value)?.trim();
  return text && /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

const day = 24 * 3_600_000;

/** A time to wait as far as it can be one: beyond a year nobody waits, and no date would hold it. */
export const waitOf = (milliseconds: number): number => Math.min(Math.max(0, milliseconds), 365 * day);

// The server's clock where it shows one: this machine's may be off by more than a window. A header from quite another time
// (a cache, a test's clock) says nothing.
function serverTime(headers: Headers, now: number): number {
  const date = Date.parse(one(headers.date) ?? '');
  return Math.abs(date - now) < day ? date : now;
}

/** An epoch time that is given in seconds, or in milliseconds. */
const secondsOf = (epoch: number): number => (epoch > 1e11 ? epoch / 1000 : epoch);

/** Milliseconds from `now` to an epoch time that is given in seconds, or in milliseconds. */
export const untilEpoch = (epoch: number, headers: Headers, now: number): number =>
  waitOf(secondsOf(epoch) * 1000 - serverTime(headers, now));

/** The `x-ratelimit-*` headers; undefined without them. */
export function readLimits(headers: Headers, now: number): Limits | undefined {
  const limit = count(headers['x-ratelimit-limit']);
  const remaining = count(headers['x-ratelimit-remaining']);
  const reset = count(headers['x-ratelimit-reset']);
  if (limit === undefined && remaining === undefined && reset === undefined) return undefined;
  return {
    limit,
    remaining,
    ...(reset === undefined ? {} : { resetIn: untilEpoch(reset, headers, now), window: secondsOf(reset) }),
  };
}

/** The wait that `Retry-After` asks for (seconds or an HTTP date), in milliseconds. Undefined if absent or malformed. */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  const exact = count(headers['retry-after-ms']);
  if (exact !== undefined) return waitOf(exact);
  const seconds = count(headers['retry-after']);
  if (seconds !== undefined) return waitOf(seconds * 1000);
  const date = one(headers['retry-after']);
  // Date.parse takes a mere number such as "-5" for a year: an HTTP date begins with the day's name.
  if (date === undefined || !/^[A-Z][a-z]/.test(date)) return undefined;
  const time = Date.parse(date);
  return Number.isNaN(time) ? undefined : waitOf(time - serverTime(headers, now));
}
