import fc from 'fast-check';

/** Everything is tried (`npm run sweep`), rather than the sample of it that the suite takes in order to stay fast. */
export const all = process.env.TRUEUP_SWEEP === 'all';

/** How many cases of a property the suite tries: a quarter of what the sweep does. */
export const runs = (full: number): number => (all ? full : Math.ceil(full / 4));

/** `count` of these in their order, the same in every run with the same seed; all of them in the sweep, or `most`. */
export function sampled<T>(items: T[], count: number, most = Number.POSITIVE_INFINITY): T[] {
  const length = all ? most : count;
  if (items.length <= length) return items;
  return fc.sample(fc.subarray(items, { minLength: length, maxLength: length }), 1)[0]!;
}
