import { Problems, problem, raise } from '../model/diagnostic.ts';
import { Conflict, type Documents, type StoredDocument } from './documents.ts';
import {
  formatLease,
  formatLeaseHolder,
  heartbeat,
  type LeaseRecord,
  leaseTerm,
  parseLease,
  renewRecord,
} from './lease-record.ts';

/** The clocks that a lease needs. Tests bring their own. */
export interface LeaseClock {
  /** Milliseconds since 1970. Can be set. */
  now(): number;
  /** Milliseconds since an arbitrary moment. Cannot be set, but may stop while the machine sleeps. */
  monotonic(): number;
  /** Waits. Rejects when `signal` is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The right of one run to write the ledger of a stack and to change its objects. Renewed until it is released. */
export interface Lease {
  /** Aborted when another run has taken the lease. The reason is `Problems` with its holder. */
  readonly lost: AbortSignal;
  /** Must be called before each write. Rejects with `Problems` if the lease is lost, released, or expired and not renewable. */
  confirm(): Promise<void>;
  /** Gives the lease back, unless it is lost. */
  release(): Promise<void>;
}

/** After our lease was read or renewed, `confirm` does not read it again for this time, in milliseconds. */
const trustPeriod = 2000;

/**
 * Keeps a lease (the exclusive right of a run to write a ledger and change its objects) that was just taken: renews
 * it at every heartbeat until it is released, or lost because another run took it over or a user removed it. The
 * returned lease tells the run before each write whether it may go on. `firstRecord` and `firstVersion`: the lease
 * as it was written.
 */
export function keepLease(
  documents: Documents,
  clock: LeaseClock,
  firstRecord: LeaseRecord,
  firstVersion: string,
): Lease {
  let record = firstRecord;
  let version = firstVersion;
  const readClocks = () => ({ now: clock.now(), tick: clock.monotonic() });
  // The monotonic clock may stop while the machine sleeps, and the other one may be set back. The longer time is the safe one.
  const elapsedSince = (start: ReturnType<typeof readClocks>) =>
    Math.max(clock.now() - start.now, clock.monotonic() - start.tick);
  let seenAt = readClocks();
  let renewedAt = readClocks();
  const lost = new AbortController();
  const ended = new AbortController();

  const isOurs = (lease: StoredDocument | undefined): lease is StoredDocument =>
    lease !== undefined && parseLease(lease.text)?.run === record.run;
  const markLost = (lease: StoredDocument | undefined) =>
    lost.abort(new Problems([leaseLostProblem(documents.place, lease, clock.now())]));

  /**
   * Writes over our lease, and tries again if only its version is another one: a renewal of ours may have been stored without an answer,
   * and a waiting run may have added a note. Calls `onOtherLease` if the lease is not ours any more.
   */
  const overwrite = async (
    write: () => Promise<void>,
    onOtherLease: (lease: StoredDocument | undefined) => void,
  ): Promise<void> => {
    for (let retries = 5; ; retries--)
      try {
        return await write();
      } catch (error) {
        if (!(error instanceof Conflict)) throw error;
        const { stored } = error;
        if (!isOurs(stored)) return onOtherLease(stored);
        if (retries === 0) throw error;
        version = stored.version;
      }
  };

  const renewOnce = () =>
    overwrite(async () => {
      const renewed = renewRecord(record, clock.now());
      const startedAt = readClocks();
      // Set before the write: if it is stored without an answer, the next renewal must still be another text.
      record = renewed;
      version = await documents.write('lease', formatLease(renewed), { expected: version });
      seenAt = readClocks();
      renewedAt = startedAt;
    }, markLost);
  let renewing: Promise<void> | undefined;
  /** Renews the lease, or waits for the renewal that is under way. */
  const renew = () => {
    renewing ??= renewOnce().finally(() => {
      renewing = undefined;
    });
    return renewing;
  };

  const checkOnce = async () => {
    seenAt = readClocks();
    const lease = await documents.read('lease');
    if (!isOurs(lease) && !ended.signal.aborted) markLost(lease);
  };
  let checking: Promise<void> | undefined;
  /** Reads whether the lease is still ours, or waits for the reading that is under way. */
  const check = () => {
    checking ??= checkOnce().finally(() => {
      checking = undefined;
    });
    return checking;
  };

  const renewUntilEnd = async () => {
    while (!lost.signal.aborted && !ended.signal.aborted) {
      await clock.sleep(heartbeat, ended.signal);
      // A failed renewal is repeated at the next heartbeat. `confirm` reports it once the lease has expired.
      await renew().catch(() => {});
    }
  };
  const heartbeats = renewUntilEnd().catch(() => {});

  return {
    lost: lost.signal,
    confirm: async () => {
      if (ended.signal.aborted) raise('lease/released', 'the run was stopped; nothing more is written');
      // Another run may have taken the lease, or a person may have removed it. If the place does not answer, it is ours until it expires.
      const isUnchecked = checking || elapsedSince(seenAt) >= trustPeriod;
      if (!lost.signal.aborted && isUnchecked) await check().catch(() => {});
      // The machine may have slept, or its network may have been down, so that the heartbeats failed.
      if (!lost.signal.aborted && elapsedSince(renewedAt) >= leaseTerm) await renew();
      lost.signal.throwIfAborted();
    },
    release: async () => {
      ended.abort();
      await heartbeats;
      await renewing?.catch(() => {});
      if (lost.signal.aborted) return;
      // A lease that another run took over at the last moment stays.
      await overwrite(
        () => documents.remove('lease', { expected: version }),
        () => {},
      );
    },
  };
}

/**
 * Returns the problem with which a run stops because it lost its lease (the exclusive right to write a ledger): to
 * the run named in `lease` or, if there is no lease any more, because a user removed it with `trueup ledger
 * unlock`.
 */
function leaseLostProblem(place: string, lease: StoredDocument | undefined, now: number) {
  const record = lease && parseLease(lease.text);
  const cause = record
    ? `: it is in use by ${formatLeaseHolder(record, now)}`
    : lease
      ? ''
      : ' by `trueup ledger unlock`';
  return problem('lease/lost', `the lease of the ledger ${place} was taken from this run${cause}`, {
    hint: 'this run writes nothing more, and its last changes may be missing from the ledger; plan again once no other run is active',
  });
}
