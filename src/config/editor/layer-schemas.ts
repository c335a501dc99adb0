import type { Kind } from '../../kind/kind.ts';
import type { DeclaredInput, DeclaredNames, DeclaredTemplate } from './declared-names.ts';
import { atMostOneMember, expressionPattern, type JsonSchema, textSchema } from './json-schema.ts';
import { withExpressions } from './with-expressions.ts';

const ref = (name: string): JsonSchema => ({ $ref: `#/definitions/${name}` });

/** The definitions of the keys that lay layers on each other; blocks share them. */
export function layerDefinitions({
  templates,
  variables,
  stages,
}: DeclaredNames): Record<string, JsonSchema> {
  const offered = variables.filter(({ isCollection }) => isCollection).map(({ name }) => `\${var.${name}}`);
  const kinds = new Set(templates.flatMap(({ kind }) => kind ?? []));
  return {
    $each: {
      description:
        'One entry per item of a list or member of a map, such as `"${var.sites}"`; in it, `${each.key}` and `${each.value}`.',
      type: ['array', 'object', 'string'],
      pattern: expressionPattern,
      patternErrorMessage: '`$each` must be a list, a map, or "${var.name}".',
      ...offering(offered),
    },
    $when: {
      description: 'Applies only if true, or if all of these names have the given values.',
      type: ['boolean', 'object', 'string'],
      pattern: `^(?:true|false)$|${expressionPattern}`,
      patternErrorMessage: '`$when` must be true, false, or a map of names.',
      properties: {
        stage: stages.length > 0 ? { anyOf: [ref('$is'), { enum: stages }] } : ref('$is'),
        ...Object.fromEntries(variables.map(({ name }) => [`var.${name}`, ref('$is')])),
      },
      additionalProperties: ref('$is'),
    },
    $is: comparison,
    $use: useSchema(templates.filter(({ kind }) => kind === undefined)),
    ...Object.fromEntries(
      [...kinds].map((name) => [
        `$use.${name}`,
        useSchema(templates.filter(({ kind }) => kind === undefined || kind === name)),
      ]),
    ),
    ...Object.fromEntries(templates.map(({ name, inputs }) => [`$inputs.${name}`, inputsSchema(inputs)])),
    $drop: {
      description: 'Paths to remove from lower layers, such as `env/LEGAL`.',
      type: 'array',
      items: textSchema({ minLength: 1 }, undefined, false),
    },
    $add: { description: 'Adds another entry of this name to those of lower layers.', enum: [true] },
    $first: { description: 'Before all items of lower layers.', enum: [true] },
    $last: { description: 'After all items of lower layers.', enum: [true] },
    $before: { description: 'Before the item of this name.', ...itemName },
    $after: { description: 'After the item of this name.', ...itemName },
  };
}

/** The `$` keys that say how the layers of a block are laid. */
export function layerProperties(kind: Kind, { templates }: DeclaredNames): Record<string, JsonSchema> {
  const { key, shape, yaml } = kind;
  const names = ['$when', '$drop'];
  if (shape.orderDecides) names.push('$first', '$last', '$before', '$after');
  if (yaml.manyPerKey || shape.byAddress) names.push('$add');
  const each = key.length > 0 ? ref('$each') : { ...ref('$each'), doNotSuggest: true };
  return {
    $each: each,
    $use: ref(templates.some((template) => template.kind === kind.name) ? `$use.${kind.name}` : '$use'),
    ...Object.fromEntries(names.map((name) => [name, ref(name)])),
  };
}

/** An entry of `use:`: templates over several sections. */
export function useEntrySchema({ templates }: DeclaredNames): JsonSchema {
  const { type, properties, additionalProperties } = useSchema(
    templates.filter(({ kind }) => kind === undefined),
  );
  return {
    type: type!,
    properties: { $each: ref('$each'), $when: ref('$when'), ...properties },
    additionalProperties: additionalProperties!,
  };
}

const itemName = { type: ['string', 'number', 'boolean'] };

/** Values that are suggested, and any other. */
const offering = (values: unknown[]): JsonSchema =>
  values.length > 0 ? { anyOf: [{}, { enum: values }] } : {};

/** One value, a list of them, `{ not }` or `{ set }`. */
const comparison: JsonSchema = {
  description: 'A value, a list of values, `{ not: ... }` or `{ set: true }`.',
  if: { type: 'object' },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: {
    ...atMostOneMember,
    minProperties: 1,
    additionalProperties: false,
    properties: { not: ref('$is'), set: { description: 'Whether it has a value.', type: 'boolean' } },
  },
};

function useSchema(templates: DeclaredTemplate[]): JsonSchema {
  const schema: JsonSchema = {
    type: ['object', 'string', 'array'],
    minLength: 1,
    ...offering(templates.map(({ name }) => name)),
    properties: Object.fromEntries(templates.map(({ name }) => [name, ref(`$inputs.${name}`)])),
    additionalProperties: { type: ['object', 'null'] },
  };
  return {
    description: 'Templates this is based on: a name, `{ name: inputs }`, or a list of these.',
    ...schema,
    items: schema,
  };
}

/** The inputs of a template. What they take may have changed since: values are suggested, and nothing is refused. */
const inputsSchema = (inputs: DeclaredInput[]): JsonSchema => ({
  type: ['object', 'null'],
  properties: Object.fromEntries(inputs.map((input) => [input.name, templateInputSchema(input)])),
});

function templateInputSchema({ type, description, values, isRequired }: DeclaredInput): JsonSchema {
  const told = [description, type && `(${type})`, isRequired && '(required)'].filter(Boolean);
  return {
    ...(told.length > 0 ? { description: told.join(' ') } : {}),
    ...offering(values ?? (type === 'boolean' ? [true, false] : [])),
  };
}

/** Text without expressions, numbers as they are written. */
export const plainTextSchema = (description: string): JsonSchema => ({
  ...textSchema({ minLength: 1 }, undefined, false),
  description,
});

/** Text that may hold expressions. */
export const textOrExpression = (description: string): JsonSchema =>
  withExpressions({ type: 'string', minLength: 1, description });
