import * as z from 'zod';
import type { Team } from '../account.ts';
import type { Call } from '../call.ts';
import { Collection } from '../collection.ts';
import { badRequest } from '../errors.ts';
import { checkProjectIds } from '../find-project.ts';
import { operation, type Resource, seedList } from '../resource.ts';
import { strings } from '../validate.ts';
import { findTeam, type TeamRole, teamRoles } from './team.ts';
import { membersOf } from './team-member-state.ts';

/** An invitation by e-mail that was not accepted yet. */
export interface TeamInvite {
  id: string;
  teamId: string;
  email: string;
  role: TeamRole;
  createdAt: number;
  expired?: true;
  isDSyncUser: boolean;
  /** The person's roles in projects, by the ids of the projects. */
  projects?: Record<string, string>;
  /** The ids of the access groups that the person joins by accepting. Only the Terraform provider sends them. */
  accessGroups?: string[];
}

declare module '../account.ts' {
  interface AccountParts extends Keeps<'teamInvites', TeamInvite> {}
  interface TeamSeed extends Seeds<'invites', typeof seed> {}
}

const projectRole = z.strictObject({
  projectId: z.string(),
  role: z.enum(['ADMIN', 'PROJECT_VIEWER', 'PROJECT_DEVELOPER', 'PROJECT_GUEST']),
});
const invited = z.strictObject({
  email: z.string(),
  role: z.enum(teamRoles).default('VIEWER'),
  projects: z.array(projectRole).optional(),
});
const invitedByProvider = invited.extend({ accessGroups: strings.optional() });
const seed = z.strictObject({
  email: z.string(),
  role: z.enum(teamRoles).optional(),
  expired: z.literal(true).optional(),
  isDSyncUser: z.boolean().optional(),
});

/** The open invitations to a team. The list of its members shows them. */
export const invites = new Collection<TeamInvite, Team>(
  {
    what: 'Invite',
    param: 'inviteId',
    shows: (_, { teamId: _team, accessGroups: _groups, ...invite }) => invite,
  },
  findTeam,
  ({ account }) => account.teamInvites,
  ({ teamId }, { id }) => teamId === id,
);

/**
 * Adds invitations to a team and returns the answer. People join the team only by accepting, which the twin does not simulate. Throws 400
 * for members.
 */
function inviteAll(call: Call, team: Team, people: z.infer<typeof invitedByProvider>[]): unknown {
  const { account } = call;
  const teamInvites = people.map(({ email, role, projects = [], accessGroups }): TeamInvite => {
    const isHere = (person: { email: string; expired?: true }) => person.email === email && !person.expired;
    if (membersOf(account, team).some(isHere) || invites.all(call, team).some(isHere))
      throw badRequest(`${email} is in the team already, or is invited.`);
    checkProjectIds(
      { account, owner: team },
      projects.map(({ projectId }) => projectId),
    );
    const roles = Object.fromEntries(projects.map((project) => [project.projectId, project.role]));
    const stays = { id: call.id('', 40), teamId: team.id, email, role };
    const declared = {
      ...(projects.length > 0 && { projects: roles }),
      ...(accessGroups && { accessGroups }),
    };
    return { ...stays, createdAt: call.time(), isDSyncUser: false, ...declared };
  });
  const emails = people.map(({ email }) => email);
  account.teamInvites = account.teamInvites.filter(
    (teamInvite) => teamInvite.teamId !== team.id || !emails.includes(teamInvite.email),
  );
  account.teamInvites.push(...teamInvites);
  const answers = teamInvites.map(({ id: uid, email, role }) => {
    return { uid, username: email.split('@')[0]!, email, role };
  });
  return answers.length === 1 ? answers[0] : answers;
}

const inviteOne = operation({ on: findTeam, body: invitedByProvider }, (call, team, body) =>
  inviteAll(call, team, [body]),
);

/** Invitations to a team. */
export const teamInvite: Resource = {
  keeps: { account: { teamInvites: [] } },
  operations: {
    inviteUserToTeam: operation({ on: findTeam, body: z.array(invited) }, inviteAll),
    deleteTeamInviteCode: invites.remove({ answer: ({ id }) => ({ id }) }),
  },
  // The documented v2 takes an array; the command line (without a version) and the Terraform provider (v1) send one object.
  clientOperations: {
    'POST /teams/{teamId}/members': inviteOne,
    'POST /v1/teams/{teamId}/members': inviteOne,
  },
  seed: {
    team: {
      invites: seedList(seed, (making, { email, role = 'VIEWER', ...rest }, team: Team) => {
        const invite = { id: making.id('', 40), teamId: team.id, email, role, createdAt: making.time() };
        invites.add(making, { isDSyncUser: false, ...invite, ...rest } as TeamInvite, team);
      }),
    },
  },
  forget({ teamInvites }, projectId) {
    for (const { projects } of teamInvites) delete projects?.[projectId];
  },
};
