import { mapMembers } from './members.ts';

/** The answer for a value that is to be gone into. */
export const inside = Symbol('inside');

/** Visits a value and all that is in it, the outer first. Items and members are left out unless `visit` answers `inside`. */
export function walk(value: unknown, visit: (value: unknown) => typeof inside | undefined): void {
  if (visit(value) !== inside || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) for (const item of value) walk(item, visit);
  else for (const name of Object.keys(value)) walk((value as Record<string, unknown>)[name], visit);
}

/** True if `test` says so of a value or of something in it. It answers `inside` where it wants to be asked about the items or members. */
export function holds(value: unknown, test: (value: unknown) => boolean | typeof inside): boolean {
  const answer = test(value);
  if (answer !== inside) return answer;
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value)
    ? value.some((item) => holds(item, test))
    : Object.values(value).some((item) => holds(item, test));
}

/**
 * A copy of a value. `change` is asked for the value and answers what takes its place, or `inside`: then the items or members are
 * asked for one by one, and what has none stays as it is.
 */
export function mapTree(value: unknown, change: (value: unknown) => unknown): unknown {
  const changed = change(value);
  if (changed !== inside) return changed;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mapTree(item, change));
  return mapMembers(value as Record<string, unknown>, (item) => mapTree(item, change));
}
