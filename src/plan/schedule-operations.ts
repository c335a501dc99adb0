import { ancestorsOf } from '../kind/define-kind.ts';
import type { Draft } from '../kind/draft.ts';
import type { Kinds } from '../kind/kind.ts';
import { soleValues } from '../kind/sole-values.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { addTo, groupBy, topologicalOrder } from '../model/graph.ts';
import type { Operation } from '../model/plan.ts';
import type { Request } from '../model/request.ts';
import { collectionId, type Live } from '../model/resource.ts';
import type { LocatedDraft } from './draft-requests.ts';
import { createHolderFinder, findNeeds } from './find-dependencies.ts';

/**
 * Turns drafts into operations whose `dependsOn` holds the whole order: an object is created before, and deleted after, those that need
 * it; lanes run one at a time; objects made anew have room reserved. So the applier needs neither locks nor rules.
 */
export function scheduleOperations(
  drafts: LocatedDraft[],
  changes: Change[],
  kinds: Kinds,
  live: Live,
): { operations: Operation[]; problems: Diagnostic[] } {
  if (drafts.length === 0) return { operations: [], problems: [] };
  const all = new Set<Draft>(drafts);
  const needs = new Map<LocatedDraft, Set<LocatedDraft>>(
    drafts.map((draft) => [
      draft,
      new Set((draft.after ?? []).filter((draft) => all.has(draft)) as LocatedDraft[]),
    ]),
  );
  const byAddress = new Map<Address, LocatedDraft[]>();
  for (const draft of drafts) for (const address of draft.changes) addTo(byAddress, address, draft);
  const changeOf = new Map(changes.map((change) => [change.address, change]));

  const holders = createHolderFinder(changes, kinds, live);
  // The address that gives up a name, by that name: it must do so before another address can take it.
  const renamed = new Map(
    changes.flatMap(({ address, before }) =>
      before?.renamedTo === undefined ? [] : [[before.renamedTo, address] as const],
    ),
  );

  for (const draft of drafts) {
    for (const address of draft.changes) {
      const change = changeOf.get(address);
      if (!change) continue;
      const verb = verbIn(draft, address);
      // What is handed over takes along what names it then.
      const left = change.before?.transfer?.from ?? (verb === 'delete' ? address : undefined);
      if (left !== undefined)
        addAll(
          draft,
          holders(left).flatMap((holder) => leavers(holder, change)),
        );
      if (verb !== 'delete')
        for (const needed of findNeeds(change, kinds)) addAll(draft, makersOf(needed, change));
      if (verb === 'create') addAll(draft, byAddress.get(renamed.get(address) ?? '') ?? []);
    }
  }
  for (const { giving, taking } of handovers(drafts, changeOf, verbIn))
    for (const draft of taking) addAll(draft, giving);
  const collections = groupBy(drafts, ({ kind, parent }) => collectionId(kind.name, parent));
  for (const draft of drafts)
    for (const name of draft.kind.lifecycle.after ?? [])
      for (const first of collections.get(collectionId(name, draft.parent)) ?? []) {
        if (first.verb === 'delete') addAll(first, [draft]);
        else addAll(draft, [first]);
      }
  for (const lane of lanesOf(drafts, kinds))
    for (let i = 1; i < lane.length; i++) needs.get(lane[i]!)!.add(lane[i - 1]!);

  /** The verb of a draft for one of its addresses. A draft that carries out several changes can have a different one for each. */
  function verbIn({ changes: of, verb }: LocatedDraft, address: Address): LocatedDraft['verb'] {
    const action = changeOf.get(address)?.action;
    if (of.length === 1) return verb;
    return action === 'create' || action === 'delete' ? action : 'update';
  }
  /**
   * The drafts that bring an object into its place for those that need it: creations and hand-overs. If `$dependsOn` names it, all but its
   * deletion.
   */
  function makersOf(address: Address, { after }: Change): LocatedDraft[] {
    const whole = after?.meta.dependsOn?.includes(address);
    return (byAddress.get(address) ?? []).filter((draft) => {
      const verb = verbIn(draft, address);
      const comes = changeOf.get(address)?.before?.transfer !== undefined;
      return whole || comes ? verb !== 'delete' : verb === 'create';
    });
  }
  function addAll(draft: LocatedDraft, lowereds: LocatedDraft[]) {
    for (const lowered of lowereds) if (lowered !== draft) needs.get(draft)!.add(lowered);
  }
  /** The drafts by which a holder gives up its reference. A replaced object is soon back, so this matters only for deletions. */
  function leavers({ address, action }: Change, held: Change): LocatedDraft[] {
    if (held.action === 'replace' && action !== 'delete') return [];
    return (byAddress.get(address) ?? []).filter((draft) => verbIn(draft, address) !== 'create');
  }

  const result = topologicalOrder(drafts, (draft) => needs.get(draft)!);
  if ('cycle' in result) {
    const names = result.cycle.flatMap((draft) => draft.changes.slice(0, 1)).join(' -> ');
    return {
      operations: [],
      problems: [
        problem('plan/cycle', `these changes depend on each other: ${names}`, {
          hint: 'apply them in two steps, or remove a `$dependsOn`',
        }),
      ],
    };
  }
  const ids = namesFor(result.order);
  const operations: Operation[] = result.order.map((draft) => ({
    id: ids.get(draft)!,
    kind: draft.kind.name,
    ...(draft.parent === undefined ? {} : { parent: draft.parent }),
    changes: draft.changes,
    requests: draft.requests,
    dependsOn: [...needs.get(draft)!].map((lowered) => ids.get(lowered)!).sort(),
  }));
  return { operations: withReservations(result.order, operations), problems: [] };
}

