import { hintFor, quoted } from '../suggest.ts';
import { describe, type Entry, type Node } from '../yaml/nodes.ts';
import type { ReportWithRelated } from './layer.ts';

/** The place of a new item in a list whose order matters. */
export type ItemPosition = { at: 'first' | 'last' } | { at: 'before' | 'after'; anchor: string; node: Node };

const positionKeys = { $first: 'first', $last: 'last', $before: 'before', $after: 'after' } as const;

/** The place that an item asks for with `$first`, `$last`, `$before` or `$after`; undefined where it asks for none. */
export function readPosition(entries: Entry[], say: ReportWithRelated): ItemPosition | undefined {
  const asked = entries.filter(({ key }) => Object.hasOwn(positionKeys, key.text));
  const [entry, more] = asked;
  if (more)
    say('order/position', `\`${entry!.key.text}\` and \`${more.key.text}\` cannot be combined`, more.key.at);
  if (!entry) return undefined;
  const at = positionKeys[entry.key.text as keyof typeof positionKeys];
  const { value } = entry;
  if (at === 'first' || at === 'last') {
    if (value.type === 'scalar' && value.value === true) return { at };
    say('order/position', `\`${entry.key.text}\` must be \`true\`, not ${describe(value)}`, value.at);
    return undefined;
  }
  if (value.type === 'scalar' && value.value !== null) return { at, anchor: value.text, node: value };
  say(
    'order/position',
    `\`${entry.key.text}\` must be the name of another item, not ${describe(value)}`,
    value.at,
  );
  return undefined;
}

/** An item that a layer brings into a list. */
export interface PlacedItem {
  /** Its name among its siblings. */
  id: string;
  position: ItemPosition | undefined;
  /** Its name and place, for messages. */
  node: Node;
}

/**
 * The order of a list once a layer has brought in new items: what was there keeps its place, and new items that ask for one place keep
 * their order. `order` holds what `$when` took away, too.
 */
export function placeItems(order: string[], added: PlacedItem[], say: ReportWithRelated): string[] {
  const wasEmpty = order.length === 0;
  const loose = added.filter(({ position }) => !position);
  if (!wasEmpty)
    for (const { node } of loose)
      say(
        'order/missing',
        'this list is ordered and lower layers have items in it: say where this one goes',
        node.at,
        'use `$first: true`, `$last: true`, `$before: NAME` or `$after: NAME`',
      );
  const result = [...order, ...loose.map(({ id }) => id)];
  const at = (position: 'first' | 'last') => added.filter((one) => one.position?.at === position);
  result.unshift(...at('first').map(({ id }) => id));
  result.push(...at('last').map(({ id }) => id));
  // An anchor may be an item that is placed by another one: as long as one finds its place, the others may.
  let waiting = added.filter(({ position }) => position && 'anchor' in position);
  const behind = new Map<string, string>();
  while (waiting.length > 0) {
    const rest: PlacedItem[] = [];
    for (const one of waiting) {
      const { at: side, anchor } = one.position as Extract<ItemPosition, { anchor: string }>;
      const index = result.indexOf(anchor);
      if (index === -1) rest.push(one);
      else if (side === 'before') result.splice(index, 0, one.id);
      else {
        // Behind those that came there first.
        const last = behind.get(anchor);
        result.splice((last === undefined ? index : result.indexOf(last)) + 1, 0, one.id);
        behind.set(anchor, one.id);
      }
    }
    if (rest.length === waiting.length) {
      for (const { id, position } of rest) {
        const { anchor, node } = position as Extract<ItemPosition, { anchor: string }>;
        say(
          'order/anchor',
          `there is no item ${quoted(anchor)} in this list`,
          node.at,
          hintFor(anchor, result, 'items'),
        );
        result.push(id);
      }
      break;
    }
    waiting = rest;
  }
  return result;
}
