import { quoted } from '../../config/suggest.ts';
import { normalAddressGlob } from '../../kind/address-spelling.ts';
import type { Kinds } from '../../kind/kind.ts';
import type { Address } from '../../model/address.ts';
import { listFirst } from '../../model/fold-wordings.ts';
import { compileGlob } from '../../model/glob.ts';
import { addressWithoutTarget } from '../../model/logical-changes.ts';
import { guessMeantName } from '../../model/similar-name.ts';

/** How many objects a message about a mismatch lists. */
export const maxListedObjects = 5;

/**
 * Returns the objects that an address or glob of a test file names. An address without a target names all targets of a variable:
 * `projects/web/env/A` for `projects/web/env/A@production`.
 */
export function matchAddresses<T extends { address: Address }>(
  glob: string,
  objects: Iterable<T>,
  kinds: Kinds,
): T[] {
  const { matches } = compileGlob(normalAddressGlob(glob, kinds));
  return [...objects].filter(({ address }) => matches(address) || matches(addressWithoutTarget(address)));
}

/**
 * Returns the hint for an address or glob that names no object: the similar address that was probably meant, or else the first addresses of
 * its section. Undefined if the section has no objects.
 */
export function addressHint(glob: string, objects: Iterable<{ address: Address }>): string | undefined {
  const addresses = [...new Set([...objects].map(({ address }) => addressWithoutTarget(address)))];
  const meant = guessMeantName(glob, addresses);
  if (meant !== undefined) return `did you mean ${quoted(meant)}?`;
  const [section] = glob.split('/');
  const inSection = addresses.filter((address) => address.startsWith(`${section}/`));
  if (inSection.length === 0) return undefined;
  return `there are ${listFirst(inSection.map(quoted), maxListedObjects)}`;
}
