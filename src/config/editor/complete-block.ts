import { childKinds } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { takesNullEntry } from '../blocks/section-entries.ts';
import { layerKeys } from '../layers/inspect-node.ts';
import { requirementsOf, zodJsonSchema } from './block-definition.ts';
import type { JsonSchema } from './json-schema.ts';

/**
 * The members that a block must have and no other layer completes, beside its definition: a schema for each kind that requires anything, itself or
 * further down, by the name of its definition. A block with `$use` lies over templates, and so does all in it.
 */
export function completenessSchemas(kinds: Kinds): Record<string, JsonSchema> {
  const found: Record<string, JsonSchema> = {};
  for (const kind of kinds.values()) {
    const schema = completeBlock(kind, kinds);
    if (schema) found[completeName(kind)] = schema;
  }
  return found;
}

const completeName = ({ name }: Kind): string => `complete.${name}`;

function completeBlock(kind: Kind, kinds: Kinds): JsonSchema | undefined {
  const children = childKinds(kinds, kind.name);
  const sections = completenessOfSections(children, kinds);
  const fields = Object.entries(kind.fields).flatMap(([name, schema]) => {
    const members = requirementsOf(zodJsonSchema(schema));
    return members ? [[name, { ...members, doNotSuggest: true }]] : [];
  });
  const properties = { ...Object.fromEntries(fields), ...sections };
  const isEmptyWrong =
    !takesNullEntry(kind) && requiredFields(kind).length > 0 && kind.yaml.mapBy !== undefined;
  const complete: JsonSchema = {
    ...requirements(kind, children),
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ...(isEmptyWrong ? { allOf: [{ if: { type: 'null' }, then: { type: ['object', 'string'] } }] } : {}),
  };
  if (Object.keys(complete).length === 0) return undefined;
  return { if: { required: ['$use'] }, else: complete };
}

/** The sections in which anything is required. */
export function completenessOfSections(children: readonly Kind[], kinds: Kinds): Record<string, JsonSchema> {
  return Object.fromEntries(
    children.flatMap((child) => {
      if (!completeBlock(child, kinds)) return [];
      const block: JsonSchema = { $ref: `#/definitions/${completeName(child)}` };
      return [[child.section, { ...entriesSchemaOf(child, block), doNotSuggest: true }]];
    }),
  );
}

function entriesSchemaOf({ key, yaml: { mapBy, manyPerKey } }: Kind, block: JsonSchema): JsonSchema {
  if (key.length === 0) return block;
  if (mapBy === undefined) return { items: block };
  return {
    additionalProperties: manyPerKey
      ? // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        { if: { type: 'array' }, then: { items: block }, else: block }
      : block,
  };
}

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
    propertyNames: { enum: [...children.map(({ section }) => section), ...layerKeys] },
  };
  const partial = [is('$existing'), is('$forget'), ...(children.length > 0 ? [elsewhere] : [])];
  const schema: JsonSchema = { required: otherwise };
  return {
    ...(always.length > 0 ? { required: always } : {}),
    ...(otherwise.length > 0
      ? partial.reduceRight((inner, condition) => ({ if: condition, else: inner }), schema)
      : {}),
  };
}
