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
 * The part of a field that a configuration takes, and that then equals what was found. What does not is left out: as little as
 * can be, a member of an object that is compared by member, else the field.
 */
export function expressible(name: string, schema: z.ZodType, value: Value, found: Value): Expressible {
  const problems: string[] = [];
  let kept: Value | undefined = value;
  for (;;) {
    const wrong = kept === undefined ? undefined : wrongIn(name, schema, kept, found);
    if (!wrong) return { part: kept, problems };
    const at = removable(schema, kept!, wrong.path);
    problems.push(`\`${[name, ...at].join('.')}\` is left out: ${wrong.why}`);
    kept = at.length === 0 ? undefined : removed(kept as Fields, at);
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

/** The problem with a value that a schema does not take, and of which it says nothing. */
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

/** The way to the smallest part around `path` that a block need not have. */
function removable(schema: z.ZodType, value: Value, path: string[]): string[] {
  const ways: string[][] = [];
  let at: { schema: z.ZodType; value: Value } = { schema, value };
  const way: string[] = [];
  for (const step of path) {
    const memberOf =
      traitsOf(at.schema).atomic || !isPlainObject(at.value) ? undefined : memberSchemasOf(at.schema);
    const member = memberOf?.(step);
    if (!member) break;
    way.push(step);
    // An entry of a map need not be there.
    if (isOptional(member) || isMap(at.schema)) ways.push([...way]);
    at = { schema: member, value: (at.value as Fields)[step]! };
  }
  return ways.at(-1) ?? [];
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
export function whyNoKey(
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
 * A found value with what the schema of the YAML takes, and nothing else: members that cannot be declared are left out, and so
 * is what says nothing (null, '', [] and {}) where it need not be there. Undefined if nothing remains.
 */
export function declarable(schema: z.ZodType, value: Value | undefined): Value | undefined {
  return value === null && isOptional(schema) ? undefined : toExpressibleItem(schema, value);
}

/** The same for what is in a list or a map by name, where null is a value if the schema takes it. */
function toExpressibleItem(schema: z.ZodType, value: Value | undefined): Value | undefined {
  if (value === undefined) return undefined;
  if (value === null) return schema.safeParse(null).success ? null : undefined;
  if (value instanceof Sealed || isHole(value)) return value;
  const inner = innerOf(schema);
  if (inner) return declarable(inner, value);
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
 * The first form of several that takes the value; what is a secret or a reference in it is a text in the YAML. Where none does, the
 * value as it is: that it cannot be declared is for the caller to tell.
 */
function expressUnion(options: z.ZodType[], value: Value): Value | undefined {
  for (const option of options) {
    const part = declarable(option, value);
    if (part !== undefined && option.safeParse(mapHoles(part, () => 'text')).success) return part;
  }
  return value;
}

const expressiblePartsOf = (shape: Record<string, z.ZodType>, value: Fields): Value => {
  const members = Object.entries(shape).map(([name, schema]) => {
    const item = declarable(schema, value[name]);
    const isLeftOut =
      isOptional(schema) && saysNothing(item) && (item === undefined || equalsAbsent(schema, item));
    return [name, isLeftOut ? undefined : item] as const;
  });
  return Object.fromEntries(members.filter(([, item]) => item !== undefined)) as Value;
};

export const isOptional = (schema: z.ZodType): boolean => schema.safeParse(undefined).success;

/** True if a value is the same as none. */
export const saysNothing = (value: Value | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isPlainObject(value) && Object.keys(value).length === 0);
