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
 * returned lease tells the run before each write whether it may go on. `record` and `version`: the lease as it was
 * written.
 */
export function keepLease(
  documents: Documents,
  clock: LeaseClock,
  record: LeaseRecord,
  version: string,
): Lease {
  const keeper = new LeaseKeeper(documents, clock, record, version);
  // Own members, because `holdLease` copies the lease with a spread.
  return {
    lost: keeper.lost,
    confirm: () => keeper.confirm(),
    release: () => keeper.release(),
  };
}

/** The moment of an event, on both clocks. */
interface ClockReading {
  now: number;
  monotonic: number;
}

/** Renews a lease of this run, and finds out whether it is lost. */
class LeaseKeeper implements Lease {
  readonly #documents: Documents;
  readonly #clock: LeaseClock;
  /** The lease as this run wrote it last. */
  #record: LeaseRecord;
  /** The version of its stored text, which the next renewal replaces. */
  #version: string;
  /** When the lease was last read or renewed. */
  #seenAt: ClockReading;
  /** When the last renewal that succeeded was started. */
  #renewedAt: ClockReading;
  readonly #lost = new AbortController();
  readonly #ended = new AbortController();
  /** The renewal that is under way. */
  #renewing: Promise<void> | undefined;
  /** The check that is under way. */
  #checking: Promise<void> | undefined;
  readonly #heartbeats: Promise<void>;

