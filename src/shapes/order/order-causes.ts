import type { CollectionChanges } from '../../kind/kind.ts';
import type { Address } from '../../model/address.ts';
import type { OrderCause } from '../../model/change.ts';
import { groupBy } from '../../model/graph.ts';
import type { OrderedList } from './draft-list.ts';

/**
 * Creates the function which returns why an item (by its address) of an ordered list moves: the configuration changed (`edit`), somebody
 * moved it in the account (`drift`), or the platform did not keep the order that we applied (`not-kept`). `unknown` if the ledger has no
 * order of the list or of the item. Plans show the cause. Items with copies are not compared, because the account has no single place for
 * them. `desired`: the addresses of our items in the order of the configuration.
 */
export function findOrderCauses(
  { recordedOrder, entryOf }: CollectionChanges,
  { steps, live }: OrderedList,
  desired: readonly Address[],
): (address: Address) => OrderCause {
  if (!recordedOrder || !steps.some(({ type }) => type === 'move')) return () => 'unknown';
  const copies = groupBy(live.values(), ({ address }) => address);
  const liveOrder = [...live.keys()].filter((key) => copies.get(key)?.length === 1);
  const movedOutside = changedOutside({ recorded: recordedOrder, live: liveOrder, desired });
  const recorded = new Set(recordedOrder);
  return (address) => {
    if (movedOutside.has(address)) return 'drift';
    if (entryOf(address)?.notKept?.$order !== undefined) return 'not-kept';
    return recorded.has(address) ? 'edit' : 'unknown';
  };
}

/** One list of our items in three orders. Each order may lack items: only those in all three are compared. */
interface ThreeOrders {
  /** After our last apply. */
  recorded: readonly Address[];
  live: readonly Address[];
  desired: readonly Address[];
}

/**
 * Returns the items of an ordered list whose order was changed outside (in the account), so that the plan can report the move as drift.
 * These are the items of each pair that the last apply and the configuration put in one order, and the account in the other.
 *
 * A pair that the configuration has reversed since the last apply proves nothing: the account has the old order before our apply and the
 * new one after it. So an interrupted apply never looks like somebody else's change.
 */
export function changedOutside({ recorded, live, desired }: ThreeOrders): Set<Address> {
  const recordedAt = indexesOf(recorded);
  const liveAt = indexesOf(live);
  const common = desired.filter((address) => recordedAt.has(address) && liveAt.has(address));
  const changed = new Set<Address>();
  for (const [index, first] of common.entries())
    for (const second of common.slice(index + 1)) {
      const isAsApplied = recordedAt.get(first)! < recordedAt.get(second)!;
      const isReversed = liveAt.get(first)! > liveAt.get(second)!;
      if (isAsApplied && isReversed) changed.add(first).add(second);
    }
  return changed;
}

/** Returns the index of each item in a list. */
const indexesOf = (order: readonly Address[]): Map<Address, number> =>
  new Map(order.map((address, index) => [address, index]));
