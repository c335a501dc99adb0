import type { Ledger } from '../model/ledger.ts';

/** Where a ledger is kept. Every store refuses to replace a generation that it does not hold. */
export interface LedgerStore {
  /** For people: where it is. */
  readonly place: string;
  /** The ledger, or undefined where there is none yet. Throws `Problems` for one that cannot be understood. */
  read(): Promise<Ledger | undefined>;
  /** Replaces the generation that `ledger` was made from, and gives back what is kept now. */
  write(ledger: Ledger): Promise<Ledger>;
}
