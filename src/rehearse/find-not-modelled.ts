import { parentOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { type Address, isWithin, isWithinAny } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { canonicalJson } from '../model/digest.ts';
import { addTo } from '../model/graph.ts';
import type { Operation, Plan } from '../model/plan.ts';
import type { NotModelled } from '../model/rehearsal.ts';
import { collectionId, groupByCollection, type Live } from '../model/resource.ts';
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

/**
 * Finds everything that a filled twin does not model: objects that it lacks or has in addition, objects that read back with other fields or ids, lists in
 * another order, and changes that a plan on the twin would make with other requests. Every difference counts, so that a rehearsal never passes a plan
 * because of something that the twin does not have.
 */
export function findNotModelled({ real, onTwin, kinds, leftOut }: ComparedPlans): NotModelled[] {
  const reasons = new Map<Address, { kind: string; reason: string; isMissing: boolean }>();
  const add = (address: Address, kind: string, reason: string, isMissing = false) => {
    if (!reasons.has(address)) reasons.set(address, { kind, reason, isMissing });
  };
  for (const { address, kind, ids } of real.live.resources.values()) {
    const twinObject = onTwin.live.resources.get(address);
    if (isUnlisted(kinds.get(kind)!))
      add(address, kind, 'the platform does not show it, so nothing proves that the twin has it', true);
    else if (!twinObject) add(address, kind, leftOut.get(address) ?? 'the twin does not have it', true);
    else if (canonicalJson(twinObject.ids) !== canonicalJson(ids))
      add(address, kind, 'it has another id in the twin');
  }
  for (const { address, kind } of onTwin.live.resources.values())
    if (!real.live.resources.has(address)) add(address, kind, 'only the twin has it', true);
  for (const difference of findSideEffects(noPlan(real.plan), real.live, onTwin.live, {
    ...real.input,
    kinds,
  }))
    add(
      difference.address,
      difference.kind,
      difference.type === 'changed'
        ? `\`${difference.path}\` reads back differently in the twin`
        : 'the twin does not have it',
    );
  for (const address of objectsInOtherOrder(real.live, onTwin.live, kinds))
    add(address, real.live.resources.get(address)!.kind, 'its list has another order in the twin');
  for (const { address, kind, reason } of changesPlannedDifferently(real.plan, onTwin.plan))
    add(address, kind, reason);
  const concerns = findConcerned(real, kinds);
  return [...reasons]
    .map(([address, { kind, reason, isMissing }]) => ({
      ...{ address, kind, reason },
      isConcerned: concerns({ address, kind, isMissing }),
    }))
    .sort((a, b) => (a.address < b.address ? -1 : 1));
}

/** True for a kind whose objects the platform shows nowhere: a plan takes them from the ledger, also on a twin that does not have them. */
const isUnlisted = ({ read }: Kind): boolean => read.endpoint === undefined && read.single === undefined;

/** Returns a plan without changes, so that each difference between two readings counts. */
const noPlan = (plan: Plan): Plan => ({ ...plan, changes: [], operations: [] });

/** Returns the objects of lists whose order decides and that the twin has in another order. */
function objectsInOtherOrder(real: Live, onTwin: Live, kinds: Kinds): Address[] {
  const orderOf = (objects: readonly { address: Address; index: number }[] = []) =>
    [...objects].sort((a, b) => a.index - b.index).map(({ address }) => address);
  const twinCollections = groupByCollection(onTwin.resources);
  return [...groupByCollection(real.resources)].flatMap(([id, objects]) => {
    if (!kinds.get(objects[0]!.kind)!.shape.orderDecides) return [];
    const order = orderOf(objects);
    return canonicalJson(order) === canonicalJson(orderOf(twinCollections.get(id))) ? [] : order;
  });
}

/** Finds changes that the planner would make on the twin in another way than in the account: another action, or other requests. */
function changesPlannedDifferently(
  real: Plan,
  onTwin: Plan,
): { address: Address; kind: string; reason: string }[] {
  // Equal requests have one number, because thousands of changes can share a request that is long.
  const numbers = new Map<string, number>();
  const numberOf = ({ requests }: Operation) => {
    const text = canonicalJson(requests.map(({ endpoint, params, body }) => ({ endpoint, params, body })));
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  const formsOf = ({ changes, operations }: Plan) => {
    const numbersOf = new Map<Address, number[]>();
    for (const operation of operations) {
      const number = numberOf(operation);
      for (const address of operation.changes) addTo(numbersOf, address, number);
    }
    const formOf = ({ action, address }: Change) => `${action} ${numbersOf.get(address) ?? ''}`;
    return new Map(changes.map((change) => [change.address, { change, form: formOf(change) }]));
  };
  const realForms = formsOf(real);
  const twinForms = formsOf(onTwin);
  return [...new Map([...realForms, ...twinForms]).keys()].flatMap((address) => {
    const [realForm, twinForm] = [realForms.get(address), twinForms.get(address)];
    if (realForm?.form === twinForm?.form) return [];
    const { kind } = (realForm ?? twinForm)!.change;
    const [realAction, twinAction] = [realForm, twinForm].map((form) => form?.change.action ?? 'noop');
    // An object that one side lacks, and that no side changes, is found by comparing the objects.
    if (realAction === 'noop' && twinAction === 'noop') return [];
    const describe = (action: string | undefined) => (action === 'noop' ? 'no change' : action);
    const reason = `the account needs ${describe(realAction)}, the twin ${describe(twinAction)}`;
    return [
      { address, kind, reason: realAction === twinAction ? 'its requests differ in the twin' : reason },
    ];
  });
}

/**
 * Returns the test whether a plan concerns an object that is not modelled: it changes the object, something in it or around it, or something that refers
 * to it. Of a list it concerns also the objects that the twin lacks, and all objects if their order decides.
 */
function findConcerned(
  { plan, desired, live }: Planned,
  kinds: Kinds,
): (object: { address: Address; kind: string; isMissing: boolean }) => boolean {
  const written = plan.changes.filter(
    ({ action, changesLedgerOnly }) => action !== 'noop' && !changesLedgerOnly,
  );
  const changed = new Set(written.map(({ address }) => address));
  const collections = new Set(written.map(({ kind, parent }) => collectionId(kind, parent)));
  const needed = [
    ...new Set(
      written.flatMap(({ address, parent, needs = [] }) => [
        ...(parent === undefined ? [] : [parent]),
        ...needs,
        ...refsIn(desired.resources.get(address)?.fields),
      ]),
    ),
  ];
  return ({ address, kind: kindName, isMissing }) => {
    const kind = kinds.get(kindName)!;
    const isSibling = collections.has(collectionId(kindName, parentOf(address, kind)));
    const isAround = needed.some((other) => other === address || isWithin(other, address));
    return (
      changed.has(address) ||
      isAround ||
      isWithinAny(address, changed) ||
      (isSibling && (isMissing || kind.shape.orderDecides || live.staged.size > 0))
    );
  };
}
