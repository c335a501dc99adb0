import * as z from 'zod';
import type { Kind } from '../kind/kind.ts';
import { type FieldTraits, traitsOf } from '../kind/traits.ts';

/** The members of a zod schema's definition that are read here. Each schema has only some of them. */
interface Def {
  type: string;
  innerType?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
  element?: z.ZodType;
  valueType?: z.ZodType;
  options?: z.ZodType[];
  entries?: Record<string, string | number>;
  values?: unknown[];
  getter?(): z.ZodType;
}

/** Returns the definition of a zod schema, from which the manual derives the type and the members of a field. */
export const defOf = (schema: z.ZodType) => schema.def as unknown as Def;

/**
 * Returns the schema inside a wrapper, such as that of an optional value; undefined for other schemas. The manual describes a field by the
 * inner schema. Of a pipe, which checks a value and then converts it, that is the side that checks.
 */
export function innerSchemaOf(schema: z.ZodType): z.ZodType | undefined {
  const def = defOf(schema);
  if (def.type === 'lazy') return def.getter?.();
  if (def.type !== 'pipe') return def.innerType;
  return defOf(def.out!).type === 'transform' ? def.in : def.out;
}

/**
 * Describes the values that a field accepts, for manual pages: `whole number, 60 to 2147483647`, `set, each one of
 * a, b`. `isSet`: the order of the items does not matter, as a wrapper around the schema says.
 */
export function typeWords(schema: z.ZodType, isSet = false): string {
  const { knownValues, ref, unordered } = traitsOf(schema);
  const def = defOf(schema);
  if (knownValues) return `one of ${knownValues.join(', ')} (others cause a warning)`;
  const inner = innerSchemaOf(schema);
  if (inner) return typeWords(inner, isSet || unordered);
  if (ref !== undefined && def.type === 'string') return `name of a ${ref}`;
  if (def.options)
    return [...new Set(def.options.map((option) => typeWords(option, isSet || unordered)))].join(' or ');
  if (def.element)
    return `${isSet || unordered ? 'set' : 'list'}${sizeWords(schema)}, each ${typeWords(def.element)}`;
  if (def.type === 'record') return `map by name, each ${typeWords(def.valueType!)}`;
  if (def.entries) return formatChoices(Object.values(def.entries));
  if (def.values) return formatChoices(def.values);
  return wordsByType[def.type]?.(jsonSchemaOf(schema)) ?? def.type;
}

/** Formats the values that a field can have for its type on a manual page: `one of a, b`, or a single value in backticks. */
const formatChoices = (values: unknown[]): string =>
  values.length === 1 ? `\`${values[0]}\`` : `one of ${values.join(', ')}`;

/** Returns the limits of a schema, which zod exposes only as JSON Schema. */
const jsonSchemaOf = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as SchemaLimits;

/** The limits of a value in a JSON Schema. */
interface SchemaLimits {
  type?: string;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
}

const wordsByType: Record<string, (limits: SchemaLimits) => string> = {
  string: textWords,
  number: ({ type, minimum, maximum }) =>
    `${type === 'integer' ? 'whole number' : 'number'}${rangeWords(safe(minimum), safe(maximum))}`,
  boolean: () => 'true or false',
  object: () => 'object',
  any: () => 'any value',
  unknown: () => 'any value',
};

const wordsByFormat: Record<string, string> = {
  ipv4: 'IPv4 address',
  ipv6: 'IPv6 address',
  cidrv4: 'IPv4 range',
  cidrv6: 'IPv6 range',
  email: 'e-mail address',
  uri: 'URL',
  uuid: 'UUID',
  date: 'date',
  'date-time': 'date and time (ISO 8601)',
};

/**
 * Describes the texts that a schema accepts, by format, length and pattern, for the type of a field in the manual:
 * `text, 3 to 64 characters`.
 */
function textWords({ format, pattern, minLength, maxLength }: SchemaLimits): string {
  if (format) return wordsByFormat[format] ?? `text (${format})`;
  const length =
    minLength === 1 && maxLength === undefined
      ? ', not empty'
      : rangeWords(minLength === 1 ? undefined : minLength, maxLength, ' characters');
  return `text${length}${pattern === undefined ? '' : ` like ${pattern}`}`;
}

