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
import { Conflict, type Documents, type StoredDocument } from './documents.ts';
import { formatLease, heartbeat, leaseTerm, parseLease } from './lease-record.ts';

/** A note shorter than this, in milliseconds, is useless: a holder that lives renews its lease before and so removes the note. */
const firstNote = 1.5 * heartbeat;
/** The least difference between two notes, in milliseconds. */
const noteInterval = heartbeat / 2;

/** Measures how long the lease of one stack stays unchanged, while a run waits for it. */
export class LeaseWatch {
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
   * Adds a reading of the lease to the measurement: the time without a renewal grows, or starts again if the holder
   * has renewed the lease. `readAt`: when it was read, in milliseconds of the monotonic clock.
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
   * Notes the measured time in the lease, if it is long enough to help the next watcher. A failed note only makes
   * others wait longer. Called while a run waits for the lease, because it may give up before a whole term is over.
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
 * Returns the lease without notes of watchers. Used to compare two readings, so that a note of a waiting run does not
 * look like a sign of life from the holder.
 */
function holderTextOf({ text, version }: StoredDocument): string {
  const record = parseLease(text);
  if (!record) return version;
  const { watched: _, ...holderPart } = record;
  return formatLease(holderPart);
}

/**
 * Removes a lease that was read before, also if watchers have added notes since. Used by `trueup ledger unlock`. Rejects with a `Conflict`
 * if the holder renewed it meanwhile.
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
