/*
 * Checks the JSON types of live fields. A member is "of another type" if its schema does not allow its JSON type: a list where an object is
 * expected, for example. The code of kinds relies on these types, so no plan may depend on such a member.
 *
 * A strict field is one by which a plan takes an object for another one: it is a part of the address, or of the identity of an object
 * without a name, or its change is a replacement. A wrong value there would delete or create an object. This table is the one place that
 * says what a member of another type leads to. "Unread" means that the collection counts as unread, so that the plan neither creates nor
 * deletes anything in it:
 *
 *   | the member of another type is                        | in a strict field            | in another field          |
 *   | ---------------------------------------------------- | ---------------------------- | ------------------------- |
 *   | null instead of a value that may be absent           | not set, but unread if the   | shown as a difference     |
 *   |                                                      |   ledger has a value         |                           |
 *   | empty in another form (`null`, `""`, `[]`, `{}`)     | unread                       | not set                   |
 *   | an item of a list                                    | unread                       | unread                    |
 *   | a list or object, or expected to be one              | unread                       | unread                    |
 *   | anything else, such as a text instead of a number    | unread                       | shown as a difference     |
 *
 * The first row is because many answers say null for something that was never set. If the ledger has a value, either the answer is wrong,
 * or somebody removed the value. The plan cannot know which, and in the first case it would delete an object that is as declared.
 */
import type * as z from 'zod';
import type { Address } from '../model/address.ts';
import { memoize } from '../model/graph.ts';
import { Sealed } from '../model/sealed.ts';
import { type Fields, isHole, type Value } from '../model/value.ts';
import { isEmptyValue } from './compare.ts';
import { nullIsAbsent } from './empty-is-absent.ts';
import type { Kind } from './kind.ts';
import { type JsonType, jsonTypeOf } from './require-type.ts';
import { innerOf, itemSchemaOf, shapeOf, traitsOf } from './traits.ts';

/**
 * Thrown if a member of an answer has another type than the kind knows, so that nothing may be decided by it. `problem`: `null, not list`.
 */
export class OtherTypeError extends Error {
  /** The address of the object, if the message contains it. */
  readonly address?: Address;

  constructor(kindName: string, path: string, problem: string, address?: Address) {
    super(`the response has a ${kindName} whose \`${path}\` is ${problem}`);
    this.address = address;
  }
}

/** A field of a live object whose types are checked. */
interface CheckedField {
  /** For messages. */
  kindName: string;
  isStrict: boolean;
  /** Returns the address of the ledger entry that has a value of the object at this path; undefined if none has one. */
  recordedAt(path: string): Address | undefined;
}

/**
 * Returns the fields of a live object (one in an answer of the platform) without the members that count as not set: a null, or an empty
 * value of another type, by the table at the top. Throws `OtherTypeError` for a type on which no plan may depend: its collection then
 * counts as unread. `strictFields`: the fields that decide whether two objects are the same, or one is replaced; there, only a null can
 * count as not set. Returns `fields` itself if nothing is left out, as for nearly every live object.
 */
export function withKnownTypes(
  { name: kindName, fields: schemas }: Pick<Kind, 'name' | 'fields'>,
  fields: Fields,
  { strictFields, recordedAt }: { strictFields: ReadonlySet<string> } & Pick<CheckedField, 'recordedAt'>,
): Fields {
  const strictField: CheckedField = { kindName, isStrict: true, recordedAt };
  const otherField: CheckedField = { kindName, isStrict: false, recordedAt };
  return mapOrDropMembers(schemas, fields, (schema, value, name) =>
    checkValue(schema, value, name, strictFields.has(name) ? strictField : otherField),
  );
}

/**
 * Checks the JSON types of a value inside a live object, and of everything in it. A null in a strict field counts as not set if the schema
 * allows that and the ledger has no value. Any other unexpected type is judged by `checkOtherType`. Returns the value without the members
 * that count as not set, or undefined if it counts as not set itself. Throws `OtherTypeError`. `field`: the field that contains the value.
 */
function checkValue(schema: z.ZodType, value: Value, path: string, field: CheckedField): Value | undefined {
  const expected = jsonTypesOf(schema);
  // A sealed secret does not show which JSON type it had.
  if (!expected || value instanceof Sealed) return value;
  const actual = typeOfLive(value);
  // A null comes first, because the types of an optional member include it.
  if (actual === 'null' && field.isStrict && nullIsAbsent(schema)) {
    requireUnrecorded(schema, path, field);
    return undefined;
  }
  if (!expected.has(actual)) return checkOtherType(schema, value, path, field);
  if (actual === 'list') return checkItems(schema, value as Value[], path, field);
  const shape = actual === 'object' ? shapeOf(schema) : undefined;
  if (!shape) return value;
  return mapOrDropMembers(shape, value as Fields, (memberSchema, member, name) =>
    checkValue(memberSchema, member, `${path}.${name}`, field),
  );
}

