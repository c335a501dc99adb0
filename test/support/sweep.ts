import fc from 'fast-check';
import { it, type TestFunction } from 'vitest';
import { leftToSweep, noteSample } from './cost.ts';
import { part } from './part.ts';

/** Everything is tried (`npm run sweep`), rather than the sample of it that the suite takes in order to stay fast. */
export const all = process.env.TRUEUP_SWEEP === 'all';

/** How many cases of a property the suite tries: a part of what the sweep does, an eightieth unless they are costly. */
export function runs(full: number, oneIn = 80): number {
  const some = all ? full : Math.ceil(full / oneIn);
  noteSample(some, full);
  return some;
}

/** Returns `count` random items in their order, the same ones in every run of a part. The sweep gets all of them, or `most`. */
export function sampled<T>(items: T[], count: number, most = Number.POSITIVE_INFINITY): T[] {
  const length = all ? most : count;
  noteSample(Math.min(length, items.length), items.length);
  if (items.length <= length) return items;
  return fc.sample(fc.subarray(items, { minLength: length, maxLength: length }), {
    seed: part,
    numRuns: 1,
  })[0]!;
}

/** Returns the first `count` items, which stand for the others. The sweep gets all of them. */
export function first<T>(items: readonly T[], count: number): readonly T[] {
  const some = all ? items : items.slice(0, count);
  noteSample(some.length, items.length);
  return some;
}

/**
 * Returns `count` consecutive items for the row `at` of a table. The next row gets the next ones, so that a few rows together meet all
 * items. The part decides where the first row begins. The sweep gets all items for each row.
 */
export function inTurn<T>(items: readonly T[], at: number, count: number): T[] {
  const length = all ? items.length : Math.min(count, items.length);
  noteSample(length, items.length);
  const begin = all ? 0 : at * count + part;
  return Array.from({ length }, (_, index) => items[(begin + index) % items.length]!);
}

/**
 * True if this run tries a point, for points that only become known while they are tried. The suite tries one in `oneIn`, the sweep all. In
 * a test that is itself played in one part of N, `oneIn` and N must have no common divisor: otherwise its parts always meet the same
 * points.
 */
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
 * Returns an `it` for costly tests of a file that take similar paths: the suite plays one in `count`, the sweep all. The part decides which
 * ones. The suite counts the others as skipped, and its last lines say how many. Not for tests that protect against a leak, an object taken
 * over without consent or a wrong deletion: these are in every part.
 */
export function oneStoryIn(count: number): (name: string, test: TestFunction) => void {
  let position: number | undefined;
  return (name, test) => {
    // Files with a single story do not all play it in the same part.
    position = position === undefined ? name.length : position + 1;
    // If the runner skips all tests of a file or a `describe`, it does not call their `beforeAll` either.
    it.runIf(isTried(position, count))(name, test);
  };
}

/** Returns an `it.each` for a table of similar rows: the suite plays one in `count`, but at least one, and the sweep all. */
export function oneRowIn(count: number): typeof it.each {
  const each = (rows: unknown[]) => {
    const oneIn = Math.min(count, rows.length);
    return it.each(rows.filter((_, position) => isTried(position, oneIn)));
  };
  return each as typeof it.each;
}
