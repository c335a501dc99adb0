import type { KnownBucket } from './known-bucket.ts';

/** Where the runs of a token keep what they know of its buckets. */
export interface BudgetRows {
  /** Changes what is known of a bucket; nobody else does meanwhile. `now` is the time of all who share it, in milliseconds. */
  change<T>(bucket: string, change: (known: KnownBucket, now: number) => T): Promise<T>;
  read(): Promise<{ buckets: Map<string, KnownBucket>; now: number }>;
}
