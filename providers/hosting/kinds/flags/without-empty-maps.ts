import { isPlainObject, type Value } from '#kind';

/**
 * Removes empty maps at any depth; undefined if nothing remains. Only lists have a meaning here: an empty map is the same as none, while
 * `[]` empties a list.
 */
export function withoutEmptyMaps(value: Value | undefined): Value | undefined {
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, inner]) => {
    const pruned = withoutEmptyMaps(inner as Value);
    return pruned === undefined ? [] : [[name, pruned] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}
