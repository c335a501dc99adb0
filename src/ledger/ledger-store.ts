/*
 * Reads and writes the ledger of one stack safely, wherever its document is stored.
 *
 *   generation  counts the writes of a ledger. A run may only replace the generation that it read, so two runs never overwrite each other.
 *   proof       says which key signed a ledger, or why that is in doubt (see proof.ts).
 *   journal     holds, on this machine, the changes since the last write. A killed run leaves it behind, and the next read applies it.
 *   copied      a ledger whose `copiedTo` is set ended here: it was copied to another place, which counts from then on.
 */
import type { Address } from '../model/address.ts';
import { type Diagnostic, problem, raise } from '../model/diagnostic.ts';
import type { LedgerKey } from '../model/digest.ts';
import type { Ledger } from '../model/ledger.ts';
import { versionOfText } from './document-version.ts';
import { Conflict, type Documents, type HistoryUpdate, type StoredDocument } from './documents.ts';
import { assumeIntentsSent, type Journal } from './journal.ts';
import { formatLedgerParts } from './ledger-text.ts';
import { parseLedger } from './parse-ledger.ts';
import {
  isVerified,
  missingKeyProblem,
  type Proof,
  signParts,
  unverifiedProblem,
  verifyText,
} from './proof.ts';

interface WriteOptions {
  /** A person has reviewed the ledger, so an unverified one may be replaced (`trueup ledger sign`). */
  trusted?: true;
  /** Writes also a ledger that was copied to another place, to end its claims. */
  allowCopied?: true;
  /** The changes to the history that belong to this write. */
  historyUpdate?: HistoryUpdate | undefined;
}

/** The ledger of one stack in one place. */
export interface LedgerStore {
  /** The place, for people. */
  readonly place: string;
  /**
   * Reads the ledger, with the changes in the journal of an interrupted run; undefined if there is no ledger yet. Throws `Problems` for
   * one that cannot be parsed.
   */
  read(): Promise<Ledger | undefined>;
  /** Returns the proof of what `read` returned, including the journal; undefined if there was no ledger. */
  proof(): Proof | undefined;
  /** Returns the text of the journal that `read` applied; undefined if it applied none. */
  journalText(): string | undefined;
  /**
   * Throws `Problems` that name the remedy if the ledger that was read last is not verified, or was copied to another place (unless
   * `allowCopied`). Used before every action that relies on the ledger.
   */
  requireVerified(options?: { allowCopied?: true }): void;
  /**
   * Writes a ledger and returns it with its new generation. Throws `Problems` if there is no key, if another run has written since
   * `ledger` was read, or if `requireVerified` throws and no person has reviewed the ledger (`trusted`).
   */
  write(ledger: Ledger, options?: WriteOptions): Promise<Ledger>;
  /** Appends the current state of these addresses to the journal, so that a crash before the next write loses nothing. */
  appendToJournal(ledger: Ledger, touched: Address[]): Promise<void>;
  /** Begins an empty journal on top of the ledger, so that one that cannot be written fails before the first request. */
  startJournal(ledger: Ledger): Promise<void>;
  /** Ends a run: removes the journal, unless it has changes that no write contains. */
  close(): Promise<void>;
}

interface LedgerStoreOptions {
  /** Signs and verifies; without a key the ledger can only be read. */
  key: LedgerKey | undefined;
  journal?: Journal | undefined;
  /** The time, in milliseconds. */
  now?(): number;
}

/** The last ledger that a store read or wrote; generation 0 without a version if there was none. */
interface CurrentLedger {
  generation: number;
  version?: string;
  proof?: Proof;
  copiedTo?: string | undefined;
}

/**
 * Creates the store that reads, verifies and writes the ledger of one stack. Each command creates one and keeps it
 * until it ends, because the store remembers which version of the ledger it has read: a write replaces only that
 * version, so two runs never overwrite each other. `documents`: where the ledger is kept. `journal`: this machine's
 * file of changes since the last write, which `read` adds to the ledger.
 */
export const createLedgerStore = (documents: Documents, options: LedgerStoreOptions): LedgerStore =>
  new StoredLedger(documents, options);

