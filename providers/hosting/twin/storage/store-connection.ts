import * as z from 'zod';
import type { Call, Making } from '../call.ts';
import { badRequest, notFound } from '../errors.ts';
import { checkProjectIds } from '../find-project.ts';
import { forgetting } from '../forget.ts';
import { operation, type Resource } from '../resource.ts';
import { strings } from '../validate.ts';
import { type Connection, connectionId, type Store, shownConnection, stores } from './store-state.ts';

const body = z.strictObject({
  projectId: z.string(),
  envVarEnvironments: strings.optional(),
  makeEnvVarsSensitive: z.boolean().optional(),
});
/** As the command line connects a store of any type, and changes how. */
const clientBody = body.extend({
  envVarPrefix: z.string().optional(),
  skipReadWriteToken: z.boolean().optional(),
  type: z.literal('integration').optional(),
});

const connections = stores.inside('connections', {
  ...{ what: 'Connection', param: 'connectionId', shows: shownConnection },
  isCalled: (connection, id) => connectionId(connection) === id,
});

/** Returns a new connection, not yet in the store. */
export function newConnection(making: Making, body: z.input<typeof clientBody>, store: Store): Connection {
  const { projectId, envVarEnvironments, makeEnvVarsSensitive = false, envVarPrefix = null } = body;
  checkProjectIds(making, [projectId]);
  if (store.connections.some((connection) => connection.projectId === projectId))
    throw badRequest('The project is connected already.');
  const environments = envVarEnvironments ?? ['production', 'preview', 'development'];
  return { projectId, environments, makeEnvVarsSensitive, envVarPrefix };
}

/** Returns the resource of an installation that the path names. */
function resourceOf(call: Call): Store {
  const { integrationConfigurationId, resourceId } = call.params;
  const store = stores
    .all(call, call.owner)
    .find(
      ({ id, product }) =>
        id === resourceId && product?.integrationConfigurationId === integrationConfigurationId,
    );
  if (!store) throw notFound('Resource');
  return store;
}

const path = '/v1/storage/stores/{id}/connections';

/** The projects that use a store: a store of an integration by the catalog, stores of all types as the command line does it. */
export const storeConnection: Resource = {
  operations: {
    connectIntegrationResourceToProject: operation(
      { on: resourceOf, body, statuses: [201], answers: 'none' },
      (call, store, content) => {
        connections.add(call, newConnection(call, content, store), store);
      },
    ),
  },
  clientOperations: {
    [`GET ${path}`]: connections.list('connections'),
    [`POST ${path}`]: connections.create({ body: clientBody }, newConnection),
    [`DELETE ${path}`]: operation({ on: stores.named }, (_, { object }) => void object.connections.splice(0)),
    [`PATCH ${path}/{connectionId}`]: operation(
      { on: connections.named, body: clientBody.omit({ projectId: true }).partial() },
      (call, { object: connection }, { envVarEnvironments: environments, envVarPrefix }) => {
        Object.assign(connection, environments && { environments }, envVarPrefix && { envVarPrefix });
        return shownConnection(call, connection);
      },
    ),
    // There is no token that it could have had before.
    [`POST ${path}/{connectionId}/upgrade-to-oidc`]: connections.read(),
    [`DELETE ${path}/{connectionId}`]: connections.remove(),
  },
  forget: forgetting('stores', 'connections'),
};
