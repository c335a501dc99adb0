import type { Account, Team } from '../account.ts';
import type { Call, Handlers, Queries } from '../call.ts';
import { ApiError, badRequest } from '../errors.ts';
import { timePage, timePageQuery } from '../http/pages.ts';
import { choice, text } from '../http/query.ts';
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

/** Whether a search text is in one of a member's names, in any case. */
export function matchesSearch(member: TeamMember, search: string | null): boolean {
  const wanted = (search ?? '').toLowerCase();
  return [member.name ?? '', member.username, member.email].some((one) => one.toLowerCase().includes(wanted));
}

function list(call: Call): unknown {
  const role = call.query.get('role');
  if (role !== null && !(teamRoles as readonly string[]).includes(role)) {
    throw badRequest(`Invalid request: \`role\` should be equal to one of the allowed values ${teamRoles}.`);
  }
  const wanted = membersOf(call.account, findTeam(call))
    .filter((one) => role === null || one.role === role)
    .filter((one) => matchesSearch(one, call.query.get('search')));
  const { page, pagination } = timePage(call, wanted, (one) => one.createdAt);
  return {
    members: page.map(({ teamId: _team, refusals: _refusals, name, ...fields }) => ({
      ...fields,
      ...(name === null ? {} : { name }),
    })),
    pagination: { ...pagination, hasNext: pagination.next !== null },
  };
}

/** The members of a team. They are only read: inviting people is not what the twin is for. */
export const teamMemberHandlers: Handlers = { getTeamMembers: list };

/** The query parameters that they read. */
export const teamMemberQueries: Queries = {
  getTeamMembers: { role: choice(teamRoles), search: text, ...timePageQuery },
};
