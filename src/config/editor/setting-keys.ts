/** The schemas for editors of the `$` keys that control how a plan treats a block (`metaReaders`), such as `$protect`. */

import { canDo, ignorableFields, isSingleton } from '../../kind/define-kind.ts';
import type { Kind } from '../../kind/kind.ts';
import { longestWait, permissions } from '../../model/resource.ts';
import { atMostOneMember, definitionRef, type JsonSchema, withExpressions } from './json-schema.ts';

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
const hasNamedEntries = (kind: Kind) => !isSingleton(kind);
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
  $replace: {
    doc: 'Allows deleting and recreating it for changes that the platform cannot make in place.',
    value: { const: 'allow' },
    hasEffect: (kind) => canBeReplaced(kind) && (kind.lifecycle.replace ?? 'ask') === 'ask',
  },
  $allow: {
    doc: 'Permissions for it and its contents: `cost` (money), `remove-access` (of people).',
    value: allowSchema,
    hasEffect: () => true,
  },
  $ignore: {
    doc: 'Fields that only its creation sends; later they are neither compared nor changed.',
    value: (kind) => ({ type: 'array', items: fieldNameSchema(ignorableFields(kind)) }),
    hasEffect: (kind) => ignorableFields(kind).length > 0,
  },
  $exclusive: {
    doc: 'Sections in which everything undeclared is deleted.',
    value: (_, children) => ({ type: 'array', items: { enum: children.map(({ section }) => section) } }),
    hasEffect: (_, children) => children.length > 0,
  },
  $was: {
    doc: 'Its previous name, before it was renamed here.',
    value: nonEmptyText,
    hasEffect: hasNamedEntries,
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
    hasEffect: hasNamedEntries,
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
  // A schema may not list no values.
  ...(names.length > 0 ? { suggested: names } : {}),
});
