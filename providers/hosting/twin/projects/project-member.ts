import * as z from 'zod';
import type { Project } from '../account.ts';
import type { Making } from '../call.ts';
import { badRequest } from '../errors.ts';
import { text } from '../http/query.ts';
import { ofProject } from '../kept.ts';
import type { Resource } from '../resource.ts';
import { matchesSearch, membersOf, type TeamMember } from '../team/team-member-state.ts';

/** The roles that can be written. */
export const role = z.enum(['ADMIN', 'PROJECT_VIEWER', 'PROJECT_DEVELOPER']);
/** Somebody of the team by any of their names, with a role. */
export const memberBody = z.strictObject({
  uid: z.string().optional(),
  username: z.string().optional(),
  email: z.string().optional(),
  role,
});
// A guest comes with a deployment that was shared with somebody: it is read, and cannot be written.
const seed = z.strictObject({ uid: z.string(), role: z.union([role, z.literal('PROJECT_GUEST')]) });

/** A team member's role in one project. */
export interface ProjectMember extends z.infer<typeof seed> {
  createdAt: number;
}

declare module '../account.ts' {
  interface ProjectParts extends Keeps<'members', ProjectMember> {}
  interface ProjectSeed extends Seeds<'members', typeof seed> {}
}

const inTeam = ({ account }: Making, { accountId }: Project): TeamMember[] =>
  account.teams.filter(({ id }) => id === accountId).flatMap((team) => membersOf(account, team));

/** The members of a project. */
export const members = ofProject('members', {
  what: 'Project member',
  param: 'uid',
  by: ['uid'],
  shows: (_, __, { id }) => ({ id }),
});

const personOf = (making: Making, { uid, role }: ProjectMember, project: Project) => {
  const {
    username = uid,
    email = '',
    role: teamRole,
  } = inTeam(making, project).find((one) => one.uid === uid) ?? {};
  return { uid, username, email, teamRole, role, computedProjectRole: role };
};

/** A new member, not yet in the project; 400 for somebody who is not in the team, or is a member already. */
export function newMember(
  making: Making,
  { uid, username, email, role }: z.infer<typeof memberBody>,
  project: Project,
): ProjectMember {
  const person = inTeam(making, project).find((one) =>
    uid ? one.uid === uid : username ? one.username === username : one.email === email,
  );
  if (!person) throw badRequest('Invalid request: the user is not a member of the team.');
  if (project.members.some((one) => one.uid === person.uid))
    throw badRequest(`The user ${person.uid} is a member of this project already.`);
  return { uid: person.uid, role, createdAt: making.time() };
}

/** The members of a project and their roles. A role is changed by removing the member and adding them again. */
export const projectMember: Resource = {
  ...members.kept(seed, (making, one) => ({ ...one, createdAt: making.time() })),
  operations: {
    getProjectMembers: members.pages('members', {
      query: { search: text },
      wanted(all, call, project) {
        const search = call.query.get('search');
        const people = inTeam(call, project).filter((one) => matchesSearch(one, search));
        return all.filter((one) => !search || people.some(({ uid }) => uid === one.uid));
      },
      row: (call, one, project) => ({ ...personOf(call, one, project), createdAt: one.createdAt }),
      tellsMore: true,
    }),
    addProjectMember: members.create({ body: memberBody }, newMember),
    removeProjectMember: members.remove({ answer: {} }),
  },
  after: ['team.members'],
};
