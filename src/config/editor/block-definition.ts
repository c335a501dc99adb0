/**
 * The schemas of blocks for editors.
 *
 *   requirements   the members that a block must have. The schema of a block leaves them out, because templates or patches may add the members.
 *                  They apply only to blocks that nothing else can complete: the configuration has no patches, the document names no files of
 *                  stages, and neither the block nor one around it has `$use`. Then an editor can mark a missing field.
 */
import * as z from 'zod';
import { childKinds } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { docOf, traitsOf } from '../../kind/traits.ts';
import { memoize } from '../../model/graph.ts';
import { dropUndefined } from '../../model/walk.ts';
import { hasOptionalShorthand, takesNullEntry } from '../blocks/section-entries.ts';
import { allowedValues } from '../fields/schema-options.ts';
import { layerKeys } from '../layers/inspect-node.ts';
import type { DeclaredNames } from './declared-names.ts';
import {
  definitionRef,
  expressionPattern,
  ifThen,
  type JsonSchema,
  keySchema,
  mapMemberSchemas,
  typeOrExpression,
  unlessEmpty,
  valueOrList,
  withExpressions,
} from './json-schema.ts';
import { layerProperties } from './layer-keys.ts';
import { metaSchemas } from './setting-keys.ts';

/**
 * Returns the editor's schema of one block of a kind, such as a project: its fields, `$` keys and child
 * sections. `editorSchema` puts it under `definitions`, where sections, templates and patches refer to it. No
 * field is required here, because a template or a patch may have it; `completenessSchemas` checks blocks that
 * are not merged with others.
 */
export function blockSchema(kind: Kind, kinds: Kinds, declaredNames: DeclaredNames): JsonSchema {
  const children = childKinds(kinds, kind.name);
  const fields = Object.entries(kind.fields).map(([name, schema]): [string, JsonSchema] => [
    name,
    name === kind.yaml.mapBy ? repeatedKeySchema(docOf(schema)) : fieldSchema(schema),
  ]);
  const block: JsonSchema = {
    title: kind.name,
    description: kind.doc,
    additionalProperties: false,
    properties: {
      ...Object.fromEntries(fields),
      ...Object.fromEntries(children.map((child) => [child.section, sectionSchema(child)])),
      ...metaSchemas(kind, children),
      ...layerProperties(kind, declaredNames),
    },
    patternProperties: templateAndPatchKeys,
  };
  const nullable = takesNullEntry(kind) || (kind.yaml.mapBy !== undefined && !hasOptionalShorthand(kind));
  return kind.yaml.shorthand
    ? { ...block, type: ['object', 'string', 'number', 'boolean', ...(nullable ? ['null'] : [])] }
    : typeOrExpression('object', block, nullable);
}

/**
 * Keys that only templates and patches have. The schema of a block accepts them, because it also checks the content of templates and
 * patches.
 */
const templateAndPatchKeys: Record<string, JsonSchema> = { '^\\$(?:kind|inputs|at)$': {} };

/** Returns the editor's schema of a field whose value is the key of the map entry. The block may repeat it, but editors do not offer it. */
const repeatedKeySchema = (doc: string | undefined): JsonSchema => ({
  description: doc,
  doNotSuggest: true,
});

/**
 * Returns the schema of a section, such as `projects:`, for editors (`trueup schema`): one block, a list of blocks, or a map from keys to
 * blocks, depending on the kind. Used for sections at the root, in blocks and in templates.
 */
export function sectionSchema(kind: Kind): JsonSchema {
  const block = definitionRef(kind.name);
  const description = kind.doc;
  if (kind.key.length === 0) return { ...block, description };
  if (kind.yaml.mapBy === undefined) return typeOrExpression('array', { description, items: block });
  const entry = kind.yaml.manyPerKey ? valueOrList(block, description) : block;
  return typeOrExpression('object', { description, ...mapSchema(kind.fields[kind.yaml.mapBy]!, entry) });
}

/**
 * Returns the editor's schema of a section that is a map, such as `env:`, whose keys are values of a field of
 * its blocks. `key`: the schema of that field, by which editors offer known keys and mark others that the
 * field does not accept. `entry`: the schema of each value of the map.
 */
function mapSchema(key: z.ZodType, entry: JsonSchema): JsonSchema {
  const onlyValues = allowedValues(key).map(String);
  const offeredKeys = [...onlyValues, ...(traitsOf(key).knownValues ?? [])];
  const properties =
    offeredKeys.length > 0 ? Object.fromEntries(offeredKeys.map((name) => [name, entry])) : undefined;
  if (onlyValues.length > 0)
    return { properties, patternProperties: { [expressionPattern]: entry }, additionalProperties: false };
  const limits = fieldSchema(key).anyOf?.[0]?.else;
  return { properties, additionalProperties: entry, propertyNames: limits && keySchema(limits) };
}

