import type { Call, Query } from '../call.ts';
import { badRequest } from '../errors.ts';
import { integer, wholeNumber } from './query.ts';

/** The query parameters of `pageLimit`. */
export const limitQuery: Query = { limit: wholeNumber };

/**
 * Returns how many items a page of a list has: as the query's `limit` asks (otherwise `standard`), but at most `most` and at most the cap
 * by which a test makes pages small.
 */
export function pageLimit(call: Call, standard = 20, most = 100): number {
  const asked = integer(call, 'limit') ?? standard;
  // With an inclusive cursor a page of one item would never end.
  const least = call.switches.untilInclusive ? 2 : 1;
  return Math.max(least, Math.min(asked, most, call.pageSize));
}

/** The query parameters of `timePage`. */
export const timePageQuery: Query = { ...limitQuery, until: wholeNumber, since: wholeNumber };

/**
 * Returns a page of a list in the platform's usual way: the newest items first, `until` in the query for older ones, `since` for newer
 * ones. The answer's `next` is the `until` of the next page. `ascending`: the oldest items first; then `until` asks for newer items and
 * `since` for older ones. By a switch of the twin, an item of exactly that time belongs to the page (`inclusive`), because no source says
 * whether it does on the platform.
 */
export function timePage<T extends { createdAt: number }>(
  call: Call,
  items: readonly T[],
  options: { standard?: number; most?: number; ascending?: boolean } = {},
): { page: T[]; pagination: { count: number; next: number | null; prev: number | null } } {
  const { standard, most, ascending = false } = options;
  const time = (item: T) => item.createdAt;
  const until = integer(call, 'until');
  const since = integer(call, 'since');
  const inclusive = call.switches.untilInclusive;
  const older = (timestamp: number, bound: number) => (inclusive ? timestamp <= bound : timestamp < bound);
  const newer = (timestamp: number, bound: number) => (inclusive ? timestamp >= bound : timestamp > bound);
  const wanted = items
    .filter((item) => until === undefined || (ascending ? newer : older)(time(item), until))
    .filter((item) => since === undefined || (ascending ? older : newer)(time(item), since))
    .sort((a, b) => (ascending ? time(a) - time(b) : time(b) - time(a)));
  const page = wanted.slice(0, pageLimit(call, standard, most));
  const first = page[0];
  const last = page.at(-1);
  return {
    page,
    pagination: {
      count: page.length,
      next: last !== undefined && wanted.length > page.length ? time(last) : null,
      prev: first !== undefined && until !== undefined ? time(first) : null,
    },
  };
}

/** Returns the cursor that stands for a position in a list. */
const encode = (position: number) => Buffer.from(`at:${position}`).toString('base64url');

/**
 * Returns the position that a cursor of a list contains (see `encode`). Throws the platform's 400 if the text is no cursor of this list.
 */
function decode(param: string, cursor: string): number {
  const position = /^at:(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'))?.[1];
  if (position === undefined)
    throw badRequest(`Invalid request: \`${param}\` should be a cursor of this list.`);
  return Number(position);
}

/**
 * Returns a page of a list whose pages are requested by an opaque text (a cursor): at most `size` items, the newest first, and the cursor
 * of the next page, or null at the end. `param`: the query parameter of the cursor; `time`: what the list is sorted by. A cursor stays
 * valid when its item is deleted, because it contains that number.
 */
export function cursorPage<T>(
  call: Pick<Call, 'query'>,
  items: readonly T[],
  time: (item: T) => number,
  { param, size }: { param: 'next' | 'cursor'; size: number },
): { page: T[]; next: string | null } {
  const cursor = call.query.get(param);
  const before = cursor === null || cursor === '' ? Number.POSITIVE_INFINITY : decode(param, cursor);
  const wanted = items.filter((item) => time(item) < before).sort((a, b) => time(b) - time(a));
  const page = wanted.slice(0, size);
  return { page, next: wanted.length > page.length ? encode(time(page.at(-1)!)) : null };
}
