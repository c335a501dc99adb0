import type { Pages } from '../model/request.ts';
import { memberAtPath } from '../model/value.ts';
import { type CallName, IncompleteList } from './errors.ts';

/*
 * Reads lists that come in pages. A list counts as complete only if the last answer shows that: a create or a
 * deletion that is based on a list that is silently short would be wrong.
 *
 *   cursor   the value that asks for the next page: a time, a number of a page, or an opaque text
 */

/** How the pages of a list are requested, and where an answer names the next page. */
export interface Paging {
  /** The query parameter for the size of a page. Undefined if the platform documents none. */
  sizeParam?: string;
  /** The number of items per page that is requested, if the platform allows fewer than 100 (`listPageSize`). */
  size?: number;
  /** The query parameter for the cursor. */
  cursorParam: string;
  /** The path to the next cursor in the answer: names of members from the top, joined by dots. */
  nextPath: string;
  /**
   * The milliseconds that are added to a cursor that is a time. Such a cursor is exclusive, so items of the same millisecond at the edge of
   * a page would be skipped. With an overlap they come twice, and `distinctItems` drops the copies.
   */
  overlap?: number;
  /** For a cursor that is the number of a page: the path to the number of the last page. */
  lastPagePath?: string;
  /** True if an answer without a cursor is the last one even if its page is full. */
  endsWithoutCursor?: boolean;
}

/**
 * Returns the most usual way in which the platform pages its lists: the query parameter `limit` is the size of a
 * page, and `cursorParam` takes the cursor of the next page, which the answer has at the dotted path `nextPath`. The
 * provider chooses one of several such ways for each list.
 */
const limitPaging = (cursorParam: string, nextPath = 'pagination.next') => ({
  sizeParam: 'limit',
  cursorParam,
  nextPath,
});

const timePaging: Paging = { ...limitPaging('until'), overlap: 1 };

/** The platform's ways of paging. */
export const pagings = {
  /** Newest first. The cursor is the time before which the next page's items were created. */
  time: timePaging,
  /** Like `timePaging`, for lists without documented paging: everything comes at once unless the answer has a cursor. */
  quietTime: { ...timePaging, sizeParam: undefined, endsWithoutCursor: true },
  from: limitPaging('from'),
  next: limitPaging('next'),
  cursor: limitPaging('cursor'),
  nextCursor: { ...limitPaging('cursor', 'nextCursor'), endsWithoutCursor: true },
  flatCursor: { ...limitPaging('cursor', 'cursor'), endsWithoutCursor: true },
  after: { ...limitPaging('after', 'pagination.after'), sizeParam: undefined, endsWithoutCursor: true },
  page: {
    sizeParam: 'per_page',
    cursorParam: 'page',
    nextPath: 'pagination.page',
    lastPagePath: 'pagination.numPages',
  },
  lastKey: { ...limitPaging('offset', 'pagination.Id'), endsWithoutCursor: true },
} satisfies Record<string, Paging>;

/** The number of items per page that is requested: the largest that the platform allows for most lists. */
const listPageSize = 100;
const mostListPages = 10_000;

export interface ListOptions {
  call: CallName;
  /** Undefined for a list that comes in one answer. */
  paging?: Paging;
  /**
   * The path to the items in the answer: names joined by dots, or '' if the answer itself is the list. An array names several lists whose
   * items are joined; only the first must be present.
   */
  items: string | readonly string[];
  /** The member that identifies an item without `id` and `uid`. */
  key?: string;
  /** The member of an answer with the number of items that exist and are hidden from the token. */
  hidden?: string | undefined;
  /** Requests one page with these query parameters. */
  get(query: Record<string, string>): Promise<unknown>;
}

/**
 * Returns the items of one page of a list. Throws `IncompleteList` if the answer has no list where it should be, so that an answer in
 * another form is not taken for an empty list. If `options.items` has several paths, their items are joined, and only the first list must
 * be present.
 */
function pageItemsOf(answer: unknown, options: ListOptions): unknown[] {
  const [first = '', ...more] = [options.items].flat();
  // Some endpoints answer with the array itself for some parameters.
  const list = first === '' || Array.isArray(answer) ? answer : memberAtPath(answer, first);
  if (Array.isArray(list))
    return [...list, ...more.flatMap((path) => (memberAtPath(answer, path) as unknown[] | undefined) ?? [])];
  throw new IncompleteList(options.call, `the answer has no list${options.items && ` "${options.items}"`}`);
}

