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
} from '../model/change.ts';
import { canonicalJson } from '../model/digest.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import type { LiveResource, Resource } from '../model/resource.ts';
import { revealed } from '../model/sealed.ts';
import type { Fields, Value } from '../model/value.ts';
import { draftStagedList, draftSteps, type OrderedList } from './order/draft-list.ts';
import { findOrderCauses } from './order/order-causes.ts';
import { arrival, type ListItem, transition } from './order/transition.ts';

/*
 * Lists in which the order of the items decides, such as firewall rules: the first item that matches a request wins.
 *
 * Terms: an item is foreign if this stack does not own it. An item of ours may have copies (live objects under the same address) if an
 * earlier run was interrupted. A key names a live object or a desired one in the steps: the address for the object that the address means,
 * `#ID` for a foreign item or a copy. The verdict of an item is a text that is equal for items with the same match and the same effect.
 */

/** Returns the match and the effect of an item as a value that is equal for items that match and do the same; null for an inactive item. */
type VerdictOf = (fields: Fields) => Value;

/**
 * Returns the shape for kinds whose objects are an ordered list in which the first match decides, such as firewall rules. A shape tells
 * planning how the objects of a kind relate to each other. Here, all changes of a list are planned together, and an item that only changes
 * its position gets the action `move`. `verdictOf`: returns what an item matches and does, so that no step of an apply shows a visitor
 * another result; left out for lists that become visible only when they are complete (`isHidden`).
 */
export const ordered = (verdictOf: VerdictOf = () => null): Shape => ({
  ...plain,
  orderDecides: true,
  byIndex: true,
  words: ({ isHidden }) => [
    'The order of the list matters: the first match wins. Undeclared items keep their position.',
    ...(isHidden
      ? []
      : [
          'Changes are made one at a time, so that at every moment the list behaves as before or as after.',
          'Where a change in place could give some request another verdict for a moment, a changed copy is inserted and the old item then removed, even if the item was only just adopted: its id changes. The plan says so.',
        ]),
  ],
  arrange(siblings) {
    const list = planOrder(siblings, verdictOf);
    return {
      changes: markPositions(siblings, list),
      draft: (changes, { isHidden }) => {
        // `destroy ADDRESS` deletes only some items. The others are then like foreign ones: they keep their position.
        const isWhole = changes.length === siblings.changes.length;
        const drafted = isWhole ? list : planOrder({ ...siblings, changes }, verdictOf);
        return (isHidden ? draftStagedList : draftSteps)(siblings.kind, changes, drafted);
      },
    };
  },
});

/**
 * Finds the steps from the live list to the desired one, such as "move rule 3 to the top", because the plan shows the moves, and the
 * requests are drafted from the steps. Steps name items by keys: the address, or `#ID` for a foreign item (of somebody else) or a copy. In
 * the result, `live` has the live objects by key, and `goal` the keys of the list at the end. `siblings`: the list with all its changes.
 * `verdictOf`: returns the match and the effect of an item, so that no step shows visitors a result of neither the old nor the new list.
 */
