import fc from 'fast-check';
import { it, type TestFunction } from 'vitest';
import { leftToSweep, noteSample } from './cost.ts';

/** Everything is tried (`npm run sweep`), rather than the sample of it that the suite takes in order to stay fast. */
export const all = process.env.TRUEUP_SWEEP === 'all';

/** What `TRUEUP_SEED` says: another one looks elsewhere. */
const seed = (): number => Math.abs(fc.readConfigureGlobal().seed ?? 0);

/** How many cases of a property the suite tries: a part of what the sweep does, an eightieth unless they are costly. */
export function runs(full: number, part = 80): number {
  const some = all ? full : Math.ceil(full / part);
  noteSample(some, full);
  return some;
}

/** `count` of these in their order, the same in every run with the same seed; all of them in the sweep, or `most`. */
export function sampled<T>(items: T[], count: number, most = Number.POSITIVE_INFINITY): T[] {
  const length = all ? most : count;
  noteSample(Math.min(length, items.length), items.length);
  if (items.length <= length) return items;
  return fc.sample(fc.subarray(items, { minLength: length, maxLength: length }), 1)[0]!;
}

/** The first `count` of these, which stand for the others; all of them in the sweep. */
export function first<T>(items: readonly T[], count: number): readonly T[] {
  const some = all ? items : items.slice(0, count);
  noteSample(some.length, items.length);
  return some;
}

/**
 * For the row `at` of a table, `count` of these: each row others, in turn, so that a few rows together meet each of them. The seed
 * says where they begin. All of them in the sweep.
 */
export function inTurn<T>(items: readonly T[], at: number, count: number): T[] {
  const length = all ? items.length : Math.min(count, items.length);
  noteSample(length, items.length);
  const begin = all ? 0 : at * count + seed();
  return Array.from({ length }, (_, index) => items[(begin + index) % items.length]!);
}

/** Of points that are only known while they are tried: whether this one is. The suite tries one in so many, the sweep each. */
export function isTried(point: number, oneIn: number): boolean {
  const isOne = all || (point + seed()) % oneIn === 0;
  noteSample(isOne ? 1 : 0, 1);
  return isOne;
}

/** A scenario that only the sweep plays, for this reason: the suite counts it as skipped, and its last lines name it. */
export function sweepOnly(reason: string): (name: string, test: TestFunction) => void {
  // Skipped while it runs: a file with nothing else would not tell.
  return (name, test) => it(name, all ? test : ({ skip }) => skip(`${leftToSweep}${reason}`));
}

/**
 * Returns an `it` for the stories of a file that play similar things at great cost: the suite plays one in so many, the seed says which ones, and
 * the sweep plays all. The suite counts the others as skipped, and its last lines name them.
 */
export function oneStoryIn(count: number): (name: string, test: TestFunction) => void {
  let position = 0;
  return (name, test) => {
    const isPlayed = isTried(position++, count);
    it(name, isPlayed ? test : ({ skip }) => skip(`${leftToSweep}one story in ${count} is played here`));
  };
}
