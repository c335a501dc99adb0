import { Answer } from '../call.ts';
import { lists } from '../tables.ts';

type Json = Record<string, unknown>;

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
