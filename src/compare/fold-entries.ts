import type { Address } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import { patternFor } from '../report/pattern-for.ts';
import { cleanLine } from '../report/text.ts';
import type { ComparisonEntry } from './comparison-entries.ts';

/** Entries of a comparison that read alike, with the text that names all of them. */
export interface FoldedEntry {
  name: string;
  entry: ComparisonEntry;
  /** The number of entries; 1 for an entry that is alone. */
  count: number;
}

/** The fewest entries that become one line. */
const minFolded = 3;

/**
 * Folds entries of a comparison that are printed alike except for their names (equal `keyOf`) into one line, `60 x projects/site-*`. A
 * company has 60 sites of one template, and a person who compares A and B wants to see each difference once. Entries stay apart if
 * `verbose`, if they are few, or if no pattern matches exactly their objects on a side. `everyEntry`: all entries of the comparison, whose
 * other objects a pattern must not match.
 */
export function foldEntries(
  entries: readonly ComparisonEntry[],
  keyOf: (entry: ComparisonEntry) => string,
  everyEntry: readonly ComparisonEntry[],
  { verbose }: { verbose: boolean },
): FoldedEntry[] {
  const addressesOfA = everyEntry.flatMap(({ a }) => a ?? []);
  const addressesOfB = everyEntry.flatMap(({ b }) => b ?? []);
  return [...groupBy(entries, keyOf).values()].flatMap((group): FoldedEntry[] => {
    const membersOfA = group.flatMap(({ a }) => a ?? []);
    const membersOfB = group.flatMap(({ b }) => b ?? []);
    const isLong = !verbose && group.length >= minFolded;
    const a = isLong && membersOfA.length > 0 ? patternFor(membersOfA, addressesOfA) : undefined;
    const b = isLong && membersOfB.length > 0 ? patternFor(membersOfB, addressesOfB) : undefined;
    const isFolded = isLong && hasName(membersOfA, a) && hasName(membersOfB, b);
    if (!isFolded)
      return group.map((entry) => ({ name: nameInBothSides(entry.a, entry.b), entry, count: 1 }));
    return [{ name: `${group.length} x ${nameInBothSides(a, b)}`, entry: group[0]!, count: group.length }];
  });
}

/** True if a line can name the objects of one side: there are none, or a pattern matches exactly these. */
const hasName = (members: readonly Address[], pattern: string | undefined): boolean =>
  members.length === 0 || pattern !== undefined;

/** Returns the name of an object: its address, or both if they differ. */
const nameInBothSides = (a: string | undefined, b: string | undefined): string =>
  [...new Set([a, b])].flatMap((name) => (name === undefined ? [] : cleanLine(name))).join(' = ');
