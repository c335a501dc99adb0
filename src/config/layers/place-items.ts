/** The order of lists in which it matters, such as routes: `$first`, `$last`, `$before` and `$after` say where an item goes. */

import type { Reporter } from '../../model/diagnostic.ts';
import { hintFor, quoted } from '../suggest.ts';
import { describe, type Entry, type Node } from '../yaml/nodes.ts';

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
    report.error('order/position', `\`${entry.key.text}\` must be \`true\`, not ${describe(value)}`, {
      at: value,
    });
    return undefined;
  }
  if (value.type === 'scalar' && value.value !== null) return { at, anchor: value.text, node: value };
  report.error(
    'order/position',
    `\`${entry.key.text}\` must be the name of another item, not ${describe(value)}`,
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
 * An anchor (`$before: NAME`) may be another new item. So items are placed in rounds, until none finds its anchor any more. `order` also
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
  // As long as one item is placed in a round, it may be the anchor of another one.
  let waiting = added.filter(({ position }) => position && 'anchor' in position);
  const lastAfter = new Map<string, string>();
  while (waiting.length > 0) {
    const unplaced: PlacedItem[] = [];
    for (const item of waiting) {
      const { at: side, anchor } = item.position as Extract<ItemPosition, { anchor: string }>;
      const index = result.indexOf(anchor);
      if (index === -1) unplaced.push(item);
      else if (side === 'before') result.splice(index, 0, item.id);
      else {
        // After the items that were placed behind the same anchor before.
        const previousItem = lastAfter.get(anchor);
        result.splice((previousItem === undefined ? index : result.indexOf(previousItem)) + 1, 0, item.id);
        lastAfter.set(anchor, item.id);
      }
    }
    if (unplaced.length === waiting.length) {
      const placed = [...result];
      for (const { id, position } of unplaced) {
        const { anchor, node } = position as Extract<ItemPosition, { anchor: string }>;
        report.error('order/anchor', `there is no item ${quoted(anchor)} in this list`, {
          at: node,
          hint: hintFor(anchor, placed, 'items'),
        });
        result.push(id);
      }
      break;
    }
    waiting = unplaced;
  }
  return result;
}
