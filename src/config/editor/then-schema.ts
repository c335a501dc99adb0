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
    description: 'The fields and sections whose change asks for it; without it all of them.',
  },
  drift: { type: 'boolean', description: 'Also where a run only takes back what was changed outside.' },
  wait: {
    description: 'How long an apply waits for it to end.',
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
    description: 'What is done once a run has changed it, or what is in it.',
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
            description: `The ${on} that it is about, or several, with \`*\`; without it the one that this is in.`,
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
