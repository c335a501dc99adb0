import type { Change } from '../model/change.ts';
import type { Reporter } from '../model/diagnostic.ts';
import { listFirst } from '../model/fold-wordings.ts';
import { addTo, topologicalOrder } from '../model/graph.ts';
import type { Operation } from '../model/plan.ts';
import type { Request } from '../model/request.ts';
import type { PlacedDraft } from './draft-requests.ts';
import { type DraftIndex, type DraftWait, findWaits, indexDrafts, mainVerbOf } from './find-waits.ts';
import type { PlanInput } from './input.ts';

/**
 * Turns the drafts of a plan (each the requests of one or several changes) into its operations, sorted so that each comes after the
 * operations that must finish before it (`dependsOn`). An apply runs operations in parallel as far as `dependsOn` allows. An operation that
 * deletes an object to create it again also reserves room in the platform's rate limits, so that no limit stops the apply in between
 * (`withReservations`). Waits that are only preferred are dropped if they lead to a cycle. A cycle that remains is reported, and no
 * operations are returned.
 */
export function scheduleOperations(
  drafts: PlacedDraft[],
  changes: Change[],
  input: Pick<PlanInput, 'kinds' | 'live' | 'contents'>,
  report: Reporter,
): Operation[] {
  if (drafts.length === 0) return [];
  const index = indexDrafts(drafts, changes, input.kinds);
  const ordered = orderDrafts(drafts, findWaits(index, input));
  if ('cycle' in ordered) {
    reportCycle(ordered.cycle, report);
    return [];
  }
  const { order, earlierDrafts } = ordered;
  const ids = assignOperationIds(order, index);
  const operations = order.map((draft): Operation => {
    // The collection is the list in the account with the changed objects: all of one kind, in one parent.
    const { kind, parent } = draft.collection;
    return {
      id: ids.get(draft)!,
      kind: kind.name,
      parent,
      changes: draft.changes,
      requests: draft.requests,
      dependsOn: [...earlierDrafts.get(draft)!].map((earlier) => ids.get(earlier)!).sort(),
    };
  });
  return withReservations(operations, order, ids);
}

/** The drafts, each after those that it waits for, and these by draft; or drafts that wait for each other in a circle. */
type DraftOrder =
  | { order: PlacedDraft[]; earlierDrafts: ReadonlyMap<PlacedDraft, ReadonlySet<PlacedDraft>> }
  | { cycle: PlacedDraft[] };

/** Puts drafts into an order in which each comes after those that it waits for. Drops the preferred waits if they lead to a cycle. */
function orderDrafts(drafts: PlacedDraft[], waits: readonly DraftWait[]): DraftOrder {
  const preferred = orderByWaits(drafts, waits);
  if (!('cycle' in preferred)) return preferred;
  return orderByWaits(
    drafts,
    waits.filter(({ isPreferred }) => !isPreferred),
  );
}

/** Puts drafts into an order in which each comes after those that it waits for. */
function orderByWaits(drafts: PlacedDraft[], waits: readonly DraftWait[]): DraftOrder {
  const earlierDrafts = new Map<PlacedDraft, Set<PlacedDraft>>(drafts.map((draft) => [draft, new Set()]));
  // A draft that carries out several changes may refer to itself. That is no wait.
  for (const { draft, earlier } of waits) if (draft !== earlier) earlierDrafts.get(draft)!.add(earlier);
  const result = topologicalOrder(drafts, (draft) => earlierDrafts.get(draft)!);
  return 'cycle' in result ? result : { ...result, earlierDrafts };
}

/**
 * Reports the drafts (requests without an order yet) that wait for each other in a circle, with the first change of each. No order exists
 * then, and the plan cannot be applied.
 */
function reportCycle(cycle: readonly PlacedDraft[], report: Reporter): void {
  const names = cycle.flatMap((draft) => draft.changes.slice(0, 1)).join(' -> ');
  report.error('plan/cycle', `these changes depend on each other: ${names}`, {
    hint: 'apply them in two steps, or remove a `$dependsOn`',
  });
}

