/*
 * Compares the fields of objects: takes them apart into leaves (values that are compared separately), and compares these.
 *
 * Differences in the order of a set, or between two spellings, do not count.
 *
 * A set (trait `unordered`) is a list whose order means nothing. An itemwise set (trait `whereDeclared` as well) has objects as items, with
 * optional members: they are compared only in items that declare them. The other members of an item are its identity.
 */

import deepEqual from 'fast-deep-equal';
import type * as z from 'zod';
import { canonicalJson } from '../model/digest.ts';
import { groupBy, memoize } from '../model/graph.ts';
import { revealed, Sealed } from '../model/sealed.ts';
import {
  type Fields,
  holdsSecret,
  isHole,
  isPlainObject,
  namesInPath,
  pathOfMember,
  sealAt,
  type Value,
} from '../model/value.ts';
import { mapMembers } from '../model/walk.ts';
import type { FieldSchemas, Kind } from './kind.ts';
import { type FieldTraits, innerOf, shapeOf, traitsOf } from './traits.ts';

/**
 * Returns a value in the form in which it is compared and digested: a set is sorted, because its order means nothing, and a missing value
 * is null. In an object of sets, every list is sorted. Used so that two values in another order are no difference.
 */
export function toComparable(value: Value | undefined, traits: FieldTraits): Value {
  if (value === undefined) return null;
  if (!traits.unordered) return value;
  if (isPlainObject(value)) return mapMembers(value as Fields, (member) => toComparable(member, traits));
  if (!Array.isArray(value)) return value;
  return [...value].sort((a, b) => (canonicalJson(revealed(a)) < canonicalJson(revealed(b)) ? -1 : 1));
}

/**
 * True if a live value equals the desired one, so that nothing has to be sent. A missing value equals null, the order of a set does not
 * count, and neither do optional members of its items that the configuration leaves out. Secrets are revealed in memory for this.
 */
export function isSameValue(
  desired: Value | undefined,
  live: Value | undefined,
  traits: FieldTraits,
): boolean {
  // Most values are texts, numbers and flags, which need no conversion.
  if (typeof desired !== 'object' && typeof live !== 'object' && desired !== undefined)
    return desired === live;
  const declaredPart = reduceToDeclared(live, desired, traits);
  return isDeepEqual(revealed(toComparable(desired, traits)), revealed(toComparable(declaredPart, traits)));
}

/** The names that `deepEqual` looks up on every object: it would take a member of that name for a method. */
const reservedNames = ['constructor', 'toString', 'valueOf'];

/** Compares like `deepEqual`, but is also right for users' data with members such as `constructor`. */
const isDeepEqual = (a: unknown, b: unknown): boolean =>
  [a, b].some(holdsReservedName) ? deepEqual(prefixNames(a), prefixNames(b)) : deepEqual(a, b);

const holdsReservedName = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (reservedNames.some((name) => Object.hasOwn(value, name)) || Object.values(value).some(holdsReservedName));

/**
 * Returns a copy of a value with a colon before each member's name, so that no member has a name that `deepEqual` treats in its own way.
 */
function prefixNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(prefixNames);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [`:${name}`, prefixNames(inner)]));
}

/**
 * True for null, a missing value, an empty list and an empty object. The search for side effects of an apply
 * treats all of these as "not set", and so does `withoutEmpty` where a schema allows that.
 */
export const isEmptyValue = (value: Value | undefined): boolean =>
  value === undefined ||
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (isPlainObject(value) && Object.keys(value).length === 0);

/** True for the value of an itemwise set: a list of objects whose optional members are compared only in items that declare them. */
export const isItemwise = (value: Value | undefined, { whereDeclared }: FieldTraits): value is Fields[] =>
  whereDeclared !== undefined && Array.isArray(value) && value.every(isPlainObject);

/**
 * Returns a live set of objects without the optional members that the desired set does not declare, so that both can be compared and shown
 * side by side. For DNS records, where `ttl` is optional: if `{ value: a }` is desired, `{ value: a, ttl: 60 }, { value: b, ttl: 60 }`
 * becomes `{ value: a }, { value: b }`. An item in both sets keeps the members that its desired item declares, any other item those that
 * some desired item declares. Items in both come first, in the desired order. Any other value stays as it is.
 */
export function reduceToDeclared(
  live: Value | undefined,
  desired: Value | undefined,
  traits: FieldTraits,
): Value | undefined {
  if (!isItemwise(live, traits) || !isItemwise(desired, traits)) return live;
  const optionalMembers = traits.whereDeclared!;
  const liveItems = groupBy(live, (item) => identityOf(item, optionalMembers));
  const declaredNowhere = optionalMembers.filter((name) => desired.every((item) => item[name] === undefined));
  const itemsInBoth = desired.flatMap((item) => {
    const liveItem = liveItems.get(identityOf(item, optionalMembers))?.shift();
    if (!liveItem) return [];
    const declared = optionalMembers.filter(
      (name) => item[name] !== undefined && liveItem[name] !== undefined,
    );
    const members = Object.fromEntries(declared.map((name) => [name, liveItem[name]!]));
    return [{ ...omitMembers(item, optionalMembers), ...members }];
  });
  const otherItems = [...liveItems.values()].flat();
  return [...itemsInBoth, ...otherItems.map((item) => omitMembers(item, declaredNowhere))];
}

