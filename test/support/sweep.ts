import fc from 'fast-check';
import { it, type TestFunction } from 'vitest';
import { leftToSweep, noteSample } from './cost.ts';

/** Everything is tried (`npm run sweep`), rather than the sample of it that the suite takes in order to stay fast. */
export const all = process.env.TRUEUP_SWEEP === 'all';

/** The part of the samples that this run plays, see `part.ts`. */
const part = Math.abs(Number(process.env.TRUEUP_PART));

/** How many cases of a property the suite tries: a part of what the sweep does, an eightieth unless they are costly. */
export function runs(full: number, oneIn = 80): number {
  const some = all ? full : Math.ceil(full / oneIn);
  noteSample(some, full);
  return some;
}

/** `count` of these in their order, the same in every run of the same part; all of them in the sweep, or `most`. */
export function sampled<T>(items: T[], count: number, most = Number.POSITIVE_INFINITY): T[] {
  const length = all ? most : count;
  noteSample(Math.min(length, items.length), items.length);
  if (items.length <= length) return items;
  return fc.sample(fc.subarray(items, { minLength: length, maxLength: length }), {
    seed: part,
    numRuns: 1,
  })[0]!;
}

/** The first `count` of these, which stand for the others; all of them in the sweep. */
export function first<T>(items: readonly T[], count: number): readonly T[] {
  const some = all ? items : items.slice(0, count);
  noteSample(some.length, items.length);
  return some;
}

/**
 * For the row `at` of a table, `count` of these: each row others, in turn, so that a few rows together meet each of them. The part
 * says where they begin. All of them in the sweep.
 */
export function inTurn<T>(items: readonly T[], at: number, count: number): T[] {
  const length = all ? items.length : Math.min(count, items.length);
  noteSample(length, items.length);
  const begin = all ? 0 : at * count + part;
  return Array.from({ length }, (_, index) => items[(begin + index) % items.length]!);
}

/** Of points that are only known while they are tried: whether this one is. The suite tries one in so many, the sweep each. */
export function isTried(point: number, oneIn: number): boolean {
  const isOne = all || (point + part) % oneIn === 0;
  noteSample(isOne ? 1 : 0, 1);
  return isOne;
}

/** A scenario that only the sweep plays, for this reason: the suite counts it as skipped, and its last lines name it. */
export function sweepOnly(reason: string): (name: string, test: TestFunction) => void {
  // Skipped while it runs: a file with nothing else would not tell.
  return (name, test) => it(name, all ? test : ({ skip }) => skip(`${leftToSweep}${reason}`));
}

/**
 * Returns an `it` for costly tests of a file that take similar paths: the suite plays one in so many, the sweep all. Which ones depends on the
 * part. The suite counts the others as skipped, and its last lines say how many.
 */
export function oneStoryIn(count: number): (name: string, test: TestFunction) => void {
  let position: number | undefined;
  return (name, test) => {
    // Files with a single story do not all play it in the same part.
    position = position === undefined ? name.length : position + 1;
    // Where no story of a file or of a `describe` is played, nothing is prepared for them either.
    it.runIf(isTried(position, count))(name, test);
  };
}

/** Returns an `it.each` for a table of similar rows, of which the suite plays one in so many, at least one, and the sweep all. */
export function oneRowIn(count: number): typeof it.each {
  const each = (rows: unknown[]) => {
    const oneIn = Math.min(count, rows.length);
    return it.each(rows.filter((_, position) => isTried(position, oneIn)));
  };
  return each as typeof it.each;
}
