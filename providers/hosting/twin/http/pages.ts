import type { Call, Query } from '../call.ts';
import { badRequest } from '../errors.ts';
import { wholeNumber } from './query.ts';

/** A whole number of the query, or 400. */
export function integer(call: Call, name: string): number | undefined {
  const text = call.query.get(name);
  if (text === null || text === '') return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0)
    throw badRequest(`Invalid request: \`${name}\` should be integer.`);
  return value;
}

/** What `pageLimit` reads. */
export const limitQuery: Query = { limit: wholeNumber };

/** The size of a page: what is asked for (20 when nothing is), at most 100 and at most the twin's own cap. */
export function pageLimit(call: Call, standard = 20): number {
  const asked = integer(call, 'limit') ?? standard;
  // With an inclusive cursor a page of one item would never end.
  const least = call.switches.untilInclusive ? 2 : 1;
  return Math.max(least, Math.min(asked, 100, call.pageSize));
}

/** What `timePage` reads. */
export const timePageQuery: Query = { ...limitQuery, until: wholeNumber, since: wholeNumber };

/** The platform's usual paging: newest first, `until` for older items, `since` for newer ones. */
export function timePage<T>(
  call: Call,
  items: readonly T[],
  time: (item: T) => number,
  options: { standard?: number; ascending?: boolean } = {},
): { page: T[]; pagination: { count: number; next: number | null; prev: number | null } } {
  const { standard, ascending = false } = options;
  const until = integer(call, 'until');
  const since = integer(call, 'since');
  const inclusive = call.switches.untilInclusive;
  const older = (at: number, limit: number) => (inclusive ? at <= limit : at < limit);
  const newer = (at: number, limit: number) => (inclusive ? at >= limit : at > limit);
  const wanted = items
    .filter((item) => until === undefined || (ascending ? newer : older)(time(item), until))
    .filter((item) => since === undefined || (ascending ? older : newer)(time(item), since))
    .sort((a, b) => (ascending ? time(a) - time(b) : time(b) - time(a)));
  const page = wanted.slice(0, pageLimit(call, standard));
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
