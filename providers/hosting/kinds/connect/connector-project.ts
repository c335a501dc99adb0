import { type ApiObject, defineKind, immutable, refTo } from '#kind';
import { environments, namedEnvironments } from '../environments.ts';

const idOf = ({ project }: ApiObject) => (project as { id: string }).id;

/** A project whose deployments may use a connector. */
export const connectorProject = defineKind({
  name: 'connectorProject',
  doc: 'Gives deployments of a project tokens of a connector.',
  section: 'projects',
  parent: 'connector',
  key: ['projectId'],
  id: idOf,
  lifecycle: { replace: 'free' },
  fields: () => ({
    projectId: immutable(refTo('project')).describe('The project.'),
    environments: environments(),
  }),
  example: `projects: { web: {} }
connectors:
  auth.example.com/shop:
    name: Shop
    type: oauth
    data: { clientId: shop, serverUrl: "https://auth.example.com" }
    projects:
      web: { environments: [production] }`,
  rules: { check: namedEnvironments },
  read: {
    endpoint: 'GET /v2/connect/connectors/{connector}/projects',
    items: 'projects',
    byId: { endpoint: 'GET /v1/connect/connectors/{connector}/projects/{id}', within: 'connectorId' },
  },
  decode: (connection) => ({
    projectId: idOf(connection),
    environments: connection.enabledEnvironments as string[],
  }),
  create: {
    endpoint: 'POST /v1/connect/connectors/{connector}/projects/{projectId}',
    body: ({ body: { environments } }) => ({ environments }),
    returns: ({ address, after }) => [{ address, id: after!.fields.projectId! }],
  },
  update: {
    endpoint: 'POST /v1/connect/connectors/{connector}/projects/{id}',
    body: ({ fullBody: { environments } }) => ({ environments }),
  },
  delete: 'DELETE /v1/connect/connectors/{connector}/projects/{id}',
});
