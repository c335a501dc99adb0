/**
 * What the blocks of each kind must have, for editors.
 *
 *   requirements   the members that a block must have. The schema of a block leaves them out, because templates or patches may add the members.
 *                  They apply only to blocks that nothing else can complete: the configuration has no patches, the document names no files of
 *                  stages, and neither the block nor one around it has `$use`. Then an editor can mark a missing field.
 */
import { childKinds, isSingleton } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { takesNullEntry } from '../blocks/section-entries.ts';
import { layerKeys } from '../expressions/inspect-node.ts';
import { extractRequirements, zodJsonSchema } from './field-schemas.ts';
import { definitionRef, ifThen, type JsonSchema, unlessEmpty, valueOrList } from './json-schema.ts';

/**
 * Returns the editor's requirements for blocks of each kind that has any, itself or in its child sections, so
 * that an editor marks a missing field. `editorSchema` puts them under `definitions`. They are separate from
 * the schemas of blocks, because they do not apply to blocks that templates or patches complete.
 */
export function requirementSchemas(kinds: Kinds): Record<string, JsonSchema> {
  return Object.fromEntries(
    [...kinds.values()].flatMap((kind) => {
      const schema = requirementsOfBlock(kind, kinds);
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
function requirementsOfBlock(kind: Kind, kinds: Kinds): JsonSchema | undefined {
  const children = childKinds(kinds, kind.name);
  const fields = Object.entries(kind.fields).flatMap(([name, schema]) => {
    const requirements = extractRequirements(zodJsonSchema(schema));
    // The schema of the block already suggests the field.
    return requirements ? [[name, { ...requirements, doNotSuggest: true }]] : [];
  });
  const properties = { ...Object.fromEntries(fields), ...requirementsOfSections(children, kinds) };
  // An empty entry of a map (`hook:`) lacks its required fields. JSON Schema applies `required` only to objects, so null is refused by its
  // type: an editor then says that it expects a block, or a text with an expression.
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
 * Returns the JSON Schemas by which an editor marks missing fields in the blocks of these sections, such as `env:`, by section. They become
 * `properties` in the requirements of the block around the sections or, for a document, in the part of its schema for documents that no
 * patch can complete. A section is left out if its blocks and everything in them require nothing. `children`: the kinds of the sections.
 */
export function requirementsOfSections(children: readonly Kind[], kinds: Kinds): Record<string, JsonSchema> {
  // `requirementSchemas` defines requirements only for these kinds.
  const requiringKinds = children.filter((child) => requirementsOfBlock(child, kinds) !== undefined);
  return Object.fromEntries(
    requiringKinds.map((child) => {
      const requirements = definitionRef(definitionName(child));
      // The schema of the section already suggests it.
      return [child.section, { ...applyToBlocks(child, requirements), doNotSuggest: true }];
    }),
  );
}

/**
 * Returns the editor's schema of a section that applies `block` to each of its blocks: to a single one, the
 * items of a list, or the values of a map. It adds requirements only; `sectionSchema` checks the form of the
 * section.
 */
function applyToBlocks(kind: Kind, block: JsonSchema): JsonSchema {
  if (isSingleton(kind)) return block;
  const { mapBy, manyPerKey } = kind.yaml;
  if (mapBy === undefined) return { items: block };
  // `$when` is listed because its value is no block.
  return { properties: { $when: {} }, additionalProperties: manyPerKey ? valueOrList(block) : block };
}

/** Returns the fields that each block of a kind must have, without the one that is the key of its map. */
const requiredFields = ({ fields, yaml: { mapBy } }: Kind): string[] =>
  Object.keys(fields).filter((name) => name !== mapBy && !fields[name]!.safeParse(undefined).success);

/**
 * Returns the editor's requirements for the fields of a block. Key fields are always required, because they
 * identify the block. The others are not if the block has `$existing`, or only child sections:
 * its own fields may then be in another file. JSON Schema has no "unless", so the exceptions are nested `if`
 * and `else`.
 */
function requiredFieldsSchema(kind: Kind, children: readonly Kind[]): JsonSchema {
  const required = requiredFields(kind);
  const keyFields = required.filter((name) => kind.key.includes(name));
  const otherFields = required.filter((name) => !kind.key.includes(name));
  // `$existing: false` is the same as no `$existing`.
  const isSet = (key: string): JsonSchema => ({
    required: [key],
    properties: { [key]: { not: { const: false } } },
  });
  const hasOnlySections: JsonSchema = {
    minProperties: 1,
    propertyNames: { enum: [...children.map(({ section }) => section), ...layerKeys] },
  };
  const exceptions = [isSet('$existing'), ...(children.length > 0 ? [hasOnlySections] : [])];
  // `{ if: $existing, else: { if: ONLY SECTIONS, else: REQUIRED } }`
  const unlessExcepted = exceptions.reduceRight<JsonSchema>(
    (inner, exception) => ({ if: exception, else: inner }),
    { required: otherFields },
  );
  return {
    ...(keyFields.length > 0 ? { required: keyFields } : {}),
    ...(otherFields.length > 0 ? unlessExcepted : {}),
  };
}
