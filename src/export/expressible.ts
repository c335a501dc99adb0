import * as z from 'zod';
import { isSameValue } from '../kind/compare.ts';
import { equalsAbsent, withoutEmpty } from '../kind/empty-is-absent.ts';
import type { Kind } from '../kind/kind.ts';
import { type Leaf, leavesOf, memberSchemasOf } from '../kind/leaves.ts';
import { innerOf, shapeOf, traitsOf } from '../kind/traits.ts';
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
  type Value,
} from '../model/value.ts';

/** The part of a found field that can be declared, and a sentence for each part that cannot. */
interface Expressible {
  /** Undefined where nothing is left. */
  part: Value | undefined;
  problems: string[];
}

/**
 * Returns the largest part of a live field that a configuration can declare so that a plan finds no difference, with a problem for each part
 * that is left out. Leaves out single members of objects that are compared by member, else the whole field.
 */
export function findExpressiblePart(
  name: string,
  schema: z.ZodType,
  value: Value,
  found: Value,
): Expressible {
  const problems: string[] = [];
  let remaining: Value | undefined = value;
  for (;;) {
    const wrong = remaining === undefined ? undefined : wrongIn(name, schema, remaining, found);
    if (!wrong) return { part: remaining, problems };
    const path = removable(schema, remaining!, wrong.path);
    problems.push(`\`${[name, ...path].join('.')}\` is left out: ${wrong.why}`);
    remaining = path.length === 0 ? undefined : removed(remaining as Fields, path);
  }
}

interface Wrong {
  path: string[];
  why: string;
}

