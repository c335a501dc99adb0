import * as z from 'zod';
import { type Making, stamped } from '../call.ts';
import { badRequest, conflict } from '../errors.ts';
import { checkProjectIds, projectIdsOf } from '../find-project.ts';
import { findInstallation } from '../marketplace/installation.ts';
import { operation, type Resource, seedList, seedOwned } from '../resource.ts';
import { newConnection } from './store-connection.ts';
import { type Store, stores } from './store-state.ts';

declare module '../account.ts' {
  interface AccountSeed {
    blobStores?: z.input<typeof blobSeed>[];
    integrationStores?: z.input<typeof integrationSeed>[];
  }
}

const regions =
  'arn1 bom1 cdg1 cle1 cpt1 dub1 dxb1 fra1 gru1 hkg1 hnd1 iad1 icn1 kix1 lhr1 pdx1 sfo1 sin1 syd1 yul1';
const blobBody = z.strictObject({
  name: z.string(),
  region: z.enum(regions.split(' ')).optional(),
  access: z.enum(['public', 'private']).default('public'),
  projectId: z.string().optional(),
});
const blobSeed = blobBody.omit({ projectId: true }).extend(seedOwned);

const json = z.record(z.string(), z.unknown());
const integrationBody = z.strictObject({
  name: z.string(),
  integrationConfigurationId: z.string(),
  integrationProductIdOrSlug: z.unknown().optional(),
  metadata: json.optional(),
  externalId: z.string().optional(),
  protocolSettings: json.optional(),
  source: z.string().optional(),
  billingPlanId: z.string().optional(),
  paymentMethodId: z.string().optional(),
  prepaymentAmountCents: z.number().optional(),
});
const integrationSeed = integrationBody.extend({
  ...seedOwned,
  connections: z.array(z.strictObject({ project: z.string() })).optional(),
});

/** Adds a store to the account, or throws 409 if its name is taken. */
function add(making: Making, content: Pick<Store, 'type' | 'name'> & Partial<Store>): Store {
  const isTaken = (store: Store) =>
    store.type === content.type &&
    store.name === content.name &&
    store.product?.integrationConfigurationId === content.product?.integrationConfigurationId;
  if (stores.all(making, making.owner).some(isTaken))
    throw conflict(`There is a store "${content.name}" already.`);
  const newStore: Store = {
    ownerId: making.owner.id,
    status: 'available',
    connections: [],
    ...stamped(making, 'store_'),
    ...content,
  };
  return stores.add(making, newStore, making.owner);
}

/** Adds a store of an integration to the account. Throws if there is no such installation, or if the body names no product. */
function addIntegration(making: Making, body: z.infer<typeof integrationBody>): Store {
  const { name, integrationConfigurationId, integrationProductIdOrSlug: slug } = body;
  findInstallation(making, integrationConfigurationId, making.owner);
  if (typeof slug !== 'string') throw badRequest('The installation has several products: name one.');
  return add(making, { type: 'integration', name, product: { slug, integrationConfigurationId } });
}

/** Stores of all types. The catalog has no operation that lists them; official clients call one. */
export const store: Resource = {
  keeps: { account: { stores: [] } },
  operations: {
    createStorageStoresBlob: operation({ body: blobBody, statuses: [200, 409] }, (call, _, body) => {
      checkProjectIds(call, body.projectId === undefined ? [] : [body.projectId]);
      return stores.answer(call, add(call, { type: 'blob', region: 'iad1', ...body }), call.owner);
    }),
    getStorageStoresById: stores.read(),
    deleteStorageStoresBlobById: stores.remove({ answer: ({ id }) => ({ id }) }),
    createIntegrationStoreDirect: operation(
      { body: integrationBody, statuses: [200, 404, 409] },
      (call, _, body) => stores.answer(call, addIntegration(call, body), call.owner),
    ),
  },
  clientOperations: {
    'GET /v1/storage/stores': stores.list('stores'),
  },
  after: ['projects', 'installations'],
  seed: {
    account: {
      blobStores: stores.seed(blobSeed, (making, body) => {
        const store = add(making, { type: 'blob', region: 'iad1', ...body });
        stores.drop(making, store, making.owner);
        return store;
      }),
      integrationStores: seedList(integrationSeed, (making, { id: _, connections = [], ...body }) => {
        const store = addIntegration(making, body);
        const ids = projectIdsOf(
          making,
          connections.map(({ project }) => project),
        );
        for (const projectId of ids) store.connections.push(newConnection(making, { projectId }, store));
      }),
    },
  },
};
