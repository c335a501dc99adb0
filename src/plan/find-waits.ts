import { soleValues } from '../kind/compare.ts';
import { ancestorsOf } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import { verbOf } from '../kind/step.ts';
import type { Step } from '../kind/write.ts';
import { type Address, indexByAddress, isWithin } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { addTo, groupBy } from '../model/graph.ts';
import { collectionId } from '../model/resource.ts';
import type { Collection, PlacedDraft } from './draft-requests.ts';
import { createHolderFinder, findNeeds } from './find-dependencies.ts';
import type { PlanInput } from './input.ts';

/*
 * Finds which drafts of a plan wait for which others, so that a run needs neither locks nor rules of its own.
 *
 * Terms: a draft waits for another one if its requests are sent only after those of the other draft. A draft makes an object if it creates
 * it or brings it to its address, and lets go of an object if it deletes or changes another one that refers to it. A holder of an object is
 * a change that must come before the deletion of the object (see `find-dependencies.ts`).
 *
 * Each row is a function which returns waits. A draft waits for
 *
 *   | function             | another draft that                                                                             |
 *   | -------------------- | ---------------------------------------------------------------------------------------------- |
 *   | `waitsByShape`       | the shape of its collection names                                                              |
 *   | `waitsByReferences`  | makes an object that it needs, gives up the name of a new object, or lets go of an object that |
 *   |                      | it deletes or moves to another parent                                                          |
 *   | `waitsBySoleValues`  | deletes an object with a value that only one object may have at a time                         |
 *   | `waitsByKinds`       | concerns a kind that comes first (`lifecycle.after`); for deletions, the other way round       |
 *   | `waitsInLanes`       | is in front of it in a lane, in which operations run one at a time                             |
 */

/** A draft that waits for another one. */
export interface DraftWait {
  draft: PlacedDraft;
  /**
   * The draft whose requests are sent first. Otherwise the platform would refuse the requests of `draft`, or they would do something
   * else.
   */
  earlier: PlacedDraft;
  /** True if the platform accepts the other order as well. Such a wait is dropped if drafts would wait for each other in a circle. */
  isPreferred?: boolean;
}

/** The drafts of a plan with the changes that they carry out, for finding the waits. */
export interface DraftIndex {
  drafts: readonly PlacedDraft[];
  changes: Change[];
  kinds: Kinds;
  changeOf: ReadonlyMap<Address, Change>;
  draftsOf(address: Address): readonly PlacedDraft[];
  /** Returns what a draft does to the object at one of its addresses. */
  verbAt(draft: PlacedDraft, address: Address): Step['action'];
}

/**
 * Indexes drafts (each the requests of one or several changes) and changes by address, for the functions that
 * find which drafts wait for which others. `verbAt` returns what a draft does to the object at one of its
 * addresses.
 */
export function indexDrafts(drafts: readonly PlacedDraft[], changes: Change[], kinds: Kinds): DraftIndex {
  const changeOf = indexByAddress(changes);
  const draftsByAddress = new Map<Address, PlacedDraft[]>();
  for (const draft of drafts) for (const address of draft.changes) addTo(draftsByAddress, address, draft);
  return {
    drafts,
    changes,
    kinds,
    changeOf,
    draftsOf: (address) => draftsByAddress.get(address) ?? [],
    verbAt: (draft, address) => {
      // A draft that carries out several changes can have a different verb for each.
      if (draft.changes.length === 1) return mainVerbOf(draft, changeOf);
      const action = changeOf.get(address)?.action;
      return action === 'create' || action === 'delete' ? action : 'update';
    },
  };
}

/**
 * Returns the verb of a draft (requests that belong together) for its first change: `create`, `update`,
 * `delete` and so on. It names the operation in the plan.
 */
export function mainVerbOf(
  { verb, changes: [address] }: PlacedDraft,
  changeOf: DraftIndex['changeOf'],
): Step['action'] {
  const change = changeOf.get(address!);
  return verb ?? (change && verbOf(change)) ?? 'update';
}

/**
 * Returns which drafts of a plan (requests that have no order yet) have to wait for which others, so that they can be put in order: because
 * of the shape of their collection, of references, of values that only one object may have, of an order between kinds, or of a lane
 * (operations that run one at a time).
 */
export const findWaits = (
  index: DraftIndex,
  input: Pick<PlanInput, 'kinds' | 'live' | 'contents'>,
): DraftWait[] => [
  ...waitsByShape(index),
  ...waitsByReferences(index, input),
  ...waitsBySoleValues(index),
  ...waitsByKinds(index),
  ...waitsInLanes(index),
];

/**
 * Returns the waits (each a draft and an earlier one that it waits for) that the shape of a collection
 * asks for (`Draft.after`): the second half of a replacement waits for the first, for example. An earlier
 * draft that sends nothing is not waited for.
 */
