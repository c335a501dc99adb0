import * as z from 'zod';
import { operation, type Resource } from '../resource.ts';
import { strings } from '../validate.ts';
import { memberBody, members, newMember, role } from './project-member.ts';

const added = z.strictObject({ members: z.array(memberBody) });
const changed = z.strictObject({ members: z.array(z.strictObject({ uid: z.string(), role })) });

/** The members of a project as only clients ask for them: several at once (the Terraform provider reads no answer), and in numbers. */
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
        // Nobody is added before it is certain that all of them can be.
        const made = body.members.map((member) => newMember(call, member, project));
        for (const one of made) members.add(call, one, project);
        return {};
      },
    ),
    'PATCH /v1/projects/{idOrName}/members': operation(
      { on: members.home, body: changed },
      (call, project, body) => {
        const found = body.members.map(({ uid, role }) => ({ one: members.find(call, project, uid), role }));
        for (const { one, role } of found) one.role = role;
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
