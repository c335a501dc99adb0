type Json = Record<string, unknown>;

/** The last part of a path that answers many objects. */
const ends =
  /\/(projects|env|domains|records|custom-environments|members|access-groups|webhooks|drains|global-config|items|tokens|bulk-redirects|versions|routes|rules|list|flags|segments|sdk-keys)$/;

/** Whether a GET of this path (with or without its query) is answered with a list. */
export const isList = (path: string): boolean => ends.test(path.split('?')[0]!);

/** What becomes of a list that passes for the true and whole one; undefined where that is no other list. */
export type ListLie = (items: unknown[], goesOn: boolean) => unknown[] | undefined;

/** Only the first `keep` items; without it all of a page that has a next one, half of any other. */
export const cut =
  (keep?: number): ListLie =>
  (items, goesOn) => {
    const kept = items.slice(0, keep ?? (goesOn ? items.length : Math.floor(items.length / 2)));
    return kept.length === items.length && !goesOn ? undefined : kept;
  };

/** One item in the middle lacks. */
export const leftOut: ListLie = (items) =>
  items.length === 0 ? undefined : items.toSpliced(Math.floor((items.length - 1) / 2), 1);

/** Each item comes twice. */
export const doubled: ListLie = (items) =>
  items.length === 0 ? undefined : items.flatMap((one) => [one, one]);

/** The list in an answer with other items, as its last page; undefined where there is no list in it, or the lie is none. */
export function withItems(body: unknown, lie: ListLie): unknown {
  if (Array.isArray(body)) return lie(body, false);
  if (typeof body !== 'object' || body === null) return undefined;
  const [member, items] = Object.entries(body).find(([, value]) => Array.isArray(value)) ?? [];
  if (member === undefined) return undefined;
  const { pagination } = body as { pagination?: Json };
  const others = lie(items as unknown[], pagination !== undefined && hasNext(pagination));
  if (others === undefined) return undefined;
  const end = pagination === undefined ? {} : { pagination: asLast(pagination, others.length) };
  return { ...body, [member]: others, ...end };
}

// Pages go by place, by number or by a flag.
const hasNext = ({ next = null, page, numPages }: Json) => next !== null || Number(page) < Number(numPages);

const asLast = (pagination: Json, count: number): Json => ({
  ...pagination,
  ...('count' in pagination ? { count } : {}),
  ...('next' in pagination ? { next: null } : {}),
  ...('hasNext' in pagination ? { hasNext: false } : {}),
  ...('numPages' in pagination ? { numPages: pagination.page } : {}),
});
