import { isSameValue } from '../kind/compare.ts';
import type { CollectionChanges, Shape } from '../kind/kind.ts';
import { plain } from '../kind/plain.ts';
import { type Address, indexByAddress } from '../model/address.ts';
import {
  type ArrangedChange,
  asksForWrite,
  type Change,
  type ComparedChange,
  type ItemPosition,
  type OrderCause,
} from '../model/change.ts';
import { canonicalJson } from '../model/digest.ts';
import { groupBy } from '../model/graph.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import type { LiveResource, Resource } from '../model/resource.ts';
import { revealed } from '../model/sealed.ts';
import type { Fields, Value } from '../model/value.ts';
import { draftStagedList, draftSteps, type OrderedList } from './order/draft-list.ts';
import { arrival, type ListItem, transition } from './order/transition.ts';

/*
 * Lists in which the order of the items decides, such as firewall rules: the first item that matches a request wins.
 *
 * Terms: an item is foreign if this stack does not own it. An item of ours may have copies (live objects under the same address) if an earlier
 * run was interrupted. A key names a live object or a desired one in the steps: the address for the object that the address means,
 * `#ID` for a foreign item or a copy. The verdict of an item is a text that is equal for items with the same match and the same effect.
 */

/**
 * Returns the match and the effect of an item as a value that is equal for items that decide alike; null for an item that never decides, such
 * as an inactive one.
 */
type Decides = (fields: Fields) => Value;

/**
 * Returns the shape of siblings whose order decides, such as firewall rules. An item that only changes its position gets the action `move`.
 * An update that is safer as a new copy stays an update in the plan; only its requests differ. Without `decides` all orders on the way
 * count as equal: for lists that are staged, so that they are visible only when they are complete.
 */
export const ordered = (decides: Decides = () => null): Shape => ({
  ...plain,
  orderDecides: true,
  byIndex: true,
  words: (isHidden) => [
    'The order of the list matters: the first match wins. Undeclared items keep their position.',
    ...(isHidden
      ? []
      : [
          'Changes are made one at a time, so that at every moment the list behaves as before or as after.',
          'Where a change in place could give some request another verdict for a moment, a changed copy is inserted and the old item then removed, even if the item was only just adopted: its id changes. The plan says so.',
        ]),
  ],
  arrange(siblings) {
    const list = planOrder(siblings, decides);
    return {
      changes: markPositions(siblings, list),
      draft: (changes, { isHidden }) =>
        (isHidden ? draftStagedList : draftSteps)(siblings.kind, changes, list),
    };
  },
});

/**
 * Finds the steps from the live list to the desired one, such as "move rule 3 to the top", with the objects that the keys in the steps mean. The plan
 * shows the moves, and the requests are drafted from the steps.
 */
function planOrder(siblings: CollectionChanges, decides: Decides): OrderedList {
  const { changes, live: liveSiblings, position } = siblings;
  const live = new Map<string, LiveResource>();
  const liveObjects = liveSiblings
    .flatMap((object) => object.alternatives ?? [object])
    .sort((a, b) => a.index - b.index);
  const changeOf = indexByAddress(changes);
  const liveItems = liveObjects.map((object): ListItem => {
    const change = changeOf.get(object.address);
    const item = describeLiveItem(object, change, siblings);
    live.set(item.key, object);
    return { ...item, decides: verdictOf(decides, object.fields) };
  });
  const desiredItems = wantedChangesInOrder(changes).map(
    (change): ListItem => ({
      key: change.address,
      decides: verdictOf(decides, fieldsAfter(change)),
      managed: true,
      content: sendsContent(change) ? 'new' : 'same',
    }),
  );
  const foreignKeys = liveItems.filter(({ managed }) => !managed).map(({ key }) => key);
  const anchor =
    typeof position === 'object'
      ? { before: new Set(foreignKeys.filter((key) => position.before(live.get(key)!.id))) }
      : position;
  return {
    steps: transition(liveItems, desiredItems, anchor),
    goal: arrival(liveItems, desiredItems, anchor),
    live,
  };
}

/**
 * Describes a live object of an ordered list for the plan's search of steps: its key, whether it is ours (foreign items never move), and whether its
 * content changes.
 */
function describeLiveItem(
  object: LiveResource,
  change: Change | undefined,
  { isExclusive, entryOf }: CollectionChanges,
): Omit<ListItem, 'decides'> {
  const isOurs = change !== undefined && (isWanted(change) || change.action === 'delete');
  const isChosen = isOurs && change.before?.id === object.id;
  return {
    key: isChosen ? object.address : `#${object.id}`,
    managed: isChosen || (isOurs && (isExclusive || isLeftover(object, change, entryOf(object.address)))),
    content: isChosen && sendsContent(change) ? 'old' : 'same',
  };
}

/** A change of an object that is ours and in the list after the run. */
type WantedChange = ComparedChange & { after: Resource };

/** True for the change of an item that is ours and in the list after the run. */
const isWanted = (change: Change): change is WantedChange =>
  change.after !== undefined && change.action !== 'forget' && !change.after.meta.existing;

/** True if a change sends values, so that the content of the item differs. */
const sendsContent = ({ action, fields }: Change) => action === 'create' || fields.some(asksForWrite);