/** The ledger of one stack in a store of documents. Its methods are properties, because callers copy a store to replace some of them. */
class StoredLedger implements LedgerStore {
  readonly place: string;
  readonly #documents: Documents;
  readonly #key: LedgerKey | undefined;
  readonly #journal: Journal | undefined;
  readonly #now: () => number;
  #current: CurrentLedger | undefined;
  /** The proof of the journal that the last read applied. */
  #journalProof: Proof | undefined;
  #journalText: string | undefined;
  /** True if the last read applied changes that only the journal of an earlier run has. */
  #hasJournaledChanges = false;
  /** True if this run appended to the journal since the last write. */
  #hasAppended = false;
  /** Digests of the texts whose writes ended without an answer since the last successful write. One of them may have been stored. */
  readonly #unansweredWrites = new Set<string>();

  /**
   * Opens the ledger of one stack in a store of documents. `key`: signs and verifies it. `journal`: the file with the changes of a run
   * since the last write; absent without one. `now`: returns the time.
   */
  constructor(documents: Documents, { key, journal, now = Date.now }: LedgerStoreOptions) {
    this.place = documents.place;
    this.#documents = documents;
    this.#key = key;
    this.#journal = journal;
    this.#now = now;
  }

  readonly read = async (): Promise<Ledger | undefined> => {
    const stored = await this.#documents.read('ledger');
    const ledger = this.#parseCurrent(stored);
    if (!ledger) return undefined;
    const replayed = await this.#journal?.replayOnto(ledger, () => versionOfText(stored!.text));
    this.#journalProof = replayed?.proof;
    this.#journalText = replayed?.text;
    this.#hasJournaledChanges = (replayed?.lines ?? 0) > 0;
    return replayed && this.#hasJournaledChanges ? replayed.ledger : assumeIntentsSent(ledger);
  };

  readonly proof = (): Proof | undefined => {
    const proof = this.#current?.proof;
    return this.#journalProof && proof && isVerified(proof) ? this.#journalProof : proof;
  };

  readonly journalText = (): string | undefined => this.#journalText;

