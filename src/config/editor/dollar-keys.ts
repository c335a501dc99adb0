/**
 * The schemas for editors of the `$` keys: those that control how templates, blocks and patches are merged (`layerKeys`), and the settings
 * of a block that control how a plan treats it, such as `$protect`.
 */

import { comparedFields } from '../../kind/compare.ts';
import { canDo } from '../../kind/define-kind.ts';
import type { Kind } from '../../kind/kind.ts';
import { longestWait, permissions } from '../../model/resource.ts';
import type { DeclaredInput, DeclaredNames, DeclaredTemplate } from './declared-names.ts';
import {
  atMostOneMember,
  definitionRef,
  expressionPattern,
  ifThen,
  type JsonSchema,
  textSchema,
  withExpressions,
} from './json-schema.ts';

/**
 * Returns the definitions of the `$` keys that control how templates, blocks and patches are merged: `$use`,
 * `$each`, `$when` and so on. The schemas of all blocks refer to them, so that they are written only once.
 * Editors suggest the declared templates, variables and stages in their values. Besides the `$` keys:
 *
 *   $is             the condition of one name in `$when`
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

/**
 * Returns the editor's schemas of the `$` keys in a block that control how templates and patches are merged
 * into it, such as `$use` and `$when`. Keys that the loader refuses for this kind are left out, so that editors mark them:
 * positions (`$first`) need a list whose order counts, and `$add` needs names that can have several entries.
 * `$each` is accepted on a kind without names, but not suggested, because a second object would have the same address.
 */
