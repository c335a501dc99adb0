import * as z from 'zod';
import { memoize } from '../model/graph.ts';
import type { Resource } from '../model/resource.ts';
import { Sealed } from '../model/sealed.ts';
import { type Fields, fillHoles, type HoleValues, isPlainObject, type Value } from '../model/value.ts';
import { mapChangedMembers } from '../model/walk.ts';
import { comparedFields, isEmptyValue, memberSchemasOf } from './compare.ts';
import type { FieldSchemas, Kind } from './kind.ts';
import { innerOf, referenceOf, shapeOf, traitsOf } from './traits.ts';

/**
 * Leaves out empty members that mean the same as absent ones, so that they are no difference. Empty are `""`, `false`, `null`, `[]` and
 * `{}`, for optional or unknown members of an object that is compared as a whole. Kept are the declared field itself, entries of maps with
 * free keys, everything inside free JSON, members with another default (`.default(...)`), and those with the trait `emptyCounts`.
 */
export function withoutEmpty(schemas: FieldSchemas, fields: Fields): Fields {
  let changed: Fields | undefined;
  for (const name in fields) {
    const schema = schemas[name];
    const value = fields[name]!;
    if (!schema || typeof value !== 'object' || value === null || !mayHoldEmpty(schema)) continue;
    const normal = normalizeInside(schema, value, 'by member');
    if (normal === value) continue;
    changed ??= { ...fields };
    changed[name] = normal;
  }
  return changed ?? fields;
}

/** Says for which types a schema refuses the empty value. */
const refusedEmptiness: (schema: z.ZodType) => { text: boolean; list: boolean; map: boolean } = memoize(
  (schema) => ({
    text: !schema.safeParse('').success,
    list: !schema.safeParse([]).success,
    map: !schema.safeParse({}).success,
  }),
);

/** True for an empty text, list or map that the field does not take. In an answer of the platform it means that nothing is set. */
export const isNoValueOf = (schema: z.ZodType, value: unknown): boolean =>
  (value === '' && refusedEmptiness(schema).text) ||
  (Array.isArray(value) && value.length === 0 && refusedEmptiness(schema).list) ||
  (isPlainObject(value) && Object.keys(value).length === 0 && refusedEmptiness(schema).map);

/** True for `""`, `false`, `null`, `[]` and `{}`. */
const isEmptyOrFalse = (value: unknown): boolean =>
  value !== undefined && (value === '' || value === false || isEmptyValue(value as Value));

/** True if a live or desired member means the same as an absent one. Then an export leaves it out, and a comparison ignores it. */
export const equalsAbsent = (member: z.ZodType, value: unknown): boolean =>
  isEmptyOrFalse(value) && (emptyIsAbsent(member) || (value === null && nullIsAbsent(member)));

