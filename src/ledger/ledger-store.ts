import type { Address } from '../model/address.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { sorted } from '../model/digest.ts';
import type { Ledger } from '../model/ledger.ts';
import { Conflict, type Documents, type StoredDocument } from './documents.ts';
import type { Journal } from './journal.ts';
import { parseLedger } from './parse-ledger.ts';

/** A stack's ledger, wherever it is kept. A generation that is not held is never replaced. */
export interface LedgerStore {
  /** For people: where it is. */
  readonly place: string;
  /** The ledger, or undefined where there is none yet. Throws `Problems` for one that cannot be understood. */
  read(): Promise<Ledger | undefined>;
  /** Replaces the generation that `ledger` was made from, and gives back what is kept now. */
  write(ledger: Ledger): Promise<Ledger>;
  /** Keeps in the journal what the ledger says of these addresses now, on top of what was written last. */
  note(ledger: Ledger, touched: Address[]): Promise<void>;
  /** The run is over: without the journal, if all of it was written. */
  close(): Promise<void>;
}

export function ledgerStore(documents: Documents, journal?: Journal): LedgerStore {
  const { place } = documents;
  /** What this store read or wrote last. */
  let known: { generation: number; version?: string } | undefined;
  /** What was to be written when the place did not answer: it may have arrived. */
  let attempted: string | undefined;

  const noteAs = (found: StoredDocument | undefined) => {
    const ledger = found && parseLedger(found.text, place);
    known = found ? { generation: ledger!.generation, version: found.version } : { generation: 0 };
    return ledger;
  };
  const read = async () => noteAs(await documents.read('ledger'));
  /** With what an interrupted run has left in the journal; what it was doing on another machine is less well known. */
  const readAll = async () => {
    const kept = await read();
    if (!kept) return undefined;
    const { ledger, lines } = (await journal?.over(kept)) ?? { ledger: kept, lines: 0 };
    return lines > 0 ? ledger : withDoubt(ledger);
  };
  let isNoted = false;

  const write = async (ledger: Ledger): Promise<Ledger> => {
    const moved = (found: Ledger | undefined) => {
      const now = found
        ? `it is at generation ${found.generation} with ${Object.keys(found.entries).length} entries`
        : 'it is gone';
      return new Problems([
        problem(
          'ledger/moved',
          `the ledger ${place} was written by somebody else meanwhile: ${now}, and this run held generation ${ledger.generation}`,
          { hint: 'wait until the other run is done, then plan again' },
        ),
      ]);
    };
    if (known?.generation !== ledger.generation) {
      const found = await read();
      if ((found?.generation ?? 0) !== ledger.generation) throw moved(found);
    }
    const next = {
      ...ledger,
      generation: ledger.generation + 1,
      entries: sorted(ledger.entries),
      ...(ledger.begun ? { begun: sorted(ledger.begun) } : {}),
    };
    const text = `${JSON.stringify(next, null, 2)}\n`;
    try {
      const version = await documents.write('ledger', text, { expected: known?.version });
      known = { generation: next.generation, version };
    } catch (error) {
      if (!(error instanceof Conflict)) {
        attempted = text;
        throw error;
      }
      const found = noteAs(error.found);
      if (error.found && error.found.text === attempted)
        return write({ ...ledger, generation: found!.generation });
      throw moved(found);
    }
    return next;
  };
  return {
    place,
    read: readAll,
    write: async (ledger) => {
      const kept = await write(ledger);
      isNoted = false;
      return kept;
    },
    note: async (ledger, touched) => {
      if (!isNoted) await journal?.begin({ ...ledger, generation: known?.generation ?? 0 });
      isNoted = true;
      await journal?.add(ledger, touched);
    },
    close: async () => {
      // What could not be written is still there for the next run.
      if (isNoted) await journal?.close();
      else await journal?.end();
    },
  };
}

/** Of a run that nothing more is known of, everything that it had begun may have been sent. */
function withDoubt(ledger: Ledger): Ledger {
  if (!ledger.begun) return ledger;
  const begun = Object.entries(ledger.begun).map(([address, one]) => [
    address,
    { ...one, sent: true as const },
  ]);
  return { ...ledger, begun: Object.fromEntries(begun) };
}
