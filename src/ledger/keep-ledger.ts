import type { Address } from '../model/address.ts';
import type { Ledger } from '../model/ledger.ts';
import type { LedgerStore } from './ledger-store.ts';

/** Keeps a ledger while a run changes it. */
export interface LedgerKeeper {
  /** Notes what is said of these addresses now; on the disk of this machine when it resolves, and `everywhere` if that is asked for. */
  save(ledger: Ledger, how: { touched: Address[]; everywhere?: boolean }): Promise<void>;
  /** Writes what was noted since the last write. */
  flush(): Promise<void>;
  /** Ends a run: what was noted is written, and the journal goes; it stays where that fails. */
  close(): Promise<void>;
}

interface KeeperOptions {
  store: LedgerStore;
  /** The generation that the store holds. */
  generation: number;
  /** Told what is kept after each write. */
  onWritten?(ledger: Ledger): void;
  /** Milliseconds between two writes of what can wait; longer if a write is slow. */
  pace?: number;
  now?(): number;
}

const standardPace = 10_000;
/**
 * The largest share of the time that may go into writing. A large ledger takes seconds, and the journal has everything meanwhile.
 */
const mostOfTime = 1 / 10;

/**
 * Writes the ledger now and then, one write at a time, and each change of it into the journal. What could not be written is tried
 * again with the next change, and at the end.
 */
export function createLedgerKeeper(options: KeeperOptions): LedgerKeeper {
  const { store, onWritten, pace = standardPace, now = Date.now } = options;
  let { generation } = options;
  let latest: Ledger | undefined;
  let writing: Promise<void> = Promise.resolve();
  let lastWrite = now();
  let took = 0;
  let timer: NodeJS.Timeout | undefined;
  let isJournalOpen = false;
  const write = async () => {
    const next = latest;
    if (!next) return;
    latest = undefined;
    lastWrite = now();
    try {
      const ledger = await store.write({ ...next, generation });
      generation = ledger.generation;
      took = now() - lastWrite;
      onWritten?.(ledger);
    } catch (error) {
      latest ??= next;
      throw error;
    }
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.catch(() => {}).then(write);
    return writing;
  };
  return {
    save: async (ledger, { touched, everywhere = false }) => {
      latest = ledger;
      if (everywhere) {
        await flush();
        // The first write comes before the first request: a journal that cannot be written has to fail now, not after some requests.
        if (!isJournalOpen) await store.startJournal(ledger);
        isJournalOpen = true;
        return;
      }
      // A write that is under way has what was before, and ends the journal that has it too.
      const early = lastWrite + Math.max(pace, took / mostOfTime) - now();
      if (early <= 0) return flush();
      writing = writing.catch(() => {}).then(() => store.appendToJournal(ledger, touched));
      await writing;
      // Nobody may come by for a long time: a request may wait for its rate limit.
      timer ??= setTimeout(() => void flush().catch(() => {}), early);
    },
    flush,
    close: async () => {
      await flush().finally(store.close);
    },
  };
}
