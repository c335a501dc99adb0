import { type Address, isWithin } from './address.ts';
import type { Intent, Ledger, LedgerEntry, StagedEntry } from './ledger.ts';
import { actionId, type OwedAction } from './planned-action.ts';
import type { Removal } from './removal.ts';
import { type CollectionId, collectionId, collectionParts } from './resource.ts';
import { dropUndefined } from './walk.ts';

/**
 * A change of addresses: the ledger's entry at `from`, and all entries below it, move to `to`. Each move starts from
 * the addresses after the earlier moves.
 */
export interface Move {
  from: Address;
  to: Address;
  /** The address whose change renames the object on the platform. Before that change, the account has the old name. */
  renamedBy: Address;
}

/** Returns an address with its ancestor `old` replaced by another address; unchanged if it is not below `old`. */
const withNewPrefix = (address: Address, old: Address, replacement: Address): Address =>
  isWithin(address, old) ? replacement + address.slice(old.length) : address;

/** Returns the address that an object has after all these moves: renames by `$was`, for example. */
export const addressAfter = (address: Address, moves: readonly Move[]): Address =>
  moves.reduce((current, { from, to }) => withNewPrefix(current, from, to), address);

/**
 * Returns the entries of `removed` after moves. An entry that keeps an object in a renamed container names it by its old address. Without
 * this, the entry would be ignored, and the object deleted. Entries that delete stay: the old address may be that of another object.
 */
export const moveKeptRemovals = (
  removed: readonly Removal[] | undefined,
  moves: readonly Move[],
): readonly Removal[] | undefined =>
  moves.length === 0
    ? removed
    : removed?.map((removal) =>
        removal.deletes ? removal : { ...removal, address: addressAfter(removal.address, moves) },
      );

/** Returns the address that an object had before these moves. Used to find its ledger entry. */
export const addressBefore = (address: Address, moves: readonly Move[]): Address =>
  moves.reduceRight((current, { from, to }) => withNewPrefix(current, to, from), address);

/**
 * Returns the ledger with its addresses renamed by `nameOf`: entries, creations and stagings under way,
 * orders of lists, owed actions, and the first change that was not verified. Used when `$was` renames an
 * object, or when it was renamed in the account.
 */
export function renameInLedger(ledger: Ledger, nameOf: (address: Address) => Address): Ledger {
  const { entries, begun, staged, owed, orders, unverifiedFirstChange } = ledger;
  const nameOfList = (id: CollectionId) => {
    const [parent, kind] = collectionParts(id);
    return collectionId(kind, parent && nameOf(parent));
  };
  const renameIntent = (intent: Intent): Intent => ({ ...intent, entry: renamedEntry(intent.entry, nameOf) });
  const renameStaged = (stagedEntry: StagedEntry): StagedEntry => ({
    ...stagedEntry,
    of: mapInOrder(stagedEntry.of, nameOf, (content) => content),
  });
  const owedActions = owed && Object.values(owed).map((debt) => renamedDebt(debt, nameOf));
  return dropUndefined({
    ...ledger,
    entries: mapInOrder(entries, nameOf, (entry) => renamedEntry(entry, nameOf)),
    begun: begun && mapInOrder(begun, nameOf, renameIntent),
    staged: staged && mapInOrder(staged, nameOfList, renameStaged),
    orders: orders && mapInOrder(orders, nameOfList, (addresses) => addresses.map(nameOf)),
    owed: owedActions && Object.fromEntries(owedActions.map((action) => [actionId(action), action])),
    unverifiedFirstChange: unverifiedFirstChange && nameOf(unverifiedFirstChange),
  }) as Ledger;
}

/**
 * Returns the ledger after moves, with all its addresses renamed; the ledger itself if there are none. Used by plans, so
 * that recorded objects are found at the addresses of the configuration.
 */
export const applyMoves = (ledger: Ledger, moves: readonly Move[]): Ledger =>
  moves.length === 0 ? ledger : renameInLedger(ledger, (address) => addressAfter(address, moves));

/**
 * Returns an owed action (one that the ledger keeps for a later run, because it could not be sent) with the addresses renamed of the object
 * that it is about and of the changes that asked for it, so that the later run still finds them.
 */
const renamedDebt = (debt: OwedAction, nameOf: (address: Address) => Address): OwedAction => ({
  ...debt,
  about: debt.about && nameOf(debt.about),
  from: debt.from.map(nameOf),
});

/** Returns a ledger entry with the addresses in it renamed. */
function renamedEntry(entry: LedgerEntry, nameOf: (address: Address) => Address): LedgerEntry {
  const { dependsOn } = entry;
  return dependsOn ? { ...entry, dependsOn: dependsOn.map(nameOf) } : entry;
}

/**
 * Returns a part of a ledger with its keys (addresses) renamed and its values changed, in the same order, so that a rename changes nothing
 * else in the text.
 */
const mapInOrder = <T>(
  values: Record<string, T>,
  nameOf: (name: string) => string,
  change: (value: T) => T,
): Record<string, T> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [nameOf(name), change(value)]));
