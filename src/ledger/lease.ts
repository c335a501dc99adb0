import { Problems, problem, raise } from '../model/diagnostic.ts';
import { Conflict, type Documents, type StoredDocument } from './documents.ts';
import {
  formatLease,
  formatLeaseHolder,
  type Holder,
  hasPlausibleExpiry,
  heartbeat,
  type LeaseRecord,
  leaseHeldProblem,
  leaseTerm,
  parseLease,
} from './lease-record.ts';

/*
 * The lease of a stack: only the run that holds it may write the ledger and change objects, so that two runs never work on one stack.
 *
 * The lease is a document beside the ledger. Its holder renews it at every `heartbeat`. A run that finds the lease of another run waits, or
 * reports who holds it. If the holder does not renew the lease for a whole `leaseTerm`, its run is gone and the lease is taken over
 * (`LeaseWatch` measures that).
 */

/** The clocks that a lease needs. Tests bring their own. */
export interface LeaseClock {
  /** Milliseconds since 1970. Can be set. */
  now(): number;
  /** Milliseconds since an arbitrary moment. Cannot be set, but may stop while the machine sleeps. */
  monotonic(): number;
  /** Waits. Rejects when `signal` is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

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

/** The right of one run to write the ledger of a stack and to change its objects. Renewed until it is released. */
export interface Lease {
  /** Aborted when another run has taken the lease. The reason is `Problems` with its holder. */
  readonly lost: AbortSignal;
  /** Must be called before each write. Rejects with `Problems` if the lease is lost, released, or expired and not renewable. */
  confirm(): Promise<void>;
  /** Gives the lease back, unless it is lost. */
  release(): Promise<void>;
}

/** Milliseconds between two readings of a lease that another run holds. */
const pollInterval = 2000;
/** After our lease was read or renewed, `confirm` does not read it again for this time, in milliseconds. */
const trustPeriod = 2000;

/**
 * Takes the lease of a stack (the exclusive right to write its ledger and change its objects), at the start of each
 * run that writes. A lease of another run is
 *   - taken over if it stays unchanged for a whole `leaseTerm`, without regard to its dates,
 *   - watched for that long if its dates cannot be right, since the holder may be long gone,
 *   - otherwise waited for, up to `wait` milliseconds.
 * Throws `Problems` that name the holder when the wait is over.
 */
export async function acquireLease(documents: Documents, options: LeaseOptions): Promise<Lease> {
  const { holder, clock, wait = 0, onWait } = options;
  const start = clock.monotonic();
  const watch = new LeaseWatch(documents);
  for (let isWaitAnnounced = false; ; ) {
    const lease = await documents.read('lease');
    const record = lease && parseLease(lease.text);
    const readAt = clock.monotonic();
    watch.observe(lease, readAt);
    const isExpired = record !== undefined && watch.unchangedFor >= leaseTerm;
    if (!lease || isExpired) {
      const since = new Date(clock.now()).toISOString();
      const ourRecord = renewRecord({ formatVersion: 1, ...holder, since, expires: since }, clock.now());
      try {
        const version = await documents.write('lease', formatLease(ourRecord), { expected: lease?.version });
        return keepLease(documents, clock, ourRecord, version);
      } catch (error) {
        if (!(error instanceof Conflict)) throw error;
        // Another run was faster. Read its lease.
        continue;
      }
    }
    const now = clock.now();
    const heldProblem = leaseHeldProblem(documents.place, record, now);
    const isDoubtful = record !== undefined && !hasPlausibleExpiry(record, now) && !watch.hasChanged;
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
 * Returns the content of a lease (the exclusive right of one run to write a ledger) after a renewal, with a new
 * expiry. Used when a run takes the lease and at each heartbeat. Waiting runs take a lease over if its text stays
 * the same for long; the counter `renewals` makes each text differ, even if the clock stands still.
 */
const renewRecord = (record: LeaseRecord, now: number): LeaseRecord => ({
  ...record,
  renewals: (record.renewals ?? -1) + 1,
  expires: new Date(now + leaseTerm).toISOString(),
});

/**
 * Keeps a lease (the exclusive right of a run to write a ledger and change its objects) that was just taken: renews
 * it at every heartbeat until it is released, or lost because another run took it over or a user removed it. The
 * returned lease tells the run before each write whether it may go on. `firstRecord` and `firstVersion`: the lease
 * as it was written.
 */
function keepLease(
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

/*
 * Finds out whether the holder of a lease is still alive.
 *
 * A holder renews its lease every `heartbeat`. If the text of the lease does not change for a whole `leaseTerm`, the holder is gone and
 * the lease may be taken over. The dates in the lease cannot prove that, because the clocks of two machines differ. Instead each waiting
 * run (a watcher) measures with its own clock how long the lease stays unchanged.
 *
 * A watcher that gives up before a whole term would leave nothing behind, and a series of short runs would wait forever. So a watcher
 * notes its measurement in the lease (`watched`), and the next watcher adds to it. Example: run A watches for 40 s, notes 35 s and ends.
 * Run B finds 35 s noted and takes the lease over 25 s later. A note is never more than the time that has really passed, because each
 * watcher adds only what it has measured itself.
 */

/** A note shorter than this, in milliseconds, is useless: a holder that lives renews its lease before and so removes the note. */
const firstNote = 1.5 * heartbeat;
/** The least difference between two notes, in milliseconds. */
const noteInterval = heartbeat / 2;

/** Measures how long the lease of one stack stays unchanged, while a run waits for it. */
class LeaseWatch {
  readonly #documents: Documents;
  /** The lease as it was read last, with notes. */
  #lastRead: StoredDocument | undefined;
  /** The part of that lease that its holder wrote. */
  #holderText: string | undefined;
  #unchangedFor = 0;
  /** The moment of the last reading, on the monotonic clock. */
  #readAt = 0;
  #hasChanged = false;

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  /**
   * Adds a reading of another run's lease to the measurement of how long its holder has not renewed it: the time
   * grows, or starts again after a renewal. A run that waits takes over a lease that was not renewed for long. If
   * earlier waiting runs noted a longer time in the lease (`watched`), that counts. `readAt`: when it was read, in
   * milliseconds of the monotonic clock.
   */
  observe(lease: StoredDocument | undefined, readAt: number): void {
    const record = lease && parseLease(lease.text);
    const holderText = lease && holderTextOf(lease);
    if (holderText !== undefined && holderText === this.#holderText)
      this.#unchangedFor += readAt - this.#readAt;
    else {
      this.#hasChanged ||= holderText !== undefined && this.#holderText !== undefined;
      this.#unchangedFor = 0;
    }
    this.#unchangedFor = Math.max(this.#unchangedFor, record?.watched ?? 0);
    this.#lastRead = lease;
    this.#holderText = holderText;
    this.#readAt = readAt;
  }

  /** The time without a renewal in milliseconds, including what earlier watchers noted. */
  get unchangedFor(): number {
    return this.#unchangedFor;
  }

  /** True if the lease changed during this watch: its holder is alive, or another run has taken it over. */
  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  /**
   * Writes into another run's lease how long it has not been renewed, if that is long enough to help. Called while
   * a run waits for the lease: if it gives up before a whole term is over, the next waiting run need not start at
   * 0. If the write fails, others only wait longer.
   */
  async noteInLease(): Promise<void> {
    const record = this.#lastRead && parseLease(this.#lastRead.text);
    const isWorthNoting =
      this.#unchangedFor >= firstNote && this.#unchangedFor - (record?.watched ?? 0) >= noteInterval;
    if (!record || !isWorthNoting || this.#unchangedFor >= leaseTerm) return;
    const text = formatLease({ ...record, watched: Math.floor(this.#unchangedFor) });
    await this.#documents.write('lease', text, { expected: this.#lastRead!.version }).catch(() => {});
  }
}

/**
 * Returns the part of a lease that its holder wrote. Runs that wait for the lease note in it (`watched`) how long
 * it has not been renewed; such a note must not look like a renewal when two readings are compared. A lease in an
 * unknown form is represented by its version.
 */
function holderTextOf({ text, version }: StoredDocument): string {
  const record = parseLease(text);
  if (!record) return version;
  const { watched: _, ...holderPart } = record;
  return formatLease(holderPart);
}

/**
 * Removes a lease, for `trueup ledger unlock`. `lease`: the lease as it was shown to the user. Notes that waiting
 * runs have added to it since do not matter. Rejects with a `Conflict` if its holder renewed it meanwhile, because
 * then the holder is alive.
 */
export async function removeLease(documents: Documents, lease: StoredDocument): Promise<void> {
  for (let { version } = lease; ; )
    try {
      return await documents.remove('lease', { expected: version });
    } catch (error) {
      const stored = error instanceof Conflict ? error.stored : undefined;
      // If the same version was refused, no note is the cause, and trying again would never end.
      if (!stored || stored.version === version || holderTextOf(stored) !== holderTextOf(lease)) throw error;
      version = stored.version;
    }
}
