import type * as z from 'zod';
import type { FieldSchemas } from '../kind/kind.ts';
import type { Input, Lookup } from '../kind/lookup.ts';
import type { ApiObject } from '../kind/read.ts';
import { traitsOf } from '../kind/traits.ts';
import { Sealed } from '../model/sealed.ts';

/** The declared fields of an object that a lookup found, in printable form; secrets are sealed. */
export type LookupRow = Input;

/**
 * Returns the declared fields of an object in an answer, in the order of their declaration, as the row that `trueup get` or `trueup run` prints.
 * Undeclared fields are never printed. Secrets are sealed, and times become ISO texts.
 */
export function openFields(object: Input, output: FieldSchemas): LookupRow {
  return Object.fromEntries(
    Object.entries(output).flatMap(([name, schema]) => {
      const value = object[name];
      if (value === undefined || value === null) return [];
      if (traitsOf(schema).secret === true) return [[name, new Sealed(formatCell(value))]];
      return [[name, isTime(schema) && typeof value === 'number' ? new Date(value).toISOString() : value]];
    }),
  );
}

/** True for a field of a `trueup get` row that is a time. The platform returns times in milliseconds or as text. */
const isTime = (schema: z.ZodType): boolean => (schema.def as { format?: string }).format === 'datetime';

/** Returns a value as text: JSON unless it is a text. */
const formatCell = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Returns the row that `trueup get` and `trueup wait` show for an object that a lookup found, with the fields that the lookup declares. */
export const toLookupRow = (
  { decode, output }: Pick<Lookup, 'decode' | 'output'>,
  object: ApiObject,
): LookupRow => openFields(decode ? decode(object) : object, output);

/** The progress of work that takes time: it reached the wanted state, ended in another one (for example failed), or is still under way. */
export type Progress = 'reached' | 'ended' | 'under way';

/**
 * Tells from a row whether the work that it shows is done, so that `wait` and `apply` stop waiting. `reached` means that all `wishes` are
 * fulfilled, or without wishes, that the row is in one of the good end states of its lookup. A row in another end state will never get there.
 * @param wishes fields and the values that they have to get, from `--for field=value`
 */
export function progressOf(
  row: LookupRow,
  { end }: Pick<Lookup, 'end'>,
  wishes: readonly (readonly [string, string])[],
): Progress {
  const state = end && String(row[end.field] ?? '');
  if (wishes.length > 0) {
    if (wishes.every(([name, value]) => formatInputValue(row[name]) === value)) return 'reached';
    return end && [...end.reached, ...end.ended].includes(state!) ? 'ended' : 'under way';
  }
  if (end?.reached.includes(state!)) return 'reached';
  return end?.ended.includes(state!) ? 'ended' : 'under way';
}

/** Returns a value of a row as a user writes it in `name=value`, to compare it with the words of `--where` or with a name. */
export const formatInputValue = (value: unknown): string =>
  value === undefined
    ? ''
    : typeof value === 'object' && !(value instanceof Sealed)
      ? JSON.stringify(value)
      : String(value);
