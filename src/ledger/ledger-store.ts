import { Problems, problem } from '../model/diagnostic.ts';
import { canonical } from '../model/digest.ts';
import type { Ledger } from '../model/ledger.ts';
import { Conflict, type Documents, type StoredDocument } from './documents.ts';
import { parseLedger } from './parse-ledger.ts';

/** A stack's ledger, wherever it is kept. A generation that is not held is never replaced. */
export interface LedgerStore {
  /** For people: where it is. */
  readonly place: string;
  /** The ledger, or undefined where there is none yet. Throws `Problems` for one that cannot be understood. */
  read(): Promise<Ledger | undefined>;
  /** Replaces the generation that `ledger` was made from, and gives back what is kept now. */
  write(ledger: Ledger): Promise<Ledger>;
}

export function ledgerStore(documents: Documents): LedgerStore {
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
    const entries = JSON.parse(canonical(ledger.entries)) as Ledger['entries'];
    const next = { ...ledger, generation: ledger.generation + 1, entries };
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
  return { place, read, write };
}