/** The drafts that give up, and the drafts that take, each value that only one object may have at a time. */
function handovers(
  drafts: LocatedDraft[],
  changeOf: ReadonlyMap<Address, Change>,
  verbIn: (draft: LocatedDraft, address: Address) => LocatedDraft['verb'],
): { giving: LocatedDraft[]; taking: LocatedDraft[] }[] {
  const values = new Map<string, { giving: LocatedDraft[]; taking: LocatedDraft[] }>();
  for (const draft of drafts)
    for (const address of draft.changes) {
      const verb = verbIn(draft, address);
      const { before, after } = changeOf.get(address) ?? {};
      const fields = verb === 'delete' ? before?.fields : verb === 'create' ? after?.fields : undefined;
      for (const { text } of soleValues(draft.kind, fields ?? {})) {
        const value = values.get(text) ?? { giving: [], taking: [] };
        (verb === 'delete' ? value.giving : value.taking).push(draft);
        values.set(text, value);
      }
    }
  return [...values.values()];
}

/** The drafts of each lane in order: gates that close, the kinds in their order, gates that open. */
function lanesOf(drafts: LocatedDraft[], kinds: Kinds): LocatedDraft[][] {
  const order = [...kinds.keys()];
  const rank = ({ phase, kind }: LocatedDraft) =>
    [phase === 'first' ? 0 : phase === 'last' ? 2 : 1, order.indexOf(kind.name)] as const;
  const lanes = groupBy(
    drafts.filter(({ kind }) => kind.lifecycle.lane),
    ({ kind, parent }) =>
      `${kind.lifecycle.lane} ${ancestorsOf(kinds, kind, parent).find(({ kind }) => kind.lifecycle.container)?.address}`,
  );
  return [...lanes.values()].map((lane) =>
    [...lane].sort((a, b) => rank(a)[0] - rank(b)[0] || rank(a)[1] - rank(b)[1]),
  );
}

/** The ids of operations, which say what these do; numbered if one address needs several. */
function namesFor(drafts: LocatedDraft[]): Map<LocatedDraft, string> {
  const used = new Map<string, number>();
  return new Map(
    drafts.map((draft) => {
      const [first, ...others] = draft.changes;
      const name = `${draft.verb} ${first}${others.length > 0 ? ` and ${others.length} more` : ''}`;
      const count = (used.get(name) ?? 0) + 1;
      used.set(name, count);
      return [draft, count === 1 ? name : `${name} (${count})`];
    }),
  );
}

/**
 * Adds reservations to the operations (one for each draft, in their order). Before something is deleted that is made anew, there must
 * be room for every request from the deletion until it is there again. The new object is made by the same draft behind the deletion,
 * or by a draft `after` that one: the new object of a replacement, or another type of a DNS name.
 */
function withReservations(drafts: LocatedDraft[], operations: Operation[]): Operation[] {
  const indexOf = new Map<Draft, number>(drafts.map((draft, index) => [draft, index]));
  const deletions = drafts.map(({ requests }) => requests.findIndex(isDeletion));
  const reserves = drafts.map(() => new Set<number>());
  const reservedFrom = drafts.map(() => Infinity);
  const reserve = (by: number, operation: number, from: number) => {
    if (from >= drafts[operation]!.requests.length) return;
    reserves[by]!.add(operation);
    reservedFrom[operation] = Math.min(reservedFrom[operation]!, from);
  };

  drafts.forEach(({ requests, after = [] }, index) => {
    const deletion = deletions[index]!;
    if (deletion >= 0 && requests.slice(deletion + 1).some(isCreation)) reserve(index, index, deletion + 1);
    if (!requests.some(isCreation)) return;
    for (const draft of after) {
      const other = indexOf.get(draft);
      if (other === undefined || deletions[other]! < 0) continue;
      reserve(other, other, deletions[other]! + 1);
      reserve(other, index, 0);
    }
  });

  return operations.map((operation, index) => ({
    ...operation,
    requests: operation.requests.map((request, position) =>
      position < reservedFrom[index]! ? request : { ...request, reserved: operation.id },
    ),
    ...(reserves[index]!.size > 0
      ? { reserves: [...reserves[index]!].map((other) => operations[other]!.id) }
      : {}),
  }));
}

/**
 * True if a request deletes something that others can see. A staged deletion does not count: for everybody else the object is
 * still there.
 */
const isDeletion = ({ drops = [], stages }: Request) => drops.length > 0 && !stages;

const isCreation = ({ returns = [], batch = [] }: Request) => returns.length > 0 || batch.length > 0;