/** Describes the number of items that a list field may have, for its type on a manual page: ` of 1 to 5`; empty without limits. */
const sizeWords = (schema: z.ZodType): string => {
  const { minItems, maxItems } = jsonSchemaOf(schema);
  return rangeWords(minItems, maxItems).replace(/^, /, ' of ');
};

/** Returns a limit; undefined for the limit that zod sets for all whole numbers, since it is not worth printing. */
const safe = (limit: number | undefined) =>
  limit !== undefined && Math.abs(limit) === Number.MAX_SAFE_INTEGER ? undefined : limit;

/**
 * Describes the sizes that a schema accepts, for the end of a field's type on a manual page: `, 1 to 5 characters`,
 * `, at least 2`; empty without limits.
 */
function rangeWords(least: number | undefined, most: number | undefined, unit = ''): string {
  if (least !== undefined && least === most) return `, ${least}${unit}`;
  if (least !== undefined && most !== undefined) return `, ${least} to ${most}${unit}`;
  if (least !== undefined) return `, at least ${least}${unit}`;
  return most === undefined ? '' : `, at most ${most}${unit}`;
}

type TraitWords = {
  [T in keyof Required<FieldTraits>]: (value: NonNullable<FieldTraits[T]>, kind: Kind) => string | undefined;
};

/**
 * The words for each trait, in the order of the manual. Undefined for a trait that readers need not know, or that the field's type already
 * shows.
 */
const wordsByTrait: TraitWords = {
  immutable: (value, { lifecycle: { replace } }) => {
    const change = value === true ? 'immutable: a change' : 'immutable from some values: such a change';
    return replace === 'never' ? `${change} is rejected` : `${change} replaces`;
  },
  writeOnly: () => 'write-only: cannot be read back, so it is compared with the last applied value',
  readMayLack: () => 'if a response omits it, it is compared with the last applied value',
  file: () => 'the path of a file, compared by its digest',
  secret: (value) =>
    value === true ? 'secret: never shown' : 'secret: never shown, unless other fields say it is not secret',
  inClear: () => 'text written in the configuration itself is shown',
  takesSecret: () => 'can be declared with `$secretTo` of an object whose secret is shown once',
  neverReturned: () => undefined,
  findPossibleSecret: () => undefined,
  normalText: () => 'spellings with the same meaning are equal',
  unordered: () => 'set: order does not matter',
  whereDeclared: (names) => `${names.join(' and ')} of an item: compared only where declared`,
  atomic: () => 'compared and sent as a whole',
  safeguard: () => undefined,
  emptyCounts: () => 'an empty value differs from no value',
  ref: () => undefined,
  circle: () => undefined,
  softRef: (kind) => `may name a ${kind}; if that is declared, it is created first`,
  mirrors: ({ kind }) => `changes with each ${kind} of the same object`,
  mayIdentify: () => undefined,
  within: (kind) => `inside the ${kind} of that name (created first)`,
  sole: () => 'only one object may have it at a time: the object that gives it up changes first',
  foundBy: ({ directory: { noun } }) => `found by the names of each ${noun}`,
  createOnly: () => 'only at creation: never compared or sent again',
  neededToCreate: () => 'required to create one; if omitted, an existing one keeps its value',
  updateOnly: () => 'sent after creation, in a second request',
  local: () => 'a label in this configuration; the platform does not know it',
  insteadOf: () => undefined,
  knownValues: () => undefined,
  published: () => undefined,
};

/**
 * Returns what the traits of a field (facts that its schema cannot state, such as `immutable`) mean, in words for
 * the manual page of its kind.
 */
export function traitWords(traits: FieldTraits, kind: Kind): string[] {
  return Object.entries(wordsByTrait).flatMap(([name, describe]) => {
    const value = traits[name as keyof FieldTraits];
    return value === undefined
      ? []
      : ((describe as (value: unknown, kind: Kind) => string | undefined)(value, kind) ?? []);
  });
}
