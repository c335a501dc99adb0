import { randomBytes } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import * as z from 'zod';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { tryParseJson } from '../model/read-json.ts';
import type { StoredDocument } from './documents.ts';

const leaseSchema = z.looseObject({
  formatVersion: z.literal(1),
  run: z.string(),
  user: z.string(),
  host: z.string(),
  pid: z.number(),
  since: z.iso.datetime(),
  expires: z.iso.datetime(),
  renewals: z.number().optional(),
  watched: z.number().min(0).optional(),
});

/** The content of a lease: the run that holds it, and times for people by that run's clock (ISO 8601, UTC). */
export interface LeaseRecord extends Holder {
  formatVersion: 1;
  /** When the run took the lease. */
  since: string;
  /** When the lease expires unless it is renewed. */
  expires: string;
  /** Counts the renewals, so that each renewal changes the text of the lease even if the holder's clock stands still. */
  renewals?: number;
  /** Written by waiting runs: for at least so many milliseconds the holder has not renewed the lease. A renewal removes it. */
  watched?: number;
}

/**
 * Parses a lease; undefined if the text has another form, because it was cut off or written by a later version. The lease is held even
 * then, but its holder is unknown.
 */
export function parseLease(text: string): LeaseRecord | undefined {
  return leaseSchema.safeParse(tryParseJson(text)).data;
}

/** Formats a lease as JSON, with a line feed at the end. Equal records in the same order of members give equal texts. */
export const formatLease = (record: LeaseRecord): string => `${JSON.stringify(record, null, 2)}\n`;

/** The interval at which a holder renews its lease, in milliseconds. */
export const heartbeat = 10_000;
/** After this time without a renewal the holder counts as gone, in milliseconds. */
export const leaseTerm = 60_000;

/**
 * True if a lease expires within the next `leaseTerm` by our clock. If not, the holder is gone or one of the clocks
 * is wrong, and the lease must be watched before it is taken over.
 */
export const hasPlausibleExpiry = ({ expires }: LeaseRecord, now: number): boolean => {
  const remaining = Date.parse(expires) - now;
  return remaining > 0 && remaining <= leaseTerm;
};

/**
 * Returns the content of a lease (the exclusive right of one run to write a ledger) after a renewal, with a new
 * expiry. Used when a run takes the lease and at each heartbeat. Waiting runs take a lease over if its text stays
 * the same for long; the counter `renewals` makes each text differ, even if the clock stands still.
 */
export const renewRecord = (record: LeaseRecord, now: number): LeaseRecord => ({
  ...record,
  renewals: (record.renewals ?? -1) + 1,
  expires: new Date(now + leaseTerm).toISOString(),
});

/**
 * Returns the part of a lease (the exclusive right to write a ledger) that its holder wrote. Runs that wait for the lease note in it
 * (`watched`) how long it has not been renewed; such a note must not look like a renewal when two readings are compared. A lease in an
 * unknown form is represented by its version.
 */
export function holderTextOf({ text, version }: StoredDocument): string {
  const record = parseLease(text);
  if (!record) return version;
  const { watched: _, ...holderPart } = record;
  return formatLease(holderPart);
}

/**
 * Formats the holder of a lease for messages: `grace@laptop (process 4711) since 2026-01-01T10:00:00Z; it expires at 2026-01-01T10:01:00Z,
 * in 40 s, unless it is renewed`
 */
export function formatLeaseHolder(record: LeaseRecord, now: number): string {
  const { user, host, pid, since, expires } = record;
  const secondsLeft = Math.ceil((Date.parse(expires) - now) / 1000);
  // The clock of the other machine may be wrong.
  const expiry = hasPlausibleExpiry(record, now)
    ? `it expires at ${dropMilliseconds(expires)}, in ${secondsLeft} s, unless it is renewed`
    : `by its own clock it ${secondsLeft > 0 ? 'expires' : 'expired'} at ${dropMilliseconds(expires)}`;
  return `${user}@${host} (process ${pid}) since ${dropMilliseconds(since)}; ${expiry}`;
}

const dropMilliseconds = (time: string) => time.replace(/\.\d+Z$/, 'Z');

/**
 * Returns the problem that another run holds the lease of a ledger (the exclusive right to write it), for a run
 * that has to wait or give up. `record`: the lease; undefined if its text is in an unknown form.
 */
export const leaseHeldProblem = (place: string, record: LeaseRecord | undefined, now: number): Diagnostic =>
  record
    ? problem('lease/held', `the ledger ${place} is in use by ${formatLeaseHolder(record, now)}`, {
        hint: 'wait for it, for example with --lock-wait 300; if that run is gone, run `trueup ledger unlock`',
      })
    : problem('lease/corrupt', `the lease of the ledger ${place} has an unknown format`, {
        hint: 'a newer trueup may be running; if not, remove it with `trueup ledger unlock`',
      });

/** A run of the tool that can hold a lease. */
export interface Holder {
  /** A random id, so that a run recognizes its own lease. */
  run: string;
  user: string;
  host: string;
  pid: number;
}

/** Formats a user for messages: `ada@laptop`. */
export const formatUserAtHost = ({ user, host }: Pick<Holder, 'user' | 'host'>): string => `${user}@${host}`;

interface RunEnvironment {
  processes: Processes;
  env: Record<string, string | undefined>;
}

/**
 * Returns the description of this run that other runs show while they wait for its lease. The queue of a fleet uses it for its user, too.
 * Its new random id lets the run recognize its own lease.
 */
export const createHolder = ({ processes, env }: RunEnvironment): Holder => ({
  run: randomBytes(9).toString('base64url'),
  user: userName(env),
  host: hostname(),
  pid: processes.pid,
});

/**
 * Returns the name of the user who runs this process. A lease shows it to other runs as its holder. In a container
 * the user's number may have no name, so `USER` of the environment is the second choice.
 */
function userName(env: RunEnvironment['env']): string {
  try {
    return userInfo().username;
  } catch {
    return env.USER || 'a user without a name';
  }
}

/** The process table of this machine. Used to see whether the process that left a file behind has ended. */
export interface Processes {
  /** The id of our own process. */
  pid: number;
  /** True if a process with this id runs. */
  isRunning(pid: number): boolean;
}