/** Returns the changes of the items that are ours afterwards, in the order of the configuration. */
const wantedChangesInOrder = (changes: Change[]): WantedChange[] =>
  changes.filter(isWanted).sort((a, b) => a.after.index - b.after.index);

/** Returns all fields of an item of an ordered list as they are after a change, to judge what the item will decide. */
const fieldsAfter = ({ before, after }: Change): Fields => ({ ...before?.fields, ...after?.fields });

/**
 * True if a live object is a copy that an interrupted run of ours left, so that it is removed. Either the ledger has its id, or it is
 * exactly the copy that this change would insert: then only the response with its id was lost.
 */
function isLeftover(object: LiveResource, change: Change, entry: LedgerEntry | undefined): boolean {
  if (!entry) return false;
  const desired = fieldsAfter(change);
  const names = Object.keys({ ...desired, ...object.fields });
  return (
    entry.ids.includes(object.id) ||
    (sendsContent(change) && names.every((name) => isSameValue(desired[name], object.fields[name], {})))
  );
}

/**
 * Returns the verdict of an item of an ordered list such as a firewall rule (what it matches and does) as a text that can be compared; null if the
 * item never decides.
 */
function verdictOf(decides: Decides, fields: Fields): string | null {
  const verdict = decides(fields);
  return verdict === null ? null : canonicalJson(revealed(verdict));
}

/**
 * Returns the changes of an ordered list (firewall rules, for example) with the facts that only the whole list shows: where an item moves,
 * whether a changed copy is inserted, and whether a copy that an interrupted run left is removed.
 */
function markPositions(siblings: CollectionChanges, list: OrderedList): ArrangedChange[] {
  const { changes, entryOf } = siblings;
  const { steps, live } = list;
  const causeOf = findOrderCauses(siblings, list);
  const positionOf = positionsIn(list);
  return changes.map((change): ArrangedChange => {
    if (!isWanted(change)) return change;
    const { address, action } = change;
    const isMoved = steps.some(({ type, key }) => type === 'move' && key === address);
    // A new item is moved into place too, but it had no other place before.
    const isReordered = isMoved && live.has(address);
    const isNewAmongOthers = action === 'create' && list.goal.length > 1;
    const position = isReordered || isNewAmongOthers ? positionOf(address) : undefined;
    const isReinserted = steps.some(
      (step) => step.type === 'remove' && step.superseded && step.key === address,
    );
    const marked: ArrangedChange & WantedChange = {
      ...change,
      moves: isMoved || undefined,
      position: position && isReordered ? { ...position, cause: causeOf(address) } : position,
      reinserted: isReinserted || undefined,
    };
    const losesCopy = steps.some(({ key }) => key !== address && live.get(key)?.address === address);
    if (losesCopy && !sendsContent(marked)) return withoutCopy(marked);
    // The object is ours already, so a move is shown although the ledger learns something as well.
    const isOurs = action === 'noop' || (action === 'adopt' && !sendsContent(marked) && entryOf(address));
    return isMoved && isOurs && marked.before ? asMove(marked, marked.before) : marked;
  });
}

/**
 * Returns the change of an object that stays as it is, but loses a copy that an interrupted run left. An unchanged object becomes an
 * update, so that its request is drafted.
 */
const withoutCopy = (change: ArrangedChange & WantedChange): ArrangedChange => {
  const reason = 'another copy of it is removed';
  if (change.action !== 'noop') return { ...change, reason };
  const { handover: _, ...members } = change;
  return { ...members, action: 'update', reason };
};

/** Returns the change of an object of ours as a move, because its position is its only visible difference. */
const asMove = (
  { after, ...change }: ArrangedChange & WantedChange,
  before: LiveResource,
): ArrangedChange => {
  const { reason: _, handover: __, changesLedgerOnly: ___, run: ____, ...members } = change;
  return { ...members, action: 'move', before, after };
};

/**
 * Creates the function which returns the position of an item in an ordered list before and after a change, as the plan shows it: "from 3 to 1 of 5".
 */
function positionsIn({ goal, live }: OrderedList): (address: Address) => ItemPosition {
  const before = new Map([...live.keys()].map((key, index) => [key, index + 1]));
  const after = new Map(goal.map((key, index) => [key, index + 1]));
  return (address) => {
    const [from, to] = [before.get(address), after.get(address)!];
    const precedingKey = goal[to - 2];
    return {
      from,
      to,
      of: goal.length,
      after: precedingKey === undefined ? undefined : (live.get(precedingKey)?.address ?? precedingKey),
    };
  };
}

/**
 * Creates the function which returns why an item moves: because the configuration changed, or because somebody moved it outside. `unknown`
 * if the ledger has no order of the list.
 */
function findOrderCauses(
  { changes, recordedOrder, entryOf }: CollectionChanges,
  { steps, live }: OrderedList,
): (address: Address) => OrderCause {
  if (!recordedOrder || !steps.some(({ type }) => type === 'move')) return () => 'unknown';
  const copies = groupBy(live.values(), ({ address }) => address);
  const liveOrder = [...live.keys()].filter((key) => copies.get(key)?.length === 1);
  const desired = wantedChangesInOrder(changes).map(({ address }) => address);
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