function wrongIn(name: string, schema: z.ZodType, part: Value, found: Value): Wrong | undefined {
  const odd = oddIn(part, []);
  if (odd) return odd;
  const holes: Path[] = [];
  const standIns = withStandIns(part, [], holes);
  // What a schema says itself is for people; the library's own words are not.
  const { issues } = schema.safeParse(standIns, { error: () => noPlace }).error ?? { issues: [] };
  for (const issue of issues) {
    const path = issue.path.map(String);
    if (holes.some((hole) => hole.every((step, index) => String(step) === path[index]))) continue;
    return { path, why: issue.message === noPlace ? sayWhy(part, path) : issue.message };
  }
  const [wanted, there] = [part, found].map((value) => withoutEmpty({ [name]: schema }, { [name]: value }));
  const differs = ({ path, value, traits }: Leaf) => !isSameValue(value, atPath(there!, path), traits);
  const leaf = leavesOf({ [name]: schema }, wanted!).find(differs);
  if (!leaf) return undefined;
  const unknown = unknownIn(leaf.value, atPath(there!, leaf.path));
  return {
    path: namesInPath(leaf.path).slice(1),
    why: unknown
      ? `${unknown.map((member) => `\`${member}\``).join(', ')} in it cannot be declared`
      : 'not all of it can be declared',
  };
}

/** The problem with a value that a schema rejects without a message of its own. */
const noPlace = 'a configuration cannot express this value';

function sayWhy(part: Value, path: string[]): string {
  const value = path.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], part);
  const text = typeof value === 'object' || value === undefined ? undefined : JSON.stringify(value);
  return text === undefined || text.length > 60 ? noPlace : `${noPlace}, ${text}`;
}

/** Numbers and names that a file cannot hold. */
function oddIn(value: Value, path: string[]): Wrong | undefined {
  if (
    typeof value === 'number' &&
    (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
  )
    return { path, why: `the number ${value} cannot be represented exactly` };
  if (Array.isArray(value))
    return firstWrongMember(
      value.map((item, index) => [String(index), item] as const),
      path,
    );
  if (!isPlainObject(value)) return undefined;
  if (Object.hasOwn(value, '__proto__'))
    return { path, why: 'the name `__proto__` is not allowed in a file' };
  return firstWrongMember(Object.entries(value as Fields), path);
}

function firstWrongMember(members: (readonly [string, Value])[], path: string[]): Wrong | undefined {
  for (const [name, item] of members) {
    const odd = oddIn(item, [...path, name]);
    if (odd) return odd;
  }
  return undefined;
}

/** The value with a text where a secret or a reference is; where those are goes into `holes`. */
function withStandIns(value: Value, path: Path, holes: Path[]): unknown {
  if (value instanceof Sealed || isHole(value)) {
    holes.push(path);
    return mapHoles(value, () => 'text');
  }
  if (Array.isArray(value)) return value.map((item, index) => withStandIns(item, [...path, index], holes));
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value as Fields);
  return Object.fromEntries(
    members.map(([name, item]) => [name, withStandIns(item, [...path, name], holes)]),
  );
}

/** Returns the path of the smallest optional part that contains `path`; empty if only the whole field can be left out. */
function removable(schema: z.ZodType, value: Value, path: string[]): string[] {
  const optionalPaths: string[][] = [];
  let current: { schema: z.ZodType; value: Value } = { schema, value };
  const currentPath: string[] = [];
  for (const step of path) {
    const memberOf =
      traitsOf(current.schema).atomic || !isPlainObject(current.value)
        ? undefined
        : memberSchemasOf(current.schema);
    const member = memberOf?.(step);
    if (!member) break;
    currentPath.push(step);
    // All entries of a map are optional.
    if (isOptional(member) || isMap(current.schema)) optionalPaths.push([...currentPath]);
    current = { schema: member, value: (current.value as Fields)[step]! };
  }
  return optionalPaths.at(-1) ?? [];
}

// Of an object schema only some names are known.
const isMap = (schema: z.ZodType) => memberSchemasOf(schema)?.(' any name ') !== undefined;

function removed(value: Fields, [name, ...rest]: string[]): Value {
  const { [name!]: inner, ...others } = value;
  return rest.length === 0 ? others : { ...value, [name!]: removed(inner as Fields, rest) };
}

/** The names that a found value has beyond the one that can be declared, at any depth. */
function unknownIn(value: Value | undefined, found: unknown): string[] | undefined {
  const names = new Set<string>();
  const walk = (value: unknown, there: unknown): void => {
    if (Array.isArray(there))
      for (const [index, item] of there.entries()) walk((value as unknown[] | undefined)?.[index], item);
    if (!isPlainObject(there)) return;
    for (const [name, item] of Object.entries(there))
      if (isPlainObject(value) && value[name] === undefined) names.add(name);
      else walk((value as Record<string, unknown> | undefined)?.[name], item);
  };
  walk(value, found);
  return names.size > 0 ? [...names].sort() : undefined;
}

/** Why a block cannot be called what the object is called. */
export function findKeyProblem(
  { yaml: { mapBy }, fields: schemas }: Kind,
  fields: Fields,
  key: string,
): string | undefined {
  // Keys with $ are about a resource, and the parser refuses the other one.
  if (key === '__proto__' || /^\$(?!\$?\{)/.test(key)) return `no block can have the name "${key}"`;
  const value = fields[mapBy!];
  const { issues } = schemas[mapBy!]!.safeParse(value, { error: () => noPlace }).error ?? { issues: [] };
  return isRef(value) || traitsOf(schemas[mapBy!]!).ref ? undefined : issues[0]?.message;
}

/**
 * Returns a live value without members that the YAML cannot declare, and without optional members that are empty (null, '', [] or {}).
 * Undefined if nothing remains.
 */
export function toDeclarable(schema: z.ZodType, value: Value | undefined): Value | undefined {
  return value === null && isOptional(schema) ? undefined : toExpressibleItem(schema, value);
}

/** Like `declarable`, for an item of a list or of a map, where null is a value if the schema accepts it. */
function toExpressibleItem(schema: z.ZodType, value: Value | undefined): Value | undefined {
  if (value === undefined) return undefined;
  if (value === null) return schema.safeParse(null).success ? null : undefined;
  if (value instanceof Sealed || isHole(value)) return value;
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
  if (shape) return expressiblePartsOf(shape, value as Fields);
  const { valueType } = schema.def as { valueType?: z.ZodType };
  if (!valueType) return value;
  const members = Object.entries(value as Fields).map(
    ([name, item]) => [name, toExpressibleItem(valueType, item)] as const,
  );
  return Object.fromEntries(members.filter(([, item]) => item !== undefined)) as Value;
}

/**
 * Returns the value as the first of several forms accepts it. Secrets and references in it count as text, as in the YAML. If no form accepts
 * it, returns the value unchanged, so that the caller reports it.
 */
function expressUnion(options: z.ZodType[], value: Value): Value | undefined {
  for (const option of options) {
    const declared = toDeclarable(option, value);
    if (declared !== undefined && option.safeParse(mapHoles(declared, () => 'text')).success) return declared;
  }
  return value;
}

const expressiblePartsOf = (shape: Record<string, z.ZodType>, value: Fields): Value => {
  const members = Object.entries(shape).map(([name, schema]) => {
    const item = toDeclarable(schema, value[name]);
    const isLeftOut =
      isOptional(schema) && isEmptyValue(item) && (item === undefined || equalsAbsent(schema, item));
    return [name, isLeftOut ? undefined : item] as const;
  });
  return Object.fromEntries(members.filter(([, item]) => item !== undefined)) as Value;
};

export const isOptional = (schema: z.ZodType): boolean => schema.safeParse(undefined).success;

/** True if a value is the same as none. */
export const isEmptyValue = (value: Value | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isPlainObject(value) && Object.keys(value).length === 0);
