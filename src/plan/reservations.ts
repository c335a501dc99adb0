import type { Draft } from '../kind/draft.ts';
import type { Operation, Request } from '../model/plan.ts';
import type { Lowered } from './lower.ts';

/**
 * Adds reservations to the operations (one for each draft, in their order). Before something is deleted that is made anew, there must
 * be room for every request from the deletion until it is there again. The new object is made by the same draft behind the deletion,
 * or by a draft `after` that one: the new object of a replacement, or another type of a DNS name.
 */
export function withReservations(drafts: Lowered[], operations: Operation[]): Operation[] {
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
    requests: operation.requests.map((one, at) =>
      at < reservedFrom[index]! ? one : { ...one, reserved: operation.id },
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
