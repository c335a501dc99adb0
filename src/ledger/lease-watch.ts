import { Conflict, type Documents, type StoredDocument } from './documents.ts';
import { formatLease, heartbeat, leaseTerm, parseLease } from './lease-record.ts';

/** When the first note is written, and how far apart they are: a holder that lives has renewed its lease before the first. */
const [firstNote, betweenNotes] = [1.5 * heartbeat, heartbeat / 2];

/**
 * Measures how long a lease has stood still, by our own clock and by the notes of earlier watchers. Each watcher notes its measure in the
 * lease, so that the next one goes on from there if this one dies: among short-lived runs nobody would ever see a whole term. A note never
 * exceeds the time that has really passed, whatever clocks say, since each watcher adds only what it saw.
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

  /** Takes in the lease as found at a moment of the monotonic clock. */
  observe(storedDocument: StoredDocument | undefined, tick: number): void {
    const record = storedDocument && parseLease(storedDocument.text);
    const held = storedDocument && heldText(storedDocument);
    if (held !== undefined && held === this.#held) this.#still += tick - this.#tick;
    else {
      this.#isAlive ||= held !== undefined && this.#held !== undefined;
      this.#still = 0;
    }
    this.#still = Math.max(this.#still, record?.watched ?? 0);
    this.#found = storedDocument;
    this.#held = held;
    this.#tick = tick;
  }

  /** The time without a renewal, in milliseconds. */
  get unchangedFor(): number {
    return this.#still;
  }

  /** True if it changed while we watched: its holder works, or another one has it. */
  get hasChanged(): boolean {
    return this.#isAlive;
  }

  /** Notes for those who watch next how long it has stood still. That it cannot be noted makes them wait longer, and is no error. */
  async noteInLease(): Promise<void> {
    const record = this.#found && parseLease(this.#found.text);
    const isNews = this.#still >= firstNote && this.#still - (record?.watched ?? 0) >= betweenNotes;
    if (!record || !isNews || this.#still >= leaseTerm) return;
    const text = formatLease({ ...record, watched: Math.floor(this.#still) });
    await this.#documents.write('lease', text, { expected: this.#found!.version }).catch(() => {});
  }
}

/** All of a lease that its holder wrote: a note of somebody who waits is no sign of life. */
function heldText({ text, version }: StoredDocument): string {
  const record = parseLease(text);
  if (!record) return version;
  const { watched: _, ...held } = record;
  return formatLease(held);
}

/** Removes a lease as it was found, whatever was noted in it since. Rejects with a `Conflict` if its holder renewed it. */
export async function removeLease(documents: Documents, storedDocument: StoredDocument): Promise<void> {
  for (let { version } = storedDocument; ; )
    try {
      return await documents.remove('lease', { expected: version });
    } catch (error) {
      const now = error instanceof Conflict ? error.stored : undefined;
      // The same text refused is none that somebody noted in.
      if (!now || now.version === version || heldText(now) !== heldText(storedDocument)) throw error;
      version = now.version;
    }
}
