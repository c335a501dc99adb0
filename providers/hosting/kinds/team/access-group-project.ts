import { defineKind, immutable, openEnum, refTo } from '#kind';

/** The role that the members of an access group have in a project. */
export const accessGroupProject = defineKind({
  name: 'accessGroupProject',
  doc: 'What the members of an access group may do in a project.',
  section: 'projects',
  parent: 'accessGroup',
  key: ['projectId'],
  id: 'projectId',
  lifecycle: { replace: 'free', asks: { 'remove-access': 'delete' } },
  fields: () => ({
    projectId: immutable(refTo('project')).describe('The project.'),
    role: openEnum(['ADMIN', 'PROJECT_VIEWER', 'PROJECT_DEVELOPER'])
      .refine((role) => role !== 'PROJECT_GUEST', 'only the platform can assign `PROJECT_GUEST`')
      .describe('What they may do in it.'),
  }),
  example: `projects: { web: {} }
accessGroups:
  Frontend:
    projects: { web: { role: PROJECT_DEVELOPER } }`,
  read: {
    endpoint: 'GET /v1/access-groups/{accessGroup}/projects',
    items: 'projects',
    byId: { endpoint: 'GET /v1/access-groups/{accessGroup}/projects/{id}', within: 'accessGroupId' },
  },
  create: 'POST /v1/access-groups/{accessGroup}/projects',
  update: 'PATCH /v1/access-groups/{accessGroup}/projects/{id}',
  delete: 'DELETE /v1/access-groups/{accessGroup}/projects/{id}',
});
