import * as z from 'zod';
import { operation, type Resource } from '../resource.ts';
import { strings } from '../validate.ts';
import { memberBody, members, newMember, role } from './project-member.ts';

const added = z.strictObject({ members: z.array(memberBody) });
const changed = z.strictObject({ members: z.array(z.strictObject({ uid: z.string(), role })) });

/**
 * Operations on the members of a project that only official clients call: changes of several members (their answers are not read), and
 * counts.
 */
export const projectMembers: Resource = {
  operations: {},
  clientOperations: {
    'GET /v1/projects/{idOrName}/members/summary': operation({ on: members.home }, (_, project) =>
      Object.fromEntries(
        role.options.map((role) => [role, project.members.filter((member) => member.role === role).length]),
      ),
    ),
    'POST /v1/projects/{idOrName}/members/batch': operation(
      { on: members.home, body: added },
      (call, project, body) => {
        // All additions are checked before the first one is stored.
        const newMembers = body.members.map((member) => newMember(call, member, project));
        for (const member of newMembers) members.add(call, member, project);
        return {};
      },
    ),
    'PATCH /v1/projects/{idOrName}/members': operation(
      { on: members.home, body: changed },
      (call, project, body) => {
        const changes = body.members.map(({ uid, role }) => ({
          member: members.find(call, project, uid),
          role,
        }));
        for (const { member, role } of changes) member.role = role;
        return {};
      },
    ),
    'DELETE /v1/projects/{idOrName}/members/batch': operation(
      { on: members.home, body: z.strictObject({ members: strings }) },
      (_, project, body) => {
        project.members = project.members.filter(({ uid }) => !body.members.includes(uid));
        return {};
      },
    ),
  },
};