function planOrder(siblings: CollectionChanges, verdictOf: VerdictOf): OrderedList {
  const { changes, live: liveSiblings, position } = siblings;
  const live = new Map<string, LiveResource>();
  // After an interrupted run, several live objects (alternatives) can stand at one address.
  const liveObjects = liveSiblings
    .flatMap((object) => object.alternatives ?? [object])
    .sort((a, b) => a.index - b.index);
  const changeOf = indexByAddress(changes);
  const liveItems = liveObjects.map((object): ListItem => {
    const change = changeOf.get(object.address);
    const item = describeLiveItem(object, change, siblings);
    live.set(item.key, object);
    return { verdict: formatVerdict(verdictOf, object.fields), ...item };
  });
  // `content` is only compared with that of the live item. `new` differs from the `old` of `describeLiveItem`, so the item is updated.
  const desiredItems = wantedChangesInOrder(changes).map(
    (change): ListItem => ({
      key: change.address,
      verdict: formatVerdict(verdictOf, itemFieldsAfter(change)),
      managed: true,
      content: sendsContent(change) ? 'new' : 'same',
    }),
  );
  const foreignKeys = liveItems.filter(({ managed }) => !managed).map(({ key }) => key);
  // `$position`: where our items stand among the foreign ones. It names foreign items by id.
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
 * Describes a live object of an ordered list for the search of steps: its key, whether we manage it (foreign items never move), and whether
 * its content changes (`old`) or not (`same`). After an interrupted run, several live objects can have one address. The change compares one
 * of them (`before`), whose key is the address. The others are copies with the key `#ID`. We manage these, and so remove them, only if the
 * list is `$exclusive` or a run of ours left them.
 */
function describeLiveItem(
  object: LiveResource,
  change: Change | undefined,
  { isExclusive, entryOf }: CollectionChanges,
): Omit<ListItem, 'verdict'> {
  const isOurs = change !== undefined && (isWanted(change) || change.action === 'delete');
  const isCompared = isOurs && change.before?.id === object.id;
  const isRemovableCopy = () => isExclusive || isLeftover(object, change!, entryOf(object.address));
  return {
    key: isCompared ? object.address : `#${object.id}`,
    managed: isCompared || (isOurs && isRemovableCopy()),
    content: isCompared && sendsContent(change) ? 'old' : 'same',
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

/** Returns all fields of an item of an ordered list as they are after a change, to judge what the item will match and do. */
const itemFieldsAfter = ({ before, after }: Change): Fields => ({ ...before?.fields, ...after?.fields });

/**
 * True if a live item of an ordered list (a firewall rule, for example) is a second copy of our item that an interrupted run left, so that
 * the plan removes it. Either the ledger has its id, or it is exactly the copy that this change would insert: an earlier run inserted it
 * and stopped before it recorded the id. False if the ledger does not have our item (`entry`): then the copy is probably somebody else's.
 */
function isLeftover(object: LiveResource, change: Change, entry: LedgerEntry | undefined): boolean {
  if (!entry) return false;
  const desired = itemFieldsAfter(change);
  const names = Object.keys({ ...desired, ...object.fields });
  return (
    entry.ids.includes(object.id) ||
    (sendsContent(change) && names.every((name) => isSameValue(desired[name], object.fields[name], {})))
  );
}

/**
 * Returns the verdict of an item of an ordered list such as a firewall rule (what it matches and does) as a text that can be compared; null
 * if the item matches nothing, such as an inactive one.
 */
function formatVerdict(verdictOf: VerdictOf, fields: Fields): string | null {
  const verdict = verdictOf(fields);
  return verdict === null ? null : canonicalJson(revealed(verdict));
}

/**
 * Adds to the changes of an ordered list, such as firewall rules, what only the whole list shows, because the plan would otherwise print a
 * move as no change. An item of ours that is in the list after the run gets: whether it moves, its position, why it moves, and whether a
 * changed copy is inserted in its place instead of an update (`reinserted`). `chooseAction` gives an item that would be unchanged the
 * action `move`, or `update` if a second live copy of it is removed. All other changes stay as they are.
 */
function markPositions(siblings: CollectionChanges, list: OrderedList): ArrangedChange[] {
  const { steps, live } = list;
  const desired = wantedChangesInOrder(siblings.changes).map(({ address }) => address);
  const causeOf = findOrderCauses(siblings, list, desired);
  const positionOf = positionsIn(list);
  return siblings.changes.map((change): ArrangedChange => {
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
      moves: isMoved || undefined,
      position: position && isReordered ? { ...position, cause: causeOf(address) } : position,
      reinserted: isReinserted || undefined,
      ...change,
    };
    // A step for another live object at this address can only remove it: it is a copy, and the desired list has none.
    const isCopyRemoved = steps.some(({ key }) => key !== address && live.get(key)?.address === address);
    return chooseAction(marked, isCopyRemoved, siblings.entryOf(address) !== undefined);
  });
}

/**
 * Returns the change of an item of an ordered list with the action that the plan shows if no value of the item changes: an update if a
 * second live copy of it (from an interrupted run, or in an `$exclusive` list) is removed, or a move if its position changes.
 * `isRecorded`: the ledger has the item, so it is ours already and need not be adopted first.
 */
function chooseAction(
  change: ArrangedChange & WantedChange,
  isCopyRemoved: boolean,
  isRecorded: boolean,
): ArrangedChange {
  const { action, before, moves } = change;
  if (isCopyRemoved && !sendsContent(change)) return withoutCopy(change);
  const isOnlyMoved = action === 'noop' || (action === 'adopt' && !sendsContent(change) && isRecorded);
  return moves && isOnlyMoved && before ? asMove(change, before) : change;
}

/**
 * Returns the change of an item that stays as it is, but loses a copy that an interrupted run left. An unchanged item becomes an update,
 * because requests are drafted only for changes that send something. An update has no `handover`, so that is left out.
 */
const withoutCopy = (change: ArrangedChange & WantedChange): ArrangedChange => {
  const reason = 'another copy of it is removed';
  if (change.action !== 'noop') return { ...change, reason };
  const { handover: _, ...members } = change;
  return { ...members, action: 'update', reason };
};

/**
 * Returns the change of an item of ours as a move, because its position is its only visible difference. A move has no members about the
 * ledger alone, so these are left out.
 */
const asMove = (
  { after, ...change }: ArrangedChange & WantedChange,
  before: LiveResource,
): ArrangedChange => {
  const { reason: _, handover: __, changesLedgerOnly: ___, run: ____, ...members } = change;
  return { ...members, action: 'move', before, after };
};

/**
 * Creates the function which returns the position of an item (by its address) in an ordered list before and after the change, from 1, as
 * the plan shows it: "from 3 to 1 of 5", and behind which item. `goal` and `live` have the keys at the end and now: addresses, or `#ID` for
 * an item of somebody else or a copy.
 */
function positionsIn({ goal, live }: OrderedList): (address: Address) => ItemPosition {
  const before = new Map([...live.keys()].map((key, index) => [key, index + 1]));
  const after = new Map(goal.map((key, index) => [key, index + 1]));
  return (address) => {
    const [from, to] = [before.get(address), after.get(address)!];
    // `to` counts from 1, so the item itself is `goal[to - 1]`.
    const precedingKey = goal[to - 2];
    return {
      from,
      to,
      of: goal.length,
      after: precedingKey === undefined ? undefined : (live.get(precedingKey)?.address ?? precedingKey),
    };
  };
}
