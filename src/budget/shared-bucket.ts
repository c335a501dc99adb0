import * as z from 'zod';
import { tryParseJson } from '../model/read-json.ts';

/*
 * What the database stores about one rate bucket of a token. Terms as in `grant-calls.ts`.
 *
 * The member names are the stored format, which runs of several versions share: renaming one makes older runs discard the state. All times
 * are the database's, in milliseconds since 1970.
 */

/** A run that was silent for this long, in milliseconds, is taken for dead. Its calls then go to other runs. */
export const expiry = 30_000;
/** A run may use its calls for this long, in milliseconds, without an exchange. Shorter than `expiry`, so that no call is used twice. */
export const validity = 24_000;
/** The shortest window that the platform documents, in milliseconds. */
export const shortestWindow = 60_000;
/** The longest window that is believed, in milliseconds. A longer one comes from an error or an attack and would block all runs. */
export const longestWindow = 24 * 3_600_000;
const mostRuns = 200;
/** The largest number of calls in one grant request. */
export const mostWanted = 100;

const calls = z.int().min(0).max(1e6);
const timestamp = z.number().min(0).max(1e14);

/** The state of one run in a bucket. */
const runState = z.strictObject({
  /** The number of its last grant request. */
  turn: z.int().min(0),
  /** The calls that it was granted and whose use no report covers: unused, under way, or answered since its last request. */
  held: calls,
  /** The part of `held` that it keeps for later. */
  reserved: calls,
  /** The calls that wait and for which it holds nothing. */
  waiting: z.int().min(0).max(mostWanted),
  /** The requests of its plan that it has not sent, including those that wait. */
  due: calls,
  /** The calls that it was granted in this window. */
  got: calls,
  /** The time of its last grant of a call. */
  gotAt: timestamp,
  /** The time of its last request. */
  seen: timestamp,
});

const sharedBucket = z.strictObject({
  limit: calls.optional(),
  /** The calls that remain according to the last report. Absent if no report covers this window and the limit is unknown. */
  remaining: calls.optional(),
  /** The end of the window. Absent before it starts. */
  endsAt: timestamp.optional(),
  /** The current or last window as the platform names it: its end in seconds since 1970. */
  window: z.number().optional(),
  /** The longest time until a reset in any report, in milliseconds. No window is longer as far as we know. */
  length: timestamp.optional(),
  /** The time of the latest answer that was reported. */
  toldAt: timestamp.optional(),
  /** The lost calls. `by`: the latest time at which they can have been sent. */
  lost: z.strictObject({ calls, by: timestamp }).optional(),
  /** True if answers state no limit, which means that the platform does not limit the bucket. */
  untold: z.literal(true).optional(),
  runs: z.record(z.string().max(64), runState).refine((runs) => Object.keys(runs).length <= mostRuns),
});

export type RunState = z.infer<typeof runState>;
/** The state of one bucket that the runs of a token share. */
export type SharedBucket = z.infer<typeof sharedBucket>;

/** Creates the state of a bucket (a rate limit that several runs share with `--limits`) about which nothing is known. */
export const createSharedBucket = (): SharedBucket => ({ runs: {} });

/**
 * Parses the stored state of a rate limit that several runs share. Anybody with access to the database can write
 * any text there. So a malformed state counts as unknown, and times are limited, so that no run waits for a time
 * that never comes.
 */
export function parseSharedBucket(text: string | undefined, now: number): SharedBucket {
  const parsed = sharedBucket.safeParse(tryParseJson(text ?? ''));
  if (!parsed.success) return createSharedBucket();
  const bucket = parsed.data;
  if (bucket.endsAt !== undefined) bucket.endsAt = Math.min(bucket.endsAt, now + longestWindow);
  if (bucket.length !== undefined) bucket.length = Math.min(bucket.length, longestWindow);
  if (bucket.lost) bucket.lost.by = Math.min(bucket.lost.by, now + validity);
  for (const run of Object.values(bucket.runs)) run.seen = Math.min(run.seen, now);
  return bucket;
}

/** The database in which the runs of a token share the states of its buckets. `now` is its time, in milliseconds since 1970. */
export interface BudgetStore {
  /** Changes the state of a bucket in a transaction, so that two runs cannot be granted the same calls. Returns the result of `change`. */
  change<T>(bucket: string, change: (state: SharedBucket, now: number) => T): Promise<T>;
  /** Reads the states of all buckets. */
  read(): Promise<{ buckets: Map<string, SharedBucket>; now: number }>;
}
