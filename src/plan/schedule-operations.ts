import type { Change } from '../model/change.ts';
import type { Reporter } from '../model/diagnostic.ts';
import { listFirst } from '../model/fold-wordings.ts';
import { topologicalOrder } from '../model/graph.ts';
import type { Operation } from '../model/plan.ts';
import type { Request } from '../model/request.ts';
import type { PlacedDraft } from './draft-requests.ts';
import { type DraftIndex, type DraftWait, findWaits, indexDrafts, mainVerbOf } from './find-waits.ts';
import type { PlanInput } from './input.ts';

/**
 * Turns the drafts of a plan (each the requests of one or several changes) into its operations, sorted so
 * that each comes after the operations that must finish before it (`dependsOn`). An apply runs operations in
 * parallel as far as `dependsOn` allows. If drafts wait for each other in a cycle, drops the waits that are only
 * preferred. If there still is a cycle, reports it and returns no operations.
 */
export function scheduleOperations(
  drafts: PlacedDraft[],
  changes: Change[],
  input: Pick<PlanInput, 'kinds' | 'live' | 'contents'>,
  report: Reporter,
): Operation[] {
  if (drafts.length === 0) return [];
  const index = indexDrafts(drafts, changes, input.kinds);
  const waits = findWaits(index, input);
  const isNeeded = ([, , strength]: DraftWait) => strength !== 'preferred';
  const preferred = orderDrafts(drafts, waits);
  const result = 'cycle' in preferred ? orderDrafts(drafts, waits.filter(isNeeded)) : preferred;
  if ('cycle' in result) {
    reportCycle(result.cycle, report);
    return [];
  }
  const { earlierDrafts } = result;
  const ids = assignOperationIds(result.order, index);
  const operations: Operation[] = result.order.map((draft) => {
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
  return withReservations(result.order, operations);
}

/**
 * Returns the drafts, each after those that it waits for, and these by draft (`earlierDrafts`). If some wait for each other in a circle,
 * returns these instead.
 */
function orderDrafts(
  drafts: PlacedDraft[],
  waits: readonly DraftWait[],
):
  | { cycle: PlacedDraft[] }
  | { order: PlacedDraft[]; earlierDrafts: ReadonlyMap<PlacedDraft, Set<PlacedDraft>> } {
  const earlierDrafts = new Map<PlacedDraft, Set<PlacedDraft>>(drafts.map((draft) => [draft, new Set()]));
  // A draft that carries out several changes may refer to itself. That is no wait.
  for (const [draft, earlier] of waits) if (draft !== earlier) earlierDrafts.get(draft)!.add(earlier);
  const result = topologicalOrder(drafts, (draft) => earlierDrafts.get(draft)!);
  return 'cycle' in result ? result : { ...result, earlierDrafts };
}

/**
 * Reports the drafts (requests without an order yet) that wait for each other in a circle, with the first change of each. No order exists then, and
 * the plan cannot be applied.
 */
function reportCycle(cycle: readonly PlacedDraft[], report: Reporter): void {
  const names = cycle.flatMap((draft) => draft.changes.slice(0, 1)).join(' -> ');
  report.error('plan/cycle', `these changes depend on each other: ${names}`, {
    hint: 'apply them in two steps, or remove a `$dependsOn`',
  });
}

/**
 * Returns the ids of a plan's operations, such as `update projects/web and 2 more`, by which they name the operations they depend on. Equal ids get
 * numbers, since one address may need several operations.
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
 * Returns the operations with reservations in the platform's rate limits. An object that a run deletes and
 * creates again is absent in between, so the run must not stop there: the deletion waits until there is room
 * for every request up to the new creation (`reserves`: the operations with these requests; `reserved`: a
 * request with reserved room). The creation is in the same draft (requests that belong together) or in one that
 * waits for it (`Draft.after`). `drafts`: the draft of each operation, in the same order.
 */
function withReservations(drafts: PlacedDraft[], operations: Operation[]): Operation[] {
  // `Draft.after` names drafts as they were before the planner completed them (`origin`).
  const indexByDraft = new Map(drafts.map(({ origin }, index) => [origin, index]));
  const deletionIndexes = drafts.map(({ requests }) => requests.findIndex(isDeletion));
  // For each operation: the operations that it reserves room for, and its own first request with reserved room.
  const reservedOperations = drafts.map(() => new Set<number>());
  const reservedFrom = drafts.map(() => Infinity);
  const reserve = (reserving: number, operation: number, fromRequest: number) => {
    // Nothing follows the deletion in this operation.
    if (fromRequest >= drafts[operation]!.requests.length) return;
    reservedOperations[reserving]!.add(operation);
    reservedFrom[operation] = Math.min(reservedFrom[operation]!, fromRequest);
  };

  drafts.forEach(({ requests, after = [] }, index) => {
    // A draft that deletes and creates reserves room for its own remaining requests.
    const deletion = deletionIndexes[index]!;
    if (deletion >= 0 && requests.slice(deletion + 1).some(isCreation)) reserve(index, index, deletion + 1);
    if (!requests.some(isCreation)) return;
    // A draft that waits for a deletion creates the object again, so that deletion reserves room for it.
    for (const earlierDraft of after) {
      const earlierIndex = indexByDraft.get(earlierDraft);
      if (earlierIndex === undefined || deletionIndexes[earlierIndex]! < 0) continue;
      reserve(earlierIndex, earlierIndex, deletionIndexes[earlierIndex]! + 1);
      reserve(earlierIndex, index, 0);
    }
  });

  return operations.map((operation, index) => ({
    ...operation,
    requests: operation.requests.map((request, position) =>
      position < reservedFrom[index]! ? request : { ...request, reserved: operation.id },
    ),
    reserves:
      reservedOperations[index]!.size > 0
        ? [...reservedOperations[index]!].map((other) => operations[other]!.id)
        : undefined,
  }));
}

/** True if a request deletes something that others can see. A staged deletion does not count, because the live version still has the object. */
const isDeletion = ({ drops = [], stages }: Request): boolean => drops.length > 0 && !stages;

/** True if a request creates something: its answer contains new ids. */
const isCreation = ({ returns = [], batch = [] }: Request): boolean => returns.length > 0 || batch.length > 0;