export function layerProperties(kind: Kind, { templates }: DeclaredNames): Record<string, JsonSchema> {
  const { key, shape, yaml } = kind;
  const names = ['$when', '$drop'];
  if (shape.orderDecides) names.push('$first', '$last', '$before', '$after');
  if (yaml.manyPerKey || shape.byAddress) names.push('$add');
  const each = key.length > 0 ? definitionRef('$each') : { ...definitionRef('$each'), doNotSuggest: true };
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
 * Returns the editor's schema of the inputs that a `$use` gives to a template. It accepts any name and any value, because the template may have
 * changed since `trueup schema` printed the schema.
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

/**
 * Returns the editor's schema of a text that the loader uses before it resolves expressions, such as a path of `include`. Editors mark an
 * expression in it.
 */
export const plainTextSchema = (description: string): JsonSchema => ({
  ...textSchema({ minLength: 1 }, undefined, false),
  description,
  pattern: `^(?!.*${expressionPattern})`,
  patternErrorMessage: 'This cannot contain an expression.',
});

/** Returns the editor's schema of a text in the header, in the declaration of a secret or in `owns`, which may contain expressions. */
export const textOrExpression = (description: string): JsonSchema =>
  withExpressions({ type: 'string', minLength: 1, description });

/** A `$` key of blocks that controls how a plan treats them, such as `$protect`. */
interface MetaKeySchema {
  doc: string;
  /** The schema of its value, or a function which returns it for a kind. `children`: the kinds of the sections in its blocks. */
  value: JsonSchema | ((kind: Kind, children: readonly Kind[]) => JsonSchema);
  /** True if the key has an effect on blocks of a kind. Editors do not suggest a key without effect. */
  hasEffect(kind: Kind, children: readonly Kind[]): boolean;
}

const flagSchema: JsonSchema = { type: 'boolean' };
const nonEmptyText: JsonSchema = { type: 'string', minLength: 1 };
export const textListSchema: JsonSchema = { type: 'array', items: nonEmptyText };
const hasKey = (kind: Kind) => kind.key.length > 0;
const canBeReplaced = (kind: Kind) => canDo(kind, 'create') && canDo(kind, 'delete');

/** The destination of a secret that the platform shows only once: a variable, a file, a command, or none. */
const secretToSchema: JsonSchema = {
  anyOf: [
    {
      type: 'object',
      required: ['variable'],
      properties: {
        variable: {
          ...nonEmptyText,
          description: 'The address of the variable: `projects/web/env/NAME`, `sharedEnv/NAME`.',
        },
        value: {
          ...nonEmptyText,
          description: 'Its value, with `${secret}` and `${id}`; the secret itself if omitted.',
        },
      },
    },
    {
      type: 'object',
      minProperties: 1,
      ...atMostOneMember,
      additionalProperties: false,
      properties: {
        file: { ...nonEmptyText, description: 'A file inside the working directory.' },
        command: {
          ...textListSchema,
          minItems: 1,
          description: 'A program that reads it, with its arguments.',
        },
      },
    },
    { const: 'discard', description: 'Discard it.' },
  ],
};

/** The schema of `$allow`, a list of permissions. */
export const allowSchema: JsonSchema = { type: 'array', items: { enum: [...permissions] } };

const metaKeySchemas: Record<string, MetaKeySchema> = {
  $existing: {
    doc: 'It must already exist; it is never created, changed or deleted from here.',
    value: flagSchema,
    hasEffect: (kind, children) => canDo(kind, 'create') || children.length > 0,
  },
  $protect: {
    doc: 'It is never deleted or replaced, even after this block is removed.',
    value: flagSchema,
    hasEffect: (kind) => canDo(kind, 'delete'),
  },
  $forget: {
    doc: 'Stop managing it and leave it as it is.',
    value: flagSchema,
    hasEffect: () => true,
  },
  $replace: {
    doc: 'Allows deleting and recreating it for changes that the platform cannot make in place.',
    value: { const: 'allow' },
    hasEffect: (kind) => canBeReplaced(kind) && (kind.lifecycle.replace ?? 'ask') === 'ask',
  },
  $onRemove: {
    doc: 'Delete it when this block is removed; without this, trueup only stops managing it.',
    value: { const: 'delete' },
    hasEffect: (kind) => kind.lifecycle.container === true && canDo(kind, 'delete'),
  },
  $allow: {
    doc: 'Permissions for it and its contents: `cost` (money), `remove-access` (of people).',
    value: allowSchema,
    hasEffect: () => true,
  },
  $ignore: {
    doc: 'Fields that are neither compared nor changed.',
    value: (kind) => ({
      type: 'array',
      items: fieldNameSchema(Object.keys({ ...kind.fields, ...comparedFields(kind) })),
    }),
    hasEffect: () => true,
  },
  $exclusive: {
    doc: 'Sections in which everything undeclared is deleted.',
    value: (_, children) => ({ type: 'array', items: { enum: children.map(({ section }) => section) } }),
    hasEffect: (_, children) => children.length > 0,
  },
  $was: {
    doc: 'Its previous name, before it was renamed here.',
    value: nonEmptyText,
    hasEffect: hasKey,
  },
  $handover: {
    doc: 'The stack that may take over it and its contents, with `$from` there; this stack no longer changes or deletes them.',
    value: nonEmptyText,
    hasEffect: () => true,
  },
  $from: {
    doc: 'The stack that currently owns it and its contents: ownership moves to this stack, if that one consents.',
    value: nonEmptyText,
    hasEffect: () => true,
  },
  $dependsOn: {
    doc: 'Addresses of resources to create first, such as `projects/web`.',
    value: textListSchema,
    hasEffect: () => true,
  },
  $id: {
    doc: 'The id of the object, if the account has several with this name.',
    value: nonEmptyText,
    hasEffect: hasKey,
  },
  $secretTo: {
    doc: 'Where to write the secret that the platform shows only once.',
    value: secretToSchema,
    hasEffect: ({ shows }) => shows !== undefined,
  },
  $position: {
    doc: 'Where its list items go among those of other stacks and unmanaged ones.',
    value: {
      anyOf: [
        { enum: ['first', 'last'] },
        {
          type: 'object',
          required: ['before'],
          additionalProperties: false,
          properties: { before: { type: 'string' } },
        },
      ],
    },
    hasEffect: (_, children) => children.some(({ shape }) => shape.orderDecides),
  },
  $wait: {
    doc: 'How long apply waits, at the end, for it to be ready.',
    value: {
      type: 'object',
      required: ['minutes'],
      additionalProperties: false,
      properties: { minutes: { type: 'integer', minimum: 1, maximum: longestWait } },
    },
    hasEffect: ({ read }) => read.later !== undefined,
  },
};

/** The `$` settings that the loader refuses on blocks of kinds on which they have no effect. It accepts all others on every block. */
const keysThatNeedEffect = ['$exclusive', '$secretTo', '$position', '$wait'];

/**
 * Returns the editor's schemas of the `$` keys in a block that control how a plan treats it, such as
 * `$protect`, and of `$then`, which runs actions after a change of it. Keys that the loader refuses for the kind are
 * left out, and keys without effect are accepted but not suggested. `children`: the kinds of the sections in
 * the block.
 */
export function metaSchemas(kind: Kind, children: readonly Kind[]): Record<string, JsonSchema> {
  const schemas = Object.entries(metaKeySchemas).flatMap(([key, { doc, value, hasEffect }]) => {
    const isEffective = hasEffect(kind, children);
    if (!isEffective && keysThatNeedEffect.includes(key)) return [];
    const valueSchema = typeof value === 'function' ? value(kind, children) : value;
    const schema = withExpressions({ ...valueSchema, description: doc });
    return [[key, isEffective ? schema : { ...schema, doNotSuggest: true }]];
  });
  return { ...Object.fromEntries(schemas), $then: definitionRef('$then') };
}

/**
 * Returns the editor's schema of an item of `$ignore`: the name of a field, or of a member in it, such as
 * `ssoProtection.deploymentType`. `$ignore` names the fields that a plan must not compare. Editors suggest the
 * fields.
 */
const fieldNameSchema = (names: string[]): JsonSchema => ({
  type: 'string',
  pattern: `^(?:${names.join('|')})(?:\\.|$)`,
  patternErrorMessage: 'This is not one of its fields.',
  suggested: names,
});
