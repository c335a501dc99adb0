import type { Address } from '../model/address.ts';
import type { Ledger } from '../model/ledger.ts';
import { type Move, renamed, unmoved } from '../model/move.ts';

/** The ledger of a run while not all of its renames are done: a run goes by the new names, and what is kept by those of the account. */
export interface Moving {
  /** What the kept ledger calls an address now. */
  keptAt(address: Address): Address;
  /** The ledger as it has to be kept now. */
  kept(ledger: Ledger): Ledger;
  /** The change of this address was carried out. Gives back the names, old and new, of all that is called otherwise by it, where it is known here. */
  done(address: Address, known: () => Iterable<Address>): Address[];
}

export function openMoving(moves: readonly Move[]): Moving {
  let open = [...moves];
  return {
    keptAt: (address) => unmoved(address, open),
    kept: (ledger) => (open.length === 0 ? ledger : renamed(ledger, (address) => unmoved(address, open))),
    done(address, known) {
      const left = open.filter(({ by }) => by !== address);
      if (left.length === open.length) return [];
      const names = [...known()].flatMap((one) => {
        const [before, after] = [unmoved(one, open), unmoved(one, left)];
        return before === after ? [] : [before, after];
      });
      open = left;
      return names;
    },
  };
}
