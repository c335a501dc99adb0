import * as z from 'zod';
import { jsonIn } from '../model/json-in.ts';

/** A run that has been silent for this long, in milliseconds, is taken for dead, and its holdings come back. */
export const expiry = 30_000;
/** A run may use its holdings for this long without reporting. */
export const validity = 24_000;
/** No limit that the platform publishes is for less than a minute, in milliseconds. */
export const shortestWindow = 60_000;
/** A window that is longer is no window: whoever says so errs, or lies. */
export const longestWindow = 24 * 3_600_000;
const mostRuns = 200;
/** Nobody asks for more at once. */
export const mostWanted = 100;

const calls = z.int().min(0).max(1e6);
const timestamp = z.number().min(0).max(1e14);

/** One run's state in a bucket. */
const runState = z.strictObject({
  /** The number of its last question. */
  turn: z.int().min(0),
  /** Taken and not known to be counted by the platform: not used yet, under way, or answered and not told of. */
  held: calls,
  /** The part of these that is for later calls. */
  reserved: calls,
  /** Further calls that it wants now. */
  waiting: z.int().min(0).max(mostWanted),
  /** Requests of its plan still to come, including those that wait. */
  due: calls,
  /** Given to it in this window. */
  got: calls,
  /** When it was last given any. */
  gotAt: timestamp,
  /** When it was last heard of. */
  seen: timestamp,
});

const knownBucket = z.strictObject({
  limit: calls.optional(),
  /** As of the last answer. Absent where no answer has told of this window, and no earlier one of the limit. */
  remaining: calls.optional(),
  /** When the window ends; absent while it has not begun. All times are the database's. */
  endsAt: timestamp.optional(),
  /** The window, or the last one, as the platform names it. */
  window: z.number().optional(),
  /** The longest time to its end that an answer has told of: how long a window is, or longer. */
  length: timestamp.optional(),
  /** When an answer was last told of. */
  toldAt: timestamp.optional(),
  /** Calls that may have been sent, the last of them at `by`. They count as long as no answer has told of a later time. */
  lost: z.strictObject({ calls, by: timestamp }).optional(),
  /** Answers tell of no limit here. */
  untold: z.literal(true).optional(),
  runs: z.record(z.string().max(64), runState).refine((runs) => Object.keys(runs).length <= mostRuns),
});

export type RunState = z.infer<typeof runState>;
/** The shared state of one bucket among the runs of a token. */
export type KnownBucket = z.infer<typeof knownBucket>;

/** A bucket of which nothing is known. */
export const newBucket = (): KnownBucket => ({ runs: {} });

/**
 * Reads what the database has of a bucket. Whoever can write there may have written anything: what cannot be is taken as nothing known,
 * and no time lies where nobody waits for it.
 */
export function readBucket(text: string | undefined, now: number): KnownBucket {
  const read = knownBucket.safeParse(jsonIn(text ?? ''));
  if (!read.success) return newBucket();
  const state = read.data;
  if (state.endsAt !== undefined) state.endsAt = Math.min(state.endsAt, now + longestWindow);
  if (state.length !== undefined) state.length = Math.min(state.length, longestWindow);
  if (state.lost) state.lost.by = Math.min(state.lost.by, now + validity);
  for (const run of Object.values(state.runs)) run.seen = Math.min(run.seen, now);
  return state;
}

/** The store in which the runs of a token share the state of its buckets. */
export interface BudgetRows {
  /** Changes what is known of a bucket; nobody else does meanwhile. `now` is the time of all who share it, in milliseconds. */
  change<T>(bucket: string, change: (known: KnownBucket, now: number) => T): Promise<T>;
  read(): Promise<{ buckets: Map<string, KnownBucket>; now: number }>;
}
