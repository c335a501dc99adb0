import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Call, Making } from '../call.ts';
import { Collection } from '../collection.ts';
import { badRequest } from '../errors.ts';
import { operation, type Resource, seedList, seedOwned } from '../resource.ts';
import {
  billingPlan,
  findInstallation,
  type Installation,
  installationOf,
  type MarketplaceResource,
  notification,
  status,
} from './installation.ts';

declare module '../account.ts' {
  interface AccountSeed extends Seeds<'installations', typeof seed> {}
}

const secret = z.strictObject({
  name: z.string(),
  value: z.string(),
  prefix: z.string().optional(),
  environmentOverrides: z
    .strictObject({
      development: z.string().optional(),
      preview: z.string().optional(),
      production: z.string().optional(),
    })
    .optional(),
});
const secretsBody = z.strictObject({ secrets: z.array(secret), partial: z.boolean().optional() });

const members = {
  ownership: z.enum(['owned', 'linked', 'sandbox']).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  billingPlan: billingPlan.optional(),
  extras: z.record(z.string(), z.unknown()).optional(),
};
const created = z.strictObject({
  ...members,
  productId: z.string(),
  name: z.string(),
  status,
  notification: notification.optional(),
  secrets: z.array(secret).optional(),
});
const changed = z.strictObject({
  ...members,
  name: z.string().optional(),
  status: status.optional(),
  notification: z.union([notification, z.string()]).optional(),
  secrets: z.union([secretsBody, z.array(secret)]).optional(),
});

/** Replaces the secrets of a resource; with `partial`, keeps those with other names. */
function setSecrets(
  marketplaceResource: MarketplaceResource,
  { secrets, partial = false }: z.infer<typeof secretsBody>,
): void {
  const byName = Object.fromEntries(secrets.map((each) => [each.name, each]));
  marketplaceResource.secrets = partial ? { ...marketplaceResource.secrets, ...byName } : byName;
}

/** A description of a resource in a body. */
type Given = Partial<z.infer<typeof created>> | z.infer<typeof changed>;

/** Writes a partner's description into a resource, with its secrets. Returns the body of the answer. */
function write(marketplaceResource: MarketplaceResource, changes: Given): { name: string } {
  const { secrets, ownership: _, extras: __, ...rest } = changes;
  Object.assign(marketplaceResource, rest);
  if (secrets) setSecrets(marketplaceResource, Array.isArray(secrets) ? { secrets } : secrets);
  return { name: marketplaceResource.name };
}

/** Returns a resource as a read shows it: with the id of its billing plan. The list has the id of the resource as `partnerId`. */
const shown = ({ billingPlan, secrets: _, items: __, config: ___, ...one }: MarketplaceResource) => ({
  ...one,
  ...(billingPlan && { billingPlanId: billingPlan.id }),
});

const resources = new Collection<MarketplaceResource, Installation>(
  {
    what: 'Resource',
    param: 'resourceId',
    shows: (_, marketplaceResource) => shown(marketplaceResource),
  },
  installationOf,
  (_, { resources }) => resources,
);

/** Returns the resource that the path names. Throws 404 if there is none. */
export const resourceOf = (call: Call): MarketplaceResource => resources.named(call).object;

/** Imports a resource, or overwrites the one with this id, and returns it. Throws 400 if its product would change. */
function put(
  making: Making,
  home: Installation,
  id: string,
  body: z.infer<typeof created>,
): MarketplaceResource {
  const resource = home.resources.find((marketplaceResource) => marketplaceResource.id === id);
  if (resource && resource.productId !== body.productId)
    throw badRequest('The product of a resource cannot change.');
  const { productId, name, status } = body;
  const empty = { id, internalId: making.id('ir_'), productId, name, status, secrets: {}, items: {} };
  const written = resource ?? resources.add(making, empty, home);
  write(written, body);
  return written;
}

/** Replaces the values that deployments read of a resource, and returns them with a digest. */
export function setConfig(
  making: Making,
  marketplaceResource: MarketplaceResource,
  items: Record<string, unknown>,
): unknown {
  const digest = createHash('sha256').update(JSON.stringify(items)).digest('hex');
  marketplaceResource.config = { items, digest, updatedAt: making.time() };
  return marketplaceResource.config;
}

const seed = z.strictObject({
  ...seedOwned,
  id: z.string(),
  resources: z
    .array(created.extend({ id: z.string(), config: z.record(z.string(), z.unknown()).optional() }))
    .optional(),
});

/** Resources that partners provide to an installation, with their secrets. */
export const marketplaceResource: Resource = {
  operations: {
    'get-integration-resources': operation({ on: installationOf, list: 'resources' }, (_, { resources }) => ({
      resources: resources.map(shown).map(({ id, ...one }) => ({ partnerId: id, ...one })),
    })),
    'get-integration-resource': resources.read(),
    'import-resource': operation({ on: installationOf, body: created }, (call, home, body) => ({
      name: put(call, home, call.params.resourceId!, body).name,
    })),
    'update-resource': operation({ on: resourceOf, body: changed }, (_, marketplaceResource, body) =>
      write(marketplaceResource, body),
    ),
    'delete-integration-resource': resources.remove(),
    'update-resource-secrets-by-id': operation(
      { on: resourceOf, body: secretsBody, statuses: [201], answers: 'none' },
      (_, marketplaceResource, body) => setSecrets(marketplaceResource, body),
    ),
  },
  seed: {
    account: {
      installations: seedList(seed, (making, { id, resources = [] }) => {
        const home = findInstallation(making, id!, making.owner);
        for (const { id, config, ...body } of resources) {
          const marketplaceResource = put(making, home, id, body);
          if (config) setConfig(making, marketplaceResource, config);
        }
      }),
    },
  },
};
