/**
 * Orders the items of lists whose order matters, such as routes.
 *
 *   position   where an item wants to be: `$first`, `$last`, `$before: NAME` or `$after: NAME`
 *   anchor     the item with that NAME
 */

import type { Reporter } from '../../model/diagnostic.ts';
import { findNodesInCycles, groupBy } from '../../model/graph.ts';
import { hintFor, quoted } from '../suggest.ts';
import { describeNodeType, type Entry, isText, type Node } from '../yaml/nodes.ts';

/** The wanted position of an item in an ordered list. `node`: the node with the name of the anchor, for messages. */
export type WantedPosition =
  | { at: 'first' | 'last' }
  | { at: 'before' | 'after'; anchor: string; node: Node };

const relationByKey = { $first: 'first', $last: 'last', $before: 'before', $after: 'after' } as const;

/**
 * Returns the position that an item of an ordered list asks for with `$first`, `$last`, `$before` or
 * `$after`: where it goes among the items that lower layers (such as templates) have. The platform applies
 * such lists, for example of routes, from top to bottom. Returns undefined if it asks for none, and after a
 * report of a wrong value. If it asks for two, reports that and returns the first.
 */
export function readPosition(entries: Entry[], report: Reporter): WantedPosition | undefined {
  const positionEntries = entries.filter(({ key }) => Object.hasOwn(relationByKey, key.text));
  const [entry, secondEntry] = positionEntries;
  if (secondEntry)
    report.error(
      'order/position',
      `\`${entry!.key.text}\` and \`${secondEntry.key.text}\` cannot be combined`,
      { at: secondEntry.key },
    );
  if (!entry) return undefined;
  const relation = relationByKey[entry.key.text as keyof typeof relationByKey];
  const { value } = entry;
  const needsAnchor = relation === 'before' || relation === 'after';
  if (needsAnchor && isText(value)) return { at: relation, anchor: value.text, node: value };
  if (!needsAnchor && value.type === 'scalar' && value.value === true) return { at: relation };
  const expected = needsAnchor ? 'the name of another item' : '`true`';
  return report.error(
    'order/position',
    `\`${entry.key.text}\` must be ${expected}, not ${describeNodeType(value)}`,
    { at: value },
  );
}

/** An item that a layer adds to a list. */
export interface PlacedItem {
  /** Its name among its siblings. */
  id: string;
  position: WantedPosition | undefined;
  /** The node with its name, for messages. */
  node: Node;
}

/**
 * Returns the ids of an ordered list, such as routes, after a layer (a template, a document or a patch) has added items to it. `order`: the
 * ids so far, which keep their order; it also has items that `$when` removed, because they can still be anchors. `added`: the new items
 * with their `$first`, `$last`, `$before` or `$after`; those with equal positions keep their order. Reports items without a position in a
 * list that has items, and anchors that do not exist or wait for each other; the items with such anchors go to the end.
 */
export function placeItems(order: string[], added: PlacedItem[], report: Reporter): string[] {
  const unpositioned = added.filter(({ position }) => !position);
  if (order.length > 0)
    for (const { node } of unpositioned)
      report.error(
        'order/missing',
        'this list is ordered and lower layers have items in it: say where this one goes',
        { at: node, hint: 'use `$first: true`, `$last: true`, `$before: NAME` or `$after: NAME`' },
      );
  const idsAt = (position: 'first' | 'last') =>
    added.filter((item) => item.position?.at === position).map(({ id }) => id);
  const withoutAnchored = [
    ...idsAt('first'),
    ...order,
    ...unpositioned.map(({ id }) => id),
    ...idsAt('last'),
  ];
  const anchored = added.filter(isAnchored);
  const placeable = orderByAnchors(anchored, new Set(withoutAnchored));
  const placed = insertAtAnchors(withoutAnchored, placeable);
  const placedIds = new Set(placed);
  const unplaced = anchored.filter(({ id }) => !placedIds.has(id));
  reportUnplaced(unplaced, placed, report);
  return [...placed, ...unplaced.map(({ id }) => id)];
}

/** An item with another one as its anchor. */
type AnchoredItem = PlacedItem & { position: Extract<WantedPosition, { anchor: string }> };

/**
 * Reports the items of an ordered list whose anchor (the item that `$before` or `$after` names) does not exist, and items that wait for
 * themselves through their anchors. All others wait for one of these, so they are not reported. `placed`: the ids in the list, for hints.
 */
