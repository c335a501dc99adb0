import type { Address } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import { type CollectionId, collectionId } from '../model/resource.ts';

interface Sibling {
  kind: string;
  parent?: Address;
}

const known = new WeakMap<object, ReadonlyMap<CollectionId, Sibling[]>>();

/** Resources with their siblings; found once for each map, which must not change any more. */
export function byCollection<T extends Sibling>(
  resources: ReadonlyMap<Address, T>,
): (kind: string, parent: Address | undefined) => readonly T[] {
  let collections = known.get(resources);
  if (!collections) {
    collections = groupBy(resources.values(), ({ kind, parent }) => collectionId(kind, parent));
    known.set(resources, collections);
  }
  return (kind, parent) => (collections.get(collectionId(kind, parent)) ?? []) as T[];
}
