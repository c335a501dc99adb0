import { childKinds, placesOf } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Ledger } from '../model/ledger.ts';
import { type CollectionId, collectionId, type Desired } from '../model/resource.ts';

/**
 * The collections that have to be read, with the addresses that are mentioned in each: those with something declared, in the
 * ledger or begun by an interrupted run, those named by an `$exclusive`, and those on the way to them.
 */
export function mentionedCollections(
  desired: Desired,
  ledger: Ledger,
  kinds: Kinds,
): Map<CollectionId, Set<Address>> {
  const mentioned = new Map<CollectionId, Set<Address>>();
  const mention = (kind: string, parent: Address | undefined, address?: Address) => {
    const id = collectionId(kind, parent);
    const addresses = mentioned.get(id) ?? new Set();
    if (address !== undefined) addresses.add(address);
    mentioned.set(id, addresses);
  };
  for (const { address, kind, parent, meta } of desired.resources.values()) {
    mention(kind, parent, address);
    for (const child of childKinds(kinds, kind))
      if (meta.exclusive?.includes(child.section)) mention(child.name, address);
  }
  const begun = Object.entries(ledger.begun ?? {}).map(([address, { entry }]) => [address, entry] as const);
  for (const [address, { kind }] of [...Object.entries(ledger.entries), ...begun])
    for (const [name, parent, at] of placesOf(address, kind, kinds)) mention(name, parent, at);
  return mentioned;
}
