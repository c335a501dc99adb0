import type { Change } from './change.ts';
import { atPath } from './field-path.ts';
import { holdsSecret, type Value } from './value.ts';

/**
 * The declared fields that a change leaves as they are, as leaves. With the fields that differ this is all of the object that
 * the configuration speaks of. A value is secret if it is so on either side.
 */
export function keptOf({
  declared = [],
  uncompared = [],
  fields,
  before,
  after,
}: Change): [path: string, value: Value][] {
  if (!after) return [];
  const differing = new Set(fields.map(({ path }) => path));
  return [...new Set([...declared, ...uncompared])].sort().flatMap((path): [string, Value][] => {
    if (differing.has(path)) return [];
    const value = atPath(after.fields, path);
    const found = before && atPath(before.fields, path);
    const kept = holdsSecret(found) ? found : value;
    return kept === undefined ? [] : [[path, kept]];
  });
}