/**
 * Returns a text that tells an item of an itemwise set (a set whose items are compared one by one) from the other items: all members but
 * the optional ones. So a live DNS record is recognized as the declared one although its `ttl` differs.
 */
export const identityOf = (item: Fields, optionalMembers: readonly string[]): string =>
  canonicalJson(revealed(omitMembers(item, optionalMembers)));

/** Returns a copy of an object without the members with these names. */
export const omitMembers = (item: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));

/**
 * Seals a secret value of any type as one text, so that a change can contain it without showing it. Null and holes contain no secret text,
 * so they stay.
 */
export function sealValue(value: Value | undefined): Value | undefined {
  if (value === undefined || value === null || value instanceof Sealed || isHole(value)) return value;
  return new Sealed(canonicalJson(value));
}

/*
 * Takes the fields of an object apart into leaves. A leaf is one value that is compared, shown and recorded separately: `{ build: {
 * command: 'make', root: 'web' } }` has the leaves `build.command` and `build.root`. An object is one leaf if it is atomic, empty, or has
 * no schema for its members. A path has the names from the field to the leaf, with dots between them; a dot inside a name is escaped.
 */

/** Returns the schemas by which resources of a kind are compared: the kind's own, or those of the unit if one row makes several units. */
export const comparedFields = (kind: Kind): FieldSchemas => kind.shape.fields ?? kind.fields;

/** One value that is compared and recorded separately from the others. */
export interface Leaf {
  path: string;
  value: Value;
  traits: FieldTraits;
  /** True if the value must not be shown and is recorded only as a keyed digest. */
  isSecret: boolean;
}

/** A leaf before its secrecy was determined, for which all leaves of the object are needed. */
type LeafWithoutSecrecy = Omit<Leaf, 'isSecret'>;

/**
 * Takes the fields of an object apart into leaves, the values that are compared, digested or sealed one by one: `{ build: { command: 'make'
 * } }` has the leaf `build.command`. Fields without a schema are left out, and labels that the platform never receives (`local`). A leaf is
 * secret if its field is, unless the text may stand in the configuration (`mayStayClear`), or if the value holds a secret.
 */
export function leavesOf(schemas: FieldSchemas, fields: Fields): Leaf[] {
  const leaves: LeafWithoutSecrecy[] = [];
  for (const name in fields) {
    const schema = schemas[name];
    const value = fields[name];
    if (!schema || value === undefined) continue;
    const traits = traitsOf(schema);
    if (!traits.local) addLeaves(leaves, name, value, schema, traits);
  }
  return leaves.map(({ path, value, traits }) => {
    const fieldTraits = typeof traits.secret === 'function' ? evaluateSecret(traits, fields) : traits;
    const isSecretField = fieldTraits.secret !== undefined && !mayStayClear(fieldTraits, value, fields);
    return { path, value, traits: fieldTraits, isSecret: isSecretField || holdsSecret(value) };
  });
}

/** Returns traits in which `secret` is true or absent, so that users of the leaf need not check the other fields again. */
function evaluateSecret({ secret, ...traits }: FieldTraits, fields: Fields): FieldTraits {
  const isSecret = typeof secret === 'function' ? secret(fields) : secret;
  return isSecret ? { ...traits, secret: true } : traits;
}

/** True if a value of a secret field may stay unsealed because the configuration itself contains it (`FieldTraits.inClear`). */
const mayStayClear = ({ inClear }: FieldTraits, value: Value, fields: Fields): boolean =>
  inClear?.(fields) === true && value !== null;

/**
 * Returns declared fields with those values sealed that are secret according to the live object, so that a plan does not show them.
 * Example: the `type` of a variable decides whether its `value` is secret. If the configuration leaves `type` out, only the live object
 * tells. A field whose text may stand in the configuration (`inClear`) stays as it is. `completeFields`: the declared and live fields.
 */
export function sealKnownSecrets(schemas: FieldSchemas, fields: Fields, completeFields: Fields): Fields {
  const sealedMembers = clearableFields(schemas).flatMap(({ name, inClear, secret }) => {
    const value = fields[name];
    const isSecret = typeof secret === 'function' ? secret(completeFields) : secret;
    return value !== undefined && isSecret && !inClear(completeFields)
      ? [[name, sealAt(value, [], { literals: true })]]
      : [];
  });
  return sealedMembers.length > 0 ? { ...fields, ...Object.fromEntries(sealedMembers) } : fields;
}

