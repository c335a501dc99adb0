import * as z from 'zod';
import { childKinds } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { docOf, traitsOf } from '../../kind/traits.ts';
import { memoize } from '../../model/memoize.ts';
import { hasOptionalShorthand, takesNullEntry } from '../blocks/section-entries.ts';
import { allowedValues } from '../fields/schema-options.ts';
import type { DeclaredNames } from './declared-names.ts';
import { expressionPattern, type JsonSchema, keySchema, typeOrExpression } from './json-schema.ts';
import { layerProperties } from './layer-schemas.ts';
import { metaSchemas } from './meta-schemas.ts';
import { withExpressions } from './with-expressions.ts';

/**
 * One block of a kind: its fields, `$` keys and child sections, and what else may stand in its place. Nothing is required: it may lie over
 * other layers, or below them.
 */
export function blockSchema(kind: Kind, kinds: Kinds, knownNames: DeclaredNames): JsonSchema {
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
      ...layerProperties(kind, knownNames),
    },
    patternProperties: frameKeys,
  };
  const nullable = takesNullEntry(kind) || (kind.yaml.mapBy !== undefined && !hasOptionalShorthand(kind));
  return kind.yaml.shorthand
    ? { ...block, type: ['object', 'string', 'number', 'boolean', ...(nullable ? ['null'] : [])] }
    : typeOrExpression('object', block, nullable);
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
  if (kind.yaml.mapBy === undefined) return typeOrExpression('array', { description, items: block });
  const entry: JsonSchema = kind.yaml.manyPerKey
    ? // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { if: { type: 'array' }, then: { description, items: block }, else: block }
    : block;
  return typeOrExpression('object', { description, ...keys(kind.fields[kind.yaml.mapBy]!, entry) });
}

/** The entries of a map; keys that are known are offered. */
function keys(key: z.ZodType, entry: JsonSchema): JsonSchema {
  const closed = allowedValues(key).map(String);
  const offered = [...closed, ...(traitsOf(key).knownValues ?? [])];
  const properties =
    offered.length > 0 ? { properties: Object.fromEntries(offered.map((name) => [name, entry])) } : {};
  if (closed.length > 0)
    return { ...properties, patternProperties: { [expressionPattern]: entry }, additionalProperties: false };
  const limits = fieldSchema(key).anyOf?.[0]?.else;
  return {
    ...properties,
    additionalProperties: entry,
    ...(limits ? { propertyNames: keySchema(limits) } : {}),
  };
}

/** The JSON Schema of a field: the values that the loader takes, documentation, known values, whether it is secret. */
const fieldSchema = (schema: z.ZodType): JsonSchema =>
  withExpressions(dropRequirements(zodJsonSchema(schema)));

/** The same as zod has it, with `isWhole` where an object is replaced as a whole. Made once for each schema; nobody changes it. */
export const zodJsonSchema = memoize((schema: z.ZodType): JsonSchema => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
    cycles: 'throw',
    override: ({ zodSchema, jsonSchema }) => {
      Object.assign(jsonSchema, schemaNotesOf(zodSchema as unknown as z.ZodType, jsonSchema));
    },
  });
  return json as JsonSchema;
});

/** Members that zod's JSON Schema lacks. */
function schemaNotesOf(schema: z.ZodType, { type }: { type?: unknown }): JsonSchema {
  const { knownValues, secret, atomic } = traitsOf(schema);
  const doc = docOf(schema);
  const kept = secret && (secret === true ? 'A secret.' : 'A secret, unless other fields say otherwise.');
  const description = [doc, kept, knownValues && 'Unknown values are sent as they are.'];
  const message = patternMessageOf(schema);
  return {
    ...(description.some(Boolean) ? { description: description.filter(Boolean).join(' ') } : {}),
    ...(knownValues && type === 'string' ? { known: [...new Set(knownValues)] } : {}),
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

/**
 * A field's schema (as zod has it) without what it requires, as far as layers are merged member by member: another layer may give the rest.
 * A part that is replaced as a whole (`isWhole`, lists, alternatives) keeps its requirements.
 */
export function dropRequirements({ isWhole, ...schema }: JsonSchema): JsonSchema {
  if (isWhole) return withoutMarks(schema);
  const one = onlyAlternative(schema);
  if (one) {
    const replaced = (options: JsonSchema[]) =>
      options.map((option) => (option === one ? dropRequirements(one) : option));
    return {
      ...schema,
      ...(schema.anyOf ? { anyOf: replaced(schema.anyOf) } : {}),
      ...(schema.oneOf ? { oneOf: replaced(schema.oneOf) } : {}),
    };
  }
  if (schema.type !== 'object') return withoutMarks(schema);
  const { required: _, minProperties: __, properties, additionalProperties, ...rest } = schema;
  return {
    ...rest,
    ...(properties ? { properties: mapSchemas(properties, dropRequirements) } : {}),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties:
            typeof additionalProperties === 'object'
              ? dropRequirements(additionalProperties)
              : additionalProperties,
        }),
  };
}

/** Exactly the part that `withoutRequired` leaves out; undefined if that is nothing. */
export function requirementsOf(schema: JsonSchema): JsonSchema | undefined {
  if (schema.isWhole) return undefined;
  const one = onlyAlternative(schema);
  if (one) return requirementsOf(one);
  if (schema.type !== 'object') return undefined;
  const { required, minProperties, properties = {}, additionalProperties } = schema;
  const members = Object.entries(properties).flatMap(([name, member]) => {
    const schema = requirementsOf(member);
    return schema ? [[name, { ...schema, doNotSuggest: true }]] : [];
  });
  const others = typeof additionalProperties === 'object' ? requirementsOf(additionalProperties) : undefined;
  const found: JsonSchema = {
    ...(required && required.length > 0 ? { required } : {}),
    ...(minProperties ? { minProperties } : {}),
    ...(members.length > 0 ? { properties: Object.fromEntries(members) } : {}),
    ...(others ? { additionalProperties: others } : {}),
  };
  return Object.keys(found).length > 0 ? found : undefined;
}

/** The only alternative beside null. */
function onlyAlternative({ anyOf, oneOf }: JsonSchema): JsonSchema | undefined {
  const [one, more] = (anyOf ?? oneOf ?? []).filter(({ type }) => type !== 'null');
  return more ? undefined : one;
}

const mapSchemas = (schemas: Record<string, JsonSchema>, change: (schema: JsonSchema) => JsonSchema) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, change(schema)]));

/** The schema without `isWhole`, which no editor knows. */
function withoutMarks<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(withoutMarks) as T;
  if (typeof schema !== 'object' || schema === null) return schema;
  const { isWhole: _, ...rest } = schema as JsonSchema;
  return Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, withoutMarks(inner)])) as T;
}
