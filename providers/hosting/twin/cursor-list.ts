import type { Call, Query } from './call.ts';
import { asked, asking, type Filter, rankOf, sortQuery } from './http/list-query.ts';
import { cursorPage, limitQuery, pageLimit } from './http/pages.ts';
import { text } from './http/query.ts';
import { type Operation, operation } from './resource.ts';

/** Describes a list whose pages are requested by the cursor in the answer before. */
export interface CursorListed<T, On> {
  /** Finds the object that the list belongs to; throws 404 if there is none. */
  on?(call: Call): On;
  /** The query parameter that takes the cursor. */
  cursor: 'cursor' | 'next';
  /** Further query parameters. */
  query?: Query;
  /** The filters of the list, by the query parameter that asks for them. */
  where?: Record<string, Filter<T>>;
  /** The members that it can be sorted by, `createdAt` first, with `sortBy` and `sortOrder`. */
  sorts?: readonly (keyof T & string)[];
  /** The list is sorted by this number, the greatest first; default: `createdAt`, or the one that `sorts` selects. */
  order?(call: Call, objects: readonly T[]): (object: T) => number;
  /** Returns the number of objects on a page. Default: as the query asks, see `pageLimit`. */
  size?(call: Call): number;
  /** Returns an object as the list shows it. */
  row(call: Call, object: T, on: On): unknown;
  /** The members of an answer beside the page; default: `pagination` with `count` and `next`. */
  extraMembers?(next: string | null): Record<string, unknown>;
}

/** Returns the members beside a page of lists that answer the next cursor without a count. */
export const onlyNext = (next: string | null) => ({ pagination: { next } });

/**
 * Declares an operation of the twin that lists objects in pages requested by an opaque text (a cursor), in `member` of the answer.
 * `objectsOn`: returns the objects to list. The other options: `where` and `sorts` for the query parameters that filter and sort, `row` for
 * an object as the list shows it, `extraMembers` for the answer beside the page.
 */
export function cursorList<T, On = undefined>(
  member: string,
  {
    on,
    cursor,
    query,
    where,
    sorts,
    size = (call) => pageLimit(call),
    row,
    extraMembers,
    ...listed
  }: CursorListed<T, On>,
  objectsOn: (call: Call, on: On) => readonly T[],
): Operation {
  const order = listed.order ?? ((call: Call, objects: readonly T[]) => rankOf(call, objects, sorts));
  const described = {
    ...(on && { on }),
    list: member,
    query: { ...limitQuery, [cursor]: text, ...query, ...asking(where), ...(sorts && sortQuery(sorts)) },
  };
  return operation(described, (call, home) => {
    const wanted = objectsOn(call, home as On).filter(asked(call, where));
    const { page, next } = cursorPage(call, wanted, order(call, wanted), { param: cursor, size: size(call) });
    const extras = extraMembers?.(next) ?? { pagination: { count: page.length, next } };
    return { [member]: page.map((object) => row(call, object, home as On)), ...extras };
  });
}
