import { Answer } from '../call.ts';
import { batches, lists } from '../tables.ts';

type Json = Record<string, unknown>;
const array = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** A batch of which a part is done. */
export interface Part {
  done: number;
  of: number;
  /** The body with the items that are done. */
  body: unknown;
  /** The answer to that, with the rest as failed; undefined if it is a refusal. */
  finish(answer: Answer): Answer | undefined;
}

/** The first `done` items of a batch, half of them without a number; undefined if that is no part, or it is no batch. */
export function partOf(operation: string | null, body: unknown, done?: number): Part | undefined {
  const batch = Object.hasOwn(batches, operation ?? '') ? batches[operation!] : undefined;
  const items = batch?.items(body) ?? [];
  const count = done ?? Math.floor(items.length / 2);
  if (batch === undefined || count < 1 || count >= items.length) return undefined;
  const error = { code: 'internal_server_error', message: 'An unexpected error occurred.' };
  const left = items
    .slice(count)
    .map((item) => ({ error: { ...error, ...batch.about(item, body as Json) } }));
  return {
    done: count,
    of: items.length,
    body: batch.only(body as Json, items.slice(0, count)),
    finish: ({ status, body, headers }) => {
      if (status >= 400) return undefined;
      const told = body as Json;
      return new Answer(status, { ...told, failed: [...array(told.failed), ...left] }, headers);
    },
  };
}

/** A page's `pagination`, saying that it is the last one. Pages go by place, by number or by a flag. */
function asLast(pagination: Json, count: number): Json {
  return {
    ...pagination,
    ...('count' in pagination ? { count } : {}),
    ...('next' in pagination ? { next: null } : {}),
    ...('hasNext' in pagination ? { hasNext: false } : {}),
    ...('numPages' in pagination ? { numPages: pagination.page } : {}),
  };
}

function hasNext(pagination: Json): boolean {
  const { next = null, page, numPages } = pagination;
  return next !== null || Number(page) < Number(numPages);
}

/**
 * A list's answer that passes for the whole of it: only its first `keep` items, and nothing about a next page. Without
 * `keep` all items of a page that has a next one, half of any other. Undefined if nothing is lost by that, or it is no list.
 */
export function cutList(operation: string | null, answer: Answer, keep?: number): Answer | undefined {
  const member = Object.hasOwn(lists, operation ?? '') ? lists[operation!] : undefined;
  if (member === undefined) return undefined;
  const body = answer.body as Json;
  const items = member === '' ? answer.body : body?.[member];
  if (!Array.isArray(items)) return undefined;
  const pagination = member === '' ? undefined : (body.pagination as Json | undefined);
  const goesOn = pagination !== undefined && hasNext(pagination);
  const kept = items.slice(0, keep ?? (goesOn ? items.length : Math.floor(items.length / 2)));
  if (kept.length === items.length && !goesOn) return undefined;
  if (member === '') return new Answer(answer.status, kept, answer.headers);
  const end = pagination === undefined ? {} : { pagination: asLast(pagination, kept.length) };
  return new Answer(answer.status, { ...body, [member]: kept, ...end }, answer.headers);
}
