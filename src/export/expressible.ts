import * as z from 'zod';
import { isSameValue, type Leaf, leavesOf, memberSchemasOf } from '../kind/compare.ts';
import { equalsAbsent, withoutEmpty } from '../kind/empty-is-absent.ts';
import type { Kind } from '../kind/kind.ts';
import { innerOf, shapeOf, traitsOf } from '../kind/traits.ts';
import { memoize } from '../model/graph.ts';
import { Sealed } from '../model/sealed.ts';
import {
  atPath,
  type Fields,
  isHole,
  isPlainObject,
  isRef,
  mapHoles,
  namesInPath,
  type Path,
  pathOfNames,
  type Value,
} from '../model/value.ts';
import { containsValue, visitMembers } from '../model/walk.ts';

/** The part of a live value that can be declared, and a sentence for each part that cannot. */
interface Expressible {
  /** Undefined if no part can be declared. */
  part: Value | undefined;
  problems: string[];
}

/**
 * Returns the largest part of a live field that a configuration can declare so that a plan finds no
 * difference. Removes one part that cannot be declared after the other, each with a problem: single members
 * of objects that are compared by member, else the whole field. Used by `export` and `accept`.
 * @param value the value without members that the schema does not have
 * @param liveValue the value as it was read
 */
export function findExpressiblePart(
  name: string,
  schema: z.ZodType,
  value: Value,
  liveValue: Value,
): Expressible {
  const problems: string[] = [];
  let remaining: Value | undefined = value;
  for (;;) {
    const defect = remaining === undefined ? undefined : findDefect(name, schema, remaining, liveValue);
    if (!defect) return { part: remaining, problems };
    const path = findRemovablePath(schema, remaining!, defect.path);
    problems.push(`\`${pathOfNames([name, ...path])}\` is left out: ${defect.reason}`);
    remaining = path.length === 0 ? undefined : removeMember(remaining as Fields, path);
  }
}

/** A part of a value that cannot be declared. */
interface Defect {
  path: string[];
  reason: string;
}

/**
 * Finds the first part of a live value that an export cannot declare, with its path and the reason: a file
 * cannot hold it, the schema rejects it, or a plan of the exported file would still find a difference.
 * `value`: the live value without the parts that were found before.
 */
function findDefect(name: string, schema: z.ZodType, value: Value, liveValue: Value): Defect | undefined {
  return (
    findUnwritable(value, []) ?? findRejected(schema, value) ?? findDifference(name, schema, value, liveValue)
  );
}

/**
 * Finds the first part of a live value that its schema rejects, with the reason, so that `export` leaves it
 * out. Secrets and references are not checked, because their values are not in the file.
 */
function findRejected(schema: z.ZodType, value: Value): Defect | undefined {
  const replacedPaths: Path[] = [];
  const withTexts = replaceHolesByTexts(value, [], replacedPaths);
  // Messages of our schemas are for people; those of the schema library are replaced.
  const { issues } = schema.safeParse(withTexts, { error: () => notExpressible }).error ?? { issues: [] };
  for (const issue of issues) {
    const path = issue.path.map(String);
    const isReplaced = replacedPaths.some((replaced) =>
      replaced.every((step, index) => String(step) === path[index]),
    );
    if (isReplaced) continue;
    const reason = issue.message === notExpressible ? explainRejection(value, path) : issue.message;
    return { path, reason };
  }
  return undefined;
}

/**
 * Finds the first leaf (a field or member without members) that a plan of the exported file would still
 * change, because a part of the live value is missing in the declared one. `export` then leaves it out with a
 * reason, because the first plan after an export must be empty.
 */
