import { isPlainObject, type Value } from '#kind';

/**
 * A map without empty maps, at any depth; undefined if nothing is left. Only lists say something here: a map without any is the
 * same as none, and `[]` is what empties one.
 */
export function withoutEmptyMaps(value: Value | undefined): Value | undefined {
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, inner]) => {
    const pruned = withoutEmptyMaps(inner as Value);
    return pruned === undefined ? [] : [[name, pruned] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}
