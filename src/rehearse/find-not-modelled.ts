/*
 * Compares a filled twin with the account that it was filled from. Two plans of the same configuration and ledger are compared: the one of
 * the account, and the one on the twin.
 *
 * Terms
 *   modelled    An object is modelled if the twin has it with the same ids and fields and in the same order, and a plan there changes it by the same
 *               requests. All other objects get a `TwinDifference`.
 *   concerned   The plan of the account concerns an object that is not modelled if a rehearsal of the plan could depend on it (`createConcernTest`).
 *
 * The comparison has six steps, from the coarsest difference to the finest. Each is a function below.
 *
 *   1 missing objects   2 other ids   3 additional objects   4 other fields   5 another order   6 other requests
 */
import { parentOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { type Address, ancestorsAmong, byAddress, isWithinAny } from '../model/address.ts';
import type { ChangeAction } from '../model/change.ts';
import { canonicalJson } from '../model/digest.ts';
import { addTo } from '../model/graph.ts';
import type { Operation, Plan } from '../model/plan.ts';
import type { NotModelled } from '../model/rehearsal.ts';
import { collectionId, groupByCollection, type LiveResource } from '../model/resource.ts';
import { refsIn } from '../model/value.ts';
import { findSideEffects } from '../plan/side-effects.ts';
import type { Planned } from '../run/open-plan.ts';

/** A plan of the account, and the plan of the same configuration and ledger on the filled twin. */
export interface ComparedPlans {
  real: Planned;
  onTwin: Planned;
  kinds: Kinds;
  /** The objects that filling the twin left out, with reasons. */
  leftOut: ReadonlyMap<Address, string>;
}

/** A difference between the account and the filled twin. */
interface TwinDifference {
  address: Address;
  kind: string;
  reason: string;
  /** True if only one of both sides has the object. */
  isOneSided?: true;
}

/**
 * Returns the objects of the account that a twin (a copy of the platform, filled with these objects) does not model, each with one reason.
 * A rehearsal leaves out the changes that they concern (`isConcerned`), so that it never passes a plan only because the twin lacks an
 * object.
 */
export function findNotModelled(compared: ComparedPlans): NotModelled[] {
  // A later step finds consequences of an earlier difference, so the first reason is the one to report.
  const differences = [
    ...findMissingObjects(compared),
    ...findOtherIds(compared),
    ...findAdditionalObjects(compared),
    ...findOtherFields(compared),
    ...findOtherOrders(compared),
    ...findOtherChanges(compared.real.plan, compared.onTwin.plan),
  ];
  const first = new Map<Address, TwinDifference>();
  for (const difference of differences)
    if (!first.has(difference.address)) first.set(difference.address, difference);
  const isConcerned = createConcernTest(compared.real, compared.kinds);
  return [...first.values()]
    .map((difference) => ({
      address: difference.address,
      kind: difference.kind,
      reason: difference.reason,
      isConcerned: isConcerned(difference),
    }))
    .sort(byAddress);
}

/**
 * Step 1 of the comparison of an account with its twin, the simulated account in which `plan --rehearse` tries the plan. Returns the
 * objects of the account that the twin lacks, or for which no reading can show that it has them. Changes that concern these are not
 * rehearsed. `leftOut`: the objects that could not be copied to the twin, with reasons.
 */
function findMissingObjects({ real, onTwin, kinds, leftOut }: ComparedPlans): TwinDifference[] {
  return [...real.live.resources.values()].flatMap(({ address, kind }): TwinDifference[] => {
    if (isNeverRead(kinds.get(kind)!)) {
      const reason = 'the platform does not show it, so nothing proves that the twin has it';
      return [{ address, kind, reason, isOneSided: true }];
    }
    if (onTwin.live.resources.has(address)) return [];
    return [{ address, kind, reason: leftOut.get(address) ?? 'the twin does not have it', isOneSided: true }];
  });
}

/** True for a kind that has no reads. A plan takes its objects from the ledger, also on a twin that does not have them. */
const isNeverRead = ({ read }: Kind): boolean => read.endpoint === undefined && read.single === undefined;

/**
 * Step 2 of the comparison of an account with its twin (a simulated account). Returns the objects that have another id in the twin:
 * requests of the plan would name other objects there.
 */
const findOtherIds = ({ real, onTwin }: ComparedPlans): TwinDifference[] =>
  [...real.live.resources.values()].flatMap(({ address, kind, ids }) => {
    const twinObject = onTwin.live.resources.get(address);
    return !twinObject || canonicalJson(twinObject.ids) === canonicalJson(ids)
      ? []
      : [{ address, kind, reason: 'it has another id in the twin' }];
  });

/**
 * Step 3 of the comparison of an account with its twin (a simulated account). Returns the objects that only the twin has, such as those
 * that it makes together with a declared one.
 */
const findAdditionalObjects = ({ real, onTwin }: ComparedPlans): TwinDifference[] =>
  [...onTwin.live.resources.values()].flatMap(({ address, kind }) =>
    real.live.resources.has(address)
      ? []
      : [{ address, kind, reason: 'only the twin has it', isOneSided: true as const }],
  );

/**
 * Step 4 of the comparison of an account with its twin (a simulated account). Returns the objects whose fields read back differently in the
 * twin. `findSideEffects` finds them: it gets the twin as the account after an apply that should have changed nothing.
 */
function findOtherFields({ real, onTwin, kinds }: ComparedPlans): TwinDifference[] {
  const planWithoutChanges: Plan = { ...real.plan, changes: [], operations: [] };
  const effects = findSideEffects(planWithoutChanges, real.live, onTwin.live, { ...real.input, kinds });
  return effects.map((effect) => ({
    address: effect.address,
    kind: effect.kind,
    reason:
      effect.type === 'changed'
        ? `\`${effect.path}\` reads back differently in the twin`
        : 'the twin does not have it',
  }));
}

/**
 * Step 5 of the comparison of an account with its twin, the simulated account in which `plan --rehearse` tries the plan. Returns the
 * objects of all lists that have another order in the twin, if order has a meaning there, as for the rules of a firewall. Changes that
 * concern these are not rehearsed.
 */
function findOtherOrders({ real, onTwin, kinds }: ComparedPlans): TwinDifference[] {
  const twinCollections = groupByCollection(onTwin.live.resources);
  return [...groupByCollection(real.live.resources)].flatMap(([id, objects]) => {
    const { kind } = objects[0]!;
    if (!kinds.get(kind)!.shape.orderDecides) return [];
    const order = addressesInOrder(objects);
    const twinOrder = addressesInOrder(twinCollections.get(id) ?? []);
    if (canonicalJson(order) === canonicalJson(twinOrder)) return [];
    return order.map((address) => ({ address, kind, reason: 'its list has another order in the twin' }));
  });
}

const addressesInOrder = (objects: readonly LiveResource[]): Address[] =>
  [...objects].sort((a, b) => a.index - b.index).map(({ address }) => address);

/**
 * Step 6 of the comparison of an account with its twin (a simulated account). Returns the objects that the plan of the account and that of
 * the twin change by different actions or by different requests.
 */
function findOtherChanges(real: Plan, onTwin: Plan): TwinDifference[] {
  const numberRequests = createRequestNumbering();
  const realChanges = describeChanges(real, numberRequests);
  const twinChanges = describeChanges(onTwin, numberRequests);
  const addresses = new Set([...realChanges.keys(), ...twinChanges.keys()]);
  return [...addresses].flatMap((address) => {
    const [realChange, twinChange] = [realChanges.get(address), twinChanges.get(address)];
    const [realAction, twinAction] = [realChange?.action ?? 'noop', twinChange?.action ?? 'noop'];
    // Unchanged on both sides: an object that one side lacks was found by the steps before.
    if (realAction === 'noop' && twinAction === 'noop') return [];
    const isSameAction = realAction === twinAction;
    if (isSameAction && realChange?.requests === twinChange?.requests) return [];
    const reason = isSameAction
      ? 'its requests differ in the twin'
      : `the account needs ${describeAction(realAction)}, the twin ${describeAction(twinAction)}`;
    return [{ address, kind: (realChange ?? twinChange)!.kind, reason }];
  });
}

const describeAction = (action: ChangeAction): string => (action === 'noop' ? 'no change' : action);

/** A change of a plan, for comparing it with that of another plan. */
interface DescribedChange {
  kind: string;
  action: ChangeAction;
  /** The numbers of the operations that write the object, as `RequestNumbering` gives them: equal for equal requests. */
  requests: string;
}

/**
 * Returns for each address of a plan its action and its requests as numbers, so that the plan of the account and that of the twin (the
 * simulated account of a rehearsal) can be compared. Equal requests have equal numbers, since both plans share `numberRequests`.
 */
function describeChanges(
  { changes, operations }: Plan,
  numberRequests: RequestNumbering,
): Map<Address, DescribedChange> {
  const numbersByAddress = new Map<Address, number[]>();
  for (const operation of operations) {
    const number = numberRequests(operation);
    for (const address of operation.changes) addTo(numbersByAddress, address, number);
  }
  return new Map(
    changes.map(({ address, kind, action }) => [
      address,
      { kind, action, requests: (numbersByAddress.get(address) ?? []).join() },
    ]),
  );
}

/** Returns the number of an operation's requests. */
type RequestNumbering = (operation: Operation) => number;

/**
 * Creates the function which numbers the requests of operations: equal requests get the same number. So the changes of the real plan and of
 * the plan on the twin (the simulated account of a rehearsal) can be compared by numbers. Comparing the requests of each change would take
 * too long, because thousands of changes can share one long request.
 */
function createRequestNumbering(): RequestNumbering {
  const numbers = new Map<string, number>();
  return ({ requests }) => {
    const text = canonicalJson(requests.map(({ endpoint, params, body }) => ({ endpoint, params, body })));
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
}

/**
 * Returns the test whether a plan concerns an object that is not modelled. The plan of the account concerns
 *
 *   - an object that it changes, and everything in it
 *   - an object around a changed one, and one that a changed one refers to
 *   - the neighbours of a changed object in the same list, if only one side has them, if their order decides, or if changes are staged in
 *     versions, because a promoted version contains the whole list.
 */
function createConcernTest(
  { plan, desired, live }: Planned,
  kinds: Kinds,
): (difference: TwinDifference) => boolean {
  const changes = plan.changes.filter(
    ({ action, changesLedgerOnly }) => action !== 'noop' && !changesLedgerOnly,
  );
  const changed = new Set(changes.map(({ address }) => address));
  const changedCollections = new Set(changes.map(({ kind, parent }) => collectionId(kind, parent)));
  const needed = changes.flatMap(({ address, parent, needs = [] }) => [
    ...(parent === undefined ? [] : [parent]),
    ...needs,
    ...refsIn(desired.resources.get(address)?.fields),
  ]);
  const anyAddress = { has: () => true };
  const neededOrAround = new Set(needed.flatMap((address) => ancestorsAmong(address, anyAddress)));
  return ({ address, kind: kindName, isOneSided = false }) => {
    if (isWithinAny(address, changed) || neededOrAround.has(address)) return true;
    const kind = kinds.get(kindName)!;
    const isNeighbour = changedCollections.has(collectionId(kindName, parentOf(address, kind)));
    const neighboursMatter = isOneSided || kind.shape.orderDecides || live.staged.size > 0;
    return isNeighbour && neighboursMatter;
  };
}
