/** Gives an object an own member, even where its name is `__proto__`; returns the value. */
export function put<T, V extends T>(object: Record<string, T>, name: string, value: V): V {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[name] = value;
  return value;
}

/**
 * A copy of an object, with what `change` makes of each member. It is done to every value of every resource, several times:
 * `Object.fromEntries` takes four times as long.
 */
export function mapMembers<T, U>(
  object: Readonly<Record<string, T>>,
  change: (value: T, name: string) => U,
): Record<string, U> {
  const copy: Record<string, U> = {};
  for (const name of Object.keys(object)) put(copy, name, change(object[name]!, name));
  return copy;
}

/** Without the members that are undefined: `{ hint: undefined, at: 1 }` is `{ at: 1 }`. */
export const definedOnly = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
