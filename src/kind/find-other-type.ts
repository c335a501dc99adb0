/*
 * Finds members of live fields that have another JSON type than their schema: a list where an object is expected, for example. The rules of kinds rely on
 * these types. With another type, the answer is not understood, so no plan may depend on it.
 */
import type * as z from 'zod';
import { memoize } from '../model/graph.ts';
import { Sealed } from '../model/sealed.ts';
import { type Fields, isHole, type Value } from '../model/value.ts';
import { isEmptyValue } from './compare.ts';
import type { ApiObject } from './read.ts';
import { innerOf, itemSchemaOf, shapeOf } from './traits.ts';

type JsonType = 'text' | 'number' | 'boolean' | 'list' | 'object' | 'null';

/** A member of another type. */
export interface OtherType {
  /** The names and indexes on the way to it; none for the value itself. */
  names: readonly string[];
  actual: JsonType;
  expected: JsonType[];
  /** True if it is empty and no item of a list: the platform then says in another form that nothing is set, such as `null` for a list. */
  isUnset: boolean;
}

/**
 * Returns the first part of a live value (the value itself, or a member at any depth) whose JSON type its schema does not allow; undefined if there is
 * none. `withKnownTypes` calls it for each field of a live object. It leaves the part out if it is empty, and otherwise does not accept the object.
 *
 * A list or object is always reported where something else is expected, and the reverse, because the rules of kinds rely on lists and objects. Another
 * wrong type, such as a text where a number is expected, is reported only if `isStrict`: for fields that are part of the address or decide about a
 * replacement. In other fields the plan shows it as a difference. Secrets have no JSON type; a hole (a reference to another object, for example)
 * stands for a text.
 *
 * Loops instead of chains of calls, because it runs for every live object.
 */
export function findOtherType(
  schema: z.ZodType,
  value: Value | undefined,
  isStrict: boolean,
): OtherType | undefined {
  if (value === undefined || value instanceof Sealed) return undefined;
  const expected = jsonTypesOf(schema);
  if (expected === undefined) return undefined;
  // A hole stands for an id, which is a text in the answer.
  const actual = isHole(value) ? 'text' : jsonTypeOf(value);
  if (!expected.has(actual)) {
    const breaksRules = isStructural(actual) || [...expected].some(isStructural);
    return isStrict || breaksRules
      ? { names: [], actual, expected: [...expected], isUnset: value === '' || isEmptyValue(value) }
      : undefined;
  }
  if (actual === 'list') return findInList(schema, value as Value[], isStrict);
  return actual === 'object' ? findInObject(schema, value as Fields, isStrict) : undefined;
}

/** True for the types whose absence or presence makes the rules of kinds fail: they loop over lists and read members of objects. */
const isStructural = (type: JsonType): boolean => type === 'list' || type === 'object';

/** Searches the items of a list like `findOtherType`: returns the place of the first item that has another JSON type than the schema says. */
function findInList(schema: z.ZodType, items: readonly Value[], isStrict: boolean): OtherType | undefined {
  const itemSchema = itemSchemaOf(schema);
  if (!itemSchema) return undefined;
  for (const [index, item] of items.entries()) {
    const otherType = findOtherType(itemSchema, item, isStrict);
    if (otherType)
      return inMember(String(index), {
        ...otherType,
        isUnset: otherType.isUnset && otherType.names.length > 0,
      });
  }
  return undefined;
}

/** Searches the members of an object like `findOtherType`: returns the place of the first member that has another JSON type than the schema says. */
function findInObject(schema: z.ZodType, members: Fields, isStrict: boolean): OtherType | undefined {
  const shape = shapeOf(schema);
  for (const name in shape) {
    const otherType = findOtherType(shape[name]!, members[name], isStrict);
    if (otherType) return inMember(name, otherType);
  }
  return undefined;
}

/** Returns a finding in a member of a value as one in the value: its way begins with the name of the member. */
const inMember = (name: string, otherType: OtherType): OtherType => ({
  ...otherType,
  names: [name, ...otherType.names],
});

/** Returns a value without the member to which the names and indexes of an `OtherType` lead. */
export function withoutMemberAt(value: Value, [name, ...innerNames]: readonly string[]): Value {
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === name ? withoutMemberAt(item, innerNames) : item));
  const { [name!]: member, ...others } = value as Fields;
  return innerNames.length === 0
    ? others
    : { ...(value as Fields), [name!]: withoutMemberAt(member!, innerNames) };
}

/** Returns the members of a map in an answer, such as roles by group; none if it is absent or null. Throws if it is no map. */
export function membersOfMap(map: unknown, name: string): [string, unknown][] {
  if (map === undefined || map === null) return [];
  return Object.entries(requireObject(map, name));
}

/** Returns the objects in a map of an answer, by their names. Throws if it is no map of objects. */
export const objectsOfMap = (map: unknown, name: string): [string, ApiObject][] =>
  membersOfMap(map, name).map(([key, member]) => [key, requireObject(member, name)]);

/** Returns a value of an answer that must be an object. Throws if it is not. `name`: that of the member, for the message. */
export function requireObject(value: unknown, name: string): ApiObject {
  const type = jsonTypeOf(value);
  if (type !== 'object') throw new Error(`the response has a \`${name}\` that is ${type}, not object`);
  return value as ApiObject;
}

/** Returns the JSON type of a value, as messages about unexpected answers call it: `list`, `text`. */
export function jsonTypeOf(value: unknown): JsonType {
  if (Array.isArray(value)) return 'list';
  if (value === null) return 'null';
  return typeof value === 'string' ? 'text' : (typeof value as JsonType);
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
  const typeOfSchema = typeOfDef[type];
  if (typeOfSchema !== undefined) return new Set([typeOfSchema]);
  const inner = innerOf(schema);
  const innerTypes = inner && jsonTypesOf(inner);
  if (!innerTypes || type === 'pipe') return undefined;
  return type === 'optional' || type === 'nullable' ? new Set([...innerTypes, 'null']) : innerTypes;
});
