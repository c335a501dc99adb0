import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { isRead, type Operation } from '../model/plan.ts';
import { type CollectionId, collectionParts, type Live } from '../model/resource.ts';

export interface OverwrittenOptions {
  kinds: Kinds;
  changeOf: ReadonlyMap<Address, Change>;
  refresh(collections: CollectionId[]): Promise<Live>;
}

/**
 * The addresses of an operation that was just done at which somebody else's write may be lost: between the last look at them and
 * our own write there was one more. Only where the platform counts writes can that be told; nothing can prevent it. `seen`: what
 * the collections were like just before.
 */
export async function overwrittenBy(
  { changes, requests }: Operation,
  seen: ReadonlyMap<CollectionId, Live>,
  { kinds, changeOf, refresh }: OverwrittenOptions,
): Promise<Address[]> {
  // What is new overwrites nothing, and what goes was to go.
  const replaced = changes.filter((address) => {
    const { before, action } = changeOf.get(address)!;
    return before && ['update', 'adopt'].includes(action);
  });
  const counted = [...seen].filter(([id]) => kinds.get(collectionParts(id)[1])!.writes);
  if (replaced.length === 0 || counted.length === 0) return [];
  const now = await refresh(counted.map(([id]) => id));
  const ours = requests.filter((request) => !isRead(request)).length;
  const isMore = counted.some(([id, before]) => {
    const [was, is] = [before.writes.get(id), now.writes.get(id)];
    return was !== undefined && is !== undefined && is - was > ours;
  });
  return isMore ? replaced : [];
}
