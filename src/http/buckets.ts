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
 *   | condition                                              | buckets of the call                      |
 *   | its operation has documented limits                    | theirs, which other operations may share |
 *   | it has none                                            | one for its operation alone              |
 *   | an answer named the bucket of another operation        | this one too, from then on               |
 */

/** A bucket with its name for shared budgets (`--limits`). */
export interface NamedBucket extends Bucket {
  name: string;
  share?: Share | undefined;
}

/** All buckets of a run. */
export interface Buckets {
  /** Returns the buckets of a call, at least one. Only the first is shared with other runs. */
  bucketsOf(operation: string, documented?: readonly DocumentedBucket[]): readonly NamedBucket[];
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
  /** By operation: the buckets that its answers named and that belong to other operations. */
  const joined = new Map<string, readonly NamedBucket[]>();
  /** By operation: the last result of `bucketsOf`, because each request needs it several times, mostly with the same limits. */
  const lastResults = new Map<
    string,
    { documented: readonly DocumentedBucket[] | undefined; buckets: readonly NamedBucket[] }
  >();

  const find = (name: string, documented?: DocumentedBucket): NamedBucket => {
    const existing = buckets.get(name);
    if (existing) return existing;
    const bucket: NamedBucket = { name, ...createBucket(documented) };
    bucket.share = createShare(bucket);
    buckets.set(name, bucket);
    return bucket;
  };

  /**
   * Remembers the name that an answer of the platform gives to a bucket, and returns the bucket of that name. If it is known from another operation, both
   * operations share it from now on.
   */
  const learnPlatformName = (
    operation: string,
    ownBucket: NamedBucket,
    platformName: string,
  ): NamedBucket => {
    const platformBucket = bucketOfPlatformName.get(platformName) ?? ownBucket;
    bucketOfPlatformName.set(platformName, platformBucket);
    const joinedBuckets = joined.get(operation) ?? [];
    if (platformBucket !== ownBucket && !joinedBuckets.includes(platformBucket)) {
      joined.set(operation, [...joinedBuckets, platformBucket]);
      lastResults.delete(operation);
    }
    return platformBucket;
  };

  return {
    bucketsOf(operation, documented) {
      const last = lastResults.get(operation);
      if (last && last.documented === documented) return last.buckets;
      const ownBuckets = documented?.length
        ? documented.map((limit) => find(limit.name, limit))
        : [find(operation)];
      const result = { documented, buckets: [...new Set([...ownBuckets, ...(joined.get(operation) ?? [])])] };
      lastResults.set(operation, result);
      return result.buckets;
    },
    update(operation, counted, limits, isAnswer) {
      const fittingBucket = limits && bucketThatFits(counted, limits);
      const statedBucket =
        fittingBucket && limits.bucket !== undefined
          ? learnPlatformName(operation, fittingBucket, limits.bucket)
          : fittingBucket;
      for (const bucket of new Set(statedBucket ? [...counted, statedBucket] : counted)) {
        updateBucket(bucket, bucket === statedBucket ? limits : undefined, now());
        // An answer without limits comes from a platform that does not enforce the documented one.
        if (!limits && isAnswer) dropDocumentedLimit(bucket);
      }
    },
  };
}

/**
 * Returns the bucket of a call that the limits of its answer are about, because an answer states only one: that with the same limit, else that with
 * the shortest window that is long enough. `counted` has the shortest window first.
 */
const bucketThatFits = (counted: readonly NamedBucket[], { limit, resetIn = 0 }: Limits): NamedBucket =>
  counted.find((bucket) => bucket.limit === limit) ??
  counted.find(({ window = Infinity }) => window + sameWindowTolerance >= resetIn) ??
  counted.at(-1)!;
