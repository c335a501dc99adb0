import { type Address, isWithin } from './address.ts';
import type { Ledger, LedgerEntry } from './ledger.ts';
import { collectionId, collectionParts } from './resource.ts';

/**
 * What the ledger has under `from`, with all below it, is called `to` by now. Later moves are about addresses as earlier ones have
 * left them.
 */
export interface Move {
  from: Address;
  to: Address;
  /** The address whose change makes it so: until that is done, the account has the old name. */
  by: Address;
}

const swapped = (address: Address, old: Address, now: Address): Address =>
  isWithin(address, old) ? now + address.slice(old.length) : address;

/** What an address is called once all these moves were made. */
export const moved = (address: Address, moves: readonly Move[]): Address =>
  moves.reduce((at, { from, to }) => swapped(at, from, to), address);

/** What an address was called before these moves. */
export const unmoved = (address: Address, moves: readonly Move[]): Address =>
  moves.reduceRight((at, { from, to }) => swapped(at, to, from), address);

/** A ledger with other names for its addresses, wherever in it they are. */
export function renamed(ledger: Ledger, nameOf: (address: Address) => Address): Ledger {
  const { entries, begun, staged } = ledger;
  return {
    ...ledger,
    entries: inOrder(entries, nameOf, (entry) => renamedEntry(entry, nameOf)),
    ...(begun
      ? {
          begun: inOrder(begun, nameOf, (one) => ({ ...one, entry: renamedEntry(one.entry, nameOf) })),
        }
      : {}),
    ...(staged
      ? {
          staged: inOrder(
            staged,
            (id) => {
              const [parent, kind] = collectionParts(id);
              return collectionId(kind, parent && nameOf(parent));
            },
            (one) => ({ ...one, of: inOrder(one.of, nameOf, (content) => content) }),
          ),
        }
      : {}),
  };
}

function renamedEntry(entry: LedgerEntry, nameOf: (address: Address) => Address): LedgerEntry {
  const { dependsOn } = entry;
  return dependsOn ? { ...entry, dependsOn: dependsOn.map(nameOf) } : entry;
}

const inOrder = <T>(
  all: Record<string, T>,
  nameOf: (name: string) => string,
  change: (one: T) => T,
): Record<string, T> =>
  Object.fromEntries(Object.entries(all).map(([name, one]) => [nameOf(name), change(one)]));
