import type { Address } from '../model/address.ts';
import { sorted } from '../model/canonical.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import { Conflict, type Documents, type HistoryUpdate, type StoredDocument } from './documents.ts';
import type { Journal } from './journal.ts';
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
  /** A person looked at what is there. */
  trusted?: true;
  /** Also where it was copied to another place: its end is written. */
  allowCopied?: true;
  /** The documents of the same step. */
  historyUpdate?: HistoryUpdate | undefined;
}

/** A stack's ledger, wherever it is kept. A generation that is not held is never replaced. */
export interface LedgerStore {
  /** For people: where it is. */
  readonly place: string;
  /** The ledger, or undefined where there is none yet. Throws `Problems` for one that cannot be understood. */
  read(): Promise<Ledger | undefined>;
  /** Tells who wrote the ledger that was read last, including the journal on top of it; undefined if there was none. */
  proof(): Proof | undefined;
  /** The text of the journal on top of what was read last; undefined where there is none. */
  journalText(): string | undefined;
  /**
   * Throws `Problems` that say the way out if what was read last is not verified: nothing is done on the strength of it. The same where
   * it was copied to another place, unless that does not matter.
   */
  requireVerified(how?: { allowCopied?: true }): void;
  /**
   * Replaces the generation that `ledger` was made from, and gives back what is kept now. What is not verified is replaced only where
   * a person looked at it (`trusted`). Throws `Problems`, without a key always.
   */
  write(ledger: Ledger, how?: WriteOptions): Promise<Ledger>;
  /** Keeps in the journal what the ledger says of these addresses now, on top of what was written last. */
  appendToJournal(ledger: Ledger, touched: Address[]): Promise<void>;
  /** Begins an empty journal on top of the ledger, so that one that cannot be written fails before the first request. */
  startJournal(ledger: Ledger): Promise<void>;
  /** The run is over: without the journal, if all of it was written. */
  close(): Promise<void>;
}

interface StoreOptions {
  /** Signs and verifies; without it the ledger can only be read. */
  key: LedgerKey | undefined;
  journal?: Journal | undefined;
  /** The time, in milliseconds. */
  now?(): number;
}

interface KnownGeneration {
  generation: number;
  version?: string;
  proof?: Proof;
  copiedTo?: string | undefined;
}

