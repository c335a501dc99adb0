import { listFirst } from '../model/fold-wordings.ts';
import type { Operation } from '../model/plan.ts';
import type { Request } from '../model/request.ts';
import { isPlainObject } from '../model/value.ts';

/**
 * True if an operation is one request of several items, and each item can be sent in a request of its own. Only then one item can be the
 * first change of an apply (`choose-first-change.ts`).
 */
export function isSplittable({ requests: [request, ...others] }: Operation): boolean {
  const { batch = [], body } = request ?? {};
  return others.length === 0 && batch.length > 1 && itemsMember(body, batch.length) !== undefined;
}

/**
 * Replaces an operation among others by two: one with this item of its batch, and one with all other items. Operations that depend on it
 * then depend on both.
 */
export function splitOff(operation: Operation, item: number, operations: readonly Operation[]): Operation[] {
  const [first, second] = [
    withItems(operation, (index) => index === item),
    withItems(operation, (index) => index !== item),
  ];
  return operations.flatMap((other) =>
    other === operation ? [first, second] : [dependingOnBoth(other, operation.id, [first.id, second.id])],
  );
}

/** Returns an operation that depends on two operations (`partIds`) if it depended on the one that was split (`splitId`). */
const dependingOnBoth = (operation: Operation, splitId: string, partIds: string[]): Operation =>
  operation.dependsOn.includes(splitId)
    ? { ...operation, dependsOn: [...operation.dependsOn.filter((id) => id !== splitId), ...partIds].sort() }
    : operation;

/**
 * Returns an operation that sends only the chosen items of its batch: with fewer items in the body, fewer changes, and fewer ids to expect
 * in the answer. `isChosen` takes the index of an item.
 */
function withItems(operation: Operation, isChosen: (index: number) => boolean): Operation {
  const [request] = operation.requests as [Request];
  const { batch = [], returns } = request;
  const chosen = <T>(list: readonly T[]): T[] => list.filter((_, index) => isChosen(index));
  const changes = chosen(batch).flat();
  const name = itemsMember(request.body, batch.length)!;
  const { body } = request;
  return {
    ...operation,
    id: `${verbIn(operation)} ${listFirst(changes, 1)}`,
    changes,
    requests: [
      {
        ...request,
        body: Array.isArray(body)
          ? chosen(body)
          : { ...(body as object), [name]: chosen((body as Record<string, unknown[]>)[name]!) },
        batch: chosen(batch),
        ...(returns ? { returns: returns.filter(({ address }) => changes.includes(address)) } : {}),
      },
    ],
  };
}

/** Returns the verb with which the id of an operation begins. */
const verbIn = ({ id }: Operation): string => id.slice(0, id.indexOf(' '));

/**
 * Finds the list of items in the body of a batch request (one request for several objects), so that one item
 * can be sent alone as the first change of an apply. It is the only list with `length` items. Returns the
 * name of the member that has it; '' if the body itself is the list. Undefined if no member fits or several
 * do: it is then unclear which list to split, and the request is not split.
 */
function itemsMember(body: unknown, length: number): string | undefined {
  const isList = (value: unknown) => Array.isArray(value) && value.length === length;
  if (Array.isArray(body)) return isList(body) ? '' : undefined;
  if (!isPlainObject(body)) return undefined;
  const [name, ...others] = Object.keys(body).filter((member) => isList(body[member]));
  return others.length === 0 ? name : undefined;
}
