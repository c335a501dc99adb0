/**
 * Finds the valid name that a misspelled one probably means.
 *
 * A configuration may have thousands of unknown names and thousands of valid ones. So the valid names are prepared once for all unknown
 * names, and all comparisons for one configuration are bounded in sum. Unknown names beyond that bound get no suggestion.
 */
import { memoize } from './graph.ts';

/** The valid names: a list, or a map by name. Must not change, because it is prepared once: pass the same object for each unknown name. */
export type ValidNames = readonly string[] | ReadonlyMap<string, unknown>;

/** The most operations for one configuration. One operation compares two characters; all of them take about 50 ms. */
const maxOperations = 10_000_000;
/** The longest unknown name that is compared. */
const maxNameLength = 80;

/** The number of operations since the last configuration was read. */
let operations = 0;

/**
 * Allows again as many comparisons as one configuration may cause. Called before a configuration is read, because one process may read
 * many.
 */
export function resetComparisonCount(): void {
  operations = 0;
}

/** A list of valid names, prepared for comparisons with many unknown names. */
class NameIndex {
  readonly names: readonly string[];
  readonly #candidates: { name: string; lower: string; letters: number }[];

  /**
   * Prepares valid names for comparisons with many unknown ones: each in lower case, and with the set of its
   * letters. Done once for each list of names, because a configuration may have thousands of unknown ones.
   */
  constructor(valid: ValidNames) {
    this.names = Array.isArray(valid) ? valid : [...valid.keys()].map(String);
    this.#candidates = this.names.map((name) => {
      const lower = name.toLowerCase();
      return { name, lower, letters: letterSet(lower) };
    });
  }

  /**
   * Returns the valid name that is most similar to a misspelled one, for the hint "did you mean"; undefined
   * if none is similar, or if `operations` is used up, which limits the time for all comparisons. The allowed
   * edit distance grows with the length of the name; one character is similar to nothing. Names of other
   * lengths or letters are skipped early, because comparing is slow.
   */
  closest(unknown: string): string | undefined {
    if (unknown.length < 2 || unknown.length > maxNameLength || operations >= maxOperations) return undefined;
    const lower = unknown.toLowerCase();
    const letters = letterSet(lower);
    let best: string | undefined;
    // A name counts only if its distance is less than this: at most one edit for each three characters, and always one.
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

  /**
   * Returns the valid name that was probably meant by an unknown one, for the hint "did you mean": the most
   * similar name, or else the only one that begins with it, such as `production` for `prod`. Undefined if
   * there is neither. `operations` limits how much time all comparisons take.
   */
  meantBy(unknown: string): string | undefined {
    const similar = this.closest(unknown);
    if (similar !== undefined || unknown.length < 2 || operations >= maxOperations) return similar;
    operations += this.#candidates.length;
    const longer = this.#candidates.filter(({ lower }) => lower.startsWith(unknown.toLowerCase()));
    return longer.length === 1 ? longer[0]!.name : undefined;
  }
}

/** Returns the prepared form of valid names. Cached by the object that contains them. */
const nameIndexOf = memoize((valid: ValidNames) => new NameIndex(valid));

/** Returns the valid names as a list. */
export const toNameList = (valid: ValidNames): readonly string[] => nameIndexOf(valid).names;

/** Returns the valid name that is most similar to a misspelled one, for "did you mean" in messages; undefined if none is similar. */
export const closestName = (unknown: string, valid: ValidNames): string | undefined =>
  nameIndexOf(valid).closest(unknown);

/**
 * Returns the valid name that an unknown one probably means: a similar one, or the only one that begins with it (`prod` means
 * `production`). Undefined if there is neither.
 */
export const guessMeantName = (unknown: string, valid: ValidNames): string | undefined =>
  nameIndexOf(valid).meantBy(unknown);

/**
 * Returns the set of characters of a name as the bits of a number, so that two names can be compared quickly:
 * if they differ in many letters, the slow edit distance need not be computed. Several characters share a
 * bit.
 */
function letterSet(name: string): number {
  let letters = 0;
  for (let i = 0; i < name.length; i++) letters |= 1 << (name.charCodeAt(i) & 31);
  return letters;
}

/**
 * Returns a lower bound of the edit distance of two names by their letter sets: one edit adds at most one letter and removes at most one.
 */
const lettersApart = (a: number, b: number): number => Math.max(countBits(a & ~b), countBits(b & ~a));

/**
 * Returns how many bits of a number are 1. The bits stand for the letters of a name (`letterSet`), so this
 * counts letters, to estimate how different two names are.
 */
function countBits(bits: number): number {
  let count = 0;
  for (let remaining = bits; remaining !== 0; remaining &= remaining - 1) count++;
  return count;
}

/**
 * Returns the edit distance of two texts: how many characters have to be inserted, removed, changed, or
 * swapped with a neighbour to turn one into the other. Used to find similar names. If it is at least `limit`,
 * the result is some number that is at least `limit`, found sooner. `onRow` is called for each character of
 * `a`, to count the work. Each row holds the distances of one beginning of `a` to all beginnings of `b`.
 */
export function editDistance(a: string, b: string, limit = Infinity, onRow?: () => void): number {
  let previousRow: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    onRow?.();
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSameCharacter = a[i - 1] === b[j - 1];
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      // Insert, remove, or change a character.
      let cost = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (isSameCharacter ? 0 : 1));
      if (isSwap) cost = Math.min(cost, previousRow[j - 2]! + 1);
      next.push(cost);
    }
    [previousRow, row] = [row, next];
    const lowestCost = Math.min(...row);
    if (lowestCost >= limit) return lowestCost;
  }
  return row[b.length]!;
}
