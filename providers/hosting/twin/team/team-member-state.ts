import type { Account, Team } from '../account.ts';
import type { Call } from '../call.ts';
import { ApiError, forbidden } from '../errors.ts';
import type { TeamRole } from './team.ts';

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
  /** The number of requests naming the member that are still refused, since not all of the platform knows the member yet. */
  refusals?: number;
}

declare module '../account.ts' {
  interface AccountParts {
    /** Without the token's user, who owns every team, see `membersOf`. */
    teamMembers: TeamMember[];
  }
}

/** Returns everybody in a team; the token's user is its owner unless the account says otherwise. */
export function membersOf(account: Account, team: Team): TeamMember[] {
  const teamMembers = account.teamMembers.filter((teamMember) => teamMember.teamId === team.id);
  const { id: uid, username, email, name } = account.user;
  if (teamMembers.some((teamMember) => teamMember.uid === uid)) return teamMembers;
  const { id: teamId, createdAt } = team;
  return [{ teamId, uid, username, email, name, role: 'OWNER', confirmed: true, createdAt }, ...teamMembers];
}

/**
 * True if the token's user may see and write production variables. A developer of the team may not: the list leaves their rows out, and
 * writes are refused (getsentry/sentry#118200).
 */
export const seesProduction = ({ account, owner: { team } }: Pick<Call, 'account' | 'owner'>): boolean =>
  team === undefined ||
  membersOf(account, team).find(({ uid }) => uid === account.user.id)?.role !== 'DEVELOPER';

/** Refuses a user who is not in the team, or who joined so recently that the first tries do not find it. */
export function checkMember(call: Call, team: Team, uid: string): void {
  const member = membersOf(call.account, team).find((member) => member.uid === uid);
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
  return [member.name ?? '', member.username, member.email].some((text) =>
    text.toLowerCase().includes(wanted),
  );
}

/** Refuses to take the last owner from a team. */
export function keepOwner({ account }: Call, team: Team, member: TeamMember): void {
  const isOwner = (teamMember: TeamMember) => teamMember.role === 'OWNER' && teamMember.confirmed;
  if (
    !isOwner(member) ||
    membersOf(account, team).some((teamMember) => teamMember !== member && isOwner(teamMember))
  )
    return;
  throw forbidden('A team must have at least one owner.');
}
