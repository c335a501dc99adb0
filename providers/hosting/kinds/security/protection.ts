import type { Fields, Kind } from '#kind';

// How much an action holds off; what only logs, redirects or lets through holds off nothing.
const force = new Map<unknown, number>([
  ['rate_limit', 1],
  ['challenge', 2],
  ['deny', 3],
]);

/**
 * Grades a change of the protection of a project: disruptive if it blocks less than before. `actionOf` returns the
 * action for a request, or undefined if there is none. New protection is not graded.
 */
export const gradeOf =
  (actionOf: (fields: Fields) => unknown): NonNullable<Kind['rules']['grade']> =>
  ({ action, before, after }) => {
    if (!before || !(after || action === 'delete')) return undefined;
    const forceOf = (fields: Fields) => force.get(actionOf(fields)) ?? 0;
    const forceAfter = after ? forceOf({ ...before.fields, ...after.fields }) : 0;
    if (forceAfter < forceOf(before.fields))
      return { grade: 'disruptive', reason: 'weaker protection: fewer requests are blocked' };
    return action === 'delete' ? { grade: 'safe', reason: 'it blocked nothing' } : undefined;
  };
