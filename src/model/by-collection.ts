import type { Address } from './address.ts';
import { groupBy } from './graph.ts';
import { type CollectionId, collectionId, type LiveResource } from './resource.ts';

interface Sibling {
  kind: string;
  parent?: Address;
}

const known = new WeakMap<object, ReadonlyMap<CollectionId, readonly Sibling[]>>();

/** Resources with their siblings; found once for each map, which must not change any more. */
export function byCollection<T extends Sibling>(
  resources: ReadonlyMap<Address, T>,
): ReadonlyMap<CollectionId, readonly T[]> {
  let collections = known.get(resources);
  if (!collections) {
    collections = groupBy(resources.values(), ({ kind, parent }) => collectionId(kind, parent));
    known.set(resources, collections);
  }
  return collections as ReadonlyMap<CollectionId, readonly T[]>;
}

/** Found objects, with those that stand at the same address. */
export const allOf = (objects: readonly LiveResource[] = []): LiveResource[] =>
  objects.flatMap((one) => one.alternatives ?? [one]);
