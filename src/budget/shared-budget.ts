import { randomUUID } from 'node:crypto';
import { type Alarm, type Clock, systemAlarm, systemClock } from '../http/clock.ts';
import type { BucketState, Budget } from '../model/budget.ts';
import { createContact, withTimeout } from './database-contact.ts';
import { DatabaseShare, exchangeInterval } from './database-share.ts';
import { grantCalls, otherRunsUse, recordDueRequests, removeRun } from './grant-calls.ts';
import type { BudgetStore } from './shared-bucket.ts';

interface SharedBudgetOptions {
  store: BudgetStore;
  /** Called once, when a query fails for the first time. */
  onSilence(error: Error): void;
  clock?: Clock;
  alarm?: Alarm;
}

/** The budget of a token that a run uses together with other runs. */
export interface SharedBudget extends Budget {
  /** Returns everything that the run holds, so that other runs need not wait until it expires. */
  close(): Promise<void>;
}

/**
 * Adds a run to the budget of a token. Throws the error of the first query if the user has to act, for example because of a wrong password.
 * Otherwise calls `onSilence`, and the run starts without the database.
 * @param isTemporary true for an error that may pass, such as an unreachable server
 */
export async function joinBudget(
  { store, onSilence, clock = systemClock, alarm = systemAlarm }: SharedBudgetOptions,
  isTemporary: (error: Error) => boolean,
): Promise<SharedBudget> {
  const run = randomUUID();
  const contact = createContact(clock, onSilence);
  const shares = new Map<string, DatabaseShare>();
  /** By bucket: the announced requests that were not sent yet. */
  const dueRequests = new Map<string, number>();
  /** The buckets in which the announcement of this run is recorded. */
  const announcedBuckets = new Set<string>();
  let stopTimer: (() => void) | undefined;
  let isClosed = false;
  let announcement = Promise.resolve();

  let permanentError: Error | undefined;
  const stored = await contact.query(() =>
    store.read().catch((error: Error) => {
      if (isTemporary(error)) throw error;
      permanentError = error;
      return undefined;
    }),
  );
  if (permanentError) throw permanentError;
  const buckets = [...(stored?.buckets ?? [])];
  const unlimitedBuckets = new Set(buckets.flatMap(([name, { untold }]) => (untold ? [name] : [])));
  const limitedBuckets = new Set(buckets.flatMap(([name, { limit }]) => (limit === undefined ? [] : [name])));

  /**
   * Records the due requests of this run, and repeats that while requests are due. Shares report due requests only while calls are under way, and
   * a run that waits for a person would expire.
   */
  const recordAnnouncement = async () => {
    const dueBuckets = [...announcedBuckets].filter((bucket) => (dueRequests.get(bucket) ?? 0) > 0);
    if (isClosed || dueBuckets.length === 0) return;
    await contact.query(() =>
      Promise.all(
        dueBuckets.map((bucket) =>
          store.change(bucket, (state, now) =>
            recordDueRequests(state, run, dueRequests.get(bucket) ?? 0, now),
          ),
        ),
      ),
    );
    stopTimer = alarm(exchangeInterval, () => {
      announcement = recordAnnouncement();
    });
  };

  return {
    share(bucket, needs) {
      const share = new DatabaseShare({
        clock,
        alarm,
        contact,
        needs,
        isUnlimited: unlimitedBuckets.has(bucket),
        dueRequests: () => dueRequests.get(bucket) ?? 0,
        noteSent: () => dueRequests.set(bucket, Math.max(0, (dueRequests.get(bucket) ?? 0) - 1)),
        request: (request) =>
          store.change(bucket, (state, now) => grantCalls(state, { run, ...request }, now)),
      });
      shares.set(bucket, share);
      return share;
    },
    announce(requests) {
      for (const [bucket, count] of requests) {
        dueRequests.set(bucket, (dueRequests.get(bucket) ?? 0) + count);
        if (limitedBuckets.has(bucket)) announcedBuckets.add(bucket);
      }
      stopTimer?.();
      announcement = recordAnnouncement();
    },
    async states(names) {
      const current = await contact.query(() => store.read());
      const states = new Map<string, BucketState>();
      for (const name of names) {
        const bucket = current?.buckets.get(name);
        const state = bucket && otherRunsUse(bucket, run, current!.now);
        if (state) states.set(name, state);
      }
      return states;
    },
    async close() {
      isClosed = true;
      stopTimer?.();
      const recordedBuckets = new Set(announcedBuckets);
      for (const [bucket, share] of shares) if (share.isRecorded) recordedBuckets.add(bucket);
      const exchangesEnded = Promise.all([
        announcement,
        ...[...shares.values()].map((share) => share.close()),
      ]);
      const removal = exchangesEnded.then(() =>
        Promise.all(
          [...recordedBuckets].map((bucket) => store.change(bucket, (state) => removeRun(state, run))),
        ),
      );
      // If the removal fails, the run expires and the other runs get its calls then.
      if (contact.mayQuery()) await withTimeout(removal).catch(() => {});
      else removal.catch(() => {});
    },
  };
}
