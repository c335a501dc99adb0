import fc from 'fast-check';
import { noteSample } from './cost.ts';

/** Everything is tried (`npm run sweep`), rather than the sample of it that the suite takes in order to stay fast. */
export const all = process.env.TRUEUP_SWEEP === 'all';

/** How many cases of a property the suite tries: a quarter of what the sweep does. */
export function runs(full: number): number {
  const some = all ? full : Math.ceil(full / 4);
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
