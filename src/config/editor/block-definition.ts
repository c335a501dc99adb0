/** The schemas of blocks and sections for editors. What a block must have is in `completeness.ts`. */
import type * as z from 'zod';
import { childKinds, isSingleton } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { docOf, traitsOf } from '../../kind/traits.ts';
import { hasOptionalShorthand, takesNullEntry } from '../blocks/section-entries.ts';
import { allowedValues } from '../fields/schema-options.ts';
import type { DeclaredNames } from './declared-names.ts';
import { dropRequirements, zodJsonSchema } from './field-schemas.ts';
import {
  definitionRef,
  expressionPattern,
  type JsonSchema,
  keySchema,
  typeOrExpression,
  valueOrList,
  withExpressions,
} from './json-schema.ts';
import { layerProperties } from './layer-keys.ts';
import { metaSchemas } from './setting-keys.ts';

/**
 * Returns the editor's schema of one block of a kind, such as a project: its fields, `$` keys and child
 * sections. `editorSchema` puts it under `definitions`, where sections, templates and patches refer to it. No
 * field is required here, because a template or a patch may have it; `requirementSchemas` checks blocks that
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
  // As in the loader: in a map of blocks, an entry without a value has only defaults, unless a value was probably forgotten.
  const isEmptyEntryValid = kind.yaml.mapBy !== undefined && !hasOptionalShorthand(kind);
  const nullable = takesNullEntry(kind) || isEmptyEntryValid;
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
  if (isSingleton(kind)) return { ...block, description };
  if (kind.yaml.mapBy === undefined) return typeOrExpression('array', { description, items: block });
  const entry = kind.yaml.manyPerKey ? valueOrList(block, description) : block;
  const map = mapSchema(kind.fields[kind.yaml.mapBy]!, entry);
  // A list of `"...${var.map}"` is one map.
  return {
    ...typeOrExpression('object', { description, ...map }),
    type: ['object', 'string', 'array'],
    items: definitionRef('$spread'),
  };
}

/**
 * Returns the editor's schema of a section that is a map, such as `env:`, whose keys are values of a field of
 * its blocks, and that `$when` can switch off. `key`: the schema of that field, by which editors offer known keys and mark others that the
 * field does not accept. `entry`: the schema of each value of the map.
 */
function mapSchema(key: z.ZodType, entry: JsonSchema): JsonSchema {
  const onlyValues = allowedValues(key).map(String);
  const offeredKeys = [...onlyValues, ...(traitsOf(key).knownValues ?? [])];
  const properties = {
    ...Object.fromEntries(offeredKeys.map((name) => [name, entry])),
    $when: definitionRef('$when'),
  };
  if (onlyValues.length > 0)
    return { properties, patternProperties: { [expressionPattern]: entry }, additionalProperties: false };
  // The first alternative in a `textSchema` is `{ if: EXPRESSION, else: LIMITS }`; undefined if the field has no limits, such as a length.
  const limits = fieldSchema(key).anyOf?.[0]?.else;
  return { properties, additionalProperties: entry, propertyNames: limits && keySchema(limits) };
}

/**
 * Returns the editor's schema of a field in a block: the values that the loader accepts, with documentation and suggestions. Members of the
 * value are not required, because another layer may add them (see `dropRequirements`).
 */
const fieldSchema = (schema: z.ZodType): JsonSchema =>
  withExpressions(dropRequirements(zodJsonSchema(schema)));