function findDifference(name: string, schema: z.ZodType, value: Value, liveValue: Value): Defect | undefined {
  // Nothing was left out.
  if (value === liveValue) return undefined;
  // A plan compares the values in this form, too.
  const [declared, live] = [value, liveValue].map((fieldValue) =>
    withoutEmpty({ [name]: schema }, { [name]: fieldValue }),
  );
  const differs = (leaf: Leaf) => !isSameValue(leaf.value, atPath(live!, leaf.path), leaf.traits);
  const leaf = leavesOf({ [name]: schema }, declared!).find(differs);
  if (!leaf) return undefined;
  const missingNames = findMissingNames(leaf.value, atPath(live!, leaf.path));
  return {
    // Inside the field, so without its name.
    path: namesInPath(leaf.path).slice(1),
    reason: missingNames
      ? `${missingNames.map((member) => `\`${member}\``).join(', ')} in it cannot be declared`
      : 'not all of it can be declared',
  };
}

/** The reason for a value that a schema rejects without a message of its own. */
const notExpressible = 'a configuration cannot express this value';

/**
 * Returns the reason why `trueup export` leaves out a field whose schema rejects a member of `value` (at `path`) without a message of its
 * own. A member that is a short text, a number or a boolean is quoted.
 */
function explainRejection(value: Value, path: string[]): string {
  const rejected = path.reduce<unknown>(
    (member, step) => (member as Record<string, unknown> | undefined)?.[step],
    value,
  );
  const text = typeof rejected === 'object' || rejected === undefined ? undefined : JSON.stringify(rejected);
  return text === undefined || text.length > 60 ? notExpressible : `${notExpressible}, ${text}`;
}

/**
 * Finds the first number or name that a YAML file cannot hold, so that `trueup export` leaves it out: numbers that would be rounded, and
 * `__proto__`. The file would be read as another value.
 */
function findUnwritable(value: Value, path: string[]): Defect | undefined {
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value);
  if (typeof value === 'number' && (!Number.isFinite(value) || isRounded))
    return { path, reason: `the number ${value} cannot be represented exactly` };
  if (!Array.isArray(value) && !isPlainObject(value)) return undefined;
  if (Object.hasOwn(value, '__proto__'))
    return { path, reason: 'the name `__proto__` is not allowed in a file' };
  for (const [name, item] of Object.entries(value as Fields)) {
    const defect = findUnwritable(item, [...path, name]);
    if (defect) return defect;
  }
  return undefined;
}

/**
 * True if a live value has a number or an object that is hidden because it shows a secret. A configuration cannot declare it: there, a
 * secret is a text, and an apply would send the text instead.
 */
export const holdsSecretJson = (value: Value): boolean =>
  containsValue(value, (part) => (part instanceof Sealed ? typeof part.open() !== 'string' : visitMembers));

/**
 * Returns a value with the placeholder `text` instead of each secret and reference, so that its schema can check the rest of
 * it: the file has no values for them. Adds their paths to `replacedPaths`, so that the caller can ignore what the
 * schema says about the placeholders.
 */
function replaceHolesByTexts(value: Value, path: Path, replacedPaths: Path[]): unknown {
  if (value instanceof Sealed || isHole(value)) {
    replacedPaths.push(path);
    return 'text';
  }
  if (Array.isArray(value))
    return value.map((item, index) => replaceHolesByTexts(item, [...path, index], replacedPaths));
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value as Fields);
  return Object.fromEntries(
    members.map(([name, item]) => [name, replaceHolesByTexts(item, [...path, name], replacedPaths)]),
  );
}

/**
 * Returns the longest part of `path` that leads to an optional value; empty if only the whole field can be left out. So `trueup export`
 * leaves out as little as possible of a value that cannot be declared: for a wrong number at `limits.cpu`, only `limits.cpu` if it is
 * optional, else `limits`. Nothing inside a list or an atomic object (one that is compared as a whole) can be left out alone.
 */
function findRemovablePath(schema: z.ZodType, value: Value, path: string[]): string[] {
  const optionalPaths: string[][] = [];
  let current: { schema: z.ZodType; value: Value } = { schema, value };
  const currentPath: string[] = [];
  for (const step of path) {
    const isWhole = traitsOf(current.schema).atomic || !isPlainObject(current.value);
    const memberSchema = isWhole ? undefined : memberSchemasOf(current.schema)?.(step);
    if (!memberSchema) break;
    currentPath.push(step);
    // All entries of a map are optional.
    if (isOptional(memberSchema) || isMap(current.schema)) optionalPaths.push([...currentPath]);
    current = { schema: memberSchema, value: (current.value as Fields)[step]! };
  }
  return optionalPaths.at(-1) ?? [];
}

/** True for the schema of a map, which accepts any name as a key; an object schema accepts only its own. */
const isMap = (schema: z.ZodType) => memberSchemasOf(schema)?.(' any name ') !== undefined;

/** Returns a value without the member at a path. */
function removeMember(value: Fields, [name, ...rest]: string[]): Value {
  const { [name!]: inner, ...others } = value;
  return rest.length === 0 ? others : { ...value, [name!]: removeMember(inner as Fields, rest) };
}

/**
 * Returns the names of members, at any depth, that the live value has and the declared one has not; undefined if there are none. `trueup
 * export` names them in a comment, because it could not write them.
 */
function findMissingNames(declaredValue: Value | undefined, liveValue: unknown): string[] | undefined {
  const names = new Set<string>();
  const compare = (declared: unknown, live: unknown): void => {
    if (Array.isArray(live))
      for (const [index, item] of live.entries()) compare((declared as unknown[] | undefined)?.[index], item);
    if (!isPlainObject(live)) return;
    for (const [name, item] of Object.entries(live))
      if (isPlainObject(declared) && declared[name] === undefined) names.add(name);
      else compare((declared as Record<string, unknown> | undefined)?.[name], item);
  };
  compare(declaredValue, liveValue);
  return names.size > 0 ? [...names].sort() : undefined;
}

/**
 * Returns the reason why the name of an object cannot be the key (`key`) of its YAML block; undefined if it can. `trueup export` leaves out
 * such an object and prints the reason. Only for a kind whose blocks have names (`mapBy`).
 */
export function findKeyProblem(
  { yaml: { mapBy }, fields: schemas }: Kind,
  fields: Fields,
  key: string,
): string | undefined {
  // A key that begins with `$`, such as `$id`, would be read as a meta key, but `${...}` and `$${...}` would not. The parser rejects
  // `__proto__`.
  if (key === '__proto__' || /^\$(?!\$?\{)/.test(key)) return `no block can have the name "${key}"`;
  const schema = schemas[mapBy!]!;
  const value = fields[mapBy!];
  // The name is that of another object, and is checked with that object.
  if (isRef(value) || traitsOf(schema).ref) return undefined;
  return schema.safeParse(value, { error: () => notExpressible }).error?.issues[0]?.message;
}

/**
 * Returns a live value without members that the YAML cannot declare, and without optional members that are empty (null, '', [] or {}).
 * Undefined if nothing remains. Used before a value is compared or written, since the platform returns more members than a file has.
 */
export function toDeclarable(schema: z.ZodType, value: Value | undefined): Value | undefined {
  return value === null && isOptional(schema) ? undefined : toExpressibleItem(schema, value);
}

/**
 * Returns the part of an item of a list or map that its schema can hold, at any depth, for `trueup export`; undefined if there is none.
 * Null is a value if the schema accepts it, while `toDeclarable` takes the null of an optional field for an absent one.
 */
function toExpressibleItem(schema: z.ZodType, value: Value | undefined): Value | undefined {
  if (value === undefined) return undefined;
  if (value === null) return acceptsNull(schema) ? null : undefined;
  if (value instanceof Sealed || isHole(value)) return value;
  // The schema inside `.optional()` or `.default()`, for example.
  const inner = innerOf(schema);
  if (inner) return toDeclarable(inner, value);
  if (schema instanceof z.ZodUnion) return expressUnion(schema.options as z.ZodType[], value);
  if (Array.isArray(value)) {
    const element = (schema.def as { element?: z.ZodType }).element;
    if (!element) return value;
    return value.map((item) => toExpressibleItem(element, item)).filter((item) => item !== undefined);
  }
  if (!isPlainObject(value)) return value;
  const shape = shapeOf(schema);
  if (shape) return toExpressibleMembers(shape, value as Fields);
  const { valueType } = schema.def as { valueType?: z.ZodType };
  if (!valueType) return value;
  const members = Object.entries(value as Fields).map(
    ([name, item]) => [name, toExpressibleItem(valueType, item)] as const,
  );
  return Object.fromEntries(members.filter(([, item]) => item !== undefined)) as Value;
}

/**
 * Returns a value for a field with several possible forms (a union), as the first form that fits accepts it,
 * so that `export` writes only members of that form. Secrets and references in it count as text, as in the
 * YAML. If no form accepts it, returns the value unchanged, so that the caller reports it.
 */
function expressUnion(options: z.ZodType[], value: Value): Value | undefined {
  for (const option of options) {
    const declared = toDeclarable(option, value);
    if (declared !== undefined && option.safeParse(mapHoles(declared, () => 'text')).success) return declared;
  }
  return value;
}

/**
 * Returns the members of a live object that its schema has, for `trueup export`, each without the parts that the YAML cannot declare
 * (`toDeclarable`). Empty optional members that mean the same as absent ones are left out, because they would only be noise in the YAML.
 * `shape`: the schemas of the members by name.
 */
const toExpressibleMembers = (shape: Record<string, z.ZodType>, value: Fields): Value => {
  const members = Object.entries(shape).map(([name, schema]) => {
    const item = toDeclarable(schema, value[name]);
    const isLikeAbsent = item === undefined || (isBlankValue(item) && equalsAbsent(schema, item));
    const isLeftOut = isOptional(schema) && isLikeAbsent;
    return [name, isLeftOut ? undefined : item] as const;
  });
  return Object.fromEntries(members.filter(([, item]) => item !== undefined)) as Value;
};

/** True if a field need not be declared. */
export const isOptional: (schema: z.ZodType) => boolean = memoize(
  (schema: z.ZodType) => schema.safeParse(undefined).success,
);

/** True if a field can be declared as null. */
export const acceptsNull: (schema: z.ZodType) => boolean = memoize(
  (schema: z.ZodType) => schema.safeParse(null).success,
);

/**
 * True if a value is missing or empty: null, '', [] or {}. An export usually leaves out such values, because
 * they would only be noise in the YAML.
 */
export const isBlankValue = (value: Value | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isPlainObject(value) && Object.keys(value).length === 0);
