import { type Address, ancestorsAmong } from './address.ts';
import type { Ledger } from './ledger.ts';
import { addressWithoutTarget } from './logical-changes.ts';
import type { Removal } from './removal.ts';

/** Finds the entry of `removed:` that decides about an address; undefined if there is none. */
export type FindRemoval = (address: Address) => Removal | undefined;

/**
 * Returns the entries of `removed:` for which a ledger has no object of ours (one without `existing`), so that they have nothing to do any
 * more, or never had. Used to tell people which entries they can drop.
 */
export function listUnownedRemovals(
  removals: readonly Removal[],
  { entries }: Pick<Ledger, 'entries'>,
): Removal[] {
  const findRemoval = createRemovalFinder(removals);
  const owning = new Set(
    Object.entries(entries).flatMap(([address, { existing }]) => (existing ? [] : [findRemoval(address)])),
  );
  return removals.filter((removal) => !owning.has(removal));
}

/**
 * Creates the function which finds the entry of `removed:` for an address: that of the object itself, or else the nearest of an object
 * around it, since an entry includes the contents. An entry for a variable includes its targets. Used wherever an undeclared object is
 * decided about.
 */
export function createRemovalFinder(removals: readonly Removal[] = []): FindRemoval {
  const removalsByAddress = new Map(removals.map((removal) => [removal.address, removal]));
  if (removalsByAddress.size === 0) return () => undefined;
  return (address) => {
    const [nearest] = ancestorsAmong(address, removalsByAddress);
    return (
      removalsByAddress.get(address) ??
      removalsByAddress.get(addressWithoutTarget(address)) ??
      removalsByAddress.get(nearest ?? '')
    );
  };
}
