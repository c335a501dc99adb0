type Json = Record<string, unknown>;

/** The items of a batch, the body with only some of them, and what the platform's error about one of them names. */
interface Batch {
  endpoint: RegExp;
  items(body: Json | unknown[]): unknown[] | undefined;
  withItems(body: Json, items: unknown[]): unknown;
  about(item: unknown, body: Json): Json;
}

const aboutVariable = ({ key, target, gitBranch }: Json): Json => ({
  envVarKey: key,
  ...(target === undefined ? {} : { target }),
  ...(gitBranch === undefined ? {} : { gitBranch }),
});

/** The requests that are answered with what was done and what has `failed`. */
const batches: Batch[] = [
  {
    endpoint: /^POST \/v\d+\/projects\/[^/]+\/env$/,
    items: (body) => (Array.isArray(body) ? body : undefined),
    withItems: (_, items) => items,
    about: (item) => aboutVariable(item as Json),
  },
  {
    endpoint: /^POST \/v\d+\/env$/,
    items: (body) => (body as { evs?: unknown[] }).evs,
    withItems: (body, evs) => ({ ...body, evs }),
    about: (item, { target }) => aboutVariable({ target, ...(item as Json) }),
  },
  {
    endpoint: /^PATCH \/v\d+\/env$/,
    items: (body) => Object.entries((body as { updates?: Json }).updates ?? {}),
    withItems: (body, items) => ({ ...body, updates: Object.fromEntries(items as [string, unknown][]) }),
    about: (item) => ({ envVarId: (item as [string, unknown])[0] }),
  },
  {
    endpoint: /^DELETE \/v\d+\/env$/,
    items: (body) => (body as { ids?: unknown[] }).ids,
    withItems: (body, ids) => ({ ...body, ids }),
    about: (item) => ({ envVarId: item }),
  },
];

/** A batch of which only a part gets through. */
export interface PartOfBatch {
  /** What gets through. */
  body: unknown;
  /** The answer to that, with the rest as failed. */
  finish(answer: Json): Json;
}

/** The first `done` items of a batch, half of them without a number; undefined where that is no part, or it is no batch. */
export function partOfBatch(
  method: string,
  path: string,
  body: unknown,
  done?: number,
): PartOfBatch | undefined {
  const batch = batches.find(({ endpoint }) => endpoint.test(`${method} ${path.split('?')[0]}`));
  if (!batch || typeof body !== 'object' || body === null) return undefined;
  const items = batch.items(body as Json) ?? [];
  const count = done ?? Math.floor(items.length / 2);
  if (count < 1 || count >= items.length) return undefined;
  const error = { code: 'internal_server_error', message: 'An unexpected error occurred.' };
  const left = items
    .slice(count)
    .map((item) => ({ error: { ...error, ...batch.about(item, body as Json) } }));
  return {
    body: batch.withItems(body as Json, items.slice(0, count)),
    finish: (answer) => ({
      ...answer,
      failed: [...((answer.failed as unknown[] | undefined) ?? []), ...left],
    }),
  };
}
