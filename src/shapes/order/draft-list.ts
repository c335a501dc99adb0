/*
 * Turns the steps of an ordered list into drafts.
 *
 * A live list gets one request for each step, since each request takes effect at once. A staged list takes effect only when it is promoted,
 * so its items can be taken out and inserted again in any way.
 */

import { createDraft } from '../../kind/draft.ts';
import type { Kind } from '../../kind/kind.ts';
import type { Draft } from '../../kind/write.ts';
import { indexByAddress } from '../../model/address.ts';
import type { Change } from '../../model/change.ts';
import type { LiveResource } from '../../model/resource.ts';
import type { ListStep } from './transition.ts';

/** The steps from a live list to the desired one. For keys see `ordered.ts`. */
export interface OrderedList {
  steps: ListStep[];
  /** The keys of the desired list, ours and foreign ones, in order. */
  goal: string[];
  /** The live objects by their keys, in order. */
  live: ReadonlyMap<string, LiveResource>;
}

/**
 * Drafts (plans the requests for) the steps that reorder a list such as firewall rules, one request for each step, in order. Used for lists
 * whose changes take effect at once. A step names an item by its key: its address, or `#ID` for a copy. `live`: the live objects by key.
 */
export function draftSteps(kind: Kind, changes: Change[], { steps, live }: OrderedList): Draft[] {
  const changeOf = indexByAddress(changes);
  return steps.map((step) => {
    if (step.type === 'move') return createDraft(kind, 'move', changeOf.get(step.key)!, { to: step.to });
    if (step.type === 'insert') return createDraft(kind, 'create', changeOf.get(step.key)!);
    if (step.type === 'update') return createDraft(kind, 'update', changeOf.get(step.key)!);
    // The address may have several copies, so the id says which one is removed.
    const { address, id } = live.get(step.key)!;
    const draft = createDraft(kind, 'delete', changeOf.get(address)!, { id });
    return {
      ...draft,
      requests: draft.requests.map((request) => ({ ...request, drops: [{ address, id }] })),
    };
  });
}

/**
 * Drafts (plans the requests for) the changes of a list that become visible only when a version is promoted, so that items can be missing
 * for a while: one request deletes all items that leave or move, updates change others in place, and then each new or moved item is
 * inserted behind the one that precedes it in the desired list (`goal`). Items are named by their keys: the address, or `#ID` for a copy.
 */
export function draftStagedList(kind: Kind, changes: Change[], { steps, live, goal }: OrderedList): Draft[] {
  const changeOf = indexByAddress(changes);
  const changeAt = (key: string) => changeOf.get(live.get(key)?.address ?? key)!;
  const hasStep = (type: ListStep['type'], key: string) =>
    steps.some((step) => step.type === type && step.key === key);
  const isInserted = (key: string) => hasStep('insert', key) || hasStep('move', key);
  const deletedObjects = steps
    .filter(({ type, key }) => type === 'remove' || (type === 'move' && live.has(key)))
    .map(({ key }) => live.get(key)!);
  const [firstDeleted] = deletedObjects;
  const insertionOf = (key: string): Draft => {
    const precedingKey = goal[goal.indexOf(key) - 1];
    if (precedingKey === undefined) return createDraft(kind, 'create', changeAt(key));
    // The id of an item that this apply inserts is known only then, so it is a hole: a reference that the run fills.
    const previousId = isInserted(precedingKey)
      ? { $ref: changeAt(precedingKey).address, attr: 'id' }
      : live.get(precedingKey)!.id;
    return createDraft(kind, 'create', changeAt(key), { previousId });
  };
  return [
    ...(firstDeleted ? [draftDeletion(kind, deletedObjects, changeOf.get(firstDeleted.address)!)] : []),
    ...goal
      .filter((key) => hasStep('update', key) && !hasStep('move', key))
      .map((key) => createDraft(kind, 'update', changeAt(key))),
    ...goal.filter(isInserted).map(insertionOf),
  ];
}

/**
 * Drafts the one request by which an apply takes all of these objects out of a staged list (a version that goes live later). `drops` names
 * them, so that the apply removes each from the ledger once the request is done. `firstChange`: the change of the first object, after which
 * the draft is named.
 */
function draftDeletion(kind: Kind, objects: LiveResource[], firstChange: Change): Draft {
  const draft = createDraft(kind, 'delete', firstChange, { id: objects.map(({ id }) => id) });
  const drops = objects.map(({ address, id }) => ({ address, id }));
  return {
    ...draft,
    changes: objects.map(({ address }) => address),
    requests: draft.requests.map((request) => ({ ...request, drops })),
  };
}
