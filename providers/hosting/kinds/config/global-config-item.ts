import { z } from 'zod';
import { atomic, type Draft, defineKind, request, type Step } from '#kind';

const operations = {
  create: 'create',
  update: 'update',
  replace: 'update',
  delete: 'delete',
  move: 'update',
};

/** A value in a global config. All changes of one store are one request, which the platform does whole or not at all. */
export const globalConfigItem = defineKind({
  name: 'globalConfigItem',
  doc: 'A value in a global config: any JSON.',
  section: 'items',
  parent: 'globalConfig',
  key: ['key'],
  id: 'key',
  lane: 'globalConfig',
  fields: {
    key: z
      .string()
      .regex(/^[\w-]{1,256}$/, 'a key has letters, digits, underscores and hyphens')
      .describe('Its name in the store.'),
    value: atomic(z.any()).describe('Any JSON: text, number, true, false, null, list or object.'),
    description: z.string().max(512).nullable().optional().describe('A note for people.'),
  },
  shorthand: (value) => ({ value }),
  example: `globalConfigs:
  shop:
    items:
      banner: Sale ends Sunday
      limits: { value: { perUser: 5 }, description: Of one order }`,
  claims: ['PATCH /v1/global-config/{globalConfig}/items'],
  api: {
    list: { endpoint: 'GET /v1/global-config/{globalConfig}/items', items: '' },
    batch: (steps) => [writes(steps)],
  },
});

const writes = (steps: Step[]): Draft => ({
  changes: steps.map(({ address }) => address),
  requests: [
    {
      ...request('PATCH /v1/global-config/{globalConfig}/items', { items: steps.map(itemOf) }),
      returns: steps
        .filter(({ action }) => action === 'create')
        .map(({ address, after }) => ({ address, id: String(after!.fields.key) })),
      drops: steps
        .filter(({ action }) => action === 'delete')
        .map(({ address, before }) => ({ address, id: before!.id })),
    },
  ],
});

const itemOf = ({ action, before, after, body }: Step) => ({
  operation: operations[action],
  key: (after ?? before)!.fields.key,
  ...(action === 'create' ? after!.fields : action === 'delete' ? {} : body),
});
