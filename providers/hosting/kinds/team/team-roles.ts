/** The roles of a team, and of those that are one above the other how far up they are. */
const ranks: Record<string, number | undefined> = {
  VIEWER: 0,
  VIEWER_FOR_PLUS: 1,
  CONTRIBUTOR: 2,
  DEVELOPER: 3,
  MEMBER: 4,
  OWNER: 5,
  SECURITY: undefined,
  BILLING: undefined,
};

export const teamRoles = Object.keys(ranks);

/** True unless whoever has `before` may do all of it with `after`, too; `SECURITY` and `BILLING` are in nothing but `OWNER`. */
export function isLowered(before: unknown, after: unknown): boolean {
  if (before === after || after === 'OWNER') return false;
  const [from, to] = [ranks[String(before)], ranks[String(after)]];
  return from === undefined || to === undefined || to < from;
}

const free = ['VIEWER', 'VIEWER_FOR_PLUS', 'CONTRIBUTOR', 'BILLING'];

/** True if the team may pay for whoever has it. */
export const isSeat = (role: unknown): boolean => !free.includes(String(role));
