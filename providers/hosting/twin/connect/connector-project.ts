import * as z from 'zod';
import type { Project } from '../account.ts';
import type { Call } from '../call.ts';
import { cursorList, onlyNext } from '../cursor-list.ts';
import { badRequest } from '../errors.ts';
import { projectById } from '../find-project.ts';
import { operation, type Resource } from '../resource.ts';
import { type Connection, type Connector, connect, connectors, environments } from './connector-state.ts';

/** A connector with its connection to one project. */
interface Pair {
  connector: Connector;
  connection: Connection;
}

/** Returns a connection as reads from either side show it. */
function show({ account }: Call, { projectId, ...connection }: Connection, connector: Connector) {
  const { id, name, customEnvironments } = account.projects.find((project) => project.id === projectId)!;
  const environments = customEnvironments.map((customEnvironment) => ({
    id: customEnvironment.id,
    slug: customEnvironment.slug,
  }));
  return {
    connectorId: connector.id,
    ...connection,
    project: { id, name, customEnvironments: environments },
  };
}

const connections = connectors.inside('projects', {
  ...{ what: 'Connection', param: 'projectId', by: ['projectId'], shows: show },
});

/** The projects that may use a connector. A POST creates a connection, or overwrites it. */
export const connectorProject: Resource = {
  operations: {
    listConnectorProjectConnections: connections.pages('projects', {
      cursor: 'cursor',
      extraMembers: onlyNext,
    }),
    listProjectConnectorConnections: cursorList<Pair, Project>(
      'connectors',
      {
        on: (call) => projectById(call, call.params.projectId),
        cursor: 'cursor',
        order: () => (pair) => pair.connection.createdAt,
        row: (call, { connector, connection }) => show(call, connection, connector),
        extraMembers: onlyNext,
      },
      (call, { id }) =>
        connectors.all(call, call.owner).flatMap((connector) => {
          const connection = connector.projects.find(({ projectId }) => projectId === id);
          return connection ? [{ connector, connection }] : [];
        }),
    ),
    getConnectorProjectConnection: connections.read(),
    upsertConnectorProjectConnection: operation(
      { on: connections.home, body: z.strictObject({ environments }) },
      (call, connector, body) => {
        const project = projectById(call, call.params.projectId);
        const builtIn = ['development', 'preview', 'production'];
        const existing = [...builtIn, ...project.customEnvironments.map(({ id }) => id)];
        const environment = body.environments.find((environment) => !existing.includes(environment));
        if (environment !== undefined) throw badRequest(`The project has no environment ${environment}.`);
        return show(call, connect(call, connector, project.id, body.environments), connector);
      },
    ),
    deleteConnectorProjectConnection: connections.remove(),
  },
};