/**
 * Returns the editor's schema of a field in a block: the values that the loader accepts, with documentation and suggestions. Members of the
 * value are not required, because another layer may add them (see `dropRequirements`).
 */
const fieldSchema = (schema: z.ZodType): JsonSchema =>
  withExpressions(dropRequirements(zodJsonSchema(schema)));

/**
 * Returns the JSON Schema that zod makes of a field, with our additions: documentation, messages, and the marks `suggested` and
 * `isReplacedWhole`. The schemas of fields and of the inputs of actions are made from it. Cached, so callers must not change it. Throws if the
 * zod schema contains itself.
 */
export const zodJsonSchema = memoize((schema: z.ZodType): JsonSchema => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
    cycles: 'throw',
    override: ({ zodSchema, jsonSchema }) => {
      Object.assign(jsonSchema, additionsTo(zodSchema as unknown as z.ZodType, jsonSchema));
    },
  });
  return json as JsonSchema;
});

/**
 * Returns what to add to zod's JSON Schema of a field for `trueup schema`: the message for a text that does not match, suggested values, and
 * our mark `isReplacedWhole` for values that templates and patches replace as a whole. zod knows none of these. Also returns the description,
 * which zod has too, but without sentences about secrecy and unknown values. `type`: the type in zod's schema.
 */
function additionsTo(schema: z.ZodType, { type }: { type?: unknown }): JsonSchema {
  const { knownValues, secret, atomic } = traitsOf(schema);
  const secrecy = secret && (secret === true ? 'A secret.' : 'A secret, unless other fields say otherwise.');
  const sentences = [docOf(schema), secrecy, knownValues && 'Unknown values are sent as they are.'];
  return dropUndefined<JsonSchema>({
    description: sentences.filter(Boolean).join(' ') || undefined,
    suggested: knownValues && type === 'string' ? [...new Set(knownValues)] : undefined,
    patternErrorMessage: patternMessageOf(schema),
    isReplacedWhole: atomic ? true : undefined,
  });
}

/**
 * Returns the message that the kind defines for a text that does not match its pattern, so that editors show the same one; undefined if the
 * kind defines none.
 */
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
 * Returns the schema of a field without `required` and `minProperties` at any depth, because a template or a patch may
 * have the missing members. Values that these replace as a whole keep their requirements: lists, alternatives
 * (unless there is only one besides null), and schemas with our mark `isReplacedWhole`. The result has no such marks.
 */
export function dropRequirements({ isReplacedWhole, ...schema }: JsonSchema): JsonSchema {
  if (isReplacedWhole) return withoutMarks(schema);
  const only = onlyAlternative(schema);
  if (only) {
    const replaceIn = (alternatives: JsonSchema[]) =>
      alternatives.map((alternative) => (alternative === only ? dropRequirements(only) : alternative));
    const { anyOf, oneOf } = schema;
    return dropUndefined({ ...schema, anyOf: anyOf && replaceIn(anyOf), oneOf: oneOf && replaceIn(oneOf) });
  }
  if (schema.type !== 'object') return withoutMarks(schema);
  const { required: _, minProperties: __, ...relaxed } = schema;
  return mapMemberSchemas(relaxed, dropRequirements);
}

/**
 * Returns the requirements (`required`, `minProperties`) in the schema of a field, which `dropRequirements`
 * removes from it; undefined if there are none. Templates and patches may add missing members, so they are
 * applied only to blocks that neither completes. Values that layers replace as a whole keep their
 * requirements in the schema itself.
 */
function requirementsOf(schema: JsonSchema): JsonSchema | undefined {
  if (schema.isReplacedWhole) return undefined;
  const only = onlyAlternative(schema);
  if (only) return requirementsOf(only);
  if (schema.type !== 'object') return undefined;
  const { required, minProperties, properties = {}, additionalProperties } = schema;
  const members = Object.entries(properties).flatMap(([name, member]) => {
    const requirements = requirementsOf(member);
    return requirements ? [[name, { ...requirements, doNotSuggest: true }]] : [];
  });
  const otherMembers =
    typeof additionalProperties === 'object' ? requirementsOf(additionalProperties) : undefined;
  return unlessEmpty({
    required: required?.length ? required : undefined,
    minProperties: minProperties || undefined,
    properties: members.length > 0 ? Object.fromEntries(members) : undefined,
    additionalProperties: otherMembers,
  });
}

/** Returns the only alternative of a schema besides null; undefined if it has several, or has no alternatives at all. */
function onlyAlternative({ anyOf, oneOf }: JsonSchema): JsonSchema | undefined {
  const [first, second] = (anyOf ?? oneOf ?? []).filter(({ type }) => type !== 'null');
  return second ? undefined : first;
}

/**
 * Returns a schema without our own keyword `isReplacedWhole` at any depth, because editors do not know it. It
 * marks values that a template or patch replaces as a whole.
 */
