import type { Kind } from '../../kind/kind.ts';
import { atMostOne, expression, type JsonSchema, textSchema } from './json-schema.ts';
import type { KnownInput, KnownNames, KnownTemplate } from './known-names.ts';
import { withExpressions } from './with-expressions.ts';

const ref = (name: string): JsonSchema => ({ $ref: `#/definitions/${name}` });

/** The definitions of the keys that lay layers on each other; blocks share them. */
export function layerDefinitions({ templates, variables, stages }: KnownNames): Record<string, JsonSchema> {
  const offered = variables.filter(({ isCollection }) => isCollection).map(({ name }) => `\${var.${name}}`);
  const kinds = new Set(templates.flatMap(({ kind }) => kind ?? []));
  return {
    $each: {
      description:
        'One entry for each item of a list or member of a map, such as `"${var.sites}"`; in it, `${each.key}` and `${each.value}`.',
      type: ['array', 'object', 'string'],
      pattern: expression,
      patternErrorMessage: '`$each` takes a list, a map, or "${var.name}".',
      ...offering(offered),
    },
    $when: {
      description: 'This counts only where it is true, or where all of these names are as it says.',
      type: ['boolean', 'object', 'string'],
      pattern: `^(?:true|false)$|${expression}`,
      patternErrorMessage: '`$when` takes true or false, or a map of names.',
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
      description: 'Paths of what lower layers have and this takes out, such as `env/LEGAL`.',
      type: 'array',
      items: textSchema({ minLength: 1 }, undefined, false),
    },
    $add: { description: 'A further entry of this name, beside those of lower layers.', enum: [true] },
    $first: { description: 'In front of all items of lower layers.', enum: [true] },
    $last: { description: 'Behind all items of lower layers.', enum: [true] },
    $before: { description: 'In front of the item of this name.', ...itemName },
    $after: { description: 'Behind the item of this name.', ...itemName },
  };
}

/** The `$` keys that say how the layers of a block are laid. */
export function layerProperties(kind: Kind, { templates }: KnownNames): Record<string, JsonSchema> {
  const { key, shape, yaml } = kind;
  const names = ['$when', '$drop'];
  if (shape.orderDecides) names.push('$first', '$last', '$before', '$after');
  if (yaml.manyPerKey || shape.byAddress) names.push('$add');
  const each = key.length > 0 ? ref('$each') : { ...ref('$each'), doNotSuggest: true };
  return {
    $each: each,
    $use: ref(templates.some((one) => one.kind === kind.name) ? `$use.${kind.name}` : '$use'),
    ...Object.fromEntries(names.map((name) => [name, ref(name)])),
  };
}

/** An entry of `use:`: templates over several sections. */
export function useEntry({ templates }: KnownNames): JsonSchema {
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
    ...atMostOne,
    minProperties: 1,
    additionalProperties: false,
    properties: { not: ref('$is'), set: { description: 'It has a value, or has none.', type: 'boolean' } },
  },
};

function useSchema(templates: KnownTemplate[]): JsonSchema {
  const one: JsonSchema = {
    type: ['object', 'string', 'array'],
    minLength: 1,
    ...offering(templates.map(({ name }) => name)),
    properties: Object.fromEntries(templates.map(({ name }) => [name, ref(`$inputs.${name}`)])),
    additionalProperties: { type: ['object', 'null'] },
  };
  return {
    description: 'Templates that are laid below this: a name, `{ name: inputs }`, or a list of these.',
    ...one,
    items: one,
  };
}

/** The inputs of a template. What they take may have changed since: values are suggested, and nothing is refused. */
const inputsSchema = (inputs: KnownInput[]): JsonSchema => ({
  type: ['object', 'null'],
  properties: Object.fromEntries(inputs.map((input) => [input.name, inputSchema(input)])),
});

function inputSchema({ type, description, values, isRequired }: KnownInput): JsonSchema {
  const told = [description, type && `(${type})`, isRequired && '(required)'].filter(Boolean);
  return {
    ...(told.length > 0 ? { description: told.join(' ') } : {}),
    ...offering(values ?? (type === 'boolean' ? [true, false] : [])),
  };
}

/** Text without expressions, numbers as they are written. */
export const plainText = (description: string): JsonSchema => ({
  ...textSchema({ minLength: 1 }, undefined, false),
  description,
});

/** Text that may hold expressions. */
export const text = (description: string): JsonSchema =>
  withExpressions({ type: 'string', minLength: 1, description });
