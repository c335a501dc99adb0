import type { OtherText } from './other-ledgers.ts';

/** The documents of a stack: `ledger` records what it owns and is about to do, `lease` who works on it now. */
export type DocumentName = 'ledger' | 'lease';

/** A document as it is kept. Its version stands for its text: another text is another version. */
export interface StoredDocument {
  text: string;
  version: string;
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
  others(): Promise<OtherText[]>;
  /** The commit that was read last, if the place keeps a history. */
  commit?(): string | undefined;
  /** Replaces the expected version (undefined: none) in one step and gives back the new one; throws `Conflict` where another is kept. */
  write(name: DocumentName, text: string, options: { expected: string | undefined }): Promise<string>;
  /** Removes the expected version in one step; throws `Conflict` where another, or none, is kept. */
  remove(name: DocumentName, options: { expected: string }): Promise<void>;
}

/** Another version was there than the one that was to be replaced. Nothing was changed. */
export class Conflict extends Error {
  readonly found: StoredDocument | undefined;

  constructor(found: StoredDocument | undefined) {
    super('somebody else wrote it meanwhile');
    this.found = found;
  }
}
