import { parentOf } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Ledger } from '../model/ledger.ts';
import { type CollectionId, collectionId, type Desired } from '../model/resource.ts';
import { exclusiveKinds } from './exclusive-kinds.ts';

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