function waitsByShape({ drafts }: DraftIndex): DraftWait[] {
  // `Draft.after` names drafts as the shape returned them (`origin`), before the planner completed them.
  const scheduled = new Map(drafts.map((draft) => [draft.origin, draft]));
  return drafts.flatMap((draft) =>
    (draft.after ?? []).flatMap((earlier): DraftWait[] => {
      const scheduledDraft = scheduled.get(earlier);
      return scheduledDraft ? [{ draft, earlier: scheduledDraft }] : [];
    }),
  );
}

/**
 * Returns the waits (each a draft and an earlier one that it waits for) because of references: an object is created or changed after the
 * objects that it needs are made. It is deleted, or moved to another parent, after the changes of objects that refer to it or lie in it
 * (its holders). A new object also waits until its name is free.
 */
function waitsByReferences(
  index: DraftIndex,
  input: Pick<PlanInput, 'kinds' | 'live' | 'contents'>,
): DraftWait[] {
  const { drafts, changes, kinds, changeOf, draftsOf, verbAt } = index;
  const findHolders = createHolderFinder(changes, input);
  // The objects whose name in the account is that of another address, by that address: they must give it up before a new object takes it.
  const addressGivingUpName = new Map(
    changes.flatMap(({ address, before }) =>
      before?.renamedTo === undefined ? [] : [[before.renamedTo, address] as const],
    ),
  );
  const waitsOf = (draft: PlacedDraft, change: Change): DraftWait[] => {
    const { address } = change;
    const verb = verbAt(draft, address);
    const needed = verb === 'delete' ? [] : [...findNeeds(change, kinds)];
    const earlierDrafts = [
      ...needed.flatMap((neededAddress) => draftsMaking(neededAddress, change, index)),
      ...(verb === 'create' ? draftsOf(addressGivingUpName.get(address) ?? '') : []),
    ];
    const leftAddress = addressLeftBy(change, verb);
    const holders = leftAddress === undefined ? [] : findHolders(leftAddress);
    return [
      ...holders.flatMap((holder) => waitsForHolder(draft, change, holder, index)),
      ...earlierDrafts.map((earlier): DraftWait => ({ draft, earlier })),
    ];
  };
  return drafts.flatMap((draft) =>
    draft.changes.flatMap((address) => {
      const change = changeOf.get(address);
      return change ? waitsOf(draft, change) : [];
    }),
  );
}

/**
 * Returns the address that is free after a change, because its object is deleted or moves from there to another parent. Undefined for any
 * other change. A move counts like a deletion, because the platform would take along what refers to the object.
 */
const addressLeftBy = ({ address, before }: Change, verb: Step['action']): Address | undefined =>
  before?.transfer?.from ?? (verb === 'delete' ? address : undefined);

/**
 * Returns the waits of a draft that deletes an object or moves it away (`change`) for the drafts of a holder: the change of an object that
 * refers to it or lies in it. They are only preferred if both objects are deleted: the reference is then gone in the end in either order.
 * They are needed all the same if the platform refuses to delete an object in use (`lifecycle.refusedWhileUsed`), or if the holder is in
 * the object, since contents go first.
 */
function waitsForHolder(draft: PlacedDraft, change: Change, holder: Change, index: DraftIndex): DraftWait[] {
  const areBothDeleted = change.action === 'delete' && holder.action === 'delete';
  const isRefusedWhileUsed = index.kinds.get(change.kind)!.lifecycle.refusedWhileUsed === true;
  const isHolderInside = isWithin(holder.address, change.address);
  const isPreferred = areBothDeleted && !isRefusedWhileUsed && !isHolderInside;
  return draftsLettingGo(holder, change, draft, index).map((earlier) => ({ draft, earlier, isPreferred }));
}

/**
 * Returns the drafts (each the requests of one or several changes) that make an object which `change` needs,
 * so that the change waits for them: its creation, or the transfer that brings it here. If `$dependsOn` names
 * the object, its updates count as well.
 */
function draftsMaking(
  needed: Address,
  { after }: Change,
  { draftsOf, verbAt, changeOf }: DraftIndex,
): PlacedDraft[] {
  const isExplicit = after?.meta.dependsOn?.includes(needed);
  const isTransferred = changeOf.get(needed)?.before?.transfer !== undefined;
  return draftsOf(needed).filter((draft) => {
    const verb = verbAt(draft, needed);
    return isExplicit || isTransferred ? verb !== 'delete' : verb === 'create';
  });
}

/**
 * Returns the drafts (requests that belong together) of a holder (the change of an object that refers to `held` or lies in it) that must
 * come before `deletion` takes the held object away: all but a creation. If the held object is replaced, and deleted before it is created
 * again, only a holder that is deleted comes before. One that stays needs the new object, so it can only change afterwards.
 */
