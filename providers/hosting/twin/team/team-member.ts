import * as z from 'zod';
import type { Account, Team } from '../account.ts';
import type { Call, Making } from '../call.ts';
import { ApiError, badRequest, forbidden, notFound } from '../errors.ts';
import { timePage, timePageQuery } from '../http/pages.ts';
import { choice, text } from '../http/query.ts';
import { operation, type Resource, seedList } from '../resource.ts';
import { findTeam, type TeamRole, teamRoles } from './team.ts';

/** A user's membership of a team. */
export interface TeamMember {
  teamId: string;
  uid: string;
  email: string;
  username: string;
  name: string | null;
  role: TeamRole;
  confirmed: boolean;
  createdAt: number;
  /** How many requests that name the member are still refused, because not all of the platform knows of it yet. */
  refusals?: number;
}

/** An invitation by e-mail that nobody has accepted yet. */
export interface TeamInvite {
  id: string;
  teamId: string;
  email: string;
  role: TeamRole;
  createdAt: number;
  expired?: true;
  isDSyncUser: boolean;
}

declare module '../account.ts' {
  interface AccountParts {
    teamInvites: TeamInvite[];
    /** Without the token's user, who owns every team, see `membersOf`. */
    teamMembers: TeamMember[];
  }
  interface TeamSeed {
    /** Beside the user, who owns the team. */
    members?: z.input<typeof seed>[];
    invites?: z.input<typeof inviteSeed>[];
  }
}

/** Everybody in a team; the token's user is its owner unless the account says something else. */
export function membersOf(account: Account, team: Team): TeamMember[] {
  const others = account.teamMembers.filter((one) => one.teamId === team.id);
  const { id: uid, username, email, name } = account.user;
  if (others.some((one) => one.uid === uid)) return others;
  const { id: teamId, createdAt } = team;
  return [{ teamId, uid, username, email, name, role: 'OWNER', confirmed: true, createdAt }, ...others];
}

/** Refuses a user who is not in the team, or who joined so recently that the first tries do not find it. */
export function checkMember(call: Call, team: Team, uid: string): void {
  const member = membersOf(call.account, team).find((one) => one.uid === uid);
  const late = (member?.refusals ?? 0) > 0;
  if (member !== undefined && !late) return;
  if (member !== undefined) member.refusals = member.refusals! - 1;
  throw new ApiError(
    call.switches.memberNotFoundStatus,
    'member_not_found',
    `The user ${uid} is not a member of this team.`,
  );
}

/** True if one of the member's names or the email contains the search text, in upper or lower case. */
export function matchesSearch(member: TeamMember, search: string | null): boolean {
  const wanted = (search ?? '').toLowerCase();
  return [member.name ?? '', member.username, member.email].some((one) => one.toLowerCase().includes(wanted));
}

function list(call: Call, team: Team): unknown {
  const role = call.query.get('role');
  if (role !== null && !(teamRoles as readonly string[]).includes(role)) {
    throw badRequest(`Invalid request: \`role\` should be equal to one of the allowed values ${teamRoles}.`);
  }
  const wanted = membersOf(call.account, team)
    .filter((one) => role === null || one.role === role)
    .filter((one) => matchesSearch(one, call.query.get('search')));
  const { page, pagination } = timePage(call, wanted);
  const invites = call.account.teamInvites.filter(({ teamId }) => teamId === team.id);
  return {
    members: page.map(({ uid, email, username, name, role, confirmed, createdAt }) => ({
      ...{ uid, email, username, role, confirmed, createdAt },
      ...(name === null ? {} : { name }),
    })),
    ...(invites.length > 0 && { emailInviteCodes: invites.map(({ teamId: _, ...invite }) => invite) }),
    pagination: { ...pagination, hasNext: pagination.next !== null },
  };
}

const inviteBody = z.array(
  z.strictObject({
    email: z.string(),
    role: z.enum(teamRoles).default('VIEWER'),
    projects: z
      .array(
        z.strictObject({
          projectId: z.string(),
          role: z.enum(['ADMIN', 'PROJECT_VIEWER', 'PROJECT_DEVELOPER', 'PROJECT_GUEST']),
        }),
      )
      .optional(),
  }),
);
const updateBody = z.strictObject({
  confirmed: z.literal(true).optional(),
  role: z.enum(teamRoles).optional(),
  teamPermissions: z.array(z.string()).optional(),
  projects: z
    .array(
      z.strictObject({
        projectId: z.string(),
        role: z.enum(['ADMIN', 'PROJECT_VIEWER', 'PROJECT_DEVELOPER']).nullable(),
      }),
    )
    .optional(),
  joinedFrom: z.strictObject({ ssoUserId: z.unknown() }).optional(),
});

