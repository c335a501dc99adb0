/*
 * Finds members of live fields that have another JSON type than their schema: a list in place of an object, for example. The rules of kinds rely on these
 * types, and such an answer is not understood, so nothing may be decided by it.
 */
import * as z from 'zod';
import { memoize } from '../model/graph.ts';
import { Sealed } from '../model/sealed.ts';
import { isHole, type Value } from '../model/value.ts';
import type { ApiObject } from './read.ts';
import { innerOf, shapeOf } from './traits.ts';

type JsonType = 'text' | 'number' | 'boolean' | 'list' | 'object' | 'null';

/** A member of another type. */
export interface OtherType {
  /** Its dotted path in the value; empty for the value itself. */
  path: string;
  actual: JsonType;
  expected: JsonType[];
}

/**
 * Returns the first member of a live value whose JSON type is not one of its schema; undefined if there is none. Without `isStrict`, only lists and objects
 * count, or something else in their place: any other value is only compared, and a difference is shown.
 */
export function findOtherType(
  schema: z.ZodType,
  value: Value | undefined,
  isStrict: boolean,
  path = '',
): OtherType | undefined {
  if (value === undefined || value instanceof Sealed) return undefined;
  if (value !== null && isHole(value)) return undefined;
  const expected = jsonTypesOf(schema);
  if (expected === undefined) return undefined;
  const actual = jsonTypeOf(value);
  const isStructural = [actual, ...expected].some((type) => type === 'list' || type === 'object');
  if (!expected.has(actual))
    return isStrict || isStructural ? { path, actual, expected: [...expected] } : undefined;
  const inside = (member: z.ZodType, memberValue: Value | undefined, name: string | number) =>
    findOtherType(member, memberValue, isStrict, path === '' ? String(name) : `${path}.${name}`);
  const shape = shapeOf(schema);
  if (Array.isArray(value)) {
    const item = itemSchemaOf(schema);
    return item && firstOf(value.map((member, index) => () => inside(item, member, index)));
  }
  if (!shape || value === null || typeof value !== 'object') return undefined;
  const members = value as Record<string, Value>;
  return firstOf(
    Object.entries(shape).map(
      ([name, member]) =>
        () =>
          inside(member, members[name], name),
    ),
  );
}

/** Returns the members of a map in an answer, such as roles by group; none if it is absent or null. Throws if it is no map. */
export function membersOfMap(map: unknown, name: string): [string, unknown][] {
  if (map === undefined || map === null) return [];
  return Object.entries(requireObject(map, name));
}

/** Returns the objects in a map of an answer, by their names. Throws if it is no map of objects. */
export const objectsOfMap = (map: unknown, name: string): [string, ApiObject][] =>
  membersOfMap(map, name).map(([key, member]) => [key, requireObject(member, name)]);

function requireObject(value: unknown, name: string): ApiObject {
  const type = jsonTypeOf(value);
  if (type !== 'object') throw new Error(`the response has a \`${name}\` that is ${type}, not object`);
  return value as ApiObject;
}

function firstOf(searches: readonly (() => OtherType | undefined)[]): OtherType | undefined {
  for (const search of searches) {
    const found = search();
    if (found) return found;
  }
  return undefined;
}

const jsonTypeOf = (value: unknown): JsonType => {
  if (Array.isArray(value)) return 'list';
  if (value === null) return 'null';
  return typeof value === 'string' ? 'text' : (typeof value as JsonType);
};

/** Returns the schema of the items of a list, also inside wrappers; undefined for any other schema. */
function itemSchemaOf(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodArray) return schema.element as z.ZodType;
  const inner = innerOf(schema);
  return inner && itemSchemaOf(inner);
}

const typeOfDef: Readonly<Record<string, JsonType>> = {
  string: 'text',
  number: 'number',
  boolean: 'boolean',
  array: 'list',
  object: 'object',
  record: 'object',
  null: 'null',
};

/** Returns the JSON types that a schema takes; undefined if it may take any. An optional member may be null, because some answers say so. */
const jsonTypesOf: (schema: z.ZodType) => ReadonlySet<JsonType> | undefined = memoize((schema) => {
  const { type, options, entries, values } = schema.def as {
    type: string;
    options?: z.ZodType[];
    entries?: Record<string, unknown>;
    values?: unknown[];
  };
  if (type === 'union') {
    const types = options!.map(jsonTypesOf);
    return types.includes(undefined) ? undefined : new Set(types.flatMap((some) => [...some!]));
  }
  if (type === 'enum' || type === 'literal')
    return new Set((values ?? Object.values(entries ?? {})).map(jsonTypeOf));
  const own = typeOfDef[type];
  if (own !== undefined) return new Set([own]);
  const inner = innerOf(schema);
  const innerTypes = inner && jsonTypesOf(inner);
  if (!innerTypes || type === 'pipe') return undefined;
  return type === 'optional' || type === 'nullable' ? new Set([...innerTypes, 'null']) : innerTypes;
});
