import * as z from 'zod';
import { type Call, type Making, type Stamped, stamped } from '../call.ts';
import { takeOut } from '../collection.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { checkProjectIds, projectIdsOf } from '../find-project.ts';
import { forgetting } from '../forget.ts';
import { ofOwner } from '../kept.ts';
import { findInstallation } from '../marketplace/installation.ts';
import { type Operation, operation, type Resource, seedList, seedOwned } from '../resource.ts';

/** A store for files, or a resource of an integration. */
export interface Store extends Stamped {
  ownerId: string;
  type: 'blob' | 'integration';
  name: string;
  status: string;
  region?: string;
  access?: string;
  /** A project's own store, which is deleted with it. */
  projectId?: string;
  product?: { slug: string; integrationConfigurationId: string };
  connections: {
    projectId: string;
    environments: string[];
    makeEnvVarsSensitive: boolean;
    envVarPrefix: string | null;
  }[];
}

declare module '../account.ts' {
  interface AccountParts extends Keeps<'stores', Store> {}
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
const connectBody = z.strictObject({
  projectId: z.string(),
  envVarEnvironments: z.array(z.string()).optional(),
  makeEnvVarsSensitive: z.boolean().optional(),
});
/** As the command line connects a store of any type, and changes how. */
const clientConnectBody = connectBody.extend({
  envVarPrefix: z.string().optional(),
  skipReadWriteToken: z.boolean().optional(),
  type: z.literal('integration').optional(),
});
const integrationSeed = integrationBody.extend({
  ...seedOwned,
  connections: z.array(z.strictObject({ project: z.string() })).optional(),
});

const connectionId = ({ projectId }: { projectId: string }) => `spc_${projectId}`;

/** A store as answers show it, with the projects that use it. */
function shown({ account }: Making, { ownerId: _, connections, ...store }: Store) {
  const projectsMetadata = connections.flatMap((one) => {
    const project = account.projects.find(({ id }) => id === one.projectId);
    const known = { id: connectionId(one), environmentVariables: [] };
    return project ? [{ ...known, name: project.name, ...one }] : [];
  });
  return {
    ...store,
    projectsMetadata,
    totalConnectedProjects: projectsMetadata.length,
    usageQuotaExceeded: false,
  };
}

const stores = ofOwner('stores', { what: 'Store', as: 'store', shows: shown });

function add(making: Making, given: Pick<Store, 'type' | 'name'> & Partial<Store>): Store {
  const isTaken = (one: Store) =>
    one.type === given.type &&
    one.name === given.name &&
    one.product?.integrationConfigurationId === given.product?.integrationConfigurationId;
  if (stores.all(making, making.owner).some(isTaken))
    throw conflict(`There is a store "${given.name}" already.`);
  const one: Store = {
    ownerId: making.owner.id,
    status: 'available',
    connections: [],
    ...stamped(making, 'store_'),
    ...given,
  };
  return stores.add(making, one, making.owner);
}

function addIntegration(making: Making, body: z.infer<typeof integrationBody>): Store {
  const { name, integrationConfigurationId, integrationProductIdOrSlug: slug } = body;
  findInstallation(making, integrationConfigurationId, making.owner);
  if (typeof slug !== 'string') throw badRequest('The installation has several products: name one.');
  return add(making, { type: 'integration', name, product: { slug, integrationConfigurationId } });
}

function connect(making: Making, store: Store, body: z.infer<typeof clientConnectBody>): void {
  const { projectId, envVarEnvironments, makeEnvVarsSensitive = false, envVarPrefix = null } = body;
  checkProjectIds(making, [projectId]);
  if (store.connections.some((one) => one.projectId === projectId))
    throw badRequest('The project is connected already.');
  const environments = envVarEnvironments ?? ['production', 'preview', 'development'];
  store.connections.push({ projectId, environments, makeEnvVarsSensitive, envVarPrefix });
}

/** The store and the connection that the path names. */
function connectionOf(call: Call) {
  const { one } = stores.named(call);
  const connection = one.connections.find((known) => connectionId(known) === call.params.connectionId);
  if (!connection) throw notFound('Connection');
  return { one, connection };
}

/** Connections of stores of all types, as the command line lists, makes, changes and ends them. */
const connectionsOfStore: Record<string, Operation> = {
  'GET /v1/storage/stores/{id}/connections': operation(
    { on: stores.named, list: 'connections' },
    (call, { one }) => ({ connections: shown(call, one).projectsMetadata }),
  ),
  'POST /v1/storage/stores/{id}/connections': operation(
    { on: stores.named, body: clientConnectBody },
    (call, { one }, body) => connect(call, one, body),
  ),
  'DELETE /v1/storage/stores/{id}/connections': operation({ on: stores.named }, (_, { one }) => {
    one.connections = [];
  }),
  'PATCH /v1/storage/stores/{id}/connections/{connectionId}': operation(
    { on: connectionOf, body: clientConnectBody.omit({ projectId: true }).partial() },
    (_, { connection }, { envVarEnvironments: environments, envVarPrefix }) => {
      Object.assign(connection, environments && { environments }, envVarPrefix && { envVarPrefix });
    },
  ),
  // Without a token, which no twin gives, a connection is what it becomes.
  'POST /v1/storage/stores/{id}/connections/{connectionId}/upgrade-to-oidc': operation(
    { on: connectionOf },
    () => undefined,
  ),
  'DELETE /v1/storage/stores/{id}/connections/{connectionId}': operation(
    { on: connectionOf },
    (_, { one, connection }) => takeOut(one.connections, connection),
  ),
};

/** The resource of an installation that the path names. */
function resourceOf(call: Call): Store {
  const { integrationConfigurationId, resourceId } = call.params;
  const found = stores
    .all(call, call.owner)
    .find(
      ({ id, product }) =>
        id === resourceId && product?.integrationConfigurationId === integrationConfigurationId,
    );
  if (!found) throw notFound('Resource');
  return found;
}

/** Stores of all types. The catalog reads one by its id; what lists them is not in it. */
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
    connectIntegrationResourceToProject: operation(
      { on: resourceOf, body: connectBody, statuses: [201], answers: 'none' },
      (call, one, body) => connect(call, one, body),
    ),
  },
  clientOperations: {
    'GET /v1/storage/stores': stores.list('stores'),
    ...connectionsOfStore,
  },
  after: ['projects', 'installations'],
  seed: {
    account: {
      blobStores: stores.seed(blobSeed, (making, body) => {
        const one = add(making, { type: 'blob', region: 'iad1', ...body });
        stores.drop(making, one, making.owner);
        return one;
      }),
      integrationStores: seedList(integrationSeed, (making, { id: _, connections = [], ...body }) => {
        const one = addIntegration(making, body);
        const ids = projectIdsOf(
          making,
          connections.map(({ project }) => project),
        );
        for (const projectId of ids) connect(making, one, { projectId });
      }),
    },
  },
  forget: forgetting('stores', 'connections'),
};
