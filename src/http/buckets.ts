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
 *   | a refusal named the bucket of another operation        | this one too, from then on               |
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
  /** By operation: the buckets that its refusals named and that belong to other operations. */
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

  /** Remembers the name of a bucket that a refusal states. If another operation has a bucket of this name, both share that from now on. */
  const learnName = (operation: string, stated: NamedBucket, name: string): NamedBucket => {
    const named = bucketOfPlatformName.get(name) ?? stated;
    bucketOfPlatformName.set(name, named);
    const joinedBuckets = joined.get(operation) ?? [];
    if (named !== stated && !joinedBuckets.includes(named)) {
      joined.set(operation, [...joinedBuckets, named]);
      lastResults.delete(operation);
    }
    return named;
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
 * the shortest window that is long enough. `counted` has the shortest window first.
 */
const bucketThatFits = (counted: readonly NamedBucket[], { limit, resetIn = 0 }: Limits): NamedBucket =>
  counted.find((bucket) => bucket.limit === limit) ??
  counted.find(({ window = Infinity }) => window + sameWindowTolerance >= resetIn) ??
  counted.at(-1)!;
