import type { Call } from '../call.ts';
import { badRequest } from '../errors.ts';

const encode = (at: number) => Buffer.from(`at:${at}`).toString('base64url');

function decode(param: string, cursor: string): number {
  const at = /^at:(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'))?.[1];
  if (at === undefined) throw badRequest(`Invalid request: \`${param}\` should be a cursor of this list.`);
  return Number(at);
}

/**
 * Paging by an opaque string cursor: newest first, at most `size` items, then the cursor of the rest or null. `param` is
 * the query parameter that takes the cursor: `next` for access groups, `cursor` for feature flags. A cursor stays good
 * when the item that it was made of is deleted.
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
