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

/**
 * Creates the buckets (rate limits) of a run. `createShare`: returns this run's share of a new bucket, if several runs with the same token
 * share their budget.
 */
export const createBuckets = (
  now: () => number,
  createShare: (bucket: NamedBucket) => Share | undefined,
): Buckets => new RunBuckets(now, createShare);

/** The buckets of a run, each created when the first call counts towards it. */
class RunBuckets implements Buckets {
  readonly #now: () => number;
  readonly #createShare: (bucket: NamedBucket) => Share | undefined;
  readonly #byName = new Map<string, NamedBucket>();
  /** The buckets by the name that answers of the platform give them. */
  readonly #byPlatformName = new Map<string, NamedBucket>();
  /** By operation: the buckets that its answers named and that belong to other operations. */
  readonly #joined = new Map<string, readonly NamedBucket[]>();
  /** By operation: the last result of `bucketsOf`, because each request needs it several times, mostly with the same limits. */
  readonly #cachedBuckets = new Map<
    string,
    { documented: readonly DocumentedBucket[] | undefined; buckets: readonly NamedBucket[] }
  >();

  constructor(now: () => number, createShare: (bucket: NamedBucket) => Share | undefined) {
    this.#now = now;
    this.#createShare = createShare;
  }

  /**
   * Returns the buckets (rate limits) that a call of an operation counts towards, so that it waits until all of them have room: those of
   * its documented limits, otherwise one for the operation alone, and those that its answers named.
   */
  bucketsOf(operation: string, documented?: readonly DocumentedBucket[]): readonly NamedBucket[] {
    const last = this.#cachedBuckets.get(operation);
    if (last && last.documented === documented) return last.buckets;
    const ownBuckets = documented?.length
      ? documented.map((limit) => this.#findOrCreate(limit.name, limit))
      : [this.#findOrCreate(operation)];
    const buckets = [...new Set([...ownBuckets, ...(this.#joined.get(operation) ?? [])])];
    this.#cachedBuckets.set(operation, { documented, buckets });
    return buckets;
  }

  /**
   * Records an answer in the buckets (rate limits) that its call counted towards (`counted`): the limits that it states in the one that
   * they fit, and one call in the others. `isAnswer`: false if the platform itself may not have answered, so that missing limits mean
   * nothing.
   */
  update(
    operation: string,
    counted: readonly NamedBucket[],
    limits: Limits | undefined,
    isAnswer: boolean,
  ): void {
    const fittingBucket = limits && bucketThatFits(counted, limits);
    // The bucket that the platform names may be one that the call was not counted in.
    const statedBucket =
      fittingBucket && limits.bucket !== undefined
        ? this.#learnPlatformName(operation, fittingBucket, limits.bucket)
        : fittingBucket;
    for (const bucket of new Set(statedBucket ? [...counted, statedBucket] : counted)) {
      updateBucket(bucket, bucket === statedBucket ? limits : undefined, this.#now());
      // An answer without limits comes from a platform that does not enforce the documented one.
      if (!limits && isAnswer) dropDocumentedLimit(bucket);
    }
  }

  /**
   * Returns the bucket (rate limit) of a name; creates it, with this run's share of it, for the first call that counts towards it.
   */
  #findOrCreate(name: string, documented?: DocumentedBucket): NamedBucket {
    const existing = this.#byName.get(name);
    if (existing) return existing;
    const bucket: NamedBucket = { name, ...createBucket(documented) };
    bucket.share = this.#createShare(bucket);
    this.#byName.set(name, bucket);
    return bucket;
  }

  /**
   * Remembers the name that an answer of the platform gives to a bucket (rate limit), and returns the bucket of that name. If another
   * operation's answer has named the same bucket, calls of this operation count towards that one as well from now on (beside `ownBucket`),
   * because the platform counts the calls of both together.
   */
  #learnPlatformName(operation: string, ownBucket: NamedBucket, platformName: string): NamedBucket {
    const platformBucket = this.#byPlatformName.get(platformName) ?? ownBucket;
    this.#byPlatformName.set(platformName, platformBucket);
    const joinedBuckets = this.#joined.get(operation) ?? [];
    if (platformBucket !== ownBucket && !joinedBuckets.includes(platformBucket)) {
      this.#joined.set(operation, [...joinedBuckets, platformBucket]);
      this.#cachedBuckets.delete(operation);
    }
    return platformBucket;
  }
}

/**
 * Returns the bucket of a call that the limits of its answer are about, because an answer states only one: that with the same limit, else
 * that with the shortest window that is long enough. `counted` has the shortest window first.
 */
const bucketThatFits = (counted: readonly NamedBucket[], { limit, resetIn = 0 }: Limits): NamedBucket =>
  counted.find((bucket) => bucket.limit === limit) ??
  counted.find(({ window = Infinity }) => window + sameWindowTolerance >= resetIn) ??
  counted.at(-1)!;
