import { Answer } from '../call.ts';
import { batches, lists } from '../tables.ts';

type Json = Record<string, unknown>;
const array = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** A batch request that takes effect in part. */
export interface Part {
  done: number;
  total: number;
  /** The body with only the items that take effect. */
  body: unknown;
  /** Returns the answer to `body` with the other items added as failed; undefined if the answer is a refusal. */
  finish(answer: Answer): Answer | undefined;
}

/**
 * Returns the first `done` items of a batch request (default: half), to simulate a request that succeeds in part.
 * Undefined if that is none or all of them, or the request is no batch.
 */
export function partOf(operation: string | null, body: unknown, done?: number): Part | undefined {
  const batch = Object.hasOwn(batches, operation ?? '') ? batches[operation!] : undefined;
  const items = batch?.items(body) ?? [];
  const count = done ?? Math.floor(items.length / 2);
  if (batch === undefined || count < 1 || count >= items.length) return undefined;
  const error = { code: 'internal_server_error', message: 'An unexpected error occurred.' };
  const failures = items
    .slice(count)
    .map((item) => ({ error: { ...error, ...batch.about(item, body as Json) } }));
  return {
    done: count,
    total: items.length,
    body: batch.withItems(body as Json, items.slice(0, count)),
    finish: ({ status, body, headers }) => {
      if (status >= 400) return undefined;
      const value = body as Json;
      return new Answer(status, { ...value, failed: [...array(value.failed), ...failures] }, headers);
    },
  };
}

/**
 * Returns the `pagination` of a page as if it was the last page. Used to simulate an incomplete list. Lists mark
 * their last page in different ways.
 */
function asLast(pagination: Json, count: number): Json {
  return {
    ...pagination,
    ...('count' in pagination ? { count } : {}),
    ...('next' in pagination ? { next: null } : {}),
    ...('hasNext' in pagination ? { hasNext: false } : {}),
    ...('numPages' in pagination ? { numPages: pagination.page } : {}),
  };
}

/** True if there are pages after this one. */
function hasNext(pagination: Json): boolean {
  const { next = null, page, numPages } = pagination;
  return next !== null || Number(page) < Number(numPages);
}

/**
 * Returns the answer of a list as if it ended early: only its first `keep` items and no next page. Without `keep`, a page before others
 * keeps all its items, and a last page half of them. Undefined if nothing would be lost, or the answer is no list.
 */
export function cutList(operation: string | null, answer: Answer, keep?: number): Answer | undefined {
  const list = listOf(operation, answer);
  if (!list) return undefined;
  const { items, pagination } = list;
  const goesOn = pagination !== undefined && hasNext(pagination);
  const shownItems = items.slice(0, keep ?? (goesOn ? items.length : Math.floor(items.length / 2)));
  if (shownItems.length === items.length && !goesOn) return undefined;
  return list.withItems(shownItems, pagination && asLast(pagination, shownItems.length));
}

/**
 * Returns the answer of a list without the items with these ids, to simulate a list that does not show new objects
 * yet. Undefined if it has none of them, or is no list.
 */
export function withoutItems(
  operation: string | null,
  answer: Answer,
  ids: readonly string[],
): Answer | undefined {
  const list = listOf(operation, answer);
  const isHidden = (item: unknown): boolean =>
    typeof item === 'object' && item !== null
      ? Object.values(item).some(isHidden)
      : ids.includes(String(item));
  const shownItems = list?.items.filter((item) => !isHidden(item));
  return shownItems?.length === list?.items.length
    ? undefined
    : list!.withItems(shownItems!, list!.pagination);
}

/** The list in an answer. */
interface List {
  items: unknown[];
  pagination: Json | undefined;
  /** Returns the answer with other items and pagination. */
  withItems(items: unknown[], pagination: Json | undefined): Answer;
}

/** Returns the list in an answer; undefined if there is none. */
function listOf(operation: string | null, { status, body: answered, headers }: Answer): List | undefined {
  const member = Object.hasOwn(lists, operation ?? '') ? lists[operation!] : undefined;
  if (member === undefined) return undefined;
  const body = answered as Json;
  const items = member === '' ? answered : body?.[member];
  if (!Array.isArray(items)) return undefined;
  return {
    items,
    pagination: member === '' ? undefined : (body.pagination as Json | undefined),
    withItems: (newItems, pagination) =>
      new Answer(
        status,
        member === '' ? newItems : { ...body, [member]: newItems, ...(pagination ? { pagination } : {}) },
        headers,
      ),
  };
}
