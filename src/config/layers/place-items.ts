/** The order of lists in which it matters, such as routes: `$first`, `$last`, `$before` and `$after` say where an item goes. */

import type { Reporter } from '../../model/diagnostic.ts';
import { groupBy } from '../../model/graph.ts';
import { hintFor, quoted } from '../suggest.ts';
import { describeNodeType, type Entry, type Node } from '../yaml/nodes.ts';

/** The wanted position of an item in an ordered list. */
export type ItemPosition = { at: 'first' | 'last' } | { at: 'before' | 'after'; anchor: string; node: Node };

const positionKeys = { $first: 'first', $last: 'last', $before: 'before', $after: 'after' } as const;

/**
 * Reads the position that an item asks for with `$first`, `$last`, `$before` or `$after`. Returns undefined if it asks for none, and after
 * a problem was reported.
 */
export function readPosition(entries: Entry[], report: Reporter): ItemPosition | undefined {
  const positionEntries = entries.filter(({ key }) => Object.hasOwn(positionKeys, key.text));
  const [entry, secondEntry] = positionEntries;
  if (secondEntry)
    report.error(
      'order/position',
      `\`${entry!.key.text}\` and \`${secondEntry.key.text}\` cannot be combined`,
      { at: secondEntry.key },
    );
  if (!entry) return undefined;
  const at = positionKeys[entry.key.text as keyof typeof positionKeys];
  const { value } = entry;
  if (at === 'first' || at === 'last') {
    if (value.type === 'scalar' && value.value === true) return { at };
    report.error('order/position', `\`${entry.key.text}\` must be \`true\`, not ${describeNodeType(value)}`, {
      at: value,
    });
    return undefined;
  }
  if (value.type === 'scalar' && value.value !== null) return { at, anchor: value.text, node: value };
  report.error(
    'order/position',
    `\`${entry.key.text}\` must be the name of another item, not ${describeNodeType(value)}`,
    { at: value },
  );
  return undefined;
}

/** An item that a layer adds to a list. */
export interface PlacedItem {
  /** Its name among its siblings. */
  id: string;
  position: ItemPosition | undefined;
  /** The node with its name, for messages. */
  node: Node;
}

/**
 * Returns the order of a list after a layer has added items: existing items keep their order, and new items with equal positions do too.
 *
 * An anchor (`$before: NAME`) may be another new item. So items are placed in rounds, until no item finds its anchor any more. `order` also
 * contains the items that `$when` removed, because they can still be anchors.
 */
export function placeItems(order: string[], added: PlacedItem[], report: Reporter): string[] {
  const wasEmpty = order.length === 0;
  const unpositioned = added.filter(({ position }) => !position);
  if (!wasEmpty)
    for (const { node } of unpositioned)
      report.error(
        'order/missing',
        'this list is ordered and lower layers have items in it: say where this one goes',
        { at: node, hint: 'use `$first: true`, `$last: true`, `$before: NAME` or `$after: NAME`' },
      );
  const result = [...order, ...unpositioned.map(({ id }) => id)];
  const itemsAt = (position: 'first' | 'last') => added.filter((item) => item.position?.at === position);
  result.unshift(...itemsAt('first').map(({ id }) => id));
  result.push(...itemsAt('last').map(({ id }) => id));
  const waiting = added.filter(isAnchored);
  const placeable = inRounds(waiting, new Set(result));
  const placed = insertAll(result, placeable);
  const isPlaced = new Set(placed);
  const unplaced = waiting.filter(({ id }) => !isPlaced.has(id));
  for (const { position } of unplaced)
    report.error('order/anchor', `there is no item ${quoted(position.anchor)} in this list`, {
      at: position.node,
      hint: hintFor(position.anchor, placed, 'items'),
    });
  return [...placed, ...unplaced.map(({ id }) => id)];
}

/** An item with another one as its anchor. */
type AnchoredItem = PlacedItem & { position: Extract<ItemPosition, { anchor: string }> };

const isAnchored = (item: PlacedItem): item is AnchoredItem =>
  item.position !== undefined && 'anchor' in item.position;

/**
 * Returns the items that find their anchor, in the order in which they are placed. The anchor of an item may come later in the layer: then
 * the item has to wait for the next round.
 */
function inRounds(waiting: readonly AnchoredItem[], placed: ReadonlySet<string>): AnchoredItem[] {
  const indexes = new Map(waiting.map((item, index) => [item, index]));
  const byAnchor = groupBy(waiting, ({ position }) => position.anchor);
  const rounds = new Map<AnchoredItem, number>();
  for (const item of waiting) if (placed.has(item.position.anchor)) rounds.set(item, 0);
  // A map also visits the entries that are added meanwhile.
  for (const [anchor, round] of rounds)
    for (const item of byAnchor.get(anchor.id) ?? [])
      rounds.set(item, indexes.get(anchor)! < indexes.get(item)! ? round : round + 1);
  return [...rounds]
    .sort(([a, roundOfA], [b, roundOfB]) => roundOfA - roundOfB || indexes.get(a)! - indexes.get(b)!)
    .map(([item]) => item);
}

/** Returns a list with items inserted beside their anchors, each of which is in the list or inserted before. */
function insertAll(list: readonly string[], items: readonly AnchoredItem[]): string[] {
  // A list of links, because thousands of insertions into an array would each move thousands of members. `undefined` is the start.
  const next = new Map<string | undefined, string>();
  const previous = new Map<string, string | undefined>();
  const insertAfter = (before: string | undefined, id: string) => {
    const after = next.get(before);
    next.set(before, id);
    previous.set(id, before);
    if (after === undefined) return;
    next.set(id, after);
    previous.set(after, id);
  };
  for (const [index, id] of list.entries()) insertAfter(list[index - 1], id);
  const lastAfter = new Map<string, string>();
  for (const { id, position } of items) {
    const { at, anchor } = position;
    if (at === 'before') insertAfter(previous.get(anchor), id);
    else {
      // After the items that were placed behind the same anchor before.
      insertAfter(lastAfter.get(anchor) ?? anchor, id);
      lastAfter.set(anchor, id);
    }
  }
  const result: string[] = [];
  for (let id = next.get(undefined); id !== undefined; id = next.get(id)) result.push(id);
  return result;
}
