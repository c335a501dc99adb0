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
import { type LedgerKey, withSortedMembers } from '../model/digest.ts';
import type { Ledger } from '../model/ledger.ts';
import { Conflict, type Documents, type HistoryUpdate, type StoredDocument } from './documents.ts';
import { assumeIntentsSent, type Journal } from './journal.ts';
import { parseLedger } from './parse-ledger.ts';
import {
  isVerified,
  missingKeyProblem,
  type Proof,
  signText,
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
export function createLedgerStore(
  documents: Documents,
  { key, journal, now = Date.now }: LedgerStoreOptions,
): LedgerStore {
  const { place } = documents;
  let current: CurrentLedger | undefined;
  /** The proof of the journal that the last read applied. */
  let journalProof: Proof | undefined;
  let journalText: string | undefined;
  /** True if the last read applied changes that only the journal of an earlier run has. */
  let hasJournaledChanges = false;
  /** True if this run appended to the journal since the last write. */
  let hasAppended = false;
  /** The text of a write that ended without an answer. It may have been stored nevertheless. */
  let unansweredText: string | undefined;

  /**
   * Parses the stored ledger and remembers its generation, version and proof in `current`, so that the next write
   * replaces only this version.
   */
  const setCurrent = (stored: StoredDocument | undefined): Ledger | undefined => {
    const ledger = stored && parseLedger(stored.text, place);
    // The same version has the same proof, and verifying a large ledger takes time.
    const proof =
      current && stored?.version === current.version
        ? current.proof
        : stored && verifyText(stored.text, key, `the ledger ${place}`);
    const { generation, copiedTo } = ledger ?? { generation: 0 };
    current = stored ? { generation, version: stored.version, proof: proof!, copiedTo } : { generation };
    journalProof = undefined;
    return ledger;
  };
  const proof = (): Proof | undefined =>
    journalProof && current?.proof && isVerified(current.proof) ? journalProof : current?.proof;
  const requireVerified = ({ allowCopied }: { allowCopied?: true } = {}) => {
    const currentProof = proof();
    if (currentProof && !isVerified(currentProof)) raise(unverifiedProblem(currentProof, key));
    if (current?.copiedTo !== undefined && !allowCopied) raise(copiedLedgerProblem(place, current.copiedTo));
  };
  const readStored = async () => setCurrent(await documents.read('ledger'));
  const readWithJournal = async () => {
    const ledger = await readStored();
    if (!ledger) return undefined;
    const replayed = await journal?.replayOnto(ledger);
    journalProof = replayed?.proof;
    journalText = replayed?.text;
    hasJournaledChanges = (replayed?.lines ?? 0) > 0;
    return replayed && hasJournaledChanges ? replayed.ledger : assumeIntentsSent(ledger);
  };

  const write = async (ledger: Ledger, options?: WriteOptions): Promise<Ledger> => {
    if (!key) raise(missingKeyProblem);
    if (current?.generation !== ledger.generation) {
      const stored = await readStored();
      if ((stored?.generation ?? 0) !== ledger.generation) raise(otherRunProblem(place, ledger, stored));
    }
    if (!options?.trusted) requireVerified(options);
    const next = {
      ...ledger,
      generation: ledger.generation + 1,
      writtenAt: new Date(now()).toISOString(),
      entries: withSortedMembers(ledger.entries),
      begun: ledger.begun && withSortedMembers(ledger.begun),
    };
    const text = signText(`${JSON.stringify(next, null, 2)}\n`, key);
    try {
      const version = await documents.write('ledger', text, {
        expected: current?.version,
        historyUpdate: options?.historyUpdate,
      });
      current = { generation: next.generation, version, proof: { by: key.id } };
      journalProof = undefined;
    } catch (error) {
      if (!(error instanceof Conflict)) {
        unansweredText = text;
        throw error;
      }
      const stored = setCurrent(error.stored);
      // Our own unanswered write was stored after all, so go on from its generation.
      if (error.stored && error.stored.text === unansweredText)
        return write({ ...ledger, generation: stored!.generation }, options);
      raise(otherRunProblem(place, ledger, stored));
    }
    return next;
  };
  const startJournal = async (ledger: Ledger): Promise<void> =>
    journal?.start({ ...ledger, generation: current?.generation ?? 0 });
  return {
    place,
    read: readWithJournal,
    proof,
    journalText: () => journalText,
    requireVerified,
    write: async (ledger, options) => {
      const written = await write(ledger, options);
      hasAppended = false;
      hasJournaledChanges = false;
      return written;
    },
    startJournal,
    appendToJournal: async (ledger, touched) => {
      if (!hasAppended) await startJournal(ledger);
      hasAppended = true;
      await journal?.append(ledger, touched);
    },
    close: async () => {
      // Changes that no write contains stay in the journal for the next run.
      if (hasAppended || hasJournaledChanges) await journal?.close();
      else await journal?.remove();
    },
  };
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
        ? 'use that place with --ledger or TRUEUP_LEDGER; to move back, run `trueup ledger copy` from there to here'
        : 'there is no key here: ask someone who has it whether that is true before you use that place',
    },
  );

/**
 * Returns the problem with which a write of the ledger stops because another run has replaced the ledger since this run read it. `ours`:
 * the ledger that this run started from; `stored`: the one there now, undefined if it was removed.
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
