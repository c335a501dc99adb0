/*
 * Reserves room in the platform's rate limits for objects that are deleted and created again.
 *
 * Premise: an object that a run deletes and creates again is absent in between, so the run must not stop there because of a rate limit.
 * Therefore the deletion waits until there is room for every request from the deletion to the new creation. The new object is created by the
 * same draft after the deletion, or by a draft that waits for that one (`Draft.after`), such as the second half of a replacement.
 */
import type { Draft } from '../kind/write.ts';
import type { Operation } from '../model/plan.ts';
import type { Request } from '../model/request.ts';

/**
 * Returns the operations with reservations in rate limits: the deletion of an object that is created again starts only if there is room for
 * the whole recreation. `drafts`: the draft of each operation, in the same order.
 */
export function withReservations(drafts: Draft[], operations: Operation[]): Operation[] {
  const indexOf = new Map(drafts.map((draft, index) => [draft, index]));
  const deletionIndexes = drafts.map(({ requests }) => requests.findIndex(isDeletion));
  // For each operation: the operations that it reserves room for, and its own first request with reserved room.
  const reservedOperations = drafts.map(() => new Set<number>());
  const reservedFrom = drafts.map(() => Infinity);
  const reserve = (reserving: number, operation: number, fromRequest: number) => {
    if (fromRequest >= drafts[operation]!.requests.length) return;
    reservedOperations[reserving]!.add(operation);
    reservedFrom[operation] = Math.min(reservedFrom[operation]!, fromRequest);
  };

  drafts.forEach(({ requests, after = [] }, index) => {
    const deletion = deletionIndexes[index]!;
    if (deletion >= 0 && requests.slice(deletion + 1).some(isCreation)) reserve(index, index, deletion + 1);
    if (!requests.some(isCreation)) return;
    for (const earlierDraft of after) {
      const earlierIndex = indexOf.get(earlierDraft);
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
    ...(reservedOperations[index]!.size > 0
      ? { reserves: [...reservedOperations[index]!].map((other) => operations[other]!.id) }
      : {}),
  }));
}

/** True if a request deletes something that others can see. A staged deletion does not count, because the live version still has the object. */
const isDeletion = ({ drops = [], stages }: Request): boolean => drops.length > 0 && !stages;

/** True if a request creates something: its answer contains new ids. */
const isCreation = ({ returns = [], batch = [] }: Request): boolean => returns.length > 0 || batch.length > 0;