/** True if null means the same as absence: the schema does not take null, so no configuration can mean it. */
export const nullIsAbsent: (member: z.ZodType) => boolean = memoize(
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

/**
 * How a plan compares an object: `by member`, so that each member is a difference of its own, or `as a whole`. Everything in an object that
 * is compared as a whole, and in a list, is compared so, too.
 */
type ComparisonMode = 'by member' | 'as a whole';

/**
 * Returns a value without the members in it that are empty and mean the same as absent ones, so that a plan does not report them as a
 * difference. Returns the value itself if there are none. Only objects that are compared as a whole lose members: inside a value that is
 * (`comparison`), in a list, or by their own schema (see `normalizeObject`). Free JSON stays, because empty values in it may mean anything.
 */
function normalizeInside(schema: z.ZodType, value: Value, comparison: ComparisonMode): Value {
  if (typeof value !== 'object' || value === null || value instanceof Sealed) return value;
  if (isFree(schema)) return value;
  if (Array.isArray(value)) {
    const element = formElementOf(schema);
    return element ? mapNormalItems(value, (item) => normalizeInside(element, item, 'as a whole')) : value;
  }
  return isPlainObject(value) ? normalizeObject(schema, value as Fields, comparison) : value;
}

/**
 * Returns an object without its members that are empty and mean the same as absent ones, so that a plan does not report them as a
 * difference. Only an object that a plan compares as a whole loses them: one with the trait `atomic`, a union (an object in one of several
 * forms), or a part of these. Members of other objects are compared one by one, and are only normalized. Returns the object itself if
 * nothing changes.
 */
function normalizeObject(schema: z.ZodType, fields: Fields, outerComparison: ComparisonMode): Fields {
  const isUnion = !memberSchemasOf(schema);
  const isWhole = outerComparison === 'as a whole' || isUnion || traitsOf(schema).atomic === true;
  const comparison = isWhole ? 'as a whole' : 'by member';
  const form = findFormOf(schema, fields);
  const schemaOf = form && memberSchemasOf(form);
  if (!schemaOf) return fields;
  // The entries of a map with free keys stay, because its keys are data.
  const hasFixedKeys = shapeOf(form) !== undefined;
  const leavesOutEmpty = isWhole && hasFixedKeys;
  let changed: Fields | undefined;
  for (const name in fields) {
    const value = fields[name]!;
    const memberSchema = schemaOf(name);
    const normal = memberSchema ? normalizeInside(memberSchema, value, comparison) : value;
    const isLeftOut =
      leavesOutEmpty && (memberSchema ? equalsAbsent(memberSchema, normal) : isEmptyOrFalse(normal));
    if (normal === value && !isLeftOut) continue;
    changed ??= { ...fields };
    if (isLeftOut) delete changed[name];
    else changed[name] = normal;
  }
  return changed ?? fields;
}

/** Maps items, but returns the list itself if no item changes, so that unchanged values are recognized by identity. */
function mapNormalItems(items: Value[], normalize: (item: Value) => Value): Value[] {
  const normalItems = items.map(normalize);
  return normalItems.some((item, index) => item !== items[index]) ? normalItems : items;
}

/**
 * Returns the object or record schema by which a value is read. Of several (in a union), it is the first one whose constants, such as
 * `type: redirect`, the value has.
 */
function findFormOf(schema: z.ZodType, value: Fields): z.ZodType | undefined {
  const objects = schemaFormsOf(schema).filter((form) => memberSchemasOf(form));
  return objects.length < 2 ? objects[0] : objects.find((form) => hasConstants(form, value));
}

/**
 * True if each member of an object schema with one or a few possible texts, such as `type: redirect`, has one of these in the value. Used
 * to choose the schema of the value among those of a union.
 */
const hasConstants = (form: z.ZodType, value: Fields): boolean =>
  Object.entries(shapeOf(form) ?? {}).every(([name, member]) => {
    const isConstant = member instanceof z.ZodLiteral || member instanceof z.ZodEnum;
    return !isConstant || member.safeParse(value[name]).success;
  });

/** Returns the schema of the items of a list, if these can have empty members. */
const formElementOf = (schema: z.ZodType): z.ZodType | undefined =>
  schemaFormsOf(schema)
    .map((form) => (form.def as { element?: z.ZodType }).element)
    .find((element) => element && mayHoldEmpty(element));

/** Returns the schemas inside wrappers and unions, each without wrappers: the forms that a value can have. */
const schemaFormsOf: (schema: z.ZodType) => z.ZodType[] = memoize((schema) => {
  const inner = innerOf(schema);
  if (inner) return schemaFormsOf(inner);
  return schema instanceof z.ZodUnion ? (schema.options as z.ZodType[]).flatMap(schemaFormsOf) : [schema];
});

/** True for free JSON: an empty value in it may mean anything. */
const isFree = (schema: z.ZodType): boolean =>
  schemaFormsOf(schema).some((form) => form instanceof z.ZodAny || form instanceof z.ZodUnknown);

/**
 * True if a value of the schema can have members that may be left out. Used to skip most fields quickly, because
 * they are text and have no members.
 */
const mayHoldEmpty: (schema: z.ZodType) => boolean = memoize((schema) =>
  schemaFormsOf(schema).some((form) => {
    const { element, valueType } = form.def as { element?: z.ZodType; valueType?: z.ZodType };
    return (
      shapeOf(form) !== undefined || [element, valueType].some((schema) => schema && mayHoldEmpty(schema))
    );
  }),
);

/**
 * Returns the declared fields of an object as they are compared and recorded: in the kind's normal form, with the available values filled
 * in for secrets and attributes of other objects. References stay addresses, so that comparisons never see an id of the platform.
 */
export function resolveFields(
  kind: Kind,
  { fields, parent }: Pick<Resource, 'fields' | 'parent'>,
  holeValues: HoleValues,
): Fields {
  const schemas = comparedFields(kind);
  const isReference = (name: string) =>
    schemas[name] !== undefined && referenceOf(schemas[name]) !== undefined;
  const filledFields = mapChangedMembers(fields, (value, name) =>
    isReference(name) ? value : (fillHoles(value, holeValues) as Value),
  );
  const normalFields = withoutEmpty(schemas, filledFields);
  return kind.rules.normal?.(normalFields, parent) ?? normalFields;
}
