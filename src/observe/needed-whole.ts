import { childKinds, placesOf } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Ledger } from '../model/ledger.ts';
import { type CollectionId, collectionId, type Desired } from '../model/resource.ts';

/** The collections of which all has to be known: those that an `$exclusive` names, and those in which a run has begun something. */
export function neededWhole(desired: Desired, ledger: Ledger, kinds: Kinds): Set<CollectionId> {
  const exclusive = [...desired.resources.values()].flatMap(({ address, kind, meta }) =>
    childKinds(kinds, kind)
      .filter(({ section }) => meta.exclusive?.includes(section))
      .map(({ name }) => collectionId(name, address)),
  );
  const begun = Object.entries(ledger.begun ?? {}).flatMap(([address, { entry }]) =>
    placesOf(address, entry.kind, kinds)
      .slice(-1)
      .map(([name, parent]) => collectionId(name, parent)),
  );
  return new Set([...exclusive, ...begun]);
}
