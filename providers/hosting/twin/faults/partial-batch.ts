import { Answer } from '../call.ts';
import { batches } from '../tables.ts';

type Json = Record<string, unknown>;
const array = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

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
