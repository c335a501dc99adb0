import * as z from 'zod';
import type { Project } from '../account.ts';
import type { Making } from '../call.ts';
import { badRequest } from '../errors.ts';
import { text } from '../http/query.ts';
import { ofProject } from '../kept.ts';
import { matchesSearch, membersOf, type TeamMember } from '../team/team-member-state.ts';

/** The roles that can be written. */
export const role = z.enum(['ADMIN', 'PROJECT_VIEWER', 'PROJECT_DEVELOPER']);
/** The body that adds somebody of the team, named by id, username or e-mail address, with a role. */
export const memberBody = z.strictObject({
  uid: z.string().optional(),
  username: z.string().optional(),
  email: z.string().optional(),
  role,
});
// Sharing a deployment makes somebody a guest. That role is only read, so only a seed can set it.
const seed = z.strictObject({ uid: z.string(), role: z.union([role, z.literal('PROJECT_GUEST')]) });

declare module '../account.ts' {
  interface ProjectParts extends Keeps<'members', z.infer<typeof seed> & { createdAt: number }> {}
  interface ProjectSeed extends Seeds<'members', typeof seed> {}
}

/** The members of a project. */
export const members = ofProject('members', {
  ...{ what: 'Project member', param: 'uid', by: ['uid'] },
  shows: (_, __, { id }) => ({ id }),
});

/** Returns the first member of the owner's team that passes a test; undefined if there is none. */
const inTeam = ({ account, owner }: Making, isIt: (member: TeamMember) => boolean): TeamMember | undefined =>
  owner.team && membersOf(account, owner.team).find(isIt);

/** Returns a new member, not yet in the project; throws 400 for somebody who is not in the team, or is a member already. */
export function newMember(making: Making, body: z.infer<typeof memberBody>, project: Project) {
  const identifier = (['uid', 'username', 'email'] as const).find((name) => body[name]) ?? 'email';
  const person = inTeam(making, (teamMember) => teamMember[identifier] === body[identifier]);
  if (!person) throw badRequest('Invalid request: the user is not a member of the team.');
  const { uid } = person;
  if (project.members.some((member) => member.uid === uid))
    throw badRequest(`The user ${uid} is a member of this project already.`);
  return { uid, role: body.role, createdAt: making.time() };
}

/** The members of a project and their roles. These operations change a role only by removing the member and adding them again. */
export const projectMember = members.resource(
  seed,
  (making, seeded) => ({ ...seeded, createdAt: making.time() }),
  {
    getProjectMembers: members.pages('members', {
      where: {
        search: [
          text,
          ({ uid }, asked, call) =>
            inTeam(call, (teamMember) => teamMember.uid === uid && matchesSearch(teamMember, asked)) !==
            undefined,
        ],
      },
      row(call, { uid, role, createdAt }) {
        const person = inTeam(call, (teamMember) => teamMember.uid === uid);
        const { username = uid, email = '', role: teamRole } = person ?? {};
        return { uid, username, email, teamRole, role, computedProjectRole: role, createdAt };
      },
      tellsMore: true,
    }),
    addProjectMember: members.create({ body: memberBody }, newMember),
    removeProjectMember: members.remove({ answer: {} }),
  },
  { after: ['team.members'] },
);
