import { asksForWrite, type Change, defineKind, immutable, openEnum, refTo } from '#kind';
import { isLoweredInProject } from './team-roles.ts';

/** True if a change takes permissions in a project away from the members of an access group, so that the user has to permit it. */
function takesAway({ action, fields, before, after }: Change): boolean {
  if (action === 'delete' || action === 'replace') return true;
  return fields.some(asksForWrite) && isLoweredInProject(before?.fields.role, after?.fields.role);
}

/** The role that the members of an access group have in a project. */
export const accessGroupProject = defineKind({
  name: 'accessGroupProject',
  doc: 'What the members of an access group may do in a project.',
  section: 'projects',
  parent: 'accessGroup',
  key: ['projectId'],
  id: 'projectId',
  lifecycle: { replace: 'free', asks: { 'remove-access': takesAway } },
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
