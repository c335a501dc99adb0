import { randomUUID } from 'node:crypto';
import { type Alarm, type Clock, systemAlarm, systemClock } from '../http/clock.ts';
import type { BucketState, Budget } from '../model/budget.ts';
import { inTime, openContact } from './database-contact.ts';
import { DatabaseShare, heartbeat } from './database-share.ts';
import { draw, leave, note, stateOf } from './grant-calls.ts';
import type { BudgetRows } from './shared-bucket.ts';

interface SharedOptions {
  rows: BudgetRows;
  /** Called once, when the database does not answer for the first time. */
  onSilence(error: Error): void;
  clock?: Clock;
  alarm?: Alarm;
}

/** A budget that a run takes its part of, until it is closed. */
export interface SharedBudget extends Budget {
  /** Gives back what was not used. */
  close(): Promise<void>;
}

/** Takes part in a budget. Throws what keeps the rows from being read, unless it is only that nobody answers: that is told, and passes. */
export async function joinBudget(
  { rows, onSilence, clock = systemClock, alarm = systemAlarm }: SharedOptions,
  isPassing: (error: Error) => boolean,
): Promise<SharedBudget> {
  const run = randomUUID();
  const contact = openContact(clock, onSilence);
  const shares = new Map<string, DatabaseShare>();
  /** Requests that were announced, and not sent yet. */
  const due = new Map<string, number>();
  const noted = new Set<string>();
  let stop: (() => void) | undefined;
  let isClosed = false;
  let telling = Promise.resolve();

  let refused: Error | undefined;
  const known = await contact.ask(() =>
    rows.read().catch((error: Error) => {
      if (isPassing(error)) throw error;
      refused = error;
      return undefined;
    }),
  );
  if (refused) throw refused;
  const buckets = [...(known?.buckets ?? [])];
  const untold = new Set(buckets.flatMap(([name, one]) => (one.untold ? [name] : [])));
  const limited = new Set(buckets.flatMap(([name, one]) => (one.limit === undefined ? [] : [name])));

  /** While nothing is sent yet, or no more, the database is told now and then that it is still to come. */
  const tellDue = async () => {
    const to = [...noted].filter((bucket) => (due.get(bucket) ?? 0) > 0);
    if (isClosed || to.length === 0) return;
    await contact.ask(() =>
      Promise.all(
        to.map((bucket) => rows.change(bucket, (state, now) => note(state, run, due.get(bucket) ?? 0, now))),
      ),
    );
    stop = alarm(heartbeat, () => {
      telling = tellDue();
    });
  };

  return {
    share(bucket, needs) {
      const share = new DatabaseShare({
        ...{ clock, alarm, contact, needs },
        untold: untold.has(bucket),
        due: () => due.get(bucket) ?? 0,
        sent: () => due.set(bucket, Math.max(0, (due.get(bucket) ?? 0) - 1)),
        draw: (asked) => rows.change(bucket, (state, now) => draw(state, { run, ...asked }, now)),
      });
      shares.set(bucket, share);
      return share;
    },
    announce(requests) {
      for (const [bucket, count] of requests) {
        due.set(bucket, (due.get(bucket) ?? 0) + count);
        if (limited.has(bucket)) noted.add(bucket);
      }
      stop?.();
      telling = tellDue();
    },
    async states(buckets) {
      const read = await contact.ask(() => rows.read());
      const found = new Map<string, BucketState>();
      for (const bucket of buckets) {
        const one = read?.buckets.get(bucket);
        const state = one && stateOf(one, run, read!.now);
        if (state) found.set(bucket, state);
      }
      return found;
    },
    async close() {
      isClosed = true;
      stop?.();
      const left = new Set(noted);
      for (const [bucket, share] of shares) {
        if (share.isKnown) left.add(bucket);
      }
      const quiet = Promise.all([telling, ...[...shares.values()].map((share) => share.close())]);
      const given = quiet.then(() =>
        Promise.all([...left].map((bucket) => rows.change(bucket, (state) => leave(state, run)))),
      );
      // What is not given back comes back by itself.
      if (contact.isDue()) await inTime(given).catch(() => {});
      else given.catch(() => {});
    },
  };
}
