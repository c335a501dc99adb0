import { isSameValue } from '../kind/compare.ts';
import { createDraft, type Draft } from '../kind/draft.ts';
import type { Kind } from '../kind/kind.ts';
import { plain } from '../kind/plain.ts';
import type { CollectionChanges, Shape } from '../kind/shape.ts';
import type { Address } from '../model/address.ts';
import { canonical } from '../model/canonical.ts';
import {
  asksForWrite,
  type Change,
  type ComparedChange,
  type ItemPosition,
  type OrderCause,
} from '../model/change.ts';
import { groupBy } from '../model/graph.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import type { LiveResource, Resource } from '../model/resource.ts';
import { revealed } from '../model/sealed.ts';
import type { Fields, Value } from '../model/value.ts';
import { changedOutside } from './order/changed-order.ts';
import { arrival, type ListItem, type ListStep, transition } from './order/transition.ts';

/** The way from one ordered list to the wanted one. */
interface OrderedList {
  steps: ListStep[];
  /** The last list: the keys of ours and others', in order. */
  goal: string[];
  /** The live objects, by the key that steps have for them. */
  live: ReadonlyMap<string, LiveResource>;
}

/** The match and the effect of an item; null if it never decides. Equal values decide the same. */
type Decides = (fields: Fields) => Value;

/**
 * Siblings in an order that decides: the first match wins. Whoever only changes place becomes a `move`, and an update that is safer
 * as a new copy stays an update for people: its requests differ, not its meaning. Without `decides` nobody can tell one order from
 * another on the way: for lists that are seen only when they are done.
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
    const list = orderList(siblings, decides);
    return {
      changes: markPositions(siblings, list),
      draft: (changes, { isHidden }) => (isHidden ? draftPlacement : stepwise)(siblings.kind, changes, list),
    };
  },
});

function orderList(
  { changes, live: siblings, isExclusive, position, entryOf }: CollectionChanges,
  decides: Decides,
): OrderedList {
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  const live = new Map<string, LiveResource>();
  const resources = siblings
    .flatMap((resource) => resource.alternatives ?? [resource])
    .sort((a, b) => a.index - b.index);
  const before = resources.map((resource): ListItem => {
    const change = byAddress.get(resource.address);
    const isOurs = change !== undefined && (isWanted(change) || change.action === 'delete');
    const isMeant = isOurs && change.before?.id === resource.id;
    const key = isMeant ? resource.address : `#${resource.id}`;
    live.set(key, resource);
    return {
      key,
      decides: verdictOf(decides, resource.fields),
      managed:
        isMeant || (isOurs && (isExclusive || isLeftover(resource, change, entryOf(resource.address)))),
      content: isMeant && sendsContent(change) ? 'old' : 'same',
    };
  });
  const after = changes
    .filter(isWanted)
    .sort((a, b) => a.after.index - b.after.index)
    .map(
      (change): ListItem => ({
        key: change.address,
        decides: verdictOf(decides, goalOf(change)),
        managed: true,
        content: sendsContent(change) ? 'new' : 'same',
      }),
    );
  const others = before.filter(({ managed }) => !managed).map(({ key }) => key);
  const standing =
    typeof position === 'object'
      ? { before: new Set(others.filter((key) => position.before(live.get(key)!.id))) }
      : position;
  return { steps: transition(before, after, standing), goal: arrival(before, after, standing), live };
}

/** A change of an object that is ours and in the list afterwards. */
type WantedChange = ComparedChange & { after: Resource };

const isWanted = (change: Change): change is WantedChange =>
  change.after !== undefined && change.action !== 'forget' && !change.after.meta.existing;

const sendsContent = ({ action, fields }: Change) => action === 'create' || fields.some(asksForWrite);

/** All fields as they will be. */
const goalOf = ({ before, after }: Change): Fields => ({ ...before?.fields, ...after?.fields });

/**
 * True if an interrupted change left a second object under a name that the ledger knows. Either the ledger has its id, too, or
 * it is exactly the copy that would be made now, and only the answer that told its id was lost.
 */
function isLeftover(resource: LiveResource, change: Change, entry: LedgerEntry | undefined): boolean {
  if (!entry) return false;
  const goal = goalOf(change);
  const names = Object.keys({ ...goal, ...resource.fields });
  return (
    entry.ids.includes(resource.id) ||
    (sendsContent(change) && names.every((name) => isSameValue(goal[name], resource.fields[name], {})))
  );
}

function verdictOf(decides: Decides, fields: Fields): string | null {
  const verdict = decides(fields);
  return verdict === null ? null : canonical(revealed(verdict));
}

/**
 * Returns the changes with what only the whole list shows: which items move and where to, which are inserted as a changed copy, and which
 * lose another copy.
 */
function markPositions(siblings: CollectionChanges, list: OrderedList): Change[] {
  const { changes, entryOf } = siblings;
  const { steps, live } = list;
  const causeOf = findOrderCauses(siblings, list);
  const positionOf = positionsIn(list);
  return changes.map((change): Change => {
    if (!isWanted(change)) return change;
    const { address, action } = change;
    const isMoved = steps.some(({ type, key }) => type === 'move' && key === address);
    // An insertion is moved into place, but nobody sees it elsewhere before.
    const isReordered = isMoved && live.has(address);
    const marked: WantedChange = {
      ...change,
      ...(isMoved ? { moves: true } : {}),
      ...(isReordered
        ? { position: { ...positionOf(address), cause: causeOf(address) } }
        : action === 'create' && list.goal.length > 1
          ? { position: positionOf(address) }
          : {}),
      ...(steps.some((step) => step.type === 'remove' && step.superseded && step.key === address)
        ? { reinserted: true }
        : {}),
    };
    const losesCopy = steps.some(({ key }) => key !== address && live.get(key)?.address === address);
    if (losesCopy && !sendsContent(marked)) return withoutCopy(marked);
    // The object is ours already, so a move is shown although the ledger learns something as well.
    const isOurs = action === 'noop' || (action === 'adopt' && !sendsContent(marked) && entryOf(address));
    return isMoved && isOurs && marked.before ? asMove(marked, marked.before) : marked;
  });
}

