import * as z from 'zod';
import type { Account, Team } from '../account.ts';
import type { Call, Making } from '../call.ts';
import { ApiError, badRequest } from '../errors.ts';
import { timePage, timePageQuery } from '../http/pages.ts';
import { choice, text } from '../http/query.ts';
import { operation, type Resource, seedList } from '../resource.ts';
import { findTeam } from './team.ts';

/** The roles that a member can have in a team. */
export const teamRoles = [
  'OWNER',
  'MEMBER',
  'DEVELOPER',
  'SECURITY',
  'BILLING',
  'VIEWER',
  'VIEWER_FOR_PLUS',
  'CONTRIBUTOR',
] as const;
export type TeamRole = (typeof teamRoles)[number];

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

declare module '../account.ts' {
  interface AccountParts {
    /** Without the token's user, who owns every team, see `membersOf`. */
    teamMembers: TeamMember[];
  }
  interface TeamSeed {
    /** Beside the user, who owns the team. */
    members?: z.input<typeof seed>[];
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
  return {
    members: page.map(({ uid, email, username, name, role, confirmed, createdAt }) => ({
      ...{ uid, email, username, role, confirmed, createdAt },
      ...(name === null ? {} : { name }),
    })),
    pagination: { ...pagination, hasNext: pagination.next !== null },
  };
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

/** The members of a team. They are only read: inviting people is not what the twin is for. */
export const teamMember: Resource = {
  keeps: { account: { teamMembers: [] } },
  operations: {
    getTeamMembers: operation(
      {
        on: findTeam,
        query: { role: choice(teamRoles), search: text, ...timePageQuery },
        list: 'members',
      },
      list,
    ),
  },
  seed: { team: { members: seedList(seed, load) } },
};
