import { type Address, isWithin } from './address.ts';
import type { Ledger, LedgerEntry } from './ledger.ts';
import { actionId, type OwedAction } from './planned-action.ts';
import { type CollectionId, collectionId, collectionParts } from './resource.ts';

/** Moves the ledger's entry at `from`, and all below it, to `to`. Each move starts from the addresses after the earlier moves. */
export interface Move {
  from: Address;
  to: Address;
  /** The address whose change renames the object: until that is done, the account has the old name. */
  renamedBy: Address;
}

const swapped = (address: Address, old: Address, now: Address): Address =>
  isWithin(address, old) ? now + address.slice(old.length) : address;

/** The address that an object has after all these moves. */
export const addressAfter = (address: Address, moves: readonly Move[]): Address =>
  moves.reduce((at, { from, to }) => swapped(at, from, to), address);

/** The address that an object had before these moves. */
export const addressBefore = (address: Address, moves: readonly Move[]): Address =>
  moves.reduceRight((at, { from, to }) => swapped(at, to, from), address);

/** Renames all addresses of a ledger, wherever in it they are. */
export function renameInLedger(ledger: Ledger, nameOf: (address: Address) => Address): Ledger {
  const { entries, begun, staged, owed, orders } = ledger;
  const nameOfList = (id: CollectionId) => {
    const [parent, kind] = collectionParts(id);
    return collectionId(kind, parent && nameOf(parent));
  };
  return {
    ...ledger,
    entries: mapInOrder(entries, nameOf, (entry) => renamedEntry(entry, nameOf)),
    ...(begun
      ? {
          begun: mapInOrder(begun, nameOf, (intent) => ({
            ...intent,
            entry: renamedEntry(intent.entry, nameOf),
          })),
        }
      : {}),
    ...(staged
      ? {
          staged: mapInOrder(staged, nameOfList, (stagedEntry) => ({
            ...stagedEntry,
            of: mapInOrder(stagedEntry.of, nameOf, (content) => content),
          })),
        }
      : {}),
    ...(orders ? { orders: mapInOrder(orders, nameOfList, (addresses) => addresses.map(nameOf)) } : {}),
    ...(owed
      ? {
          owed: Object.fromEntries(
            Object.values(owed).map((debt) => {
              const owedAction = renamedDebt(debt, nameOf);
              return [actionId(owedAction), owedAction];
            }),
          ),
        }
      : {}),
  };
}

const renamedDebt = (debt: OwedAction, nameOf: (address: Address) => Address): OwedAction => ({
  ...debt,
  ...(debt.about === undefined ? {} : { about: nameOf(debt.about) }),
  from: debt.from.map(nameOf),
});

function renamedEntry(entry: LedgerEntry, nameOf: (address: Address) => Address): LedgerEntry {
  const { dependsOn } = entry;
  return dependsOn ? { ...entry, dependsOn: dependsOn.map(nameOf) } : entry;
}

const mapInOrder = <T>(
  all: Record<string, T>,
  nameOf: (name: string) => string,
  change: (one: T) => T,
): Record<string, T> =>
  Object.fromEntries(Object.entries(all).map(([name, one]) => [nameOf(name), change(one)]));
