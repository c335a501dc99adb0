/**
 * Suggests the name that a misspelled one probably means.
 *
 * A configuration may have thousands of unknown names, each of which may mean one of thousands of names. So the valid names are prepared
 * once for all unknown names, and all comparisons for one configuration are bounded in sum. Unknown names beyond that bound get no
 * suggestion.
 */
import { memoize } from '../model/memoize.ts';

/** A list of names, or a map by name. It must not change: pass the same object for each unknown name, and it is prepared once. */
type ValidNames = readonly string[] | ReadonlyMap<string, unknown>;

/** Comparing one character with one other is an operation. Takes about 50 ms. */
const maxOperations = 10_000_000;
/** The longest unknown name that is compared. */
const maxNameLength = 80;

/** The number of operations since the last configuration was read. */
let operations = 0;

/** Allows as many comparisons as one configuration may cause. Called when a configuration is read, because one process may read many. */
export function resetComparisonCount(): void {
  operations = 0;
}

/** One list of valid names, prepared for comparisons with many unknown names. */
class NameIndex {
  readonly names: readonly string[];
  readonly #candidates: { name: string; lower: string; letters: number }[];

  constructor(valid: ValidNames) {
    this.names = Array.isArray(valid) ? valid : [...valid.keys()].map(String);
    this.#candidates = this.names.map((name) => {
      const lower = name.toLowerCase();
      return { name, lower, letters: letterSet(lower) };
    });
  }

  /** Returns the most similar valid name; undefined if none is similar, or if there were too many comparisons before. */
  closest(unknown: string): string | undefined {
    if (unknown.length > maxNameLength || operations >= maxOperations) return undefined;
    const lower = unknown.toLowerCase();
    const letters = letterSet(lower);
    let best: string | undefined;
    let limit = Math.max(1, Math.floor(unknown.length / 3)) + 1;
    operations += this.#candidates.length;
    for (const candidate of this.#candidates) {
      if (Math.abs(candidate.lower.length - lower.length) >= limit) continue;
      if (lettersApart(letters, candidate.letters) >= limit) continue;
      const distance = editDistance(lower, candidate.lower, limit, () => {
        operations += candidate.lower.length;
      });
      if (distance < limit) [best, limit] = [candidate.name, distance];
    }
    return best;
  }

  /** Returns the most similar valid name, else the only one that begins with the unknown name: `production` for `prod`. */
  meantBy(unknown: string): string | undefined {
    const similar = this.closest(unknown);
    if (similar !== undefined || unknown.length < 2 || operations >= maxOperations) return similar;
    operations += this.#candidates.length;
    const longer = this.#candidates.filter(({ lower }) => lower.startsWith(unknown.toLowerCase()));
    return longer.length === 1 ? longer[0]!.name : undefined;
  }
}

const nameIndexOf = memoize((valid: ValidNames) => new NameIndex(valid));

/** Returns the valid name that a misspelled one probably means, for "did you mean"; undefined if none is similar. */
export const closestName = (unknown: string, valid: ValidNames): string | undefined =>
  nameIndexOf(valid).closest(unknown);

/** Returns the valid name that a name probably means: a similar one, or the only one that begins with it (`prod` means `production`). */
export const guessMeantName = (unknown: string, valid: ValidNames): string | undefined =>
  nameIndexOf(valid).meantBy(unknown);

/** Returns a hint for a name that is not among `valid`: the probably intended one, or the valid ones. Undefined if there are none. */
export function hintFor(unknown: string, valid: ValidNames, listLabel = 'valid here'): string | undefined {
  const index = nameIndexOf(valid);
  const similar = index.meantBy(unknown);
  if (similar !== undefined) return `did you mean \`${similar}\`?`;
  const { names } = index;
  if (names.length === 0) return undefined;
  const shown = names.slice(0, 12).map((name) => `\`${name}\``);
  return `${listLabel}: ${shown.join(', ')}${names.length > shown.length ? `, and ${names.length - shown.length} more` : ''}`;
}

/** Returns the characters of a name as bits of a number. Several characters share a bit. */
function letterSet(name: string): number {
  let letters = 0;
  for (let i = 0; i < name.length; i++) letters |= 1 << (name.charCodeAt(i) & 31);
  return letters;
}

/** Returns a lower bound of the edit distance, since one edit adds at most one letter and removes at most one. */
const lettersApart = (a: number, b: number): number => Math.max(countBits(a & ~b), countBits(b & ~a));

function countBits(bits: number): number {
  let count = 0;
  for (let remaining = bits; remaining !== 0; remaining &= remaining - 1) count++;
  return count;
}

/**
 * Returns the edit distance: the number of characters that are inserted, removed, changed, or swapped with a neighbour. Stops early with a
 * number that is not less than `limit` if the distance is not. `onRow` is called for each compared character of `a`.
 */
export function editDistance(a: string, b: string, limit = Infinity, onRow?: () => void): number {
  let previousRow: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    onRow?.();
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, previousRow[j - 2]! + 1);
      next.push(cost);
    }
    [previousRow, row] = [row, next];
    const least = Math.min(...row);
    if (least >= limit) return least;
  }
  return row[b.length]!;
}

/** Formats a name from the configuration for a message: in backquotes, shortened, on one line, without control characters. */
export function quoted(name: string): string {
  const short = name.length > 80 ? `${name.slice(0, 80)}…` : name;
  return `\`${short.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '�')}\``;
}
