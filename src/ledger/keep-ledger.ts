import type { Address } from '../model/address.ts';
import type { Ledger } from '../model/ledger.ts';
import type { LedgerStore } from './ledger-store.ts';

/** Saves the ledger of a run after each of its changes, without writing the whole ledger each time. */
export interface LedgerKeeper {
  /**
   * Saves the current ledger. The state of the `touched` addresses is appended to the journal on this machine. If a write is due, and with
   * `everywhere`, the whole ledger is then written to its place. `everywhere` is needed before requests that must not be repeated.
   */
  save(ledger: Ledger, options: { touched: Address[]; everywhere?: boolean }): Promise<void>;
  /** Writes the ledger, if it was saved since the last write. */
  flush(): Promise<void>;
  /** Ends a run: writes the ledger and removes the journal. If the write fails, the journal stays for the next run. */
  close(): Promise<void>;
}

interface KeeperOptions {
  store: LedgerStore;
  /** The generation that the store holds. */
  generation: number;
  /** Called with the written ledger after each write. */
  onWritten?(ledger: Ledger): void;
  /** The least milliseconds between two writes of changes that can wait. The interval is longer if writing is slow. */
  pace?: number;
  now?(): number;
}

/** A line of the journal that waits for the write before it. */
interface JournalAppend {
  /** The ledger as it was saved last. */
  ledger: Ledger;
  /** The addresses that all saves of this line have changed. */
  touched: Address[];
  /** Resolves when the line is on the disk. */
  done: Promise<void>;
}

const standardPace = 10_000;
/** The largest share of a run's time that may go into writing its ledger. Writing a large one takes seconds. */
const maxWritingShare = 1 / 20;

/**
 * Creates the keeper of a run's ledger: `save` is called after each change. It appends the change to the journal (a
 * file on this machine) at once, and writes the whole ledger only every `pace` milliseconds, or less often if
 * writing is slow. Writes run one at a time (`enqueue`), and changes that wait for the same write share a line. A failed
 * write of the ledger is repeated when the next one is due and at the end of the run. So a crash loses nothing, and a
 * large ledger does not slow down the run.
 */
export function createLedgerKeeper(options: KeeperOptions): LedgerKeeper {
  const { store, onWritten, pace = standardPace, now = Date.now } = options;
  let { generation } = options;
  let latest: Ledger | undefined;
  let writing: Promise<void> = Promise.resolve();
  let lastWrite = now();
  let writeDuration = 0;
  let timer: NodeJS.Timeout | undefined;
  let isJournalOpen = false;
  let nextLine: JournalAppend | undefined;
  /** The addresses of lines that could not be written. The next line has them, too. */
  let unwrittenAddresses: Address[] = [];
  /** True if an interrupted run left changes that only its journal has. A new journal would remove them, so the ledger is written first. */
  const hasUnwrittenJournal = () => store.journalText() !== undefined;
  /** Starts a write after those before it, even if they failed. */
  const enqueue = (work: () => Promise<void>): Promise<void> => {
    writing = writing.catch(() => {}).then(work);
    return writing;
  };
  /**
   * Writes the latest ledger, unless that is done. If it fails, the ledger remains the latest one, except if there is a newer one by then.
   */
  const write = async () => {
    const next = latest;
    if (!next) return;
    latest = undefined;
    lastWrite = now();
    try {
      const ledger = await store.write({ ...next, generation });
      generation = ledger.generation;
      writeDuration = now() - lastWrite;
      onWritten?.(ledger);
    } catch (error) {
      latest ??= next;
      throw error;
    }
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    return enqueue(write);
  };
  /** Appends a line to the journal. Changes that come while it waits for its turn join it: each line costs a wait for the disk. */
  const append = (ledger: Ledger, touched: Address[]): Promise<void> => {
    if (nextLine) {
      nextLine.ledger = ledger;
      nextLine.touched.push(...touched);
      return nextLine.done;
    }
    const line: JournalAppend = { ledger, touched: [...touched], done: Promise.resolve() };
    nextLine = line;
    line.done = enqueue(async () => {
      nextLine = undefined;
      unwrittenAddresses.push(...line.touched);
      await store.appendToJournal(line.ledger, unwrittenAddresses);
      unwrittenAddresses = [];
    });
    return line.done;
  };
  return {
    // `touched`: the addresses with changes since the last call. `everywhere`: write the whole ledger now.
    save: async (ledger, { touched, everywhere = false }) => {
      latest = ledger;
      if (!isJournalOpen && (everywhere || hasUnwrittenJournal())) {
        await flush();
        // This is the write before the first request. If the journal cannot be written, the run must fail now, not after some requests.
        await store.startJournal(ledger);
        isJournalOpen = true;
        return;
      }
      // Also before a write, because the write may take long or fail, and no later line would have these changes. After a write, the journal
      // starts again. So a line that waits for a write (`writing`) belongs to the new generation.
      await append(ledger, touched);
      isJournalOpen = true;
      const interval = Math.max(pace, writeDuration / maxWritingShare);
      const untilNextWrite = lastWrite + interval - now();
      if (everywhere || untilNextWrite <= 0) return flush();
      // The next change may be minutes away, because a request waits for its rate limit. So a timer writes the ledger without it.
      timer ??= setTimeout(() => void flush().catch(() => {}), untilNextWrite);
    },
    flush,
    close: async () => {
      await flush().finally(store.close);
    },
  };
}