/** Returns the secret fields whose values may be in the configuration. Few kinds have any, but the question is asked for every object. */
const clearableFields = memoize((schemas: FieldSchemas) =>
  Object.entries(schemas).flatMap(([name, schema]) => {
    const { inClear, secret } = traitsOf(schema);
    return inClear ? { name, inClear, secret } : [];
  }),
);

/**
 * Appends the leaves of one value (the parts that are compared separately) to `leaves`: those of its members, or the value itself if it has
 * no members or is compared as a whole (`atomic`). `traits`: those of the schema and of the objects that contain the value, because members
 * inherit them, such as `secret`. A member without a schema is one leaf. A dot in a name is escaped in the path. Used by `leavesOf` for
 * each field of an object.
 */
function addLeaves(
  leaves: LeafWithoutSecrecy[],
  path: string,
  value: Value,
  schema: z.ZodType,
  traits: FieldTraits,
): void {
  const hasMembers = !traits.atomic && isPlainObject(value) && Object.keys(value).length > 0;
  const memberSchema = hasMembers ? memberSchemasOf(schema) : undefined;
  if (!memberSchema) {
    leaves.push({ path, value, traits });
    return;
  }
  for (const name in value as Fields) {
    const item = (value as Fields)[name];
    if (item === undefined) continue;
    const itemSchema = memberSchema(name);
    const itemPath = pathOfMember(path, name);
    if (itemSchema) addLeaves(leaves, itemPath, item, itemSchema, { ...traits, ...traitsOf(itemSchema) });
    else leaves.push({ path: itemPath, value: item, traits });
  }
}

/**
 * Returns the function which finds the schema of a member by its name, for an object or record schema; undefined for any other schema. Used
 * to go through a value together with its schema, because the schema says whether a member is secret, a reference, or compared as a whole.
 */
export const memberSchemasOf: (schema: z.ZodType) => ((name: string) => z.ZodType | undefined) | undefined =
  memoize((schema) => {
    const shape = shapeOf(schema);
    if (shape) return (name) => shape[name];
    const def = schema.def as { type: string; valueType?: z.ZodType };
    if (def.type === 'record') return () => def.valueType;
    const inner = innerOf(schema);
    return inner && memberSchemasOf(inner);
  });

/**
 * Returns a copy of an object with each member changed, where `change` also gets the member's schema. Used to seal the secrets in an
 * answer, and to replace ids by references, because the schema says which members these are. Members without a schema stay, and so does a
 * value that is no object.
 */
export function mapSchemaMembers(
  schema: z.ZodType,
  value: Value,
  change: (memberSchema: z.ZodType, member: Value) => Value,
): Value {
  const schemaOf = isPlainObject(value) ? memberSchemasOf(schema) : undefined;
  if (!schemaOf) return value;
  return mapMembers(value as Fields, (member, name) => {
    const memberSchema = schemaOf(name);
    return memberSchema ? change(memberSchema, member) : member;
  });
}

/** Returns the schema at a leaf's path; undefined if the schemas lack a member on the way, as for unknown members of a live object. */
export function schemaAt(schemas: FieldSchemas, path: string): z.ZodType | undefined {
  const [first, ...names] = namesInPath(path);
  return names.reduce((schema, name) => schema && memberSchemasOf(schema)?.(name), schemas[first!]);
}

/** True if the schemas have a field or member at a path. */
export const hasField = (schemas: FieldSchemas, path: string): boolean =>
  schemaAt(schemas, path) !== undefined;

/** A value that only one object may have at a time, such as a domain name. */
interface SoleValue {
  /** The field that holds it. */
  name: string;
  /** A text that is equal for equal values, also in objects of other kinds. */
  text: string;
  /** True if the object needs the value only while it is created, so that another object can take it afterwards. */
  createOnly: boolean;
}

/**
 * Returns the values of an object that no other object of the account may have at the same time, such as a
 * domain name. Used to report two objects that want the same value, and to plan that an object gives it up
 * before another one takes it. `sole`: the word of the fields that share their values, also in other kinds.
 */
export const soleValues = (kind: Kind, fields: Fields): SoleValue[] =>
  soleFields(kind).flatMap(({ name, sole, createOnly }) => {
    const value = fields[name];
    if (value === undefined || value === null || holdsSecret(value)) return [];
    return { name, text: `${sole} ${canonicalJson(value)}`, createOnly };
  });

type SoleField = Pick<SoleValue, 'name' | 'createOnly'> & { sole: string };

/**
 * Returns the fields of a kind whose value only one object may have at a time, such as a domain name. Few kinds have any, but the question
 * is asked for every object, so the answer is remembered.
 */
const soleFields = memoize((kind: Kind): SoleField[] =>
  Object.entries(comparedFields(kind)).flatMap(([name, schema]) => {
    const { sole, createOnly = false } = traitsOf(schema);
    return sole === undefined ? [] : { name, sole, createOnly };
  }),
);
