/** Gives an object an own member, even where its name is `__proto__`; returns the value. */
export function setOwn<T, V extends T>(object: Record<string, T>, name: string, value: V): V {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[name] = value;
  return value;
}

/**
 * A copy of an object with each member changed. This runs for every value of every resource, several times, and `Object.fromEntries` takes
 * four times as long.
 */
export function mapMembers<T, U>(
  object: Readonly<Record<string, T>>,
  change: (value: T, name: string) => U,
): Record<string, U> {
  const copy: Record<string, U> = {};
  for (const name of Object.keys(object)) setOwn(copy, name, change(object[name]!, name));
  return copy;
}

/** Returns an object without its undefined members, for where it is digested, compared, printed or thrown: `{ hint: undefined, at: 1 }` is `{ at: 1 }`. */
export const dropUndefined = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;

/** Answered by a visitor that wants to see the items or members of a value. */
export const inside = Symbol('inside');

/** Visits a value and all that is in it, the outer first. Items and members are left out unless `visit` answers `inside`. */
export function walk(value: unknown, visit: (value: unknown) => typeof inside | undefined): void {
  if (visit(value) !== inside || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) for (const item of value) walk(item, visit);
  else for (const name of Object.keys(value)) walk((value as Record<string, unknown>)[name], visit);
}

/** True if `test` is true of a value or of something in it. `test` answers `inside` to be asked about the items or members. */
export function containsValue(value: unknown, test: (value: unknown) => boolean | typeof inside): boolean {
  const answer = test(value);
  if (answer !== inside) return answer;
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value)
    ? value.some((item) => containsValue(item, test))
    : Object.values(value).some((item) => containsValue(item, test));
}

/**
 * A copy of a value. `change` gets the value and answers with its replacement, or with `inside` to be asked about each item or member; a
 * value without any then stays.
 */
export function mapTree(value: unknown, change: (value: unknown) => unknown): unknown {
  const changed = change(value);
  if (changed !== inside) return changed;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mapTree(item, change));
  return mapMembers(value as Record<string, unknown>, (item) => mapTree(item, change));
}
