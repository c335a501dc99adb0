import type { Alarm } from '../http/clock.ts';
import type { DatabaseContact } from './database-contact.ts';
import { exchangeInterval } from './database-share.ts';
import { recordDueRequests } from './grant-calls.ts';
import type { BudgetStore } from './shared-bucket.ts';

interface DueRequestsOptions {
  /** The id of the run. */
  run: string;
  store: BudgetStore;
  contact: DatabaseContact;
  alarm: Alarm;
  /** The names of the rate limits whose limit is known. Only in these are requests announced to other runs. */
  limitedBuckets: ReadonlySet<string>;
}

/**
 * The requests that a run is going to send, as its plan says, by rate limit (`bucket`). The run announces them in the database, so that
 * other runs with the same token leave it enough calls.
 */
export class DueRequests {
  readonly #options: DueRequestsOptions;
  readonly #counts = new Map<string, number>();
  /** The rate limits in which the announcement is recorded. */
  readonly announcedBuckets = new Set<string>();
  #stopTimer: (() => void) | undefined;
  #isClosed = false;
  #announcement = Promise.resolve();

  constructor(options: DueRequestsOptions) {
    this.#options = options;
  }

  /** Returns the number of announced requests to this rate limit that were not sent yet. */
  count(bucket: string): number {
    return this.#counts.get(bucket) ?? 0;
  }

  /** Counts a request to this rate limit that was sent. */
  noteSent(bucket: string): void {
    this.#counts.set(bucket, Math.max(0, this.count(bucket) - 1));
  }

  /**
   * Adds the requests of a plan, as a number by rate limit, and announces them in the database, so that other runs leave enough calls for
   * them. Only limits that the database knows are announced. Called when a run starts to apply its plan.
   */
  add(requests: Iterable<readonly [bucket: string, count: number]>): void {
    for (const [bucket, count] of requests) {
      this.#counts.set(bucket, this.count(bucket) + count);
      if (this.#options.limitedBuckets.has(bucket)) this.announcedBuckets.add(bucket);
    }
    this.#stopTimer?.();
    this.#announcement = this.#record();
  }

  /**
   * Ends the announcements of due requests (those that this run is still going to send) at the end of the run, and waits for the latest one
   * if it is under way. The caller then removes the run from the database of shared rate limits (`--limits`): an announcement that arrived
   * later would add it again, and other runs would leave a part of the rate limits to a run that has ended.
   */
  close(): Promise<void> {
    this.#isClosed = true;
    this.#stopTimer?.();
    return this.#announcement;
  }

  /**
   * Writes how many requests this run is still going to send into the database of shared rate limits, and repeats
   * that while there are any. Otherwise a run that waits for a person, and sends nothing, would count as dead after
   * a while.
   */
  async #record(): Promise<void> {
    const { run, store, contact, alarm } = this.#options;
    const dueBuckets = [...this.announcedBuckets].filter((bucket) => this.count(bucket) > 0);
    if (this.#isClosed || dueBuckets.length === 0) return;
    await contact.query(() =>
      Promise.all(
        dueBuckets.map((bucket) =>
          store.change(bucket, (state, now) => recordDueRequests(state, run, this.count(bucket), now)),
        ),
      ),
    );
    this.#stopTimer = alarm(exchangeInterval, () => {
      this.#announcement = this.#record();
    });
  }
}