/**
 * Throws `OtherTypeError` for a null in a strict field if the ledger has a value there, unless answers may lack that value although it is
 * set. The caller has found the null. Either the answer is wrong or somebody removed the value, so no plan may depend on it.
 */
function requireUnrecorded(schema: z.ZodType, path: string, { kindName, recordedAt }: CheckedField): void {
  const { writeOnly, readMayLack } = traitsOf(schema);
  const address = writeOnly || readMayLack ? undefined : recordedAt(path);
  if (address !== undefined)
    throw new OtherTypeError(kindName, path, `null, but the last apply set it at ${address}`, address);
}

/**
 * Decides about a live value whose type its schema does not allow. In a strict field, it throws `OtherTypeError`. In any other field,
 * it returns a text, number or flag where another of these is expected, and undefined (not set) for an empty value; it throws for the rest.
 */
function checkOtherType(
  schema: z.ZodType,
  value: Value,
  path: string,
  { kindName, isStrict }: CheckedField,
): Value | undefined {
  if (!isStrict) {
    // Code of kinds loops over lists and reads members of objects. Any other difference of types only shows in the plan.
    const hasStructure = [typeOfLive(value), ...jsonTypesOf(schema)!].some(isStructural);
    if (!hasStructure) return value;
    if (value === '' || isEmptyValue(value)) return undefined;
  }
  throw new OtherTypeError(kindName, path, describeOtherType(schema, value));
}

/**
 * Returns the items of a live list, each checked by `checkValue`. Throws `OtherTypeError` also for an item that counts as not set, because
 * a list has no absent items.
 */
function checkItems(schema: z.ZodType, items: Value[], path: string, field: CheckedField): Value[] {
  const itemSchema = itemSchemaOf(schema);
  if (!itemSchema) return items;
  const checkedItems = items.map((item, index) => {
    const itemPath = `${path}.${index}`;
    const checkedItem = checkValue(itemSchema, item, itemPath, field);
    if (checkedItem === undefined)
      throw new OtherTypeError(field.kindName, itemPath, describeOtherType(itemSchema, item));
    return checkedItem;
  });
  return checkedItems.every((item, index) => item === items[index]) ? items : checkedItems;
}

/**
 * Returns an object with each member that has a schema changed by `change`, and without the members for which it returns undefined. Returns
 * the object itself if each member stays as it is. A loop that copies nothing until then, because it runs for every live object.
 */
function mapOrDropMembers(
  schemas: Readonly<Record<string, z.ZodType>>,
  members: Fields,
  change: (schema: z.ZodType, member: Value, name: string) => Value | undefined,
): Fields {
  let copy: Fields | undefined;
  for (const name in schemas) {
    const member = members[name];
    if (member === undefined) continue;
    const changed = change(schemas[name]!, member, name);
    if (changed === member) continue;
    copy ??= { ...members };
    if (changed === undefined) delete copy[name];
    else copy[name] = changed;
  }
  return copy ?? members;
}

/** True if a value itself, apart from its members, has a JSON type outside of its schema. */
export const hasOtherType = (schema: z.ZodType, value: Value | undefined): boolean =>
  value !== undefined && jsonTypesOf(schema)?.has(typeOfLive(value)) === false;

/** Returns the JSON type that a live value had in the answer: a hole stands for an id, so for a text. */
const typeOfLive = (value: Value): JsonType => (isHole(value) ? 'text' : jsonTypeOf(value));

/** Returns the problem of a value of another type, for the message about it: `text, not list or null`. */
const describeOtherType = (schema: z.ZodType, value: Value): string =>
  `${typeOfLive(value)}, not ${[...jsonTypesOf(schema)!].join(' or ')}`;

/** True for the types that have parts. */
const isStructural = (type: JsonType): boolean => type === 'list' || type === 'object';

const typeOfDef: Readonly<Record<string, JsonType>> = {
  string: 'text',
  number: 'number',
  boolean: 'boolean',
  array: 'list',
  object: 'object',
  record: 'object',
  null: 'null',
};

/**
 * Returns the JSON types that a schema takes; undefined if it may take any. An optional member may be null, because some answers say so.
 */
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
