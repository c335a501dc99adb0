import * as z from 'zod';
import { defineKind, immutable } from '#kind';

/** Another team that may pull the images of a repository. The platform has no way to change a permission: there is nothing in it. */
export const registryPermission = defineKind({
  name: 'registryPermission',
  doc: 'Another team that may pull the images of a repository.',
  section: 'permissions',
  parent: 'registryRepository',
  key: ['teamId'],
  id: 'teamId',
  lifecycle: { replace: 'free', asks: { 'remove-access': 'delete' } },
  fields: () => ({
    teamId: immutable(z.string().min(1)).describe("The team's id, such as `team_…` (not its slug)."),
  }),
  example: { team_LLHUOMOoDlqOp8wPE4kFo9pE: {} },
  rules: {
    grade: ({ action }) =>
      action === 'create'
        ? { grade: 'disruptive', reason: 'another team can then pull all images of the repository' }
        : action === 'delete'
          ? { grade: 'disruptive', reason: 'the team can then no longer pull images of the repository' }
          : undefined,
  },
  read: {
    endpoint: 'GET /v1/vcr/repository/{registryRepository}/permissions?projectId={project}',
    items: 'permissions',
  },
  create: 'POST /v1/vcr/repository/{registryRepository}/permissions?projectId={project}',
  delete: {
    endpoint: 'DELETE /v1/vcr/repository/{registryRepository}/permissions?projectId={project}',
    body: ({ id }) => ({ teamId: id }),
  },
});
