import { isPlainObject, type Value } from '#kind';

/**
 * Removes empty maps at any depth; undefined if nothing remains. Used for the targets of flags: an empty map means the same as a missing
 * one, but `[]` has a meaning: it empties a list.
 */
export function withoutEmptyMaps(value: Value | undefined): Value | undefined {
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, inner]) => {
    const pruned = withoutEmptyMaps(inner as Value);
    return pruned === undefined ? [] : [[name, pruned] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}
