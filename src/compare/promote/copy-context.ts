import type { LoadedBlock } from '../../config/blocks/block.ts';
import type { Kind } from '../../kind/kind.ts';
import type { Address } from '../../model/address.ts';
import type { ComparedPair, SideComparison } from '../compare-sides.ts';
import { CannotPromote } from './copy-value.ts';

/** The sides between which values are copied. */
export interface CopiedSides {
  comparison: SideComparison;
  /** Returns the address in B for an address in A. */
  toB(address: Address): Address;
}

/** The sides and the kind of a value that is copied from A to B. */
export interface CopyContext extends CopiedSides {
  kind: Kind;
}

/**
 * Returns a function which finds the address in side B of `trueup diff --promote` for an address in side A (with `isReversed`, in A for one
 * in B). An object that B lacks gets the address that it would have there: below the partner of the object around it.
 */
export function createAddressMap(
  pairs: readonly Pick<ComparedPair, 'a' | 'b'>[],
  { isReversed = false } = {},
): (address: Address) => Address {
  const partners = new Map(
    pairs.map(({ a, b }) => (isReversed ? [b.address, a.address] : [a.address, b.address])),
  );
  return (address) => {
    for (let end = address.length; end > 0; end = address.lastIndexOf('/', end - 1)) {
      const partner = partners.get(address.slice(0, end));
      if (partner !== undefined) return partner + address.slice(end);
    }
    return address;
  };
}

/**
 * Returns the paths of the fields and `$` settings in which the two objects of a pair differ, and which `trueup diff --promote` can make
 * equal by an edit of the YAML: secrets only if their texts differ, not only their sources.
 */
export const promotedPathsOf = ({ settings, secrets }: ComparedPair): string[] => [
  ...settings.map(({ path }) => path),
  ...secrets
    .filter(({ result, isSameText }) => result === 'different' && !isSameText)
    .map(({ path }) => path),
];

/**
 * Returns the blocks of side B that declare an object, so that `trueup diff --promote` can edit them. Throws `CannotPromote` if no file has
 * any.
 */
export function blocksOfB({ comparison }: CopyContext, address: Address): [LoadedBlock, ...LoadedBlock[]] {
  const blocks = comparison.b.blocksOf.get(address) ?? [];
  if (blocks.length === 0) throw new CannotPromote('no block of B declares it');
  return blocks as unknown as [LoadedBlock, ...LoadedBlock[]];
}
