import type { Address } from '../../model/address.ts';

/** One list of our items in three orders. Each order may lack items: only those in all three are compared. */
export interface ThreeOrders {
  /** After our last apply. */
  recorded: readonly Address[];
  live: readonly Address[];
  desired: readonly Address[];
}

/**
 * Returns the items whose order was changed outside, so that the plan can report the move as drift. These are the items of a pair that the
 * last apply and the configuration put in one order, and the account in the other.
 *
 * Premise: two items have only two orders. If the configuration has reversed a pair since the last apply, the account shows either order:
 * the old one before our edit, the new one after it. So an interrupted apply never looks like somebody else's change.
 */
export function changedOutside({ recorded, live, desired }: ThreeOrders): Set<Address> {
  const [recordedAt, liveAt] = [recorded, live].map(
    (order) => new Map(order.map((address, index) => [address, index])),
  ) as [Map<Address, number>, Map<Address, number>];
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
