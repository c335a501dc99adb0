/**
 * The position of this stack's items in an ordered list that several stacks share (`$position`).
 *
 * Terms: a neighbour is another stack with items in the same list. Its `$position` stands in its ledger: `first`, `last`, or before another
 * stack. Two positions contradict each other if no order satisfies both. Each apply of one stack would then move the items of the other.
 */
import type { CollectionChanges } from '../kind/kind.ts';
import type { Change } from '../model/change.ts';
import type { Reporter } from '../model/diagnostic.ts';
import { type OtherStack, refersToStack } from '../model/ledger.ts';
import type { ListPosition, LiveResource } from '../model/resource.ts';
import { isClaim } from './claims.ts';
import type { PlanInput } from './input.ts';

/** Another stack, with its items in the same list; it may have none. */
interface Neighbour {
  stack: OtherStack;
  /** The ids of its items in the list. */
  ids: ReadonlySet<string>;
  position?: ListPosition;
}

/** Finds the neighbour that a name in a `$position` means. */
type FindNeighbour = (name: string) => Neighbour | undefined;

/**
 * Returns where our items go in an ordered list that several stacks share, such as firewall rules, so that the plan can order the list. The
 * `$position` of the list stands at each of our items, so the first one is used. No position without it, for a kind whose order decides
 * nothing, and after a report: `placeAmong` says in which cases.
 */
export function findListPosition(
  changes: Change[],
  live: readonly LiveResource[],
  { desired, kinds, otherStacks = [] }: PlanInput,
  report: Reporter,
): PositionInList {
  const item = changes.find(({ after }) => after?.meta.position)?.after;
  const position = item?.meta.position;
  if (!item || position === undefined || !kinds.get(item.kind)!.shape.orderDecides) return {};
  const neighbours = otherStacks.map((stack) => createNeighbour(stack, item.kind, live));
  const placed = placeAmong(neighbours, position, desired.stack);
  if (!('refusal' in placed)) return placed;
  const listName = item.parent ?? 'the list';
  report.error('position/refused', `${listName}: ${placed.refusal}`, {
    address: item.parent,
    at: desired.resources.get(item.parent ?? '')?.at ?? item.at,
    hint: placed.hint,
  });
  return {};
}

/**
 * The place of our items: `last` is behind all others, and `{ before(id) }` in front of each item of others for whose id the function
 * returns true.
 */
type PositionInList = Pick<CollectionChanges, 'position'>;

/**
 * Returns where our items go among those of other stacks (`neighbours`). Refuses that, with a reason for people, if another stack has a
 * contradicting position, or if the place depends on a ledger that is missing or unverified.
 */
function placeAmong(
  neighbours: readonly Neighbour[],
  position: ListPosition,
  ourStack: string,
): PositionInList | { refusal: string; hint: string } {
  const findNeighbour: FindNeighbour = (name) =>
    neighbours.find(({ stack }) => refersToStack(name, stack.stack, { from: ourStack }));
  const rival = neighbours.find((neighbour) => contradicts(position, neighbour, ourStack, findNeighbour));
  if (rival)
    return {
      refusal: `this stack has \`$position\` ${formatListPosition(position)}, and the stack ${rival.stack.stack} ${formatListPosition(rival.position!)}: each would keep moving its items`,
      hint: 'remove `$position` from one of them, or write `$position: { before: STACK }` in the one that comes first',
    };
  if (position === 'last') return { position };
  if (position === 'first') return { position: { before: () => true } };
  const successor = findNeighbour(position.before);
  const stackNames = neighbours.map(({ stack }) => stack.stack).join(', ');
  if (!successor)
    return {
      refusal: `no stack ${position.before} of this account is in the store, so the order is unknown`,
      hint:
        stackNames === ''
          ? 'apply that stack first, with a ledger in the same store'
          : `there are ${stackNames}; apply that stack first, with a ledger in the same store`,
    };
  if (!successor.stack.isVerified)
    return {
      refusal: `the ledger of the stack ${successor.stack.stack} is not signed by the current key, so it is not used to order items`,
      hint: 'apply both stacks with one key, or write `$position: first`',
    };
  return { position: { before: (id) => successor.ids.has(id) } };
}

/**
 * Describes another stack by its items in the same ordered list: their ids, none if it has no live item
 * there, and the `$position` from its ledger. Used to place our items in front of or behind these, and to find two stacks
 * whose positions contradict each other.
 */
function createNeighbour(stack: OtherStack, kind: string, live: readonly LiveResource[]): Neighbour {
  const liveIds = new Set(live.flatMap(({ ids }) => ids));
  const entries = Object.values(stack.entries).filter(
    (entry) => isClaim(entry) && entry.kind === kind && entry.ids.some((id) => liveIds.has(id)),
  );
  const position = entries.find((entry) => entry.position)?.position;
  return { stack, ids: new Set(entries.flatMap(({ ids }) => ids)), position };
}

/**
 * True if our `$position` in an ordered list and that of another stack contradict each other, so that each apply of one would move the
 * items of the other. The other ledger may be unverified: a false position in it can only make the plan refuse, never move an item.
 *
 *   | ours            | theirs                                              | contradiction |
 *   | --------------- | --------------------------------------------------- | ------------- |
 *   | `first`/`last`  | the same                                            | yes           |
 *   | `first`         | before us                                           | yes           |
 *   | before them     | `first`, or before us, directly or over other stacks | yes           |
 *   | anything else   | anything else                                       | no            |
 */
function contradicts(
  ourPosition: ListPosition,
  { stack, position: theirPosition }: Neighbour,
  ourStack: string,
  findNeighbour: FindNeighbour,
): boolean {
  if (theirPosition === undefined) return false;
  const isBefore = (position: ListPosition, successor: string, stackWithPosition: string) =>
    typeof position === 'object' && refersToStack(position.before, successor, { from: stackWithPosition });
  if (ourPosition === 'last') return theirPosition === 'last';
  if (ourPosition === 'first')
    return theirPosition === 'first' || isBefore(theirPosition, ourStack, stack.stack);
  // We are before a stack. Only that one can contradict us.
  if (!isBefore(ourPosition, stack.stack, ourStack)) return false;
  // Follow the chain "A before B, B before C". It must not lead back to us, and a chain that ends with `first` leaves no place before it.
  const visited = new Set<string>();
  let position = theirPosition;
  let stackWithPosition = stack.stack;
  for (;;) {
    if (position === 'first' || isBefore(position, ourStack, stackWithPosition)) return true;
    const next = typeof position === 'object' ? findNeighbour(position.before) : undefined;
    if (!next || visited.has(next.stack.stack) || next.position === undefined) return false;
    visited.add(next.stack.stack);
    position = next.position;
    stackWithPosition = next.stack.stack;
  }
}

const formatListPosition = (position: ListPosition): string =>
  typeof position === 'string' ? `\`${position}\`` : `before ${position.before}`;
