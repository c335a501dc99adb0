import type { Action } from '../../kind/action.ts';
import { longestWait } from '../../model/resource.ts';
import { writtenSchema } from './block-definition.ts';
import type { JsonSchema } from './json-schema.ts';
import { withoutRequired } from './required-members.ts';
import { withExpressions } from './with-expressions.ts';

const texts: JsonSchema = { type: 'array', items: { type: 'string', minLength: 1 } };

/** The keys beside the action in an item of `$then`. */
const beside: Record<string, JsonSchema> = {
  when: {
    ...texts,
    description: 'The fields and sections that trigger it; all if omitted.',
  },
  drift: { type: 'boolean', description: 'Also trigger it when a run only reverts drift.' },
  wait: {
    description: 'How long apply waits for it to finish.',
    type: 'object',
    required: ['minutes'],
    additionalProperties: false,
    properties: { minutes: { type: 'integer', minimum: 1, maximum: longestWait } },
  },
};

/** `$then` as the loader reads it: a list of actions, by name alone or with their input. */
export function thenSchema(actions: Iterable<Action>): JsonSchema {
  const able = [...actions].filter(({ declarable }) => declarable);
  return {
    description: 'Actions to run after a run changed it or its contents.',
    type: 'array',
    items: {
      anyOf: [
        able.length > 0 ? { enum: able.map(({ name }) => name) } : { type: 'string' },
        {
          type: 'object',
          minProperties: 1,
          additionalProperties: able.length === 0,
          properties: {
            ...Object.fromEntries(able.map((action) => [action.name, inputSchema(action)])),
            ...Object.fromEntries(
              Object.entries(beside).map(([key, schema]) => [key, withExpressions(schema)]),
            ),
          },
        },
      ],
    },
  };
}

const inputSchema = ({ doc, on, input }: Action): JsonSchema => ({
  description: doc,
  type: ['object', 'null'],
  additionalProperties: false,
  properties: {
    ...(on === undefined
      ? {}
      : {
          [on]: {
            anyOf: [{ type: 'string' }, texts],
            description: `The ${on} to act on, or several, with \`*\`; if omitted, the one this block is in.`,
          },
        }),
    ...Object.fromEntries(
      Object.entries(input).map(([name, schema]) => [
        name,
        withExpressions(withoutRequired(writtenSchema(schema))),
      ]),
    ),
  },
});
