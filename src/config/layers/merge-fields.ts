import type * as z from 'zod';
import { membersOf } from '../../kind/leaves.ts';
import { traitsOf } from '../../kind/traits.ts';
import type { Entry, Node } from '../yaml/nodes.ts';

/**
 * A field with what an upper layer says of it. Objects that a plan compares member by member are merged so; everything else is replaced
 * whole.
 */
export function mergeValue(schema: z.ZodType | undefined, lower: Node, upper: Node): Node {
  if (!schema || lower.type !== 'map' || upper.type !== 'map' || traitsOf(schema).atomic) return upper;
  const memberOf = membersOf(schema);
  if (!memberOf) return upper;
  const merged = new Map<string, Entry>(lower.entries.map((entry) => [entry.key.text, entry]));
  for (const { key, value } of upper.entries) {
    const below = merged.get(key.text);
    merged.set(key.text, { key, value: below ? mergeValue(memberOf(key.text), below.value, value) : value });
  }
  return { ...upper, entries: [...merged.values()] };
}
