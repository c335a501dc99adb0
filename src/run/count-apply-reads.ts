import type { Kinds } from '../kind/kind.ts';
import { indexByAddress } from '../model/address.ts';
import type { Plan, RequestCounts } from '../model/plan.ts';
import type { CollectionId } from '../model/resource.ts';
import { isWrittenWhole } from './changed-since.ts';
import { collectionOfChange, isInNewParent } from './checks.ts';

/*
 * Counts the reads of an apply, for the forecast of its plan:
 *
 *   | reads                                        | number                                                            |
 *   | the plan that apply makes again              | as many as for the plan                                           |
 *   | the check of each list before it is changed  | one; for objects that are written whole, one for each operation.  |
 *   |                                              | Not counted: a longer apply checks again after each wait          |
 *   | the second plan, which verifies the result   | as many as for the plan                                           |
 */

/** Returns the requests that were counted since `before`, such as the reads of one plan in a longer session. */
export function countsSince(counts: RequestCounts, before: RequestCounts): RequestCounts {
  const differences = [...counts].map(
    ([endpoint, count]) => [endpoint, count - (before.get(endpoint) ?? 0)] as const,
  );
  return new Map(differences.filter(([, count]) => count > 0));
}

/**
 * Returns the reads that an apply of a plan sends, by endpoint, so that the forecast counts them towards the platform's rate limits.
 * `planReads`: the reads that the plan took.
 */
export function countApplyReads(
  { changes, operations }: Pick<Plan, 'changes' | 'operations'>,
  planReads: RequestCounts,
  kinds: Kinds,
): RequestCounts {
  // Apply plans once before its changes and once after them.
  const counts = new Map([...planReads].map(([endpoint, count]) => [endpoint, 2 * count]));
  const changeOf = indexByAddress(changes);
  const checkedCollections = new Set<CollectionId>();
  for (const operation of operations) {
    const kind = kinds.get(operation.kind)!;
    const checkedChanges = operation.changes
      .map((address) => changeOf.get(address)!)
      .filter((change) => !isInNewParent(change, kinds, changeOf));
    for (const collection of new Set(checkedChanges.map(collectionOfChange))) {
      if (checkedCollections.has(collection) && !isWrittenWhole(kind)) continue;
      checkedCollections.add(collection);
      for (const endpoint of [kind.read.endpoint ?? []].flat())
        counts.set(endpoint, (counts.get(endpoint) ?? 0) + 1);
    }
  }
  return counts;
}
