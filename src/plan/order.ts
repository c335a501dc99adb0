import { same } from '../kind/compare.ts';
import type { Kind } from '../kind/kind.ts';
import { byCollection } from '../model/by-collection.ts';
import type { Change } from '../model/change.ts';
import { canonical } from '../model/digest.ts';
import { groupBy } from '../model/graph.ts';
import { type CollectionId, collectionId, type LiveResource } from '../model/resource.ts';
import { revealed } from '../model/sealed.ts';
import type { Fields } from '../model/value.ts';
import type { Decisions } from './case.ts';
import { asksForWrite } from './diff.ts';
import type { PlanInput } from './input.ts';
import { arrival, type ListItem, type ListStep, transition } from './transition.ts';

/** How one ordered list becomes the wanted one. */
export interface OrderedList {
  steps: ListStep[];
  /** The last list: the keys of ours and others', in order. */
  goal: string[];
  /** What is there now, by the key that steps have for it. */
  live: ReadonlyMap<string, LiveResource>;
}

export type OrderedLists = ReadonlyMap<CollectionId, OrderedList>;

/**
 * How each list in which the first match wins becomes the wanted one. Whoever only changes place becomes a `move`, and
 * an update that is safer as a new copy stays an update for people: its requests differ, not its meaning.
 */
export function orderLists(input: PlanInput, { changes }: Decisions): OrderedLists {
  const ordered = changes.filter(({ kind }) => input.kinds.get(kind)!.ordered);
  const lists = groupBy(ordered, ({ kind, parent }) => collectionId(kind, parent));
  return new Map(
    [...lists].map(([id, siblings]) => {
      const list = orderList(siblings, input);
      mark(siblings, list);
      return [id, list];
    }),
  );
}

function orderList(changes: Change[], input: PlanInput): OrderedList {
  const { kind: name, parent } = changes[0]!;
  const kind = input.kinds.get(name)!;
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  const isExclusive = input.desired.resources.get(parent ?? '')?.meta.exclusive?.includes(kind.section);
  const live = new Map<string, LiveResource>();

  const siblings = byCollection(input.live.resources).get(collectionId(name, parent)) ?? [];
  const found = siblings
    .flatMap((resource) => resource.alternatives ?? [resource])
    .sort((a, b) => a.index - b.index);
  const before = found.map((resource): ListItem => {
    const change = byAddress.get(resource.address);
    const isOurs = change !== undefined && (isWanted(change) || change.action === 'delete');
    const isMeant = isOurs && change.before?.id === resource.id;
    const key = isMeant ? resource.address : `#${resource.id}`;
    live.set(key, resource);
    return {
      key,
      decides: verdictOf(kind, resource.fields),
      managed: isMeant || (isOurs && (isExclusive || isLeftover(resource, change, input))),
      content: isMeant && isWritten(change) ? 'old' : 'same',
    };
  });
  const after = changes
    .filter(isWanted)
    .sort((a, b) => a.after!.index - b.after!.index)
    .map(
      (change): ListItem => ({
        key: change.address,
        decides: verdictOf(kind, goalOf(change)),
        managed: true,
        content: isWritten(change) ? 'new' : 'same',
      }),
    );
  return { steps: transition(before, after), goal: arrival(before, after), live };
}

const isWanted = ({ action, after }: Change) =>
  after !== undefined && action !== 'forget' && !after.meta.existing;

const isWritten = ({ action, fields }: Change) => action === 'create' || fields.some(asksForWrite);

/** All fields as they will be. */
const goalOf = ({ before, after }: Change): Fields => ({ ...before?.fields, ...after?.fields });

/**
 * Whether a second object of a name that the ledger knows is what an interrupted change left. Either the ledger has its id
 * too, or it is exactly the copy that would be made now, and only the answer that told its id was lost.
 */
function isLeftover(resource: LiveResource, change: Change, { ledger }: PlanInput): boolean {
  const entry = ledger.entries[resource.address];
  if (!entry) return false;
  const goal = goalOf(change);
  const names = Object.keys({ ...goal, ...resource.fields });
  return (
    entry.ids.includes(resource.id) ||
    (isWritten(change) && names.every((name) => same(goal[name], resource.fields[name], {})))
  );
}

function verdictOf(kind: Kind, fields: Fields): string | null {
  const verdict = kind.decides?.(fields) ?? null;
  return verdict === null ? null : canonical(revealed(verdict));
}

/** Says in the changes what nobody would see there: who moves, and that a copy goes. */
function mark(changes: Change[], { steps, live }: OrderedList): void {
  for (const change of changes) {
    const isMoved = steps.some(({ type, key }) => type === 'move' && key === change.address);
    const losesCopy = steps.some(
      ({ key }) => key !== change.address && live.get(key)?.address === change.address,
    );
    const { action } = change;
    if (isMoved) change.moves = true;
    if (losesCopy && action !== 'delete' && !isWritten(change))
      Object.assign(change, {
        action: action === 'noop' ? 'update' : action,
        reason: 'another copy of it is removed',
      });
    else if (isMoved && action === 'noop')
      Object.assign(change, { action: 'move', reason: 'its place in the order differs' });
  }
}
