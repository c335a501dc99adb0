import * as z from 'zod';
import { anyJson, atomic, type Draft, defineKind, type Fields, request, type Step } from '#kind';
import { batch } from '#shapes';

/** A value in a global config. All changes of one store are one request, which the platform does whole or not at all. */
const items = 'PATCH /v1/global-config/{globalConfig}/items';

export const globalConfigItem = defineKind({
  name: 'globalConfigItem',
  doc: 'A value in a global config: any JSON.',
  section: 'items',
  otherWords: ['edgeConfigItem'],
  parent: 'globalConfig',
  key: ['key'],
  id: 'key',
  lifecycle: { lane: 'globalConfig', replace: 'free' },
  fields: () => ({
    key: z
      .string()
      .regex(/^[\w-]{1,256}$/, 'a key can have letters, digits, underscores and hyphens')
      .describe('Its name in the store.'),
    value: atomic(anyJson()).describe('Any JSON: text, number, true, false, null, list or object.'),
    description: z.string().max(512).nullable().optional().describe('A note for humans.'),
  }),
  yaml: { shorthand: (value) => ({ value }) },
  example: { banner: 'Sale ends Sunday', limits: { value: { perUser: 5 }, description: 'Of one order' } },
  shape: batch((steps) => [writes(steps)]),
  read: {
    endpoint: 'GET /v1/global-config/{globalConfig}/items',
    items: '',
    // Clients meet 204 for a missing item; the documentation lists 404.
    byId: {
      endpoint: 'GET /v1/global-config/{globalConfig}/item/{id}',
      within: 'edgeConfigId',
      emptyIfMissing: true,
    },
  },
  create: items,
  update: items,
  delete: items,
});

/** Returns one request with all changes of a store's items, because the platform takes them as a list. */
const writes = (steps: Step[]): Draft => ({
  changes: steps.map(({ address }) => address),
  requests: [
    {
      ...request(items, { items: steps.flatMap(itemsOf) }),
      returns: steps
        .filter(({ action }) => action === 'create' || action === 'replace')
        .map(({ address, after }) => ({ address, id: keyOf(after!) })),
      drops: steps
        .filter(({ action }) => action === 'delete' || action === 'replace')
        .map(({ address, before }) => ({ address, id: before!.id })),
    },
  ],
});

/**
 * Returns the operations of the request for one change of an item. A replacement is a deletion and a creation,
 * because the key identifies an item.
 */
function itemsOf({ action, before, after, body }: Step): object[] {
  const removal = () => ({ operation: 'delete', key: keyOf(before!) });
  const creation = () => ({ operation: 'create', ...before?.fields, ...after!.fields });
  if (action === 'create') return [creation()];
  if (action === 'delete') return [removal()];
  return action === 'replace'
    ? [removal(), creation()]
    : [{ operation: 'update', key: keyOf(after!), ...body }];
}

const keyOf = ({ fields }: { fields: Fields }) => String(fields.key);
