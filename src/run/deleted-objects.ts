import { ancestorsOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { Plan } from '../model/plan.ts';
import { type CollectionId, collectionId, type Live } from '../model/resource.ts';

/** Finds the objects that a plan deletes in a later reading of the account. */
export interface DeletedObjects {
  /** True for a collection that can contain deleted objects, or one of their parents, so that it has to be read. */
  areIn(kind: Kind, parent: Address | undefined): boolean;
  /** Returns the addresses of the deleted objects that the account still shows. */
  stillIn(live: Live): Address[];
}

/**
 * Returns a finder for the objects that a plan deletes, by their ids. Used after an undo, which promises that they
 * are gone: the next plan of the configuration does not mention them, so the account is searched.
 */
export function deletedObjects({ changes }: Plan, kinds: Kinds): DeletedObjects {
  const deletions = changes.filter(({ action, before }) => action === 'delete' && before);
  const collections = new Set<CollectionId>();
  for (const { kind: kindName, parent } of deletions) {
    const kind = kinds.get(kindName)!;
    const ancestors = ancestorsOf(kinds, kind, parent);
    const lineage = [kind, ...ancestors.map((ancestor) => ancestor.kind)];
    const parents = [...ancestors.map(({ address }) => address), undefined];
    for (const [level, { name }] of lineage.entries()) collections.add(collectionId(name, parents[level]));
  }
  const isShown = ({ address, kind: kindName, before }: Change, live: Live) => {
    // A unit shares its rows with others, so their ids may remain: it is gone once nothing is at its address.
    const isUnit = kinds.get(kindName)!.shape.byAddress;
    const resources = isUnit ? [live.resources.get(address)] : [...live.resources.values()];
    return resources.some(
      (resource) => resource?.kind === kindName && resource.ids.some((id) => before!.ids.includes(id)),
    );
  };
  return {
    areIn: (kind, parent) => collections.has(collectionId(kind.name, parent)),
    stillIn: (live) => deletions.filter((change) => isShown(change, live)).map(({ address }) => address),
  };
}
