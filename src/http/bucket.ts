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

/** How many calls may be under way, for one more to be one of them: with a reservation of its own, or beside all that is reserved. */
export function roomIn({ remaining, resetAt, reserved }: Bucket, isReserved: boolean): number {
  if (isReserved) return remaining;
  // A window that has not begun keeps one call free for everybody, or nothing might ever begin it.
  return remaining - (resetAt === undefined ? Math.min(reserved.size, remaining - 1) : reserved.size);
}
