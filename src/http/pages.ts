import type { Pages } from '../model/request.ts';
import { type Asked, IncompleteList } from './errors.ts';

/** The paging of a list, as data. */
export interface Paging {
  /** Query parameter for the wanted size of a page; none where the platform does not document one. */
  size?: string;
  /** Query parameter for the place of the next page. */
  cursor: string;
  /** The path to that place in the answer: members from the top. */
  next: string[];
  /**
   * Added to a numeric place. An exclusive time cursor skips items of the same millisecond at the edge of a page; one
   * millisecond of overlap shows them, and the doubles are dropped.
   */
  overlap?: number;
  /** The place is a number of a page: it goes on while it is below this member of the answer. */
  pages?: string[];
  /** An answer without a place is complete, however long it is. */
  bare?: boolean;
}

const time: Paging = { size: 'limit', cursor: 'until', next: ['pagination', 'next'], overlap: 1 };

/** The platform's ways of paging. */
export const pagings = {
  /** A time to go back from. */
  time,
  /** The same where the platform documents no query: everything comes at once unless it says otherwise. */
  quietTime: { ...time, size: undefined, bare: true },
  from: { size: 'limit', cursor: 'from', next: ['pagination', 'next'] },
  next: { size: 'limit', cursor: 'next', next: ['pagination', 'next'] },
  cursor: { size: 'limit', cursor: 'cursor', next: ['pagination', 'next'] },
  nextCursor: { size: 'limit', cursor: 'cursor', next: ['nextCursor'], bare: true },
  flatCursor: { size: 'limit', cursor: 'cursor', next: ['cursor'], bare: true },
  page: { size: 'per_page', cursor: 'page', next: ['pagination', 'page'], pages: ['pagination', 'numPages'] },
  lastKey: { size: 'limit', cursor: 'offset', next: ['pagination', 'Id'], bare: true },
} satisfies Record<string, Paging>;

/** Items per page that are asked for: the most that the platform gives. */
const pageSize = 100;
const mostPages = 10_000;

const at = (value: unknown, path: string[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name], value);

export interface ListOptions {
  asked: Asked;
  /** Undefined for a list that comes whole. */
  paging?: Paging;
  /**
   * The path to the items in the answer: names joined by dots, '' if the answer is the list. Several: the answer has as many lists, of
   * which the first must be there.
   */
  items: string | readonly string[];
  /** The member that tells items apart where they have neither `id` nor `uid`. */
  key?: string;
  /** Reads one page with these query parameters. */
  get(query: Record<string, string>): Promise<unknown>;
}

function itemsOf(answer: unknown, options: ListOptions): unknown[] {
  // Some lists answer with the mere array in some forms of the call.
  const [first = '', ...more] = [options.items].flat();
  const list = first === '' || Array.isArray(answer) ? answer : at(answer, first.split('.'));
  if (Array.isArray(list))
    return [...list, ...more.flatMap((path) => (at(answer, path.split('.')) as unknown[] | undefined) ?? [])];
  throw new IncompleteList(options.asked, `the answer has no list${options.items && ` "${options.items}"`}`);
}

/** The place of the next page; undefined after the last one. Throws if the answer does not tell. */
function placeAfter(
  answer: unknown,
  count: number,
  paging: Paging,
  asked: Asked,
): string | number | undefined {
  const place = at(answer, paging.next);
  const hasNext = at(answer, ['pagination', 'hasNext']);
  if (hasNext === false) return undefined;
  if (paging.pages) {
    const pages = at(answer, paging.pages);
    if (typeof place === 'number' && typeof pages === 'number') return place < pages ? place + 1 : undefined;
  } else if ((typeof place === 'string' && place !== '') || typeof place === 'number') return place;
  else if (hasNext === true) throw new IncompleteList(asked, 'there is a next page, but no way to reach it');
  else if (place === null || place === '') return undefined;
  if (paging.bare || count < pageSize) return undefined;
  throw new IncompleteList(asked, `the response does not say whether the ${count} items are complete`);
}

// A list that comes whole today may be paged tomorrow.
function refuseMore(answer: unknown, asked: Asked): void {
  for (const path of [['pagination', 'next'], ['nextCursor']]) {
    const place = at(answer, path);
    if (place !== undefined && place !== null && place !== '')
      throw new IncompleteList(
        asked,
        'there are more pages, but this version does not know how to request them',
      );
  }
}

/** Each item once, in the place of its first and the form of its last occurrence. */
function distinct(items: unknown[], key: string | undefined, paged: boolean): unknown[] {
  const found = new Map<unknown, unknown>();
  for (const item of items) {
    const known = item as Record<string, unknown> | null;
    const id = known?.id ?? known?.uid ?? (key ? known?.[key] : undefined) ?? undefined;
    // Items without identity: equal ones may be one that was shifted to the next page, but within a page they are two.
    found.set(id !== undefined ? JSON.stringify(id) : paged ? JSON.stringify(item) : Symbol(), item);
  }
  return [...found.values()];
}

/**
 * Reads the first page of a list: what it has, and how to read on, once after each page. Items come once each, in the latest form.
 * Throws `IncompleteList` if it cannot be told where the list ends: no list in the answer, a page that leads back to itself, no end.
 */
export async function openPages(options: ListOptions): Promise<Pages> {
  const { asked, paging, get, key } = options;
  if (!paging) {
    const answer = await get({});
    refuseMore(answer, asked);
    const items = itemsOf(answer, options);
    return { found: () => distinct(items, key, false) };
  }

  const size: Record<string, string> = paging.size ? { [paging.size]: String(pageSize) } : {};
  const read: unknown[] = [];
  const places = new Set<string | number>();
  let lapped: number | undefined;
  const open = async (query: Record<string, string>, page: number): Promise<Pages> => {
    if (page > mostPages) throw new IncompleteList(asked, `no end after ${mostPages} pages`);
    const answer = await get(query);
    const items = itemsOf(answer, options);
    const place = placeAfter(answer, items.length, paging, asked);
    read.push(...items);
    const found = () => distinct(read, key, page > 1);
    if (place === undefined) return { found };
    // With so small pages that the overlap fills one, it cannot move on: then the exact place has to do.
    const stuck = place === lapped && items.length < pageSize;
    if (places.has(place) && !stuck) throw new IncompleteList(asked, 'its pages form a loop');
    places.add(place);
    const laps = paging.overlap !== undefined && typeof place === 'number' && !stuck;
    lapped = laps ? place : undefined;
    const next = { ...size, [paging.cursor]: String(laps ? place + paging.overlap! : place) };
    return { found, more: () => open(next, page + 1) };
  };
  return open(size, 1);
}
