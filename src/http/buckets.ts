import type { Limits, Share } from '../model/budget.ts';
import {
  type Bucket,
  createBucket,
  type DocumentedBucket,
  dropDocumentedLimit,
  sameWindowTolerance,
  updateBucket,
} from './bucket.ts';

/*
 * Finds the buckets (rate limits of the platform) that a call counts towards:
 *
 *   | the platform's documentation                       | buckets of the call                              |
 *   | has limits of its operation                        | theirs, which other operations may share         |
 *   | has none                                           | one for its operation alone                      |
 *   | a refusal named a bucket that another operation has | that one as well, from then on                  |
 */

/** A bucket with its name for shared budgets (`--limits`). */
export interface NamedBucket extends Bucket {
  name: string;
  share?: Share | undefined;
}

/** All buckets of a run. */
export interface Buckets {
  /** Returns the buckets of a call, at least one. Only the first is shared with other runs. */
  of(operation: string, documented?: readonly DocumentedBucket[]): readonly NamedBucket[];
  /**
   * Records the limits that an answer states, in the bucket that they fit, and one call in the others.
   * `isAnswer`: false if the platform itself may not have answered, so that missing limits mean nothing.
   */
  update(
    operation: string,
    counted: readonly NamedBucket[],
    limits: Limits | undefined,
    isAnswer: boolean,
  ): void;
}

/** Creates the buckets of a run. `createShare`: returns this run's share of a new bucket, if several runs share their budget. */
export function createBuckets(
  now: () => number,
  createShare: (bucket: NamedBucket) => Share | undefined,
): Buckets {
  const buckets = new Map<string, NamedBucket>();
  const bucketOfPlatformName = new Map<string, NamedBucket>();
  const joined = new Map<string, readonly NamedBucket[]>();

  const find = (name: string, documented?: DocumentedBucket): NamedBucket => {
    const existing = buckets.get(name);
    if (existing) return existing;
    const bucket: NamedBucket = { name, ...createBucket(documented) };
    bucket.share = createShare(bucket);
    buckets.set(name, bucket);
    return bucket;
  };

  /** Remembers the name of a bucket that a refusal states. If another operation has a bucket of this name, both share that from now on. */
  const learnName = (operation: string, stated: NamedBucket, name: string): NamedBucket => {
    const named = bucketOfPlatformName.get(name) ?? stated;
    bucketOfPlatformName.set(name, named);
    const others = joined.get(operation) ?? [];
    if (named !== stated && !others.includes(named)) joined.set(operation, [...others, named]);
    return named;
  };

  return {
    of(operation, documented = []) {
      const own =
        documented.length > 0 ? documented.map((limit) => find(limit.name, limit)) : [find(operation)];
      const learnt = joined.get(operation);
      return learnt ? [...new Set([...own, ...learnt])] : own;
    },
    update(operation, counted, limits, isAnswer) {
      const fitting = limits && bucketThatFits(counted, limits);
      const stated =
        fitting && limits.bucket !== undefined ? learnName(operation, fitting, limits.bucket) : fitting;
      for (const bucket of new Set(stated ? [...counted, stated] : counted)) {
        updateBucket(bucket, bucket === stated ? limits : undefined, now());
        if (!limits && isAnswer) dropDocumentedLimit(bucket);
      }
    },
  };
}

/**
 * Returns the bucket of a call that the limits of its answer are about, because an answer states only one: that with the same limit, else that with
 * the shortest window which is long enough. `counted` has the shortest window first.
 */
const bucketThatFits = (counted: readonly NamedBucket[], { limit, resetIn = 0 }: Limits): NamedBucket =>
  counted.find((bucket) => bucket.limit === limit) ??
  counted.find(({ window = Infinity }) => window + sameWindowTolerance >= resetIn) ??
  counted.at(-1)!;
