import { type Address, ancestorsAmong } from './address.ts';
import { addressWithoutTarget } from './logical-changes.ts';
import type { Removal } from './removal.ts';

/** Finds the entry of `removed:` that decides about an address; undefined if there is none. */
export type FindRemoval = (address: Address) => Removal | undefined;

/**
 * Creates the function which finds the entry of `removed:` for an address: that of the object itself, or else the nearest of an object around it,
 * since an entry includes the contents. An entry for a variable includes its targets. Used wherever an undeclared object is decided about.
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