  /**
   * Starts to renew a lease (the exclusive right of a run to write its ledger) that was just taken. A lease expires
   * unless it is renewed at every heartbeat, so that other runs need not wait for one that was killed. `record`: the
   * lease as it was written to the store of the ledger (`documents`); `version`: that of its stored text.
   */
  constructor(documents: Documents, clock: LeaseClock, record: LeaseRecord, version: string) {
    this.#documents = documents;
    this.#clock = clock;
    this.#record = record;
    this.#version = version;
    this.#seenAt = this.#readClocks();
    this.#renewedAt = this.#seenAt;
    this.#heartbeats = this.#renewUntilEnd().catch(() => {});
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /**
   * Makes sure that this run still holds its lease (the exclusive right to write its ledger), before each write.
   * Another run may have taken it over, or a user may have removed it, so it is read again unless that was a moment
   * ago. If the storage does not answer, the lease counts as ours until it expires. Then it must be renewed. Throws
   * `Problems` if the lease is lost or was released.
   */
  async confirm(): Promise<void> {
    if (this.#ended.signal.aborted) raise('lease/released', 'the run was stopped; nothing more is written');
    const isUnchecked = this.#checking || this.#elapsedSince(this.#seenAt) >= trustPeriod;
    if (!this.lost.aborted && isUnchecked) await this.#check().catch(() => {});
    // The machine may have slept, or its network may have been down, so that the heartbeats failed.
    if (!this.lost.aborted && this.#elapsedSince(this.#renewedAt) >= leaseTerm) await this.#renew();
    this.lost.throwIfAborted();
  }

  /**
   * Ends the renewals and removes the lease (the exclusive right to write a ledger) at the end of the run, so that the next run need not
   * wait until it expires. If another run has taken the lease over, its lease stays.
   */
  async release(): Promise<void> {
    this.#ended.abort();
    await this.#heartbeats;
    await this.#renewing?.catch(() => {});
    if (this.lost.aborted) return;
    await this.#overwrite(
      () => this.#documents.remove('lease', { expected: this.#version }),
      // The lease of another run stays.
      () => {},
    );
  }

  /**
   * Renews the lease (the exclusive right to write a ledger) at every heartbeat, so that no other run takes it over. If that fails, it is
   * repeated at the next one; `confirm` reports it once the lease has expired.
   */
  async #renewUntilEnd(): Promise<void> {
    while (!this.lost.aborted && !this.#ended.signal.aborted) {
      await this.#clock.sleep(heartbeat, this.#ended.signal);
      await this.#renew().catch(() => {});
    }
  }

  /**
   * Renews the lease (the exclusive right to write a ledger), or waits for the renewal that is under way, because two at a time would
   * conflict.
   */
  #renew(): Promise<void> {
    this.#renewing ??= this.#renewOnce().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  /**
   * Writes the lease (the exclusive right to write a ledger) with a new expiry; if another run has taken it, marks it as lost. The new
   * content is remembered before the write: if it is stored without an answer, the next renewal must still be another text, because waiting
   * runs take over a lease whose text stays the same.
   */
  #renewOnce(): Promise<void> {
    return this.#overwrite(
      async () => {
        const startedAt = this.#readClocks();
        this.#record = renewRecord(this.#record, this.#clock.now());
        this.#version = await this.#documents.write('lease', formatLease(this.#record), {
          expected: this.#version,
        });
        this.#seenAt = this.#readClocks();
        this.#renewedAt = startedAt;
      },
      (lease) => this.#markLost(lease),
    );
  }

  /**
   * Reads whether the lease (the exclusive right to write a ledger) is still ours, or waits for the reading that is under way. If another
   * run has taken it, or a user has removed it, marks it as lost, so that this run writes nothing more.
   */
  #check(): Promise<void> {
    this.#checking ??= this.#checkOnce().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  /**
   * Reads the lease (the exclusive right to write a ledger), and marks it as lost if it is not that of this run any more: another run has
   * taken it, or a user has removed it. A lease that this run is releasing is not lost.
   */
  async #checkOnce(): Promise<void> {
    this.#seenAt = this.#readClocks();
    const lease = await this.#documents.read('lease');
    if (!this.#isOurs(lease) && !this.#ended.signal.aborted) this.#markLost(lease);
  }

  /**
   * Does a write that replaces or removes the lease of this run, and repeats it if the stored lease is ours but has
   * another version: a renewal of ours may have been stored without an answer, and a waiting run may have added a
   * note. Calls `onOtherLease` if the lease is not ours any more.
   */
  async #overwrite(
    write: () => Promise<void>,
    onOtherLease: (lease: StoredDocument | undefined) => void,
  ): Promise<void> {
    for (let retries = 5; ; retries--)
      try {
        return await write();
      } catch (error) {
        if (!(error instanceof Conflict)) throw error;
        const { stored } = error;
        if (!this.#isOurs(stored)) return onOtherLease(stored);
        if (retries === 0) throw error;
        this.#version = stored.version;
      }
  }

  #isOurs(lease: StoredDocument | undefined): lease is StoredDocument {
    return lease !== undefined && parseLease(lease.text)?.run === this.#record.run;
  }

  #markLost(lease: StoredDocument | undefined): void {
    this.#lost.abort(new Problems([leaseLostProblem(this.#documents.place, lease, this.#clock.now())]));
  }

  #readClocks(): ClockReading {
    return { now: this.#clock.now(), monotonic: this.#clock.monotonic() };
  }

  /**
   * Returns the milliseconds since a moment. One clock may stop while the machine sleeps, and the other may be set
   * back: the longer time is safe.
   */
  #elapsedSince({ now, monotonic }: ClockReading): number {
    return Math.max(this.#clock.now() - now, this.#clock.monotonic() - monotonic);
  }
}

/**
 * Returns the problem with which a run stops because it lost its lease (the exclusive right to write a ledger): to
 * the run named in `lease` or, if there is no lease any more, because a user removed it with `trueup ledger
 * unlock`.
 */
function leaseLostProblem(place: string, lease: StoredDocument | undefined, now: number) {
  const record = lease && parseLease(lease.text);
  const holderText = record ? `: it is in use by ${formatLeaseHolder(record, now)}` : '';
  // A lease in an unknown form names no holder.
  const cause = lease ? holderText : ' by `trueup ledger unlock`';
  return problem('lease/lost', `the lease of the ledger ${place} was taken from this run${cause}`, {
    hint: 'this run writes nothing more, and its last changes may be missing from the ledger; plan again once no other run is active',
  });
}
