import type { Limits } from '../model/budget.ts';

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

/** How long `Retry-After` asks to wait, in milliseconds: seconds or an HTTP date. Undefined if it is absent or odd. */
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