/**
 * Returns the cursor that requests the next page of a list; undefined after the last page. Throws `IncompleteList` if the answer does not
 * show if there is a next page, since a plan needs the whole list. `count`: the number of items on this page.
 */
function nextCursor(
  answer: unknown,
  count: number,
  paging: Paging,
  call: CallName,
): string | number | undefined {
  const cursor = memberAtPath(answer, paging.nextPath);
  const hasNext = memberAtPath(answer, 'pagination.hasNext');
  if (hasNext === false) return undefined;
  // A list with the number of its last page counts its pages. Its cursor is the number of this page.
  if (paging.lastPagePath) {
    const lastPage = memberAtPath(answer, paging.lastPagePath);
    if (typeof cursor === 'number' && typeof lastPage === 'number')
      return cursor < lastPage ? cursor + 1 : undefined;
  } else {
    const isCursor = typeof cursor === 'number' || (typeof cursor === 'string' && cursor !== '');
    if (isCursor) return cursor;
    if (hasNext === true) throw new IncompleteList(call, 'there is a next page, but no way to reach it');
    if (cursor === null || cursor === '') return undefined;
    if (cursor !== undefined && cursor !== false)
      throw new IncompleteList(call, 'it names the next page in an unknown form');
  }
  // Without a word about a next page, only a page that is not full is certainly the last one.
  if (paging.endsWithoutCursor || count < (paging.size ?? listPageSize)) return undefined;
  throw new IncompleteList(call, `the response does not say whether the ${count} items are complete`);
}

/**
 * Throws `IncompleteList` if a list that should come in one piece has a cursor. The platform may begin to page any list, and a plan that
 * takes the first page for all of it would count the other objects as deleted.
 */
function refuseCursor(answer: unknown, call: CallName): void {
  for (const path of ['pagination.next', 'nextCursor']) {
    const cursor = memberAtPath(answer, path);
    if (cursor !== undefined && cursor !== null && cursor !== '')
      throw new IncompleteList(
        call,
        'there are more pages, but this version does not know how to request them',
      );
  }
}

/**
 * Throws `IncompleteList` if an answer says that the token may not see all items. A plan that takes hidden objects for missing ones would
 * create them again.
 */
function refuseHidden(answer: unknown, { hidden, call }: ListOptions): void {
  const count = hidden === undefined ? 0 : (memberAtPath(answer, hidden) ?? 0);
  if (count === 0) return;
  const isNumber = typeof count === 'number' && count > 0;
  const severalItems = isNumber ? `${count} more items` : 'some items';
  const hiddenItems = count === 1 ? 'one more item' : severalItems;
  throw new IncompleteList(
    call,
    `the token does not see ${hiddenItems} (${hidden})`,
    'use a token whose role sees all of them; objects missing from the list are not treated as deleted',
  );
}

/**
 * Drops items that came twice because pages overlapped or the list shifted while it was read. An item keeps the
 * position of its first occurrence and the content of its last. `key`: the member that identifies an item without
 * `id` and `uid`; `isPaged`: true if the items are from several pages.
 */
function distinctItems(
  items: unknown[],
  key: string | undefined,
  { isPaged }: { isPaged: boolean },
): unknown[] {
  const itemsByIdentity = new Map<unknown, unknown>();
  for (const item of items) {
    const members = item as Record<string, unknown> | null;
    const id = members?.id ?? members?.uid ?? (key ? members?.[key] : undefined) ?? undefined;
    // Two equal items without an id are two items if they are in one answer. Over several pages they may be one that shifted.
    const identity = id === undefined && !isPaged ? Symbol() : JSON.stringify(id ?? item);
    itemsByIdentity.set(identity, item);
  }
  return [...itemsByIdentity.values()];
}

/** Returns the time of an item by which lists are paged, in milliseconds; 0 if it has none. */
const timeOf = (item: unknown): number => Number((item as { createdAt?: unknown } | null)?.createdAt ?? 0);

