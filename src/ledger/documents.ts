import type { OtherLedgerText } from './other-ledgers.ts';

/**
 * The documents of a stack: `ledger` records what it owns and is about to do, `lease` who works on it now, `plan` is the sealed plan that a
 * fleet is to carry out.
 */
export type DocumentName = 'ledger' | 'lease' | 'plan';

/** A document as it is kept. Its version stands for its text: another text is another version. */
export interface StoredDocument {
  text: string;
  version: string;
}

/** The history of a stack: its records, a file each, by their names. */
export interface HistoryFiles {
  /** In order. */
  names(): Promise<string[]>;
  /** The texts of these; what is not there is left out. */
  read(names: readonly string[]): Promise<Map<string, string>>;
}

/** The documents that go with a write, in the same step if the place can do that. */
export interface HistoryUpdate {
  /** The records that are other ones from now on; undefined: gone. */
  records: ReadonlyMap<string, string | undefined>;
  /** Says what was done, where the place keeps such words. */
  message: string;
}

/**
 * All that a place for ledgers has to offer: compare-and-set over a few small documents of one stack. Each method throws `Problems`
 * for people where the place cannot be reached or refuses; what cannot be read is never taken for absent.
 */
export interface Documents {
  /** For people: where it is. Never with credentials. */
  readonly place: string;
  /** The file with the lease, where it is one. */
  leasePath?: string;
  /** The file of this machine in which a run notes what it does between two writes; outside of what is versioned. */
  journalPath(): Promise<string>;
  read(name: DocumentName): Promise<StoredDocument | undefined>;
  /** The ledgers of other stacks in the same place, as far as they are cheap to read. */
  readOtherLedgers(): Promise<OtherLedgerText[]>;
  /** True if the place cannot list its ledgers: then there may be other stacks. */
  areOthersUnknown?: boolean;
  history: HistoryFiles;
  /** The lock of the place itself that a run has, or left behind when it was killed; only where there is such a thing. */
  findHeldLock?(): Promise<{ holder: string; take(): Promise<void> } | undefined>;
  /** The commit that was read last, if the place keeps a history. */
  commit?(): string | undefined;
  /** Replaces the expected version (undefined: none) in one step and gives back the new one; throws `Conflict` where another is kept. */
  write(
    name: DocumentName,
    text: string,
    options: { expected: string | undefined; historyUpdate?: HistoryUpdate | undefined },
  ): Promise<string>;
  /** Removes the expected version in one step; throws `Conflict` where another, or none, is kept. */
  remove(
    name: DocumentName,
    options: { expected: string; historyUpdate?: HistoryUpdate | undefined },
  ): Promise<void>;
}

/** The part that a store implements itself: the rest is told by its address. */
export type DocumentStore = Omit<Documents, 'place' | 'journalPath' | 'areOthersUnknown'>;

/** Another version was there than the one that was to be replaced. Nothing was changed. */
export class Conflict extends Error {
  readonly stored: StoredDocument | undefined;

  constructor(storedDocument: StoredDocument | undefined) {
    super('another run wrote it in the meantime');
    this.stored = storedDocument;
  }
}

/** The name of the file with the record of a run: `000012.json`. */
export const recordFileName = (run: number): string => `${String(run).padStart(6, '0')}.json`;

/** True for the name of a file that is a record. */
export const isRecordFileName = (name: string): boolean => /^\d{6,12}\.json$/.test(name);

/** The number of the run whose record has this name. */
export const runNumberOf = (name: string): number => Number.parseInt(name, 10);
