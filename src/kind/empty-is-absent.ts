import * as z from 'zod';
import { memoize } from '../model/memoize.ts';
import type { Resource } from '../model/resource.ts';
import { Sealed } from '../model/sealed.ts';
import { type Fields, fillHoles, type HoleValues, isPlainObject, type Value } from '../model/value.ts';
import { mapMembers } from '../model/walk.ts';
import type { FieldSchemas, Kind } from './kind.ts';
import { comparedFields, memberSchemasOf } from './leaves.ts';
import { innerOf, referenceOf, shapeOf, traitsOf } from './traits.ts';

/**
 * Leaves out empty members that mean the same as absent ones: in an object of a value that is compared whole, an optional member that is
 * `""`, `false`, `null`, `[]` or `{}`, and an empty member that the schema does not know. Kept are the declared field itself, entries of
 * maps with free keys, anything inside free JSON, members with another default (`.default(...)`), and those with the trait `emptyCounts`.
 */
export function withoutEmpty(schemas: FieldSchemas, fields: Fields): Fields {
  let changed: Fields | undefined;
  for (const [name, value] of Object.entries(fields)) {
    const schema = schemas[name];
    if (!schema || typeof value !== 'object' || value === null || !mayHoldEmpty(schema)) continue;
    const normal = normalizeInside(schema, value, false);
    if (normal === value) continue;
    changed ??= { ...fields };
    changed[name] = normal;
  }
  return changed ?? fields;
}

/** The types whose empty value a schema refuses. */
const refusedEmptiness: (schema: z.ZodType) => { text: boolean; list: boolean; map: boolean } = memoize(
  (schema) => ({
    text: !schema.safeParse('').success,
    list: !schema.safeParse([]).success,
    map: !schema.safeParse({}).success,
  }),
);

/** True for an empty text, list or map that the field does not take. The platform then means that nothing is set. */
export const isNoValueOf = (schema: z.ZodType, value: unknown): boolean =>
  (value === '' && refusedEmptiness(schema).text) ||
  (Array.isArray(value) && value.length === 0 && refusedEmptiness(schema).list) ||
  (isPlainObject(value) && Object.keys(value).length === 0 && refusedEmptiness(schema).map);

/** `""`, `false`, `null`, `[]` and `{}`. */
const isEmptyOrFalse = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0) ||
  (isPlainObject(value) && Object.keys(value).length === 0);

/** True if a found or wanted member says no more than an absent one. */
export const equalsAbsent = (member: z.ZodType, value: unknown): boolean =>
  isEmptyOrFalse(value) && (emptyIsAbsent(member) || (value === null && nullIsAbsent(member)));

// Where null cannot be declared, it cannot be meant.
const nullIsAbsent: (member: z.ZodType) => boolean = memoize(
  (member) =>
    !isFree(member) &&
    !member.safeParse(null).success &&
    member.safeParse(undefined).success &&
    member.safeParse(undefined).data === undefined,
);

/** True if a member's absence means the same as any empty value. */
export const emptyIsAbsent: (member: z.ZodType) => boolean = memoize((member) => {
  if (traitsOf(member).emptyCounts || isFree(member)) return false;
  const absent = member.safeParse(undefined);
  return absent.success && (absent.data === undefined || isEmptyOrFalse(absent.data));
});

/** `isWhole`: the value is part of one that is compared as a whole. */
function normalizeInside(schema: z.ZodType, value: Value, isWhole: boolean): Value {
  if (typeof value !== 'object' || value === null || value instanceof Sealed) return value;
  if (isFree(schema)) return value;
  if (Array.isArray(value)) {
    const element = formElementOf(schema);
    return element ? mapNormalItems(value, (item) => normalizeInside(element, item, true)) : value;
  }
  if (!isPlainObject(value)) return value;
  const fields = value as Fields;
  const within = isWhole || traitsOf(schema).atomic === true || !memberSchemasOf(schema);
  const fitting = objectFor(schema, fields);
  const shape = fitting && shapeOf(fitting);
  const memberOf = fitting && memberSchemasOf(fitting);
  if (!memberOf) return value;
  let changed: Fields | undefined;
  for (const [name, item] of Object.entries(fields)) {
    const member = memberOf(name);
    const normal = member ? normalizeInside(member, item, within) : item;
    const isLeftOut = within && shape && (member ? equalsAbsent(member, normal) : isEmptyOrFalse(normal));
    if (normal === item && !isLeftOut) continue;
    changed ??= { ...fields };
    if (isLeftOut) delete changed[name];
    else changed[name] = normal;
  }
  return changed ?? value;
}

function mapNormalItems(items: Value[], normal: (item: Value) => Value): Value[] {
  const all = items.map(normal);
  return all.some((item, index) => item !== items[index]) ? all : items;
}

/** The object or record schema that a value is read by: of several forms the first whose constants the value has. */
function objectFor(schema: z.ZodType, value: Fields): z.ZodType | undefined {
  const objects = schemaFormsOf(schema).filter((form) => memberSchemasOf(form));
  return objects.length < 2 ? objects[0] : objects.find((form) => hasConstants(form, value));
}

const hasConstants = (form: z.ZodType, value: Fields): boolean =>
  Object.entries(shapeOf(form) ?? {}).every(
    ([name, member]) =>
      !(member instanceof z.ZodLiteral || member instanceof z.ZodEnum) ||
      member.safeParse(value[name]).success,
  );

const formElementOf = (schema: z.ZodType): z.ZodType | undefined =>
  schemaFormsOf(schema)
    .map((form) => (form.def as { element?: z.ZodType }).element)
    .find((element) => element && mayHoldEmpty(element));

/** A schema as the forms that it takes, wrappers looked through. */
const schemaFormsOf: (schema: z.ZodType) => z.ZodType[] = memoize((schema) => {
  const inner = innerOf(schema);
  if (inner) return schemaFormsOf(inner);
  return schema instanceof z.ZodUnion ? (schema.options as z.ZodType[]).flatMap(schemaFormsOf) : [schema];
});

/** True for free JSON: an empty value in it may mean anything. */
const isFree = (schema: z.ZodType): boolean =>
  schemaFormsOf(schema).some((form) => form instanceof z.ZodAny || form instanceof z.ZodUnknown);

/** True if a value of the schema can have members that may be left out. Most fields are text and have none. */
const mayHoldEmpty: (schema: z.ZodType) => boolean = memoize((schema) =>
  schemaFormsOf(schema).some((form) => {
    const { element, valueType } = form.def as { element?: z.ZodType; valueType?: z.ZodType };
    return (
      shapeOf(form) !== undefined || [element, valueType].some((schema) => schema && mayHoldEmpty(schema))
    );
  }),
);

/**
 * Wanted fields as they are compared and recorded: with everything filled in that is known, in the kind's normal form.
 * Fields that are references stay addresses, on both sides; so the differ never meets a server's id.
 */
export function knownFields(
  kind: Kind,
  { fields, parent }: Pick<Resource, 'fields' | 'parent'>,
  known: HoleValues,
) {
  const schemas = comparedFields(kind);
  const resolved = withoutEmpty(schemas, resolveFields(schemas, fields, known));
  return kind.rules.normal?.(resolved, parent) ?? resolved;
}

function resolveFields(schemas: FieldSchemas, fields: Fields, known: HoleValues): Fields {
  return mapMembers(fields, (value, name) =>
    schemas[name] && referenceOf(schemas[name]) !== undefined ? value : (fillHoles(value, known) as Value),
  );
}
