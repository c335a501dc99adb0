import * as z from 'zod';
import type { Call } from '../call.ts';
import { notFound } from '../errors.ts';
import { operation, type Resource } from '../resource.ts';
import type { MarketplaceResource } from './installation.ts';
import { resourceOf } from './marketplace-resource.ts';

const itemBody = z.strictObject({
  slug: z.string(),
  origin: z.string(),
  category: z.enum(['experiment', 'flag']).optional(),
  name: z.string().optional(),
  description: z.string().optional(),
  isArchived: z.boolean().optional(),
  createdAt: z.number().optional(),
  updatedAt: z.number().optional(),
});

/** Returns the item that the path names, with its resource, or throws 404. */
function itemOf(call: Call): { holder: MarketplaceResource; id: string } {
  const resource = resourceOf(call);
  const id = call.params.itemId!;
  if (!Object.hasOwn(resource.items, id)) throw notFound('Item');
  return { holder: resource, id };
}

/** Flags and experiments that a partner's resource has. */
export const experimentationItem: Resource = {
  operations: {
    createInstallationsByIntegrationConfigurationIdResourcesByResourceIdExperimentationItems: operation(
      {
        on: resourceOf,
        body: z.strictObject({ items: z.array(itemBody.extend({ id: z.string() })) }),
        statuses: [204],
      },
      (_, marketplaceResource, { items }) => {
        for (const { id, ...item } of items) marketplaceResource.items[id] = item;
      },
    ),
    updateInstallationsByIntegrationConfigurationIdResourcesByResourceIdExperimentationItemsByItemId:
      operation({ on: itemOf, body: itemBody, statuses: [204] }, (_, { holder, id }, item) => {
        holder.items[id] = item;
      }),
    deleteInstallationsByIntegrationConfigurationIdResourcesByResourceIdExperimentationItemsByItemId:
      operation({ on: itemOf, statuses: [204] }, (_, { holder, id }) => {
        delete holder.items[id];
      }),
  },
};
