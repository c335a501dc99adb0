import * as z from 'zod';
import { childKinds } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { docOf, traitsOf } from '../../kind/traits.ts';
import { nullIsValue, standsForOptional } from '../blocks/section-entries.ts';
import { allowedValues } from '../fields/schema-options.ts';
import { expression, type JsonSchema, nameSchema, orExpression } from './json-schema.ts';
import type { KnownNames } from './known-names.ts';
import { layerProperties } from './layer-schemas.ts';
import { metaSchemas } from './meta-schemas.ts';
import { withoutRequired } from './required-members.ts';
import { withExpressions } from './with-expressions.ts';

/**
 * One block of a kind: its fields, `$` keys and child sections, and what else may stand in its place. Nothing is required: it may lie over
 * other layers, or below them.
 */
export function blockDefinition(kind: Kind, kinds: Kinds, known: KnownNames): JsonSchema {
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
      ...layerProperties(kind, known),
    },
    patternProperties: frameKeys,
  };
  const nullable = nullIsValue(kind) || (kind.yaml.mapBy !== undefined && !standsForOptional(kind));
  return kind.yaml.shorthand
    ? { ...block, type: ['object', 'string', 'number', 'boolean', ...(nullable ? ['null'] : [])] }
    : orExpression('object', block, nullable);
}

/** Keys of templates and patches, which are checked by the definition of a block, too. */
const frameKeys: Record<string, JsonSchema> = { '^\\$(?:kind|inputs|at)$': {} };

/** The key of the map says it already, and what is written here must be the same. */
const keyTwice = (doc: string | undefined): JsonSchema => ({
  ...(doc === undefined ? {} : { description: doc }),
  doNotSuggest: true,
});

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
const fieldSchema = (schema: z.ZodType): JsonSchema =>
  withExpressions(withoutRequired(writtenSchema(schema)));

const written = new WeakMap<z.ZodType, JsonSchema>();

/** The same as zod has it, with `isWhole` where an object is replaced as a whole. Made once for each schema; nobody changes it. */
export function writtenSchema(schema: z.ZodType): JsonSchema {
  const made = written.get(schema) ?? write(schema);
  written.set(schema, made);
  return made;
}

function write(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
    cycles: 'throw',
    override: ({ zodSchema, jsonSchema }) => {
      Object.assign(jsonSchema, notesOf(zodSchema as unknown as z.ZodType, jsonSchema));
    },
  });
  return json as JsonSchema;
}

/** Members that zod's JSON Schema lacks. */
function notesOf(schema: z.ZodType, { type }: { type?: unknown }): JsonSchema {
  const { known, secret, atomic } = traitsOf(schema);
  const doc = docOf(schema);
  const kept = secret && (secret === true ? 'A secret.' : 'A secret, unless other fields say otherwise.');
  const description = [doc, kept, known && 'Unknown values are sent as they are.'];
  const message = patternMessageOf(schema);
  return {
    ...(description.some(Boolean) ? { description: description.filter(Boolean).join(' ') } : {}),
    ...(known && type === 'string' ? { known: [...new Set(known)] } : {}),
    ...(message === undefined ? {} : { patternErrorMessage: message }),
    ...(atomic ? { isWhole: true } : {}),
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