function draftsLettingGo(
  holder: Change,
  held: Change,
  deletion: PlacedDraft,
  { draftsOf, verbAt }: DraftIndex,
): PlacedDraft[] {
  // The deletion waits for the creation of the new object.
  const isCreatedFirst = deletion.after?.some(({ verb }) => verb === 'create') ?? false;
  const isAbsentForAMoment = held.action === 'replace' && !isCreatedFirst;
  if (isAbsentForAMoment && holder.action !== 'delete') return [];
  return draftsOf(holder.address).filter((draft) => verbAt(draft, holder.address) !== 'create');
}

/**
 * Returns the waits (each a draft and an earlier one that it waits for) because of values that only one
 * object may have at a time, such as a domain name: a creation with the value waits for the deletion
 * of the object that has the value now.
 */
function waitsBySoleValues({ drafts, changeOf, verbAt }: DraftIndex): DraftWait[] {
  const draftsByValue = new Map<string, { giving: PlacedDraft[]; taking: PlacedDraft[] }>();
  for (const draft of drafts)
    for (const address of draft.changes) {
      const verb = verbAt(draft, address);
      if (verb !== 'delete' && verb !== 'create') continue;
      const { before, after } = changeOf.get(address) ?? {};
      const fields = verb === 'delete' ? before?.fields : after?.fields;
      for (const { text } of soleValues(draft.collection.kind, fields ?? {})) {
        const draftsOfValue = draftsByValue.get(text) ?? { giving: [], taking: [] };
        (verb === 'delete' ? draftsOfValue.giving : draftsOfValue.taking).push(draft);
        draftsByValue.set(text, draftsOfValue);
      }
    }
  return [...draftsByValue.values()].flatMap(({ giving, taking }) =>
    taking.flatMap((draft) => giving.map((earlier): DraftWait => ({ draft, earlier }))),
  );
}

/**
 * Returns the waits (each a draft and an earlier one that it waits for) between kinds that declare an
 * order (`lifecycle.after`): a rule is created after its list, and deleted before it. A kind can name its
 * parent: a deploy hook is created after an update of its project that links the repository.
 */
function waitsByKinds({ drafts, changeOf, draftsOf }: DraftIndex): DraftWait[] {
  const idOf = ({ kind, parent }: Collection, name = kind.name) => collectionId(name, parent);
  const draftsByCollection = groupBy(drafts, (draft) => idOf(draft.collection));
  return drafts.flatMap((draft) =>
    (draft.collection.kind.lifecycle.after ?? []).flatMap((name) => {
      const isParent = name === draft.collection.kind.parent;
      const earlierDrafts = isParent
        ? draftsOf(draft.collection.parent!)
        : (draftsByCollection.get(idOf(draft.collection, name)) ?? []);
      return earlierDrafts.map((earlier): DraftWait => {
        // Deletions go the other way round: a list is deleted after its rules (its own verb counts), and a project is updated after its
        // hook is deleted (the verb of the hook counts).
        const verb = mainVerbOf(isParent ? draft : earlier, changeOf);
        return verb === 'delete' ? { draft: earlier, earlier: draft } : { draft, earlier };
      });
    }),
  );
}

/**
 * Returns the waits (each a draft and an earlier one that it waits for) within lanes: kinds whose
 * requests an apply must send one at a time in a container, such as the schema and the items of one
 * configuration. Each draft waits for the one in front of it. Settings that close a gate come first (`phase`),
 * then the kinds in their order, then settings that open one.
 */
function waitsInLanes({ drafts, kinds }: DraftIndex): DraftWait[] {
  const kindOrder = [...kinds.keys()];
  const phaseRank = ({ phase }: PlacedDraft) => ['first', undefined, 'last'].indexOf(phase);
  const kindRank = (draft: PlacedDraft) => kindOrder.indexOf(draft.collection.kind.name);
  const draftsInLanes = drafts.filter((draft) => draft.collection.kind.lifecycle.lane);
  const lanes = groupBy(draftsInLanes, ({ collection }) => laneIdOf(collection, kinds));
  return [...lanes.values()].flatMap((lane) => {
    const sorted = lane.sort((a, b) => phaseRank(a) - phaseRank(b) || kindRank(a) - kindRank(b));
    const [, ...laterDrafts] = sorted;
    return laterDrafts.map((draft, index): DraftWait => ({ draft, earlier: sorted[index]! }));
  });
}

/**
 * Returns the id of the lane of a collection, or undefined if its kind has none. Kinds with the same lane share it only in one container:
 * the firewalls of two projects are in two lanes.
 */
export function laneIdOf(
  { kind, parent }: PlacedDraft['collection'],
  kinds: PlanInput['kinds'],
): string | undefined {
  const { lane } = kind.lifecycle;
  if (lane === undefined) return undefined;
  const container = ancestorsOf(kinds, kind, parent).find((above) => above.kind.lifecycle.container);
  return `${lane} ${container?.address}`;
}
