import { Problems, raise } from '../model/diagnostic.ts';
import { Conflict, contendedProblem, type Documents, type StoredDocument } from './documents.ts';
import { keepLease, type Lease, type LeaseClock } from './keep-lease.ts';
import {
  formatLease,
  type Holder,
  hasPlausibleExpiry,
  holderTextOf,
  leaseHeldProblem,
  leaseTerm,
  parseLease,
  renewRecord,
} from './lease-record.ts';
import { LeaseWatch } from './lease-watch.ts';

/*
 * The lease of a stack: only the run that holds it may write the ledger and change objects, so that two runs never work on one stack.
 *
 * The lease is a document beside the ledger. Its holder renews it at every `heartbeat`. A run that finds the lease of another run waits, or
 * reports who holds it. If the holder does not renew the lease for a whole `leaseTerm`, its run is gone and the lease is taken over
 * (`LeaseWatch` in lease-watch.ts measures that).
 */

interface LeaseOptions {
  holder: Holder;
  clock: LeaseClock;
  /** Milliseconds to wait for another holder; none by default. */
  wait?: number;
  /** Called once before the first wait, with a sentence that names the holder and the longest wait. */
  onWait?(text: string): void;
}

/** Reports that another run holds the lease. Nothing has to be fixed, because the same command succeeds later (`isForLater`). */
class LeaseHeld extends Problems {
  readonly isForLater = true;
}

/** Milliseconds between two readings of a lease that another run holds. */
const pollInterval = 2000;
/** The number of times in a row that a free lease may be refused, because other runs take and release it. */
const maxLostRaces = 10;
/** Milliseconds after a second or later refusal of a free lease. */
const raceInterval = 200;

/**
 * Takes the lease of a stack (the exclusive right to write its ledger and change its objects), at the start of each
 * run that writes. A lease of another run is
 *   - taken over if it stays unchanged for a whole `leaseTerm`, without regard to its dates, unless its form is unknown,
 *   - watched for that long if its dates cannot be right, since the holder may be long gone,
 *   - otherwise waited for, up to `wait` milliseconds.
 * When the wait is over, throws `LeaseHeld`, because the same command succeeds later; for a lease of an unknown form
 * `Problems`, because its holder may use a newer version. Throws `Problems`, too, if the store refuses a new lease `maxLostRaces` times in
 * a row although it shows no lease that another run holds.
 */
export async function acquireLease(documents: Documents, options: LeaseOptions): Promise<Lease> {
  const { holder, clock, wait = 0, onWait } = options;
  const start = clock.monotonic();
  const watch = new LeaseWatch(documents);
  let isWaitAnnounced = false;
  for (let lostRaces = 0; ; ) {
    const lease = await documents.read('lease');
    const record = lease && parseLease(lease.text);
    const readAt = clock.monotonic();
    watch.observe(lease, readAt);
    const isExpired = record !== undefined && watch.unchangedFor >= leaseTerm;
    if (!lease || isExpired) {
      const ourLease = await tryToTakeLease(documents, lease?.version, holder, clock);
      if (ourLease) return ourLease;
      // Another run was faster, so its lease is read.
      lostRaces++;
      if (lostRaces === maxLostRaces)
        raise(
          contendedProblem(
            documents.place,
            `the store refused its lease ${lostRaces} times in a row, although no other run holds it`,
          ),
        );
      if (lostRaces > 1) await clock.sleep(raceInterval);
      continue;
    }
    lostRaces = 0;
    const readTime = clock.now();
    const heldProblem = leaseHeldProblem(documents.place, record, readTime);
    const isDoubtful = record !== undefined && !hasPlausibleExpiry(record, readTime) && !watch.hasChanged;
    const remaining = Math.max(start + wait - readAt, isDoubtful ? leaseTerm - watch.unchangedFor : 0);
    if (remaining <= 0) throw record ? new LeaseHeld([heldProblem]) : new Problems([heldProblem]);
    if (!isWaitAnnounced)
      onWait?.(
        `Waiting up to ${Math.ceil(remaining / 1000)} s: ${heldProblem.message}${isDoubtful ? '; the lease counts as expired if it does not change in that time' : ''}.`,
      );
    isWaitAnnounced = true;
    await watch.noteInLease();
    await clock.sleep(Math.min(pollInterval, remaining));
  }
}

/**
 * Writes a lease of this run instead of the one with version `replaced` (undefined: there is none), and keeps it renewed. Returns undefined
 * if another run has written one meanwhile.
 */
async function tryToTakeLease(
  documents: Documents,
  replaced: string | undefined,
  holder: Holder,
  clock: LeaseClock,
): Promise<Lease | undefined> {
  const since = new Date(clock.now()).toISOString();
  const record = renewRecord({ formatVersion: 1, ...holder, since, expires: since }, clock.now());
  try {
    const version = await documents.write('lease', formatLease(record), { expected: replaced });
    return keepLease(documents, clock, record, version);
  } catch (error) {
    if (error instanceof Conflict) return undefined;
    throw error;
  }
}

/**
 * Removes a lease (the exclusive right of a run to write a ledger), for `trueup ledger unlock`. `lease`: the lease as it was shown to the
 * user. Notes that waiting runs have added to it since do not matter. Rejects with a `Conflict` if its holder renewed it meanwhile, because
 * then the holder is alive.
 */
export async function removeLease(documents: Documents, lease: StoredDocument): Promise<void> {
  let { version } = lease;
  for (;;)
    try {
      return await documents.remove('lease', { expected: version });
    } catch (error) {
      const stored = error instanceof Conflict ? error.stored : undefined;
      // If the same version was refused, no note is the cause, and trying again would never end.
      if (!stored || stored.version === version) throw error;
      const wasRenewed = holderTextOf(stored) !== holderTextOf(lease);
      if (wasRenewed) throw error;
      version = stored.version;
    }
}

/** Creates a lease (the exclusive right to write a ledger) that is never lost, for a ledger in memory: no other run can open it. */
export const createSoleLease = (): Lease => ({
  lost: new AbortController().signal,
  confirm: async () => {},
  release: async () => {},
});
