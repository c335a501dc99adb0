/** The schemas for editors of the `$` keys that control how templates, blocks and patches are merged (`layerKeys`). */

import { isSingleton } from '../../kind/define-kind.ts';
import type { Kind } from '../../kind/kind.ts';
import type { DeclaredInput, DeclaredNames, DeclaredTemplate } from './declared-names.ts';
import {
  atMostOneMember,
  definitionRef,
  expressionPattern,
  ifThen,
  type JsonSchema,
  spreadItem,
  textSchema,
} from './json-schema.ts';

/**
 * Returns the definitions of the `$` keys that control how templates, blocks and patches are merged: `$use`,
 * `$each`, `$when` and so on. The schemas of all blocks refer to them, so that they are written only once.
 * Editors suggest the declared templates, variables and stages in their values. Besides the `$` keys:
 *
 *   $is             the condition of one name in `$when`
 *   $spread         an item `"...${var.map}"` of a list that is one map
 *   $use.KIND       `$use` in blocks of a kind that has templates of its own (`$kind`)
 *   $inputs.NAME    the inputs that a block passes to a template
 */
export function layerDefinitions({
  templates,
  variables,
  stages,
}: DeclaredNames): Record<string, JsonSchema> {
  const collections = variables
    .filter(({ isCollection }) => isCollection)
    .map(({ name }) => `\${var.${name}}`);
  const kinds = new Set(templates.flatMap(({ kind }) => kind ?? []));
  return {
    $each: {
      description:
        'One entry per item of a list or member of a map, such as `"${var.sites}"`; in it, `${each.key}` and `${each.value}`.',
      type: ['array', 'object', 'string'],
      pattern: expressionPattern,
      patternErrorMessage: '`$each` must be a list, a map, or "${var.name}".',
      ...suggesting(collections),
    },
    $when: {
      description: 'Applies only if true, or if all of these names have the given values.',
      type: ['boolean', 'object', 'string'],
      pattern: `^(?:true|false)$|${expressionPattern}`,
      patternErrorMessage: '`$when` must be true, false, or a map of names.',
      properties: {
        stage: stages.length > 0 ? { anyOf: [definitionRef('$is'), { enum: stages }] } : definitionRef('$is'),
        ...Object.fromEntries(variables.map(({ name }) => [`var.${name}`, definitionRef('$is')])),
      },
      additionalProperties: definitionRef('$is'),
    },
    $is: comparison,
    $use: useSchema(templates.filter(({ kind }) => kind === undefined)),
    ...Object.fromEntries(
      [...kinds].map((name) => [
        `$use.${name}`,
        useSchema(templates.filter(({ kind }) => kind === undefined || kind === name)),
      ]),
    ),
    ...Object.fromEntries(templates.map(({ name, inputs }) => [`$inputs.${name}`, useInputsSchema(inputs)])),
    $spread: spreadItem,
    $drop: {
      description: 'Paths to remove from lower layers, such as `env/LEGAL`.',
      type: 'array',
      items: textSchema({ minLength: 1 }),
    },
    $add: { description: 'Adds another entry of this name to those of lower layers.', enum: [true] },
    $first: { description: 'Before all items of lower layers.', enum: [true] },
    $last: { description: 'After all items of lower layers.', enum: [true] },
    $before: { description: 'Before the item of this name.', ...itemName },
    $after: { description: 'After the item of this name.', ...itemName },
  };
}

/**
 * Returns the editor's schemas of the `$` keys in a block that control how templates and patches are merged
 * into it, such as `$use` and `$when`. Keys that the loader refuses for this kind are left out, so that editors mark them:
 * positions (`$first`) need a list whose order counts, and `$add` needs names that can have several entries.
 * `$each` is accepted on a singleton, but not suggested, because a second object would have the same address.
 */
export function layerProperties(kind: Kind, { templates }: DeclaredNames): Record<string, JsonSchema> {
  const { shape, yaml } = kind;
  const names = ['$when', '$drop'];
  if (shape.orderDecides) names.push('$first', '$last', '$before', '$after');
  if (yaml.manyPerKey || shape.byAddress) names.push('$add');
  const each = isSingleton(kind) ? { ...definitionRef('$each'), doNotSuggest: true } : definitionRef('$each');
  return {
    $each: each,
    $use: definitionRef(
      templates.some((template) => template.kind === kind.name) ? `$use.${kind.name}` : '$use',
    ),
    ...Object.fromEntries(names.map((name) => [name, definitionRef(name)])),
  };
}

/**
 * Returns the editor's schema of an item of `use:`, which applies templates with whole sections to the configuration. Like
 * `$use` in a block, but with `$each` and `$when` beside the names of the templates, and only for templates without `$kind`.
 */
export function useEntrySchema({ templates }: DeclaredNames): JsonSchema {
  const { type, properties, additionalProperties } = useSchema(
    templates.filter(({ kind }) => kind === undefined),
  );
  return {
    type: type!,
    properties: { $each: definitionRef('$each'), $when: definitionRef('$when'), ...properties },
    additionalProperties: additionalProperties!,
  };
}

/** The name of an item in an ordered list, as `$before` and `$after` give it. */
const itemName = { type: ['string', 'number', 'boolean'] };

/** Returns a schema that accepts any value, and makes an editor suggest `values`. */
const suggesting = (values: unknown[]): JsonSchema =>
  values.length > 0 ? { anyOf: [{}, { enum: values }] } : {};

/** The condition of one name in `$when`. */
const comparison: JsonSchema = {
  description: 'A value, a list of values, `{ not: ... }` or `{ set: true }`.',
  ...ifThen(
    { type: 'object' },
    {
      ...atMostOneMember,
      minProperties: 1,
      additionalProperties: false,
      properties: {
        not: definitionRef('$is'),
        set: { description: 'Whether it has a value.', type: 'boolean' },
      },
    },
  ),
};

/**
 * Returns the editor's schema of `$use` for blocks that can use these templates: a name, a map from names to
 * inputs, or a list of these. Editors suggest the templates and their inputs.
 */
function useSchema(templates: DeclaredTemplate[]): JsonSchema {
  const schema: JsonSchema = {
    type: ['object', 'string', 'array'],
    minLength: 1,
    ...suggesting(templates.map(({ name }) => name)),
    properties: Object.fromEntries(templates.map(({ name }) => [name, definitionRef(`$inputs.${name}`)])),
    additionalProperties: { type: ['object', 'null'] },
  };
  return {
    description: 'Templates this is based on: a name, `{ name: inputs }`, or a list of these.',
    ...schema,
    items: schema,
  };
}

/**
 * Returns the editor's schema of the inputs that a `$use` gives to a template. It accepts any name and any value, because the template may
 * have changed since `trueup schema` printed the schema.
 */
const useInputsSchema = (inputs: DeclaredInput[]): JsonSchema => ({
  type: ['object', 'null'],
  properties: Object.fromEntries(inputs.map((input) => [input.name, templateInputSchema(input)])),
});

/**
 * Returns the editor's schema of one input of a template, for the place where a block uses the template. Editors show its documentation,
 * and suggest its values.
 */
function templateInputSchema({ type, description, values, isRequired }: DeclaredInput): JsonSchema {
  const documentation = [description, type && `(${type})`, isRequired && '(required)'].filter(Boolean);
  return {
    description: documentation.join(' ') || undefined,
    ...suggesting(values ?? (type === 'boolean' ? [true, false] : [])),
  };
}