/**
 * Returns the ids of a plan's operations, such as `update projects/web and 2 more`, by which they name the operations they depend on. Equal
 * ids get numbers, since one address may need several operations.
 */
function assignOperationIds(drafts: PlacedDraft[], { changeOf }: DraftIndex): Map<PlacedDraft, string> {
  const counts = new Map<string, number>();
  return new Map(
    drafts.map((draft) => {
      const name = `${mainVerbOf(draft, changeOf)} ${listFirst(draft.changes, 1)}`;
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return [draft, count === 1 ? name : `${name} (${count})`];
    }),
  );
}

/**
 * Returns the operations with reservations in the platform's rate limits. An object that a run deletes and creates again is absent in
 * between, so the run must not stop there: the deletion waits until there is room for all later requests of its operation and all requests
 * of the operations that create it again. The operation with the deletion gets `reserves`, the ids of the operations with these requests.
 * Each of the requests gets `reserved`, the id of its own operation. `drafts`: the draft of each operation, in the same order; `ids`: the
 * ids of their operations.
 */
function withReservations(
  operations: Operation[],
  drafts: PlacedDraft[],
  ids: ReadonlyMap<PlacedDraft, string>,
): Operation[] {
  const recreatorsByDeletion = findRecreators(drafts);
  const laterRecreators = new Set(
    [...recreatorsByDeletion].flatMap(([deleting, recreators]) =>
      recreators.filter((recreator) => recreator !== deleting),
    ),
  );
  return operations.map((operation, index): Operation => {
    const draft = drafts[index]!;
    const { requests } = operation;
    const recreators = recreatorsByDeletion.get(draft) ?? [];
    // In an operation that deletes an object to create it again, the requests behind the deletion are reserved.
    const afterDeletion = recreators.length > 0 ? requests.findIndex(isDeletion) + 1 : requests.length;
    const hasRequestsAfterDeletion = afterDeletion < requests.length;
    // In an operation that creates the object of an earlier deletion, all requests are.
    const firstReserved = laterRecreators.has(draft) ? 0 : afterDeletion;
    const reservedDrafts = new Set([...(hasRequestsAfterDeletion ? [draft] : []), ...recreators]);
    return {
      ...operation,
      requests: requests.map((request, position) =>
        position < firstReserved ? request : { ...request, reserved: operation.id },
      ),
      reserves:
        reservedDrafts.size > 0 ? Array.from(reservedDrafts, (reserved) => ids.get(reserved)!) : undefined,
    };
  });
}

/**
 * Returns, for each draft that deletes an object to create it again, the drafts that create it: itself, or later drafts that create
 * something and have to wait for it by the shape of their collection (`Draft.after`). Room in the rate limits is reserved for these.
 */
function findRecreators(drafts: PlacedDraft[]): Map<PlacedDraft, PlacedDraft[]> {
  // `Draft.after` names drafts as they were before the planner completed them (`origin`).
  const draftByOrigin = new Map(drafts.map((draft) => [draft.origin, draft]));
  const recreatorsByDeletion = new Map<PlacedDraft, PlacedDraft[]>();
  for (const draft of drafts) {
    const { requests, after = [] } = draft;
    if (!requests.some(isCreation)) continue;
    const deletion = requests.findIndex(isDeletion);
    if (deletion >= 0 && requests.slice(deletion + 1).some(isCreation))
      addTo(recreatorsByDeletion, draft, draft);
    for (const origin of after) {
      const earlier = draftByOrigin.get(origin);
      if (earlier?.requests.some(isDeletion)) addTo(recreatorsByDeletion, earlier, draft);
    }
  }
  return recreatorsByDeletion;
}

/**
 * True if a request deletes something that others can see. A staged deletion does not count, because the live version still has the object.
 */
const isDeletion = ({ drops = [], stages }: Request): boolean => drops.length > 0 && !stages;

/** True if a request creates something: its answer contains new ids. */
const isCreation = ({ returns = [], batch = [] }: Request): boolean => returns.length > 0 || batch.length > 0;
