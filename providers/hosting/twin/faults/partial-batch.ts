import { Answer } from '../call.ts';

type Json = Record<string, unknown>;
const entries = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
const array = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The items of a batch's body, the body with only some of them, and what an error says that is about one. */
interface Batch {
  items(body: unknown): unknown[];
  only(body: Json, items: unknown[]): unknown;
  about(item: unknown, body: Json): Json;
}

const aboutVariable = ({ key, target, gitBranch }: Json): Json => ({
  envVarKey: key,
  ...(target === undefined ? {} : { target }),
  ...(gitBranch === undefined ? {} : { gitBranch }),
});

/** The operations whose answer has what was done and what has `failed` (resources.md, errors: partial success). */
export const batches: Readonly<Record<string, Batch>> = {
  createProjectEnv: {
    items: array,
    only: (_, items) => items,
    about: (item) => aboutVariable(item as Json),
  },
  createSharedEnvVariable: {
    items: (body) => array((body as Json | undefined)?.evs),
    only: (body, items) => ({ ...body, evs: items }),
    about: (item, { target }) => aboutVariable({ target, ...(item as Json) }),
  },
  updateSharedEnvVariable: {
    items: (body) => entries((body as Json | undefined)?.updates),
    only: (body, items) => ({ ...body, updates: Object.fromEntries(items as [string, unknown][]) }),
    about: (item) => ({ envVarId: (item as [string, unknown])[0] }),
  },
  deleteSharedEnvVariable: {
    items: (body) => array((body as Json | undefined)?.ids),
    only: (body, items) => ({ ...body, ids: items }),
    about: (item) => ({ envVarId: item }),
  },
};

/** A batch of which a part is done. */
export interface Part {
  done: number;
  of: number;
  /** What is done. */
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
