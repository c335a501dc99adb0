import { defineKind, immutable, openEnum, requireText } from '#kind';
import { namedByPerson, personFields, personOf } from '../team/people.ts';

const roles = ['ADMIN', 'PROJECT_VIEWER', 'PROJECT_DEVELOPER'];

/** A team member's role in a project. The platform cannot change a role, so the member is removed and added again. */
export const projectMember = defineKind({
  name: 'projectMember',
  doc: 'A member of the team with a role in a project.',
  example: { 'grace@example.com': { role: 'PROJECT_DEVELOPER' } },
  section: 'members',
  parent: 'project',
  key: ['user'],
  form: 2,
  id: 'uid',
  lifecycle: { replace: 'free', asks: { 'remove-access': 'delete' } },
  fields: () => ({
    ...personFields(),
    role: immutable(openEnum(roles)).describe('What the user may do in the project.'),
  }),
  read: { endpoint: 'GET /v1/projects/{project}/members', items: 'members', facts: namedByPerson.facts },
  // Guests come by deployments that were shared with them, and cannot be written.
  decode: ({ role, ...person }) =>
    roles.includes(requireText(role, 'role')) ? { ...personOf(person), role: role as string } : undefined,
  encode: ({ user: _, ...member }) => member,
  create: 'POST /v1/projects/{project}/members',
  delete: 'DELETE /v1/projects/{project}/members/{id}',
});
