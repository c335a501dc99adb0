import { canDo } from '../../kind/define-kind.ts';
import type { Kind } from '../../kind/kind.ts';
import { comparedFields } from '../../kind/leaves.ts';
import { longestWait, permissions } from '../../model/resource.ts';
import { atMostOneMember, type JsonSchema } from './json-schema.ts';
import { withExpressions } from './with-expressions.ts';

interface MetaKeySchema {
  doc: string;
  value: JsonSchema | ((kind: Kind, children: readonly Kind[]) => JsonSchema);
  /** True if the key does anything for such a kind. One that does nothing is no error, but not offered. */
  suits(kind: Kind, children: readonly Kind[]): boolean;
}

const flagSchema: JsonSchema = { type: 'boolean' };
const textSchema: JsonSchema = { type: 'string', minLength: 1 };
const textListSchema: JsonSchema = { type: 'array', items: textSchema };
const hasKey = (kind: Kind) => kind.key.length > 0;
const made = (kind: Kind) => canDo(kind, 'create') && canDo(kind, 'delete');

const secretToSchema: JsonSchema = {
  anyOf: [
    {
      type: 'object',
      required: ['variable'],
      properties: {
        variable: {
          ...textSchema,
          description: 'The address of the variable: `projects/web/env/NAME`, `sharedEnv/NAME`.',
        },
        value: {
          ...textSchema,
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
        file: { ...textSchema, description: 'A file inside the working directory.' },
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

/** A list of what is allowed. */
export const allowSchema: JsonSchema = { type: 'array', items: { enum: [...permissions] } };

const metaKeySchemas: Record<string, MetaKeySchema> = {
  $existing: {
    doc: 'It must already exist; it is never created, changed or deleted from here.',
    value: flagSchema,
    suits: (kind, children) => canDo(kind, 'create') || children.length > 0,
  },
  $protect: {
    doc: 'It is never deleted or replaced, even after this block is removed.',
    value: flagSchema,
    suits: (kind) => canDo(kind, 'delete'),
  },
  $forget: {
    doc: 'Stop managing it and leave it as it is.',
    value: flagSchema,
    suits: () => true,
  },
  $replace: {
    doc: 'Allows deleting and recreating it for changes that the platform cannot make in place.',
    value: { const: 'allow' },
    suits: (kind) => made(kind) && (kind.lifecycle.replace ?? 'ask') === 'ask',
  },
  $onRemove: {
    doc: 'Delete it when this block is removed; without this, trueup only stops managing it.',
    value: { const: 'delete' },
    suits: (kind) => kind.lifecycle.container === true && canDo(kind, 'delete'),
  },
  $allow: {
    doc: 'Permissions for it and its contents: `cost` (money), `remove-access` (of people).',
    value: allowSchema,
    suits: () => true,
  },
  $ignore: {
    doc: 'Fields that are neither compared nor changed.',
    value: (kind) => ({
      type: 'array',
      items: fieldName(Object.keys({ ...kind.fields, ...comparedFields(kind) })),
    }),
    suits: () => true,
  },
  $exclusive: {
    doc: 'Sections in which everything undeclared is deleted.',
    value: (_, children) => ({ type: 'array', items: { enum: children.map(({ section }) => section) } }),
    suits: (_, children) => children.length > 0,
  },
  $was: {
    doc: 'Its previous name, before it was renamed here.',
    value: textSchema,
    suits: hasKey,
  },
  $handover: {
    doc: 'The stack that may take over it and its contents, with `$from` there; this stack no longer changes or deletes them.',
    value: textSchema,
    suits: () => true,
  },
  $from: {
    doc: 'The stack that currently owns it and its contents: ownership moves to this stack, if that one consents.',
    value: textSchema,
    suits: () => true,
  },
  $dependsOn: {
    doc: 'Addresses of resources to create first, such as `projects/web`.',
    value: textListSchema,
    suits: () => true,
  },
  $id: {
    doc: 'The id of the object, if the account has several with this name.',
    value: textSchema,
    suits: hasKey,
  },
  $secretTo: {
    doc: 'Where to write the secret that the platform shows only once.',
    value: secretToSchema,
    suits: ({ shows }) => shows !== undefined,
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
    suits: (_, children) => children.some(({ shape }) => shape.orderDecides),
  },
  $wait: {
    doc: 'How long apply waits, at the end, for it to be ready.',
    value: {
      type: 'object',
      required: ['minutes'],
      additionalProperties: false,
      properties: { minutes: { type: 'integer', minimum: 1, maximum: longestWait } },
    },
    suits: ({ read }) => read.later !== undefined,
  },
};

// Those that the loader refuses where they can do nothing.
const refusedMetaKeys = ['$exclusive', '$secretTo', '$position', '$wait'];

/** The `$` keys of a block: those that do something for its kind, and those that are at least no error. */
export function metaSchemas(kind: Kind, children: readonly Kind[]): Record<string, JsonSchema> {
  const taken = Object.entries(metaKeySchemas).filter(
    ([key, { suits }]) => !refusedMetaKeys.includes(key) || suits(kind, children),
  );
  const schemas = Object.fromEntries(
    taken.map(([key, { doc, value, suits }]) => {
      const schema = typeof value === 'function' ? value(kind, children) : value;
      const read = withExpressions({ ...schema, description: doc });
      return [key, suits(kind, children) ? read : { ...read, doNotSuggest: true }];
    }),
  );
  return { ...schemas, $then: { $ref: '#/definitions/$then' } };
}

/** A field, or with dots a part of it. */
const fieldName = (names: string[]): JsonSchema => ({
  type: 'string',
  pattern: `^(?:${names.join('|')})(?:\\.|$)`,
  patternErrorMessage: 'This is not one of its fields.',
  known: names,
});
