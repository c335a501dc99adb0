import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import { longestIncreasingSubsequence } from '../shapes/order/reorder.ts';
import type { ComparedObject } from './compared-side.ts';

/** An item of an ordered list that has another place among the items that both sides have. Places count from 1. */
export interface PlaceDifference {
  a: number;
  b: number;
  /** The number of items that both sides have. */
  itemCount: number;
}

/**
 * Returns the items of ordered lists, such as firewall rules, that have another place in the other side, by their address in A. Only items
 * of both sides count, so that an added rule does not move all rules after it. If one rule was moved, only that rule is returned: the
 * longest run in equal order counts as unmoved.
 */
export function findMovedItems(
  pairs: readonly { a: ComparedObject; b: ComparedObject }[],
  kinds: Kinds,
): ReadonlyMap<Address, PlaceDifference> {
  const moved = new Map<Address, PlaceDifference>();
  const items = pairs.filter(({ a }) => kinds.get(a.kind)!.shape.orderDecides);
  for (const list of groupBy(items, ({ a }) => `${a.parent ?? ''}#${a.kind}`).values()) {
    const inOrderOfB = [...list].sort((first, second) => first.b.index - second.b.index);
    const placeInB = new Map(inOrderOfB.map(({ a }, index) => [a.address, index]));
    const inOrderOfA = [...list].sort((first, second) => first.a.index - second.a.index);
    const places = inOrderOfA.map(({ a }) => placeInB.get(a.address)!);
    const unmoved = new Set(longestIncreasingSubsequence(places));
    for (const [index, { a }] of inOrderOfA.entries())
      if (!unmoved.has(index))
        moved.set(a.address, { a: index + 1, b: places[index]! + 1, itemCount: list.length });
  }
  return moved;
}
