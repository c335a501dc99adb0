import { groupBy } from '../model/graph.ts';
import { patternFor } from '../report/pattern-for.ts';
import { cleanLine } from '../report/text.ts';
import type { ComparisonEntry } from './comparison-entries.ts';

/** Entries of a comparison that read alike, with the text that names all of them. */
export interface FoldedEntry {
  name: string;
  entry: ComparisonEntry;
  /** 1 for an entry that is alone. */
  count: number;
}

/** The number of entries that read alike from which on they are one line. */
const leastFolded = 3;

/**
 * Folds entries that read alike (equal `keyOf`) into one, `60 x projects/site-*`, if a pattern matches them and no other object. A company has 60
 * sites of one template, and a person who compares stages wants to see each difference once.
 */
export function foldEntries(
  entries: readonly ComparisonEntry[],
  keyOf: (entry: ComparisonEntry) => string,
  all: readonly ComparisonEntry[],
  { verbose }: { verbose: boolean },
): FoldedEntry[] {
  const sides = ['a', 'b'] as const;
  const addresses = sides.map((side) => all.flatMap((entry) => entry[side] ?? []));
  return [...groupBy(entries, keyOf).values()].flatMap((group): FoldedEntry[] => {
    const patterns = sides.map((side, index) => {
      const members = group.flatMap((entry) => entry[side] ?? []);
      return members.length === 0 ? [] : patternFor(members, addresses[index]!);
    });
    const [a, b] = patterns.map((pattern) => (pattern === undefined ? undefined : [pattern].flat()[0]));
    const isFolded = !verbose && group.length >= leastFolded && !patterns.includes(undefined);
    if (!isFolded) return group.map((entry) => ({ name: joinNames(entry.a, entry.b), entry, count: 1 }));
    return [{ name: `${group.length} x ${joinNames(a, b)}`, entry: group[0]!, count: group.length }];
  });
}

/** Returns the name of an object: its address, or both if they differ. */
const joinNames = (a: string | undefined, b: string | undefined): string =>
  [...new Set([a, b])].flatMap((name) => (name === undefined ? [] : cleanLine(name))).join(' = ');
