import type { Documents, StoredDocument } from './documents.ts';
import { formatLease, heartbeat, holderTextOf, leaseTerm, parseLease } from './lease-record.ts';

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
   * Adds a reading of another run's lease (its exclusive right to write the ledger) to the measurement of how long its holder has not
   * renewed it: the time grows, or starts again after a renewal. A run that waits takes over a lease that was not renewed for long. If
   * earlier waiting runs noted a longer time in the lease (`watched`), that counts. Each renewal changes the `holderText`. `readAt`: when
   * the lease was read, in milliseconds of the monotonic clock.
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
   * Writes into another run's lease (its exclusive right to write the ledger) how long it has not been renewed, if that is long enough to
   * help. Called while a run waits for the lease: if it gives up before a whole term is over, the next waiting run need not start at 0. If
   * the write fails, others only wait longer.
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