function withoutMarks<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(withoutMarks) as T;
  if (typeof schema !== 'object' || schema === null) return schema;
  const { isReplacedWhole: _, ...keywords } = schema as JsonSchema;
  return Object.fromEntries(
    Object.entries(keywords).map(([name, inner]) => [name, withoutMarks(inner)]),
  ) as T;
}

/**
 * Returns the editor's requirements for blocks of each kind that has any, itself or in its child sections, so
 * that an editor marks a missing field. `editorSchema` puts them under `definitions`. They are separate from
 * the schemas of blocks, because they do not apply to blocks that templates or patches complete.
 */
export function completenessSchemas(kinds: Kinds): Record<string, JsonSchema> {
  return Object.fromEntries(
    [...kinds.values()].flatMap((kind) => {
      const schema = completenessOf(kind, kinds);
      return schema ? [[definitionName(kind), schema]] : [];
    }),
  );
}

/** Returns the name under `definitions` of the requirements for blocks of a kind. */
const definitionName = ({ name }: Kind): string => `complete.${name}`;

/**
 * Returns the editor's requirements for a block of a kind and everything in it, so that an editor marks
 * missing fields; undefined if there are none. A block with `$use` is exempt with everything in it, because its templates may have
 * the missing fields.
 */
function completenessOf(kind: Kind, kinds: Kinds): JsonSchema | undefined {
  const children = childKinds(kinds, kind.name);
  const fields = Object.entries(kind.fields).flatMap(([name, schema]) => {
    const requirements = requirementsOf(zodJsonSchema(schema));
    return requirements ? [[name, { ...requirements, doNotSuggest: true }]] : [];
  });
  const properties = { ...Object.fromEntries(fields), ...completenessOfSections(children, kinds) };
  // An empty entry (`hook:`) lacks its required fields, and JSON Schema applies `required` only to objects.
  const mustNotBeNull =
    !takesNullEntry(kind) && requiredFields(kind).length > 0 && kind.yaml.mapBy !== undefined;
  const requirements = unlessEmpty({
    ...requiredFieldsSchema(kind, children),
    properties: unlessEmpty(properties),
    allOf: mustNotBeNull ? [ifThen({ type: 'null' }, { type: ['object', 'string'] })] : undefined,
  });
  return requirements && { if: { type: 'object', required: ['$use'] }, else: requirements };
}

/**
 * Returns the editor's requirements for the blocks in each of these sections, by section, so that an editor
 * marks missing fields in them. Used as `properties` of the block or document that contains the sections.
 * Sections without requirements are left out.
 */
export function completenessOfSections(children: readonly Kind[], kinds: Kinds): Record<string, JsonSchema> {
  return Object.fromEntries(
    children.flatMap((child) => {
      if (!completenessOf(child, kinds)) return [];
      const block = definitionRef(definitionName(child));
      return [[child.section, { ...sectionOf(child, block), doNotSuggest: true }]];
    }),
  );
}

/**
 * Returns the editor's schema of a section that applies `block` to each of its blocks: to a single one, the
 * items of a list, or the values of a map. It adds requirements only; `sectionSchema` checks the form of the
 * section.
 */
function sectionOf({ key, yaml: { mapBy, manyPerKey } }: Kind, block: JsonSchema): JsonSchema {
  if (key.length === 0) return block;
  if (mapBy === undefined) return { items: block };
  return { additionalProperties: manyPerKey ? valueOrList(block) : block };
}

/** Returns the fields that each block of a kind must have, without the one that is the key of its map. */
const requiredFields = ({ fields, yaml: { mapBy } }: Kind): string[] =>
  Object.keys(fields).filter((name) => name !== mapBy && !fields[name]!.safeParse(undefined).success);

/**
 * Returns the editor's requirements for the fields of a block. Key fields are always required, because they
 * identify the block. The others are not if the block has `$existing` or `$forget`, or only child sections:
 * its own fields may then be in another file. JSON Schema has no "unless", so the exceptions are nested `if`
 * and `else`.
 */
function requiredFieldsSchema(kind: Kind, children: readonly Kind[]): JsonSchema {
  const required = requiredFields(kind);
  const keyFields = required.filter((name) => kind.key.includes(name));
  const otherFields = required.filter((name) => !kind.key.includes(name));
  const isSet = (key: string): JsonSchema => ({
    required: [key],
    properties: { [key]: { not: { const: false } } },
  });
  const hasOnlySections: JsonSchema = {
    minProperties: 1,
    propertyNames: { enum: [...children.map(({ section }) => section), ...layerKeys] },
  };
  const exceptions = [
    isSet('$existing'),
    isSet('$forget'),
    ...(children.length > 0 ? [hasOnlySections] : []),
  ];
  const unlessExcepted = exceptions.reduceRight<JsonSchema>(
    (inner, exception) => ({ if: exception, else: inner }),
    { required: otherFields },
  );
  return {
    ...(keyFields.length > 0 ? { required: keyFields } : {}),
    ...(otherFields.length > 0 ? unlessExcepted : {}),
  };
}