function reportUnplaced(unplaced: AnchoredItem[], placed: readonly string[], report: Reporter): void {
  const itemsById = new Map(unplaced.map((item) => [item.id, item]));
  const itemsInCycles = findNodesInCycles(unplaced, ({ position }) => itemsById.get(position.anchor));
  for (const item of unplaced) {
    const { id } = item;
    const { anchor, node } = item.position;
    if (!itemsById.has(anchor))
      report.error('order/anchor', `there is no item ${quoted(anchor)} in this list`, {
        at: node,
        hint: hintFor(anchor, placed, 'items'),
      });
    else if (itemsInCycles.has(item)) {
      const message =
        anchor === id
          ? `the position of ${quoted(id)} depends on itself`
          : `the positions of ${quoted(id)} and ${quoted(anchor)} depend on each other`;
      report.error('order/anchor', message, { at: node, hint: 'put one of them beside another item' });
    }
  }
}

const isAnchored = (item: PlacedItem): item is AnchoredItem =>
  item.position !== undefined && 'anchor' in item.position;

/**
 * Returns new items of an ordered list in an order in which each can be inserted. An item with `$before: NAME` or `$after: NAME` needs its
 * anchor, the item NAME, perhaps another new item. Items whose anchors do not exist or wait for each other are left out. `placed`: the ids
 * that the list has already.
 *
 * The order is that of inserting in rounds: each round goes through the items as they are written and takes those whose anchor is placed.
 * An item whose anchor is written behind it has to wait for the next round. So the round of an item follows from that of its anchor.
 */
function orderByAnchors(items: readonly AnchoredItem[], placed: ReadonlySet<string>): AnchoredItem[] {
  const indexes = new Map(items.map((item, index) => [item, index]));
  const itemsByAnchor = groupBy(items, ({ position }) => position.anchor);
  const rounds = new Map<AnchoredItem, number>();
  for (const item of items) if (placed.has(item.position.anchor)) rounds.set(item, 0);
  // The items that wait for an item get their round from it. The loop also visits the entries that are added to the map during the loop.
  for (const [anchor, round] of rounds)
    for (const item of itemsByAnchor.get(anchor.id) ?? []) {
      const isAnchorFirst = indexes.get(anchor)! < indexes.get(item)!;
      rounds.set(item, isAnchorFirst ? round : round + 1);
    }
  return [...rounds]
    .sort(([a, roundOfA], [b, roundOfB]) => roundOfA - roundOfB || indexes.get(a)! - indexes.get(b)!)
    .map(([item]) => item);
}

/**
 * Returns a list with items inserted before or behind another one, their anchor: `$before: NAME` and `$after: NAME`
 * ask for that in ordered lists such as routes. Items with one anchor keep their order: in the list `[a]`, `x` and
 * `y` become `x y a` with `$before: a`, and `a x y` with `$after: a`. An inserted item can be the anchor of later
 * ones. `items` must be in the order of `orderByAnchors`, so that each anchor is in the list or among the items
 * before it.
 */
function insertAtAnchors(list: readonly string[], items: readonly AnchoredItem[]): string[] {
  // A linked list, because thousands of insertions into an array would each move thousands of members. `undefined` stands for its start.
  const next = new Map<string | undefined, string>();
  const previous = new Map<string, string | undefined>();
  const insertBehind = (predecessor: string | undefined, id: string) => {
    const successor = next.get(predecessor);
    next.set(predecessor, id);
    previous.set(id, predecessor);
    if (successor === undefined) return;
    next.set(id, successor);
    previous.set(successor, id);
  };
  for (const [index, id] of list.entries()) insertBehind(list[index - 1], id);
  // By anchor, the item that was inserted last with `$after`: the next one goes behind it. `$before` needs no such memory,
  // because the place directly before the anchor is already behind the items that were inserted there.
  const lastBehind = new Map<string, string>();
  for (const { id, position } of items) {
    const { at, anchor } = position;
    if (at === 'before') insertBehind(previous.get(anchor), id);
    else {
      insertBehind(lastBehind.get(anchor) ?? anchor, id);
      lastBehind.set(anchor, id);
    }
  }
  const result: string[] = [];
  for (let id = next.get(undefined); id !== undefined; id = next.get(id)) result.push(id);
  return result;
}
