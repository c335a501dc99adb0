import type { Address } from '../model/address.ts';
import type { Ledger } from '../model/ledger.ts';

/** Creations that show a secret once and whose answer was not heard yet: kept in the ledger, so that the next run knows what it finds. */
export interface Pending {
  /** Notes one. Gives back whether it was not known before: then the ledger has to be kept before the request is sent. */
  begins(address: Address): boolean;
  /** The answer was heard, or there is no such object. */
  ends(address: Address): void;
}

export function openPending(ledger: Pick<Ledger, 'pending'>): Pending {
  return {
    begins(address) {
      const { pending = [] } = ledger;
      if (pending.includes(address)) return false;
      ledger.pending = [...pending, address].sort();
      return true;
    },
    ends(address) {
      const left = (ledger.pending ?? []).filter((other) => other !== address);
      if (left.length > 0) ledger.pending = left;
      else delete ledger.pending;
    },
  };
}