/** The member that the path names, or 404. The user gets a row of its own in the account once something is done with it. */
function memberOfPath(call: Call): { team: Team; member: TeamMember } {
  const team = findTeam(call);
  const member = membersOf(call.account, team).find(({ uid }) => uid === call.params.uid);
  if (member === undefined) throw notFound('Team member');
  if (!call.account.teamMembers.includes(member)) call.account.teamMembers.push(member);
  return { team, member };
}

function keepOwner({ account }: Call, team: Team, member: TeamMember): void {
  const isOwner = (one: TeamMember) => one.role === 'OWNER' && one.confirmed;
  if (!isOwner(member) || membersOf(account, team).some((one) => one !== member && isOwner(one))) return;
  throw forbidden('A team must have at least one owner.');
}

/** Who is invited is not in the team before the invitation is accepted. */
function inviteAll(call: Call, team: Team, people: z.infer<typeof inviteBody>): unknown {
  const { account } = call;
  const made = people.map(({ email, role }): TeamInvite => {
    const isHere = (one: { teamId: string; email: string; expired?: true }) =>
      one.teamId === team.id && one.email === email && !one.expired;
    if (membersOf(account, team).some(isHere) || account.teamInvites.some(isHere))
      throw badRequest(`${email} is in the team already, or is invited.`);
    const id = call.id('', 40);
    return { id, teamId: team.id, email, role, createdAt: call.time(), isDSyncUser: false };
  });
  const emails = people.map(({ email }) => email);
  account.teamInvites = account.teamInvites.filter(
    (one) => one.teamId !== team.id || !emails.includes(one.email),
  );
  account.teamInvites.push(...made);
  const answers = made.map(({ id, email, role }) => ({
    uid: id,
    username: email.split('@')[0]!,
    email,
    role,
  }));
  return answers.length === 1 ? answers[0] : answers;
}

const seed = z.strictObject({
  email: z.string(),
  uid: z.string().optional(),
  /** The part of the address before the @ when left out. */
  username: z.string().optional(),
  name: z.string().optional(),
  role: z.enum(teamRoles).optional(),
  confirmed: z.boolean().optional(),
  /** Joined a moment ago: the first requests that name it are refused, see `memberPropagationTries`. */
  justJoined: z.boolean().optional(),
});

function load(making: Making, given: z.infer<typeof seed>, team: Team): void {
  const { account, switches } = making;
  const { email, uid, username = email.split('@')[0]!, name = null, justJoined = false } = given;
  if (membersOf(account, team).some((one) => one.email === email || one.uid === uid)) {
    throw new Error(`${email} is in the team ${team.slug} twice.`);
  }
  account.teamMembers.push({
    teamId: team.id,
    uid: uid ?? making.id('', 24),
    email,
    username,
    name,
    role: given.role ?? 'MEMBER',
    confirmed: given.confirmed ?? true,
    createdAt: making.time(),
    ...(justJoined ? { refusals: switches.memberPropagationTries } : {}),
  });
}

const inviteSeed = z.strictObject({
  email: z.string(),
  role: z.enum(teamRoles).optional(),
  expired: z.literal(true).optional(),
  isDSyncUser: z.boolean().optional(),
});

/** The members of a team, and who is invited to it: both are in one list. */
export const teamMember: Resource = {
  keeps: { account: { teamMembers: [], teamInvites: [] } },
  operations: {
    getTeamMembers: operation(
      {
        on: findTeam,
        query: { role: choice(teamRoles), search: text, ...timePageQuery },
        list: 'members',
      },
      list,
    ),
    inviteUserToTeam: operation({ on: findTeam, body: inviteBody }, inviteAll),
    updateTeamMember: operation(
      { on: memberOfPath, body: updateBody },
      (call, { team, member }, { role }) => {
        if (role !== undefined && role !== 'OWNER') keepOwner(call, team, member);
        if (role !== undefined) member.role = role;
        return { id: team.id };
      },
    ),
    removeTeamMember: operation({ on: memberOfPath }, (call, { team, member }) => {
      keepOwner(call, team, member);
      const { teamMembers } = call.account;
      teamMembers.splice(teamMembers.indexOf(member), 1);
      return { id: team.id };
    }),
    deleteTeamInviteCode: operation({ on: findTeam }, ({ account, params }, team) => {
      const invite = account.teamInvites.find(
        ({ id, teamId }) => id === params.inviteId && teamId === team.id,
      );
      if (invite === undefined) throw notFound('Invite');
      account.teamInvites.splice(account.teamInvites.indexOf(invite), 1);
      return { id: invite.id };
    }),
  },
  seed: {
    team: {
      members: seedList(seed, load),
      invites: seedList(inviteSeed, (making, { email, role = 'VIEWER', ...rest }, team: Team) => {
        const made = { id: making.id('', 40), teamId: team.id, email, role, createdAt: making.time() };
        making.account.teamInvites.push({ isDSyncUser: false, ...made, ...rest } as TeamInvite);
      }),
    },
  },
};
