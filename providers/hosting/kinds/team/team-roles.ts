/** The roles of a team, and of those that are one above the other how far up they are. */
const ranks = new Map<unknown, number | undefined>([
  ['VIEWER', 0],
  ['VIEWER_FOR_PLUS', 1],
  ['CONTRIBUTOR', 2],
  ['DEVELOPER', 3],
  ['MEMBER', 4],
  ['OWNER', 5],
  ['SECURITY', undefined],
  ['BILLING', undefined],
]);

export const teamRoles = [...ranks.keys()] as string[];

/**
 * True if a new team role lacks a permission of the old one, so that the user has to permit the change. Unknown
 * roles count as lower; only `OWNER` includes `SECURITY` and `BILLING`.
 */
export function isLowered(before: unknown, after: unknown): boolean {
  if (before === after || after === 'OWNER') return false;
  const [from, to] = [ranks.get(before), ranks.get(after)];
  return from === undefined || to === undefined || to < from;
}

/** The roles of a project, each with less than the one before it. */
export const projectRoles = ['ADMIN', 'PROJECT_DEVELOPER', 'PROJECT_VIEWER'];

/**
 * True if a new project role lacks a permission of the old one, so that the user has to permit the change. A person
 * without an old role loses nothing.
 */
export function isLoweredInProject(before: unknown, after: unknown): boolean {
  if (before === undefined || before === after) return false;
  const [from, to] = [before, after].map((role) => projectRoles.indexOf(role as string)) as [number, number];
  return to < 0 || from < 0 || to > from;
}

const free = ['VIEWER', 'VIEWER_FOR_PLUS', 'CONTRIBUTOR', 'BILLING'];

/** True if the team may have to pay for people with this role. */
export const isSeat = (role: unknown): boolean => !free.includes(role as string);
