import * as z from 'zod';
import type { Call, Query } from '../call.ts';
import { choice, queryChoice, queryValues, text } from './query.ts';

/**
 * A filter of a list: the schema of its query parameter, and the test which objects stay in the list. `asked`: the value of the parameter.
 */
export type Filter<T> = readonly [
  schema: z.ZodType,
  isWanted: (object: T, asked: string, call: Call) => boolean,
];

/** Returns a filter for the objects whose member equals the parameter. */
export const being = <T, Member extends keyof T>(member: Member, schema: z.ZodType = text) =>
  [schema, (object: T, asked: string) => object[member] != null && String(object[member]) === asked] as const;

/** A filter for the objects whose names start with the parameter. */
export const namePrefix = [
  text,
  ({ name }: { name: string }, asked: string) => name.startsWith(asked),
] as const;

/** Returns the schemas of the query parameters of filters, which the OpenAPI document shows. */
export const asking = <T>(where: Record<string, Filter<T>> = {}): Query =>
  Object.fromEntries(Object.entries(where).map(([name, [schema]]) => [name, schema]));

/**
 * Returns the test which objects of a list a request asks for, by its query parameters. `where`: the filters of the list, by parameter.
 * Throws the platform's 400 for an invalid choice, even if the list is empty.
 */
export function asked<T>(call: Call, where: Record<string, Filter<T>> = {}): (object: T) => boolean {
  const filters = Object.entries(where).flatMap(([name, [schema, isWanted]]) => {
    const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
    const value =
      inner instanceof z.ZodEnum
        ? queryChoice(call, name, inner.options as string[])
        : inner instanceof z.ZodArray
          ? queryValues(call, name).join(',') || undefined
          : (call.query.get(name) ?? undefined);
    return value === undefined ? [] : [(object: T) => isWanted(object, value, call)];
  });
  return (object) => filters.every((isWanted) => isWanted(object));
}

const words = ['asc', 'desc'] as const;

/** Returns the schemas of the query parameters by which `rankOf` sorts. */
export const sortQuery = (sorts: readonly string[]): Query => ({
  sortBy: choice(sorts),
  sortOrder: choice(words),
});

/**
 * Returns the function which gives each object of a list a number to sort by: a greater number comes first. It is `createdAt`, unless the
 * query of the request names another member (`sortBy`, one of `sorts`) or the other direction (`sortOrder`). Pages continue behind such a
 * number.
 */
export function rankOf<T>(
  call: Call,
  objects: readonly T[],
  sorts?: readonly (keyof T & string)[],
): (object: T) => number {
  const usual = 'createdAt' as keyof T & string;
  const isUp = sorts !== undefined && queryChoice(call, 'sortOrder', words) === 'asc';
  const sortKey = (sorts && queryChoice(call, 'sortBy', sorts)) ?? usual;
  if (sortKey === usual && !isUp) return (object) => object[sortKey] as number;
  const text = (object: T) => String(object[sortKey] ?? '');
  const sorted = [...objects].sort((a, b) => (text(a) < text(b) ? -1 : 1));
  return (object) => (isUp ? sorted.length - sorted.indexOf(object) : sorted.indexOf(object) + 1);
}