/**
 * Reads the first page of a list of the platform. The result has the items read so far, each once, and a function to
 * read the next page if there is one. Throws `IncompleteList`, here or in `readNext`, if the list may be incomplete
 * (no list in the answer, hidden items, a next page that is uncertain or cannot be requested, a loop, more than
 * 10,000 pages), because a plan would take missing objects for deleted. The caller may stop early once it has found
 * the objects that it needs.
 */
export async function openPages(options: ListOptions): Promise<Pages> {
  const { call, paging, get, key } = options;
  if (paging) return new PageReader(options, paging).readFirst();
  const answer = await get({});
  refuseCursor(answer, call);
  refuseHidden(answer, options);
  const items = pageItemsOf(answer, options);
  return { items: () => distinctItems(items, key, { isPaged: false }) };
}

/** Reads the pages of one list, one after the other. */
class PageReader {
  readonly #options: ListOptions;
  readonly #paging: Paging;
  /** The query parameter for the size of each page, if the list has one. */
  readonly #sizeQuery: Record<string, string>;
  readonly #items: unknown[] = [];
  readonly #seenCursors = new Set<string | number>();
  /** The last cursor if it was requested with an overlap (see `Paging`). */
  #overlappedCursor: number | undefined;

  /**
   * Prepares reading one list of the platform page by page, in the way of paging that the platform uses for it. Nothing is sent yet:
   * `readFirst` and the `readNext` of its result read.
   */
  constructor(options: ListOptions, paging: Paging) {
    this.#options = options;
    this.#paging = paging;
    const size = String(paging.size ?? listPageSize);
    this.#sizeQuery = paging.sizeParam ? { [paging.sizeParam]: size } : {};
  }

  /** Reads the first page. The result has a function to read the next one. */
  readFirst(): Promise<Pages> {
    return this.#read(this.#sizeQuery, 1);
  }

  /**
   * Reads one page with these query parameters, and checks that it leads on: to a next page that has not been read, or to the end. Returns
   * all items so far. `page`: its number, which limits how many are read.
   */
  async #read(query: Record<string, string>, page: number): Promise<Pages> {
    const { call, get, key } = this.#options;
    if (page > mostListPages) throw new IncompleteList(call, `no end after ${mostListPages} pages`);
    const answer = await get(query);
    refuseHidden(answer, this.#options);
    const pageItems = pageItemsOf(answer, this.#options);
    const cursor = nextCursor(answer, pageItems.length, this.#paging, call);
    this.#items.push(...pageItems);
    const items = () => distinctItems(this.#items, key, { isPaged: page > 1 });
    if (cursor === undefined) return { items };
    const nextQuery = this.#queryFor(cursor, pageItems);
    return { items, readNext: () => this.#read(nextQuery, page + 1) };
  }

  /**
   * Returns the query for the page behind a cursor that an answer names. Throws `IncompleteList` if the cursor came before, because the
   * pages then form a loop. A cursor that is a time is requested with an overlap (a millisecond later), so that no item of the same
   * millisecond is skipped. If the same cursor comes back, items of that time fill a page, so the next page is requested without overlap.
   * That is safe if this page has an item later than the cursor: the platform then includes the requested time.
   */
  #queryFor(cursor: string | number, pageItems: readonly unknown[]): Record<string, string> {
    const { cursorParam, overlap } = this.#paging;
    const cameBack = cursor === this.#overlappedCursor;
    if (cameBack) this.#requireLaterItem(Number(cursor), pageItems);
    else if (this.#seenCursors.has(cursor))
      throw new IncompleteList(this.#options.call, 'its pages form a loop');
    this.#seenCursors.add(cursor);
    const overlaps = overlap !== undefined && typeof cursor === 'number' && !cameBack;
    this.#overlappedCursor = overlaps ? cursor : undefined;
    return { ...this.#sizeQuery, [cursorParam]: String(overlaps ? cursor + overlap : cursor) };
  }

  /** Throws `IncompleteList` unless a page has an item later than this time, so that the next page can be requested without overlap. */
  #requireLaterItem(time: number, pageItems: readonly unknown[]): void {
    if (!pageItems.some((item) => timeOf(item) > time))
      throw new IncompleteList(
        this.#options.call,
        'the items of one time fill a page, so there is no way to reach the next page',
      );
  }
}
