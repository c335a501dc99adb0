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
/** The body with which the command line connects a store of any type to a project, and changes a connection. */
const clientBody = body.extend({
  envVarPrefix: z.string().optional(),
  skipReadWriteToken: z.boolean().optional(),
  type: z.literal('integration').optional(),
});

const connections = stores.inside('connections', {
  ...{ what: 'Connection', param: 'connectionId', shows: shownConnection },
  isCalled: (connection, id) => connectionId(connection) === id,
});

/** Returns a new connection, not yet in the store. Throws 400 if the project does not exist or is connected already. */
export function newConnection(making: Making, body: z.input<typeof clientBody>, store: Store): Connection {
  const { projectId, envVarEnvironments, makeEnvVarsSensitive = false, envVarPrefix = null } = body;
  checkProjectIds(making, [projectId]);
  if (store.connections.some((connection) => connection.projectId === projectId))
    throw badRequest('The project is connected already.');
  const environments = envVarEnvironments ?? ['production', 'preview', 'development'];
  return { projectId, environments, makeEnvVarsSensitive, envVarPrefix };
}

/** Returns the resource of an installation that the path names. Throws 404 if there is none. */
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

/**
 * The projects that use a store. The catalog has an operation for stores of integrations; the command line calls others for stores of all
 * types.
 */
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
    // Connections of the twin have no token that could be replaced.
    [`POST ${path}/{connectionId}/upgrade-to-oidc`]: connections.read(),
    [`DELETE ${path}/{connectionId}`]: connections.remove(),
  },
  forget: forgetting('stores', 'connections'),
};
