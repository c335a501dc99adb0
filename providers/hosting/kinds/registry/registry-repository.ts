import * as z from 'zod';
import { type Change, defineKind, immutable, safeguard, updateOnly } from '#kind';

const becomesPublic = ({ after, fields }: Change) =>
  after?.fields.public === true && fields.some(({ path }) => path === 'public');

/** A repository of container images. Its images are not declared, and go with it. */
export const registryRepository = defineKind({
  name: 'registryRepository',
  doc: 'A container image repository of a project. Deleting it deletes its images.',
  section: 'registryRepositories',
  parent: 'project',
  key: ['name'],
  lifecycle: { replace: 'never', container: true },
  usual: { public: false },
  fields: () => ({
    name: immutable(z.string().min(1)).describe('Its name, unique in the project.'),
    public: updateOnly(safeguard(z.boolean()))
      .optional()
      .describe('Whether anybody may pull its images; false for a new one.'),
  }),
  example: { api: { public: false } },
  rules: {
    grade: (change) =>
      becomesPublic(change)
        ? { grade: 'disruptive', reason: 'anybody can then pull all images of the repository' }
        : undefined,
  },
  read: {
    endpoint: 'GET /v1/vcr/repository?projectId={project}',
    items: 'repositories',
    byId: {
      endpoint: 'GET /v1/vcr/repository/{id}?projectId={project}',
      item: 'repository',
      within: 'projectId',
    },
  },
  create: {
    endpoint: 'POST /v1/vcr/repository',
    body: ({ parent, body }) => ({ projectId: parent, ...body }),
    returns: ({ address }) => [{ address, path: ['repository', 'id'] }],
  },
  // Not in the catalog; the platform's Terraform provider and its command line do it.
  update: 'PATCH /v1/vcr/repository/{id}?projectId={project}',
  delete: 'DELETE /v1/vcr/repository/{id}?projectId={project}',
});
