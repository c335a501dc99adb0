import { ancestorsOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { Plan } from '../model/plan.ts';
import { type CollectionId, collectionId, type Live } from '../model/resource.ts';

/** The objects that a plan deletes, for a look at the account afterwards. */
export interface DeletedObjects {
  /** True for a list that has to be read to see them, or that is on the way to one. */
  areIn(kind: Kind, parent: Address | undefined): boolean;
  /** Returns the addresses of those that the account still shows. */
  stillIn(live: Live): Address[];
}

export function deletedObjects({ changes }: Plan, kinds: Kinds): DeletedObjects {
  const deleted = changes.filter(({ action, before }) => action === 'delete' && before);
  const lists = new Set<CollectionId>();
  for (const { kind: name, parent } of deleted) {
    const kind = kinds.get(name)!;
    const ancestors = ancestorsOf(kinds, kind, parent);
    const lineage = [kind, ...ancestors.map((ancestor) => ancestor.kind)];
    const parents = [...ancestors.map(({ address }) => address), undefined];
    for (const [at, { name: listed }] of lineage.entries()) lists.add(collectionId(listed, parents[at]));
  }
  const isShown = ({ address, kind: name, before }: Change, live: Live) => {
    // A part of a row has no id of its own: it is gone once nothing is at its address.
    const isPart = kinds.get(name)!.shape.byAddress;
    const resources = isPart ? [live.resources.get(address)] : [...live.resources.values()];
    return resources.some(
      (resource) => resource?.kind === name && resource.ids.some((id) => before!.ids.includes(id)),
    );
  };
  return {
    areIn: (kind, parent) => lists.has(collectionId(kind.name, parent)),
    stillIn: (live) => deleted.filter((change) => isShown(change, live)).map(({ address }) => address),
  };
}
