import type * as z from 'zod';
import type { Kind } from '../../kind/kind.ts';
import { traitsOf } from '../../kind/traits.ts';
import { allowedValues } from '../schema-options.ts';
import { expression, orExpression } from './expression.ts';
import { fieldSchema } from './field-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { nameSchema } from './text-schema.ts';

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
