import * as z from 'zod';
import { defineKind, immutable, refTo, type Step, setOf } from '#kind';

/** Returns the platform's own id of a connection, which its changes need. The answer to a creation does not have it. */
const connectionOf = ({ before }: Step) => ({ connection: before!.facts?.id as string });

/** A project that uses a file store. The platform gives it a variable with a token. */
export const blobConnection = defineKind({
  name: 'blobConnection',
  doc: 'Connects a project to a file store: the project gets a variable with a token of the store.',
  section: 'connections',
  parent: 'blobStore',
  key: ['projectId'],
  id: 'projectId',
  usual: { envVarEnvironments: ['production', 'preview', 'development'], envVarPrefix: 'BLOB' },
  fields: () => ({
    projectId: immutable(refTo('project')).describe('The project.'),
    envVarEnvironments: setOf(z.enum(['production', 'preview', 'development']))
      .optional()
      .describe('The environments that get the variable.'),
    envVarPrefix: z
      .string()
      .min(1)
      .optional()
      .describe('The beginning of the name of the variable: `BLOB` stands for `BLOB_READ_WRITE_TOKEN`.'),
  }),
  example: `projects: { web: {} }
$allow: [cost]
blobStores:
  uploads:
    connections:
      web: { envVarEnvironments: [production], envVarPrefix: UPLOADS }`,
  rules: {
    grade: ({ action }) =>
      action === 'create'
        ? undefined
        : {
            grade: 'disruptive',
            reason: 'the variable with the token changes its name or place, or goes away',
          },
  },
  read: {
    endpoint: 'GET /v1/storage/stores/{blobStore}/connections',
    items: 'connections',
    facts: ['id'],
  },
  create: {
    endpoint: 'POST /v1/storage/stores/{blobStore}/connections',
    returns: ({ address, after }) => [{ address, id: after!.fields.projectId! }],
  },
  update: {
    endpoint: 'PATCH /v1/storage/stores/{blobStore}/connections/{connection}',
    params: connectionOf,
  },
  delete: {
    endpoint: 'DELETE /v1/storage/stores/{blobStore}/connections/{connection}',
    params: connectionOf,
  },
});
