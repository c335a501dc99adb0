import * as z from 'zod';
import type { Call } from '../call.ts';
import { badRequest, notFound } from '../errors.ts';
import { projectById } from '../find-project.ts';
import { cursorPage, limitQuery, pageLimit } from '../http/pages.ts';
import { text } from '../http/query.ts';
import { operation, type Resource } from '../resource.ts';
import { type Connection, type Connector, connect, connectors, environments } from './connector-state.ts';

interface Pair {
  connector: Connector;
  connection: Connection;
}

/** A connection as it is read from either side. */
function show({ account }: Call, { connector, connection: { projectId, ...connection } }: Pair) {
  const { id, name, customEnvironments } = account.projects.find((one) => one.id === projectId)!;
  const of = customEnvironments.map((one) => ({ id: one.id, slug: one.slug }));
  return { connectorId: connector.id, ...connection, project: { id, name, customEnvironments: of } };
}

function named(call: Call): Pair {
  const { one: connector } = connectors.named(call);
  const connection = connector.projects.find(({ projectId }) => projectId === call.params.projectId);
  if (connection === undefined) throw notFound('Connection');
  return { connector, connection };
}

function list(call: Call, member: string, pairs: Pair[]) {
  const size = pageLimit(call);
  const { page, next } = cursorPage(call, pairs, ({ connection }) => connection.createdAt, {
    ...{ param: 'cursor', size },
  });
  return { [member]: page.map((pair) => show(call, pair)), pagination: { next } };
}

const query = { ...limitQuery, cursor: text };

/** The projects that may use a connector. A POST makes a connection, or writes it anew. */
export const connectorProject: Resource = {
  operations: {
    listConnectorProjectConnections: operation(
      { on: connectors.named, query, list: 'projects' },
      (call, { one: connector }) =>
        list(
          call,
          'projects',
          connector.projects.map((connection) => ({ connector, connection })),
        ),
    ),
    listProjectConnectorConnections: operation(
      { on: (call) => projectById(call, call.params.projectId), query, list: 'connectors' },
      (call, { id }) =>
        list(
          call,
          'connectors',
          connectors.all(call, call.owner).flatMap((connector) => {
            const connection = connector.projects.find(({ projectId }) => projectId === id);
            return connection ? [{ connector, connection }] : [];
          }),
        ),
    ),
    getConnectorProjectConnection: operation({ on: named }, show),
    upsertConnectorProjectConnection: operation(
      { on: connectors.named, body: z.strictObject({ environments }) },
      (call, { one: connector }, body) => {
        const project = projectById(call, call.params.projectId);
        const builtIn = ['development', 'preview', 'production'];
        const known = [...builtIn, ...project.customEnvironments.map(({ id }) => id)];
        const other = body.environments.find((one) => !known.includes(one));
        if (other !== undefined) throw badRequest(`The project has no environment ${other}.`);
        return show(call, { connector, connection: connect(call, connector, project.id, body.environments) });
      },
    ),
    deleteConnectorProjectConnection: operation(
      { on: named, statuses: [204] },
      (_, { connector, connection }) => {
        connector.projects.splice(connector.projects.indexOf(connection), 1);
      },
    ),
  },
};
