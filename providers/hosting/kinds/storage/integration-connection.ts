import * as z from 'zod';
import { type ApiObject, defineKind, immutable, objectsOfList, refTo, requireObject, setOf } from '#kind';

const projectsOf = ({ store }: ApiObject): ApiObject[] =>
  objectsOfList(requireObject(store, 'store').projectsMetadata, 'projectsMetadata');

/** A project that gets the variables of a resource. The store lists its connections; the catalog has no way to end one. */
export const integrationConnection = defineKind({
  name: 'integrationConnection',
  doc: 'Connects a project to a resource of an integration, which gives it variables.',
  section: 'connections',
  parent: 'integrationStore',
  key: ['projectId'],
  id: 'projectId',
  lifecycle: { replace: 'never' },
  usual: { makeEnvVarsSensitive: false },
  fields: () => ({
    projectId: immutable(refTo('project')).describe('The project.'),
    envVarEnvironments: immutable(setOf(z.string()))
      .optional()
      .describe('The environments that get the variables; all by default.'),
    makeEnvVarsSensitive: immutable(z.boolean())
      .optional()
      .describe('Whether the variables are unreadable (sensitive).'),
  }),
  example: `projects:
  web: {}
installations:
  icfg_cuwj0AdCdH3BwWT4LPijCC7t:
    stores:
      orders:
        integrationProductIdOrSlug: postgres
        connections:
          web: { envVarEnvironments: [production, preview] }`,
  read: { endpoint: 'GET /storage/stores/{integrationStore}', items: projectsOf },
  decode: ({ projectId, environments, makeEnvVarsSensitive }) => ({
    projectId: projectId as string,
    envVarEnvironments: environments as string[],
    makeEnvVarsSensitive: makeEnvVarsSensitive === true,
  }),
  create:
    'POST /v1/integrations/installations/{marketplaceInstallation}/resources/{integrationStore}/connections',
});
