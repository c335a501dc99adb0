import { reorderLists } from '../../accept/reorder-lists.ts';
import type { ConfigurationText } from '../../config/configuration.ts';
import type { Kinds } from '../../kind/kind.ts';
import type { Address } from '../../model/address.ts';
import type { ComparedPair, SideComparison } from '../compare-sides.ts';
import type { CandidateEdit } from './stage-edits.ts';

/**
 * Returns the edit with which `trueup diff --promote` moves items of an ordered list of B, such as firewall rules, behind the items that
 * they follow in A. All other items keep their order. Returns undefined if the order cannot be written.
 */
export function findOrderEdit(
  moved: readonly ComparedPair[],
  { pairs, b }: SideComparison,
  written: ConfigurationText,
  kinds: Kinds,
): CandidateEdit | undefined {
  const { kind, parent } = moved[0]!.b;
  const siblings = pairs.filter((pair) => pair.b.kind === kind && pair.b.parent === parent);
  const inOrderOfA = siblings
    .sort((first, second) => first.a.index - second.a.index)
    .map((pair) => pair.b.address);
  const list = [...b.objects.values()].filter((object) => object.kind === kind && object.parent === parent);
  const order = list.sort((first, second) => first.index - second.index).map(({ address }) => address);
  for (const { b: item } of moved) moveBehind(order, item.address, inOrderOfA);
  const { files, refused } = reorderLists(
    [{ kind, addresses: order, isChangedOutside: true }],
    written,
    kinds,
  );
  return refused.length > 0 || files.length === 0 ? undefined : { id: '', files };
}

/**
 * Moves an item in `list` behind the item that precedes it in `order`, or to the beginning if it is the first there. Changes `list` itself.
 */
function moveBehind(list: Address[], item: Address, order: readonly Address[]): void {
  list.splice(list.indexOf(item), 1);
  const previous = order[order.indexOf(item) - 1];
  list.splice(previous === undefined ? 0 : list.indexOf(previous) + 1, 0, item);
}
