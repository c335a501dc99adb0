import * as z from 'zod';
import { defineKind } from '#kind';

/** A repository of container images. Its images are not declared, and go with it. */
export const registryRepository = defineKind({
  name: 'registryRepository',
  doc: 'A container image repository of a project. Deleting it deletes its images.',
  section: 'registryRepositories',
  parent: 'project',
  key: ['name'],
  lifecycle: { replace: 'never', container: true },
  undeclared: ['public'],
  fields: () => ({ name: z.string().min(1).describe('Its name, unique in the project.') }),
  example: { api: {} },
  read: { endpoint: 'GET /v1/vcr/repository?projectId={project}', items: 'repositories' },
  create: {
    endpoint: 'POST /v1/vcr/repository',
    body: ({ parent, body }) => ({ projectId: parent, ...body }),
    returns: ({ address }) => [{ address, path: ['repository', 'id'] }],
  },
  delete: 'DELETE /v1/vcr/repository/{id}?projectId={project}',
});
