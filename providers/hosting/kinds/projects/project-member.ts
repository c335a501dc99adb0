import * as z from 'zod';
import { defineKind, type Fields, immutable, openEnum } from '#kind';

const roles = ['ADMIN', 'PROJECT_VIEWER', 'PROJECT_DEVELOPER'];

/** A team member's role in a project. The platform cannot change a role, so the member is removed and added again. */
export const projectMember = defineKind({
  name: 'projectMember',
  doc: 'A member of the team with a role in a project.',
  example: { '8k2Xb4uWq1Yt5cZe7nVr3oPd': { role: 'PROJECT_DEVELOPER' } },
  section: 'members',
  parent: 'project',
  key: ['uid'],
  id: 'uid',
  lifecycle: { replace: 'free', asks: { 'remove-access': 'delete' } },
  fields: () => ({
    uid: z.string().min(1).describe("The user's id, as in the list of team members."),
    role: immutable(openEnum(roles)).describe('What the user may do in the project.'),
  }),
  read: { endpoint: 'GET /v1/projects/{project}/members', items: 'members' },
  // Guests come by deployments that were shared with them, and cannot be written.
  decode: (member) => (roles.includes(String(member.role)) ? (member as Fields) : undefined),
  create: 'POST /v1/projects/{project}/members',
  delete: 'DELETE /v1/projects/{project}/members/{id}',
});
