/** Without the members that are undefined: `{ hint: undefined, at: 1 }` is `{ at: 1 }`. */
export const definedOnly = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