/** Returns the change of an object that stays as it is, of which another copy is removed. */
const withoutCopy = (change: WantedChange): Change => {
  const reason = 'another copy of it is removed';
  if (change.action !== 'noop') return { ...change, reason };
  const { handover: _, ...members } = change;
  return { ...members, action: 'update', reason };
};

/** Returns the change of an object of ours whose only visible difference is its position. */
const asMove = ({ after, ...change }: WantedChange, before: LiveResource): Change => {
  const { reason: _, handover: __, changesLedgerOnly: ___, run: ____, ...members } = change;
  return { ...members, action: 'move', before, after };
};

/** Returns the function that finds the position of an item in the list before and after the change. */
function positionsIn({ goal, live }: OrderedList): (address: Address) => ItemPosition {
  const before = new Map([...live.keys()].map((key, index) => [key, index + 1]));
  const after = new Map(goal.map((key, index) => [key, index + 1]));
  return (address) => {
    const [from, to] = [before.get(address), after.get(address)!];
    const neighbour = goal[to - 2];
    return {
      from,
      to,
      of: goal.length,
      after: neighbour === undefined ? undefined : (live.get(neighbour)?.address ?? neighbour),
    };
  };
}

/** Returns the function that tells why an item moves: because of the configuration, or because somebody moved it outside. */
function findOrderCauses(
  { changes, recordedOrder, entryOf }: CollectionChanges,
  { steps, live }: OrderedList,
): (address: Address) => OrderCause {
  if (!recordedOrder || !steps.some(({ type }) => type === 'move')) return () => 'unknown';
  const copies = groupBy(live.values(), ({ address }) => address);
  const liveOrder = [...live.keys()].filter((key) => copies.get(key)?.length === 1);
  const desired = changes
    .filter(isWanted)
    .sort((a, b) => a.after.index - b.after.index)
    .map(({ address }) => address);
  const changed = changedOutside({ recorded: recordedOrder, live: liveOrder, desired });
  const recorded = new Set(recordedOrder);
  return (address) => {
    if (changed.has(address)) return 'drift';
    if (entryOf(address)?.notKept?.$order !== undefined) return 'not-kept';
    return recorded.has(address) ? 'edit' : 'unknown';
  };
}

/** One request a step, each live at once. */
function stepwise(kind: Kind, changes: Change[], { steps, live }: OrderedList): Draft[] {
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  return steps.map((step) => {
    if (step.type === 'move') return createDraft(kind, 'move', byAddress.get(step.key)!, { to: step.to });
    if (step.type === 'insert') return createDraft(kind, 'create', byAddress.get(step.key)!);
    if (step.type === 'update') return createDraft(kind, 'update', byAddress.get(step.key)!);
    // By id: the address may have several objects, of which this one goes.
    const { address, id } = live.get(step.key)!;
    const draft = createDraft(kind, 'delete', byAddress.get(address)!, { id });
    return {
      ...draft,
      requests: draft.requests.map((request) => ({ ...request, drops: [{ address, id }] })),
    };
  });
}

/**
 * A staged list is seen by nobody before it is promoted, so the way to the wanted order is the plain one: what goes or moves is
 * taken out, then whatever comes or moves is put behind the one that is before it in the end.
 */
function draftPlacement(kind: Kind, changes: Change[], { steps, live, goal }: OrderedList): Draft[] {
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  const has = (type: string, key: string) => steps.some((step) => step.type === type && step.key === key);
  const change = (key: string) => byAddress.get(live.get(key)?.address ?? key)!;
  const removed = steps.filter(({ type, key }) => type === 'remove' || (type === 'move' && live.has(key)));
  const resources = removed.map(({ key }) => live.get(key)!);
  return [
    ...(resources.length > 0 ? [removal(kind, resources, change(removed[0]!.key))] : []),
    ...goal
      .filter((key) => has('update', key) && !has('move', key))
      .map((key) => createDraft(kind, 'update', change(key))),
    ...goal.flatMap((key, index) => {
      if (!has('insert', key) && !has('move', key)) return [];
      const before = goal[index - 1];
      if (before === undefined) return [createDraft(kind, 'create', change(key))];
      const isPut = has('insert', before) || has('move', before);
      const behind = isPut ? { $ref: change(before).address, attr: 'id' } : live.get(before)!.id;
      return [createDraft(kind, 'create', change(key), { previousId: behind })];
    }),
  ];
}

/** All that is taken out of a staged list, at once. */
function removal(kind: Kind, resources: LiveResource[], first: Change): Draft {
  const draft = createDraft(kind, 'delete', first, { id: resources.map(({ id }) => id) });
  const drops = resources.map(({ address, id }) => ({ address, id }));
  return {
    ...draft,
    changes: resources.map(({ address }) => address),
    requests: draft.requests.map((request) => ({ ...request, drops })),
  };
}
