/**
 * Sets an own member of an object, even if its name is `__proto__`: names come from files of users and answers of the platform. Returns the
 * value.
 */
export function setOwn<T, V extends T>(object: Record<string, T>, name: string, value: V): V {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[name] = value;
  return value;
}

/**
 * Returns a copy of an object with each member changed. A plain loop, because this runs several times for every value
 * of every resource, and `Object.fromEntries` takes several times as long.
 */
export function mapMembers<T, U>(
  object: Readonly<Record<string, T>>,
  change: (value: T, name: string) => U,
): Record<string, U> {
  const copy: Record<string, U> = {};
  for (const name in object) setOwn(copy, name, change(object[name]!, name));
  return copy;
}

/**
 * Returns an object without its undefined members: `{ at: 1 }` for `{ hint: undefined, at: 1 }`. For objects that are
 * digested, compared, printed or thrown.
 */
export function dropUndefined<T extends object>(members: T): T {
  const defined: Record<string, unknown> = {};
  for (const name in members) if (members[name] !== undefined) setOwn(defined, name, members[name]);
  return defined as T;
}

/** Returned by a visitor to continue with the items or members of the value that it got. */
export const visitMembers = Symbol('visitMembers');

/** Calls `visit` for a value and, if that returns `visitMembers`, for its items or members. The outer value comes first. */
export function visitDeep(value: unknown, visit: (value: unknown) => typeof visitMembers | undefined): void {
  containsValue(value, (part) => visit(part) ?? false);
}

/**
 * True if `test` is true for a value or a part of it, such as a secret at any depth. `test` returns `visitMembers` to be called for the
 * items or members.
 */
export function containsValue(
  value: unknown,
  test: (value: unknown) => boolean | typeof visitMembers,
): boolean {
  const verdict = test(value);
  if (verdict !== visitMembers) return verdict;
  if (typeof value !== 'object' || value === null) return false;
  const members: unknown[] = Array.isArray(value) ? value : Object.values(value);
  return members.some((member) => containsValue(member, test));
}

/**
 * Returns a value with some of its parts replaced, such as texts by sealed secrets. `change` returns the replacement of a part, or
 * `visitMembers` to be called for each item or member. A scalar stays if `change` returns `visitMembers` for it. A value in which nothing
 * is replaced is returned as it is, because most values are, and a plan would copy the whole configuration several times.
 */
export function mapTree(value: unknown, change: (value: unknown) => unknown): unknown {
  const changed = change(value);
  if (changed !== visitMembers) return changed;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => mapTree(item, change));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  return mapChangedMembers(value as Record<string, unknown>, (item) => mapTree(item, change));
}

/** Like `mapMembers`, but returns the object itself if `change` returns each member as it is. Copies it only if one changes. */
export function mapChangedMembers<T>(
  object: Readonly<Record<string, T>>,
  change: (value: T, name: string) => T,
): Record<string, T> {
  let copy: Record<string, T> | undefined;
  for (const name in object) {
    const value = object[name]!;
    const changed = change(value, name);
    if (changed === value) continue;
    copy ??= { ...object };
    setOwn(copy, name, changed);
  }
  return copy ?? object;
}