  readonly requireVerified = ({ allowCopied }: { allowCopied?: true } = {}): void => {
    const proof = this.proof();
    if (proof && !isVerified(proof)) raise(unverifiedProblem(proof, this.#key));
    const copiedTo = this.#current?.copiedTo;
    if (copiedTo !== undefined && !allowCopied) raise(copiedLedgerProblem(this.place, copiedTo));
  };

  readonly write = async (ledger: Ledger, options?: WriteOptions): Promise<Ledger> => {
    const written = await this.#write(ledger, options);
    this.#unansweredWrites.clear();
    this.#hasAppended = false;
    this.#hasJournaledChanges = false;
    return written;
  };

  readonly startJournal = async (ledger: Ledger): Promise<void> =>
    this.#journal?.start({ ...ledger, generation: this.#current?.generation ?? 0 });

  readonly appendToJournal = async (ledger: Ledger, touched: Address[]): Promise<void> => {
    if (!this.#hasAppended) await this.startJournal(ledger);
    this.#hasAppended = true;
    await this.#journal?.append(ledger, touched);
  };

  readonly close = async (): Promise<void> => {
    // Changes that no write contains stay in the journal for the next run.
    if (this.#hasAppended || this.#hasJournaledChanges) await this.#journal?.close();
    else await this.#journal?.remove();
  };

  /**
   * Parses the stored ledger and remembers its generation, version and proof in `#current`, so that the next write
   * replaces only this version.
   */
  #parseCurrent(stored: StoredDocument | undefined): Ledger | undefined {
    const ledger = stored && parseLedger(stored.text, this.place);
    this.#journalProof = undefined;
    if (!ledger) {
      this.#current = { generation: 0 };
      return undefined;
    }
    const { text, version } = stored;
    const { generation, copiedTo } = ledger;
    // The same version has the same proof, and verifying a large ledger takes time.
    const earlierProof = this.#current?.version === version ? this.#current.proof : undefined;
    const proof = earlierProof ?? verifyText(text, this.#key, `the ledger ${this.place}`);
    this.#current = { generation, version, proof, copiedTo };
    return ledger;
  }

  /**
   * Continues a write that found another generation in the store (`stored`) than the run has read or written. After a lost answer, that
   * can be a write of ours: then writes on top of it. Otherwise throws `Problems`, because another run has written or removed the ledger.
   */
  #writeOver(
    stored: StoredDocument | undefined,
    ledger: Ledger,
    options: WriteOptions | undefined,
  ): Promise<Ledger> {
    const storedLedger = this.#parseCurrent(stored);
    if (storedLedger && this.#unansweredWrites.has(versionOfText(stored!.text)))
      return this.#write({ ...ledger, generation: storedLedger.generation }, options);
    raise(otherRunProblem(this.place, ledger, storedLedger));
  }

  /**
   * Does the write of `write`, which then notes that the journal has no further changes. Throws `Problems` without a key, if the stored
   * ledger is not verified (unless `trusted`), or if another run has written it since this run read it. A write of ours that failed without
   * an answer may have been stored: then it is not taken for another run's.
   */
  async #write(ledger: Ledger, options?: WriteOptions): Promise<Ledger> {
    const key = this.#key;
    if (!key) raise(missingKeyProblem);
    if (this.#current?.generation !== ledger.generation) {
      const stored = await this.#documents.read('ledger');
      const storedGeneration = this.#parseCurrent(stored)?.generation ?? 0;
      if (storedGeneration !== ledger.generation) return this.#writeOver(stored, ledger, options);
    }
    if (!options?.trusted) this.requireVerified(options);
    const next: Ledger = {
      ...ledger,
      generation: ledger.generation + 1,
      writtenAt: new Date(this.#now()).toISOString(),
      // Copies, because a run changes its records after the write.
      entries: { ...ledger.entries },
      begun: ledger.begun && { ...ledger.begun },
    };
    const text = signParts(formatLedgerParts(next), key);
    try {
      const version = await this.#documents.write('ledger', text, {
        expected: this.#current?.version,
        historyUpdate: options?.historyUpdate,
      });
      this.#current = { generation: next.generation, version, proof: { by: key.id } };
      this.#journalProof = undefined;
    } catch (error) {
      if (error instanceof Conflict) return this.#writeOver(error.stored, ledger, options);
      const digest = versionOfText(text);
      this.#unansweredWrites.add(digest);
      // The error of the write is reported, also if the journal cannot be written.
      if (this.#hasAppended) await this.#journal?.noteUnanswered(digest).catch(() => {});
      throw error;
    }
    return next;
  }
}

/**
 * Returns the problem that the ledger at `place` was copied to the place `to`, with which each command refuses the
 * outdated ledger. `isCertain`: false if the ledger's signature was not verified. Then an attacker may have written
 * `to`, so the hint warns.
 */
export const copiedLedgerProblem = (place: string, to: string, isCertain = true): Diagnostic =>
  problem(
    'ledger/copied',
    `the ledger ${place} ${isCertain ? 'was copied to' : 'says, not verified here, that it was copied to'} ${to}, which is authoritative now`,
    {
      hint: isCertain
        ? 'use that place with `ledger:` in the YAML (or --ledger, TRUEUP_LEDGER); to move back, run `trueup ledger copy` from there to here'
        : 'there is no key here: ask someone who has it whether that is true before you use that place',
    },
  );

/**
 * Returns the problem with which a write of the ledger stops because another run has replaced the ledger since this run last read or wrote
 * it. `ours`: the ledger to be written, with the generation that this run last read or wrote; `stored`: the one there now, undefined if it
 * was removed.
 */
function otherRunProblem(place: string, ours: Ledger, stored: Ledger | undefined): Diagnostic {
  const storedState = stored
    ? `it is at generation ${stored.generation} with ${Object.keys(stored.entries).length} entries`
    : 'it is missing';
  return problem(
    'ledger/moved',
    `the ledger ${place} was changed by another run: ${storedState}, but this run started from generation ${ours.generation}`,
    { hint: 'wait until the other run finishes, then plan again' },
  );
}
