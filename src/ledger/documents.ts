/*
 * Terms of this folder:
 *
 *   place      where the ledger of a stack is stored, as text for people: `trueup/shop.json`, `refs/trueup/shop at origin`
 *   document   one of the three texts that a place stores for a stack (`DocumentName`)
 *   version    a string that stands for the text of a document: two texts never have the same one. Writes name the version that they replace
 *   generation a number inside the ledger that counts its writes
 *   record     a file that tells what one run did; all records of a stack are its history
 */
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import type { OtherLedgerText } from './other-ledgers.ts';

/**
 * A document of a stack. `ledger` records what the stack owns and which creations it has started, `lease` names the run that works on the
 * stack now, and `plan` is the sealed plan that a fleet is to apply.
 */
export type DocumentName = 'ledger' | 'lease' | 'plan';

/** A document as it is stored. */
export interface StoredDocument {
  text: string;
  /** Stands for `text`: another text has another version. */
  version: string;
}

/** The records of a stack: one file for each run, identified by its file name. */
export interface HistoryFiles {
  /** Returns the file names of all records, oldest run first. */
  names(): Promise<string[]>;
  /** Returns the texts of these records by file name, without those that do not exist. */
  read(names: readonly string[]): Promise<Map<string, string>>;
}

/** Changes to the history that belong to a write of the ledger. A place makes both in one step if it can, else the history first. */
export interface HistoryUpdate {
  /** The new text of each changed record by file name; undefined removes the record. */
  records: ReadonlyMap<string, string | undefined>;
  /** Describes the write, for places with commit messages. */
  message: string;
}

/** A ledger of a store as it was read, with the version that `listVersions` returns as long as it stays the same. */
export interface VersionedLedger extends OtherLedgerText {
  name: string;
  /** Undefined if the store cannot tell whether it changes. */
  version: string | undefined;
}

/** The new text of a shard. */
export interface ShardWrite {
  name: string;
  text: string;
  /** The version that is replaced; undefined if there must be none. */
  expected: string | undefined;
}

/**
 * The part of a store that has its ownership index: the shards, and the versions of all ledgers. Methods throw `Problems` like those of
 * `Documents`.
 *
 * A version must differ whenever the content does. The store must find it, not the writer, because older versions of trueup without an
 * index write ledgers, too. It may also differ although the content is the same. Then a plan reads a ledger in vain.
 */
export interface OwnershipStore {
  /** The name that the ledger of this stack has, or would have. */
  readonly ownName: string;
  /** True if a run may begin the index without being asked. False for files, because a new folder would appear in somebody's checkout. */
  readonly mayBegin: boolean;
  /** Reads these shards of a folder, without those that do not exist. */
  readShards(folder: string, names: readonly string[]): Promise<ReadonlyMap<string, StoredDocument>>;
  /**
   * Replaces shards of a folder, with one write if the store can. Throws `Conflict` if it does not have the expected version of one of
   * them. Then some of the others may be replaced.
   */
  writeShards(folder: string, writes: readonly ShardWrite[]): Promise<void>;
  /** Returns the names of all ledgers. */
  listNames(): Promise<readonly string[]>;
  /**
   * Returns the versions of all ledgers by name, without reading them; undefined for one whose version can only be found out by reading.
   */
  listVersions(): Promise<ReadonlyMap<string, string | undefined>>;
  /** Reads these ledgers, without those that do not exist. */
  readLedgers(names: readonly string[]): Promise<VersionedLedger[]>;
}

/**
 * The storage of one stack: compare-and-set over its documents, and its history. Files, git refs, databases and object stores implement
 * it, so that everything above is independent of where ledgers are kept. Each method throws `Problems` if the place cannot be reached
 * or refuses, because a document that cannot be read must never be taken for an absent one.
 */
export interface Documents {
  /** The place, without credentials. */
  readonly place: string;
  /** The path of the lease, if it is a file. */
  leasePath?: string;
  /** Returns the path of the journal: a file of this machine that no version control sees. */
  journalPath(): Promise<string>;
  read(name: DocumentName): Promise<StoredDocument | undefined>;
  /** Returns the ledgers of other stacks in the same place, if reading them is cheap. Used to see which objects they own. */
  readOtherLedgers(): Promise<OtherLedgerText[]>;
  /** True if the place cannot list its ledgers, so that stacks may exist that `readOtherLedgers` does not return. */
  areOthersUnknown?: boolean;
  /** The ownership index of the place, by which a plan reads fewer ledgers of other stacks. Missing for places that have none. */
  ownership?: OwnershipStore | undefined;
  history: HistoryFiles;
  /**
   * Finds the lock that the storage server itself holds for a run; undefined if nothing is locked. A killed run leaves its lock behind,
   * and `trueup ledger unlock` removes it with `take`. Missing for places without locks of their own.
   */
  findHeldLock?(): Promise<{ holder: string; take(): Promise<void> } | undefined>;
  /** Returns the id of the commit that was read or written last, if the place has commits. */
  commit?(): string | undefined;
  /**
   * Replaces a document and returns its new version. `expected`: the version to replace, undefined if there must be none.
   * Throws `Conflict`, without changing anything, if another version is stored.
   */
  write(
    name: DocumentName,
    text: string,
    options: { expected: string | undefined; historyUpdate?: HistoryUpdate | undefined },
  ): Promise<string>;
  /** Removes a document. Throws `Conflict`, without changing anything, if the expected version is not stored. */
  remove(
    name: DocumentName,
    options: { expected: string; historyUpdate?: HistoryUpdate | undefined },
  ): Promise<void>;
}

/** The members of `Documents` that a store with a URL implements; the others follow from the URL alone. */
export type DocumentStore = Omit<Documents, 'place' | 'journalPath' | 'areOthersUnknown'>;

/** Reports that a write or removal expected a version that is not stored. Nothing was changed. */
export class Conflict extends Error {
  /** The document that is stored instead; undefined if there is none. */
  readonly stored: StoredDocument | undefined;

  constructor(stored: StoredDocument | undefined) {
    super('another run wrote it in the meantime');
    this.stored = stored;
  }
}

/** Returns the problem that each attempt to write a ledger failed: other runs were faster, or `reason`. */
export const contendedProblem = (place: string, reason = 'other runs keep writing it'): Diagnostic =>
  problem('ledger/contended', `the ledger ${place} cannot be written: ${reason}`, {
    hint: 'run trueup again',
  });

/** Returns the file name of a run's record: `000012.json` for run 12, so that names sort by run. */
export const recordFileName = (run: number): string => `${String(run).padStart(6, '0')}.json`;

/** True if a file name is one that `recordFileName` returns. */
export const isRecordFileName = (name: string): boolean => /^\d{6,12}\.json$/.test(name);

/** Returns the file names of records among others, oldest run first. Used by each kind of place to list a history. */
export const recordNamesIn = (names: Iterable<string>): string[] =>
  [...names].filter(isRecordFileName).sort();

/**
 * Returns a copy of a history (the records of runs, by file name) with the changes of one write: the new value of
 * each changed record, or undefined to remove it. Used by places that store all records of a stack in one document.
 */
export function changeRecords<T>(
  history: Readonly<Record<string, T>> | undefined,
  changes: Iterable<readonly [name: string, value: T | undefined]>,
): Record<string, T> {
  const changed = { ...history };
  for (const [name, value] of changes)
    if (value === undefined) delete changed[name];
    else changed[name] = value;
  return changed;
}

/** Returns the run number in the file name of a record. */
export const runNumberOf = (name: string): number => Number.parseInt(name, 10);
