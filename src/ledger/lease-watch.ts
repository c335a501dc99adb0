import type { Documents, StoredDocument } from './documents.ts';
import { heartbeat, type LeaseRecord, leaseText, parseLease, term } from './lease-record.ts';

/** When the first note is written, and how far apart they are: a holder that lives has renewed its lease before the first. */
const [firstNote, betweenNotes] = [1.5 * heartbeat, heartbeat / 2];

/**
 * How long a lease has stood still, by our own clock: what we saw ourselves, and what those noted in it who watched before. Whoever waits
 * notes it in the lease, so that the next one goes on from there where this one ends too early; with short-lived runs nobody else would
 * ever see a whole term. A note is never more than the time that has passed, whatever clocks say, since each adds only what it watched.
 */
export class LeaseWatch {
  readonly #documents: Documents;
  #found: StoredDocument | undefined;
  #held: string | undefined;
  #still = 0;
  #tick = 0;
  #isAlive = false;

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  /** What was found at a moment of the monotonic clock. */
  see(found: StoredDocument | undefined, tick: number): void {
    const record = found && parseLease(found.text);
    // A note by somebody else who waits is no sign of life.
    const held = record ? heldText(record) : found?.version;
    if (held !== undefined && held === this.#held) this.#still += tick - this.#tick;
    else {
      this.#isAlive ||= held !== undefined && this.#held !== undefined;
      this.#still = 0;
    }
    this.#still = Math.max(this.#still, record?.watched ?? 0);
    this.#found = found;
    this.#held = held;
    this.#tick = tick;
  }

  /** How long it has not been renewed, in milliseconds. */
  get still(): number {
    return this.#still;
  }

  /** True if it changed while we watched: its holder works, or another one has it. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Notes for those who watch next how long it has stood still. That it cannot be noted makes them wait longer, and is no error. */
  async note(): Promise<void> {
    const record = this.#found && parseLease(this.#found.text);
    const isNews = this.#still >= firstNote && this.#still - (record?.watched ?? 0) >= betweenNotes;
    if (!record || !isNews || this.#still >= term) return;
    const text = leaseText({ ...record, watched: Math.floor(this.#still) });
    await this.#documents.write('lease', text, { expected: this.#found!.version }).catch(() => {});
  }
}

/** All of a lease that its holder wrote. */
function heldText({ watched: _, ...held }: LeaseRecord): string {
  return leaseText(held);
}