export function createLedgerStore(
  documents: Documents,
  { key, journal, now = Date.now }: StoreOptions,
): LedgerStore {
  const { place } = documents;
  /** The generation that this store read or wrote last. */
  let known: KnownGeneration | undefined;
  /** The proof of the journal on top of it. */
  let journalProof: Proof | undefined;
  /** The text that was being written when the place did not answer: it may have arrived. */
  let attempted: string | undefined;

  const noteAs = (stored: StoredDocument | undefined) => {
    const ledger = stored && parseLedger(stored.text, place);
    // The same bytes are not looked at twice.
    const proof =
      known && stored?.version === known.version
        ? known.proof
        : stored && verifyText(stored.text, key, `the ledger ${place}`);
    const { generation, copiedTo } = ledger ?? { generation: 0 };
    known = stored ? { generation, version: stored.version, proof: proof!, copiedTo } : { generation };
    journalProof = undefined;
    return ledger;
  };
  const proof = (): Proof | undefined =>
    journalProof && known?.proof && isVerified(known.proof) ? journalProof : known?.proof;
  const requireVerified = ({ allowCopied }: { allowCopied?: true } = {}) => {
    const now = proof();
    if (now && !isVerified(now)) throw new Problems([unverifiedProblem(now, key)]);
    if (known?.copiedTo !== undefined && !allowCopied) throw copiedLedgerProblems(place, known.copiedTo);
  };
  const read = async () => noteAs(await documents.read('ledger'));
  /** With what an interrupted run has left in the journal; what it was doing on another machine is less well known. */
  const readAll = async () => {
    const ledger = await read();
    if (!ledger) return undefined;
    const over = await journal?.replayOnto(ledger);
    journalProof = over?.proof;
    journalText = over?.text;
    isInJournal = (over?.lines ?? 0) > 0;
    return over && isInJournal ? over.ledger : withDoubt(ledger);
  };
  let isNoted = false;
  /** True if the ledger that was read last includes lines that only the journal of an earlier run has. */
  let isInJournal = false;
  let journalText: string | undefined;

  const write = async (ledger: Ledger, how?: WriteOptions): Promise<Ledger> => {
    if (!key) throw new Problems([missingKeyProblem]);
    if (known?.generation !== ledger.generation) {
      const found = await read();
      if ((found?.generation ?? 0) !== ledger.generation) throw moved(place, ledger, found);
    }
    if (!how?.trusted) requireVerified(how);
    const next = {
      ...ledger,
      generation: ledger.generation + 1,
      writtenAt: new Date(now()).toISOString(),
      entries: sorted(ledger.entries),
      ...(ledger.begun ? { begun: sorted(ledger.begun) } : {}),
    };
    const text = signText(`${JSON.stringify(next, null, 2)}\n`, key);
    try {
      const version = await documents.write('ledger', text, {
        expected: known?.version,
        historyUpdate: how?.historyUpdate,
      });
      known = { generation: next.generation, version, proof: { by: key.id } };
      journalProof = undefined;
    } catch (error) {
      if (!(error instanceof Conflict)) {
        attempted = text;
        throw error;
      }
      const found = noteAs(error.stored);
      if (error.stored && error.stored.text === attempted)
        return write({ ...ledger, generation: found!.generation }, how);
      throw moved(place, ledger, found);
    }
    return next;
  };
  const startJournal = async (ledger: Ledger): Promise<void> =>
    journal?.start({ ...ledger, generation: known?.generation ?? 0 });
  return {
    place,
    read: readAll,
    proof,
    journalText: () => journalText,
    requireVerified,
    write: async (ledger, how) => {
      const kept = await write(ledger, how);
      isNoted = false;
      isInJournal = false;
      return kept;
    },
    startJournal,
    appendToJournal: async (ledger, touched) => {
      if (!isNoted) await startJournal(ledger);
      isNoted = true;
      await journal?.append(ledger, touched);
    },
    close: async () => {
      // What could not be written is still there for the next run.
      if (isNoted || isInJournal) await journal?.close();
      else await journal?.remove();
    },
  };
}

/** Only the new place of a copied ledger counts. Without a key nobody can tell who says so. */
export const copiedLedgerProblems = (place: string, to: string, isKnown = true): Problems =>
  new Problems([
    problem(
      'ledger/copied',
      `the ledger ${place} ${isKnown ? 'was copied to' : 'says, not verified here, that it was copied to'} ${to}, which is authoritative now`,
      {
        hint: isKnown
          ? 'use that place with --ledger or TRUEUP_LEDGER; to move back, run `trueup ledger copy` from there to here'
          : 'there is no key here: ask someone who has it whether that is true before you use that place',
      },
    ),
  ]);

/** Somebody else wrote the ledger since this run read it; `found` is there now. */
function moved(place: string, held: Ledger, ledger: Ledger | undefined): Problems {
  const now = ledger
    ? `it is at generation ${ledger.generation} with ${Object.keys(ledger.entries).length} entries`
    : 'it is missing';
  return new Problems([
    problem(
      'ledger/moved',
      `the ledger ${place} was changed by another run: ${now}, but this run started from generation ${held.generation}`,
      { hint: 'wait until the other run finishes, then plan again' },
    ),
  ]);
}

/** Assumes that everything an earlier run had begun may have been sent, since nothing more is known of that run. */
function withDoubt(ledger: Ledger): Ledger {
  if (!ledger.begun) return ledger;
  const begun = Object.entries(ledger.begun).map(([address, one]) => [
    address,
    { ...one, sent: true as const },
  ]);
  return { ...ledger, begun: Object.fromEntries(begun) };
}
