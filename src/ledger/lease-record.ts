import { randomBytes } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import * as z from 'zod';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { jsonIn } from '../model/json-in.ts';

const schema = z.looseObject({
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

/**
 * A lease as it is kept: who has it, since when, and until when if it is not renewed (ISO 8601, UTC). The dates are those of the
 * holder's clock, and for people; `renewals` makes each renewal another text, whatever that clock does. `watched` is written by those
 * who wait: for so many milliseconds at least the holder has not renewed it. A renewal drops it.
 */
export interface LeaseRecord extends Holder {
  formatVersion: 1;
  since: string;
  expires: string;
  renewals?: number;
  watched?: number;
}

/** Text as a lease; undefined where it is none (torn, or of a later version): somebody has it, and nobody knows who. */
export function parseLease(text: string): LeaseRecord | undefined {
  return schema.safeParse(jsonIn(text)).data;
}

/** Sorted by nothing but the order here; ends with a line feed. */
export const formatLease = (record: LeaseRecord): string => `${JSON.stringify(record, null, 2)}\n`;

/** A holder renews its lease at this interval, and counts as gone after this time without a renewal; in milliseconds. */
export const [heartbeat, leaseTerm] = [10_000, 60_000];

/** True if a lease is plausible by our clock: it ends after now, and at most one term from now. */
export const hasPlausibleExpiry = ({ expires }: LeaseRecord, now: number): boolean => {
  const left = Date.parse(expires) - now;
  return left > 0 && left <= leaseTerm;
};

/** `grace@laptop (process 4711) since 2026-01-01T10:00:00Z; it expires at 2026-01-01T10:01:00Z, in 40 s, unless it is renewed` */
export function formatLeaseHolder(record: LeaseRecord, now: number): string {
  const { user, host, pid, since, expires } = record;
  const left = Math.ceil((Date.parse(expires) - now) / 1000);
  const end = hasPlausibleExpiry(record, now)
    ? `it expires at ${seconds(expires)}, in ${left} s, unless it is renewed`
    : `by its own clock it ${left > 0 ? 'expires' : 'expired'} at ${seconds(expires)}`;
  return `${user}@${host} (process ${pid}) since ${seconds(since)}; ${end}`;
}

const seconds = (time: string) => time.replace(/\.\d+Z$/, 'Z');

/** Says who has the lease of a ledger. */
export const leaseHeldProblem = (place: string, record: LeaseRecord | undefined, now: number): Diagnostic =>
  record
    ? problem('lease/held', `the ledger ${place} is in use by ${formatLeaseHolder(record, now)}`, {
        hint: 'wait for it, for example with --lock-wait 300; if that run is gone, run `trueup ledger unlock`',
      })
    : problem('lease/corrupt', `the lease of the ledger ${place} has an unknown format`, {
        hint: 'a newer trueup may be running; if not, remove it with `trueup ledger unlock`',
      });

/** The holder of a stack's lease: one run of the tool. */
export interface Holder {
  /** Identifies this run alone. */
  run: string;
  user: string;
  host: string;
  pid: number;
}

/** `ada@laptop` */
export const formatUserAtHost = ({ user, host }: Pick<Holder, 'user' | 'host'>): string => `${user}@${host}`;

interface Self {
  processes: Processes;
  env: Record<string, string | undefined>;
}

export const createHolder = ({ processes, env }: Self): Holder => ({
  run: randomBytes(9).toString('base64url'),
  user: userName(env),
  host: hostname(),
  pid: processes.pid,
});

/** Inside a container the user's number may have no name. */
function userName(env: Self['env']): string {
  try {
    return userInfo().username;
  } catch {
    return env.USER || 'a user without a name';
  }
}

/** The processes of this machine, as far as ours has to know them. */
export interface Processes {
  /** The number of our own. */
  pid: number;
  /** True if a process with this number runs. */
  isRunning(pid: number): boolean;
}
