import type * as z from 'zod';
import type { FieldSchemas } from '../kind/kind.ts';
import type { Input, Lookup } from '../kind/lookup.ts';
import type { ApiObject } from '../kind/read.ts';
import { traitsOf } from '../kind/traits.ts';
import { Sealed } from '../model/sealed.ts';

/** An object as it is told: the open fields of its declaration, secrets sealed. */
export type LookupRow = Input;

/** The open fields of an answer's object, in the order of their declaration. */
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

/** The platform has times in milliseconds, or as text. */
const isTime = (schema: z.ZodType): boolean => (schema.def as { format?: string }).format === 'datetime';

const formatCell = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** An object of a lookup as it is told. */
export const toLookupRow = (
  { decode, output }: Pick<Lookup, 'decode' | 'output'>,
  object: ApiObject,
): LookupRow => openFields(decode ? decode(object) : object, output);

/** The value at a path of an answer, or the whole answer. */
export const memberAtPath = (answer: unknown, path: string | undefined): unknown =>
  (path ?? '')
    .split('.')
    .filter((name) => name !== '')
    .reduce<unknown>((value, name) => (value as ApiObject | null | undefined)?.[name], answer);

/** The state of something in motion: as wanted, ended otherwise, or still under way. */
export type Progress = 'reached' | 'ended' | 'under way';

/**
 * Tells whether a row has reached its end: the `wished` values of its fields, all of them, or the end that its lookup declares. One that
 * came to rest at another end will not get there by waiting.
 */
export function progressOf(
  row: LookupRow,
  { end }: Pick<Lookup, 'end'>,
  wished: readonly (readonly [string, string])[],
): Progress {
  const state = end && String(row[end.field] ?? '');
  if (wished.length > 0) {
    if (wished.every(([name, value]) => formatInputValue(row[name]) === value)) return 'reached';
    return end && [...end.reached, ...end.ended].includes(state!) ? 'ended' : 'under way';
  }
  if (end?.reached.includes(state!)) return 'reached';
  return end?.ended.includes(state!) ? 'ended' : 'under way';
}

/** A value as people write it behind `=`. */
export const formatInputValue = (value: unknown): string =>
  value === undefined
    ? ''
    : typeof value === 'object' && !(value instanceof Sealed)
      ? JSON.stringify(value)
      : String(value);
