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
  /**
   * The number of requests about the member that will still be refused, because the platform takes time to know a new member everywhere.
   */
  refusals?: number;
}

declare module '../account.ts' {
  interface AccountParts {
    /** Usually without the token's user, who owns every team that lists no other role for them; see `membersOf`. */
    teamMembers: TeamMember[];
  }
}

/** Returns the members of a team. The token's user is an owner of it, unless `teamMembers` has another role for them. */
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

/** Throws `member_not_found` for a user who is not in the team, and for the first requests about one who has just joined. */
export function checkMember(call: Call, team: Team, uid: string): void {
  const member = membersOf(call.account, team).find((member) => member.uid === uid);
  const late = (member?.refusals ?? 0) > 0;
  if (member !== undefined && !late) return;
  if (member !== undefined) member.refusals = member.refusals! - 1;
  throw new ApiError(
    call.switches.memberNotFoundStatus,
    'member_not_found',
    `The user ${uid} is not a member of this team.`,
  ).by(late ? 'PF77' : 'memberNotFoundStatus');
}

/** True if one of the member's names or the email contains the search text, in upper or lower case. */
export function matchesSearch(member: TeamMember, search: string | null): boolean {
  const wanted = (search ?? '').toLowerCase();
  return [member.name ?? '', member.username, member.email].some((text) =>
    text.toLowerCase().includes(wanted),
  );
}

/** Throws 403 if a member is the last owner of a team. Called before the member loses that role or leaves. */
export function keepOwner({ account }: Call, team: Team, member: TeamMember): void {
  const isOwner = (teamMember: TeamMember) => teamMember.role === 'OWNER' && teamMember.confirmed;
  if (
    !isOwner(member) ||
    membersOf(account, team).some((teamMember) => teamMember !== member && isOwner(teamMember))
  )
    return;
  throw forbidden('A team must have at least one owner.');
}
