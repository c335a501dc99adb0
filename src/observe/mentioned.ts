import { childKinds, parentOf, placesOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Ledger } from '../model/ledger.ts';
import {
  type CollectionId,
  collectionId,
  collectionParts,
  type Desired,
  type Resource,
} from '../model/resource.ts';

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
  for (const one of desired.resources.values()) {
    mention(one.kind, one.parent, one.address);
    for (const { name } of exclusiveKinds(one, kinds)) mention(name, one.address);
  }
  const mentionAll = (address: Address, kind: string) => {
    for (const [name, parent, at] of placesOf(address, kind, kinds)) mention(name, parent, at);
  };
  for (const [address, { kind }] of Object.entries(ledger.entries)) mentionAll(address, kind);
  // What a run began and never finished may be there, wanted or not.
  for (const [address, { entry }] of Object.entries(ledger.begun ?? {})) mentionAll(address, entry.kind);
  for (const [id, { of }] of Object.entries(ledger.staged ?? {}))
    for (const address of Object.keys(of)) mentionAll(address, collectionParts(id)[1]);
  return mentioned;
}

/** The collections of which all has to be known: those that an `$exclusive` names, and those in which a run has begun something. */
export function neededWhole(desired: Desired, ledger: Ledger, kinds: Kinds): Set<CollectionId> {
  const exclusive = [...desired.resources.values()].flatMap((one) =>
    exclusiveKinds(one, kinds).map(({ name }) => collectionId(name, one.address)),
  );
  const begun = Object.entries(ledger.begun ?? {}).flatMap(([address, { entry }]) => {
    const kind = kinds.get(entry.kind);
    return kind ? [collectionId(kind.name, parentOf(address, kind))] : [];
  });
  return new Set([...exclusive, ...begun]);
}

/** The kinds in a resource whose sections its `$exclusive` names. */
const exclusiveKinds = ({ kind, meta: { exclusive } }: Resource, kinds: Kinds): Kind[] =>
  exclusive ? childKinds(kinds, kind).filter(({ section }) => exclusive.includes(section)) : [];
