import * as z from 'zod';
import { childKinds } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { docOf, traitsOf } from '../../kind/traits.ts';
import { nullIsValue, standsForOptional } from '../blocks/section-entries.ts';
import { allowedValues } from '../fields/schema-options.ts';
import { expression, type JsonSchema, nameSchema, orExpression } from './json-schema.ts';
import { metaSchemas } from './meta-schemas.ts';
import { withExpressions } from './with-expressions.ts';

/** One block of a kind: its fields, `$` keys and child sections, and what else may stand in its place. */
export function blockDefinition(kind: Kind, kinds: Kinds): JsonSchema {
  const children = childKinds(kinds, kind.name);
  const fields = Object.entries(kind.fields).map(([name, schema]): [string, JsonSchema] => [
    name,
    name === kind.yaml.mapBy ? keyTwice(docOf(schema)) : fieldSchema(schema),
  ]);
  const block: JsonSchema = {
    title: kind.name,
    description: kind.doc,
    additionalProperties: false,
    properties: {
      ...Object.fromEntries(fields),
      ...Object.fromEntries(children.map((child) => [child.section, sectionSchema(child)])),
      ...metaSchemas(kind, children),
    },
    ...requirements(kind, children),
  };
  const isNothingFine =
    kind.yaml.mapBy !== undefined && requiredFields(kind).length === 0 && !standsForOptional(kind);
  const nullable = nullIsValue(kind) || isNothingFine;
  return kind.yaml.shorthand
    ? { ...block, type: ['object', 'string', 'number', 'boolean', ...(nullable ? ['null'] : [])] }
    : orExpression('object', block, nullable);
}

/** The key of the map says it already, and what is written here must be the same. */
const keyTwice = (doc: string | undefined): JsonSchema => ({
  ...(doc === undefined ? {} : { description: doc }),
  doNotSuggest: true,
});

const requiredFields = ({ fields, yaml: { mapBy } }: Kind): string[] =>
  Object.keys(fields).filter((name) => name !== mapBy && !fields[name]!.safeParse(undefined).success);

/** The required fields. A block that only holds other blocks, or is let go, needs no more than its key. */
function requirements(kind: Kind, children: readonly Kind[]): JsonSchema {
  const required = requiredFields(kind);
  const always = required.filter((name) => kind.key.includes(name));
  const otherwise = required.filter((name) => !kind.key.includes(name));
  const is = (key: string): JsonSchema => ({
    required: [key],
    properties: { [key]: { not: { const: false } } },
  });
  // Its own fields may stand in another file, where it has child sections only.
  const elsewhere: JsonSchema = {
    minProperties: 1,
    propertyNames: { enum: children.map(({ section }) => section) },
  };
  const partial = [is('$existing'), is('$forget'), ...(children.length > 0 ? [elsewhere] : [])];
  const whole: JsonSchema = { required: otherwise };
  return {
    ...(always.length > 0 ? { required: always } : {}),
    ...(otherwise.length > 0
      ? partial.reduceRight((inner, condition) => ({ if: condition, else: inner }), whole)
      : {}),
  };
}

/** A section as the loader reads it: a block, a list of blocks, or a map by the key of the kind. */
export function sectionSchema(kind: Kind): JsonSchema {
  const block: JsonSchema = { $ref: `#/definitions/${kind.name}` };
  const description = kind.doc;
  if (kind.key.length === 0) return { ...block, description };
  if (kind.yaml.mapBy === undefined) return orExpression('array', { description, items: block });
  const entry: JsonSchema = kind.yaml.manyPerKey
    ? // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { if: { type: 'array' }, then: { description, items: block }, else: block }
    : block;
  return orExpression('object', { description, ...keys(kind.fields[kind.yaml.mapBy]!, entry) });
}

/** The entries of a map; keys that are known are offered. */
function keys(key: z.ZodType, entry: JsonSchema): JsonSchema {
  const closed = allowedValues(key).map(String);
  const offered = [...closed, ...(traitsOf(key).known ?? [])];
  const properties =
    offered.length > 0 ? { properties: Object.fromEntries(offered.map((name) => [name, entry])) } : {};
  if (closed.length > 0)
    return { ...properties, patternProperties: { [expression]: entry }, additionalProperties: false };
  const limits = fieldSchema(key).anyOf?.[0]?.else;
  return {
    ...properties,
    additionalProperties: entry,
    ...(limits ? { propertyNames: nameSchema(limits) } : {}),
  };
}

/** The JSON Schema of a field: the values that the loader takes, documentation, known values, whether it is secret. */
function fieldSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...written } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
    cycles: 'throw',
    override: ({ zodSchema, jsonSchema }) => {
      Object.assign(jsonSchema, notesOf(zodSchema as unknown as z.ZodType, jsonSchema));
    },
  });
  return withExpressions(written as JsonSchema);
}

/** Members that zod's JSON Schema lacks. */
function notesOf(schema: z.ZodType, { type }: { type?: unknown }): JsonSchema {
  const { known, secret } = traitsOf(schema);
  const doc = docOf(schema);
  const kept = secret && (secret === true ? 'A secret.' : 'A secret, unless the other fields say otherwise.');
  const description = [doc, kept, known && 'Other values than the known ones are sent as they are.'];
  const message = patternMessageOf(schema);
  return {
    ...(description.some(Boolean) ? { description: description.filter(Boolean).join(' ') } : {}),
    ...(known && type === 'string' ? { known: [...new Set(known)] } : {}),
    ...(message === undefined ? {} : { patternErrorMessage: message }),
  };
}

/** The kind's own words for a text that does not match. */
function patternMessageOf({ def }: z.ZodType): string | undefined {
  const { checks = [] } = def as { checks?: z.core.$ZodCheck[] };
  for (const check of checks) {
    const { pattern, error } = check._zod.def as { pattern?: RegExp; error?: (issue: object) => unknown };
    const message = pattern && error?.({ code: 'invalid_format' });
    if (typeof message === 'string') return message;
  }
  return undefined;
}
