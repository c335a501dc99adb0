/*
 * Lets the creation of a new parent create its new children as well, if one request of the platform can do that (`Shape.withParent`). The
 * plan then has one request where it had two.
 *
 * Terms
 *   creation   an operation that only creates objects, by one request
 *   join       to replace the creations of a parent and of its children by one operation, with the id of the parent's. The parent's then absorbs the other.
 *   canary     the operation that an apply sends alone before all others, to an account that its ledger does not know yet (`Plan.firstContact`)
 *
 * A parent and its children share a failure after that: if the platform refuses one child, the parent is not created either. So children
 * stay in an operation of their own in these cases:
 *
 *   | case                                                  | because                                                             |
 *   | they wait for more than their parent                  | the parent need not wait for that                                   |
 *   | they have a reference or a secret                     | it may be missing, and the parent can be created without it         |
 *   | the parent or one of them is the canary               | the canary is one object, so that a wrong assumption costs only one |
 *   | the parent takes several requests                     | a refusal of a later one would also count as that of the children   |
 *   | the parent's creation cannot have all of them         | they would take a request of their own all the same                 |
 */
import type { Kinds } from '../kind/kind.ts';
import { indexByAddress } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { canaryOperation, type Operation, type Plan } from '../model/plan.ts';
import { holdsSecret, holesIn } from '../model/value.ts';

/** The operations of a plan, and what decides which of them is the canary. */
type OperationsOfPlan = Pick<Plan, 'operations' | 'firstContact'>;

/**
 * Returns the operations of a plan in which one request creates a parent with its children, where the platform can do that, so that an
 * apply sends fewer requests. The parent's operation absorbs that of the children. Called after the canary is chosen (the one change that a
 * first apply sends alone, as a test), because only an operation of one object can be the canary.
 *
 * Premise: the operations are in the order of the apply, parents before their children. So a parent that is absorbed itself is absorbed
 * before its children come, and they stay alone.
 */
export function joinCreations(
  planned: OperationsOfPlan,
  changes: readonly Change[],
  kinds: Kinds,
): OperationsOfPlan {
  const { operations } = planned;
  const changeOf = indexByAddress(changes);
  const canary = canaryOperation(planned);
  const mayJoin = (operation: Operation) => operation !== canary && isSingleCreation(operation, changeOf);
  // The operations as they are after the joins so far.
  const operationById = new Map(operations.map((operation) => [operation.id, operation]));
  // The ids of absorbed operations, each with the id of the operation that absorbed it.
  const absorberOf = new Map<string, string>();
  for (const child of operations) {
    const parent = findSoleParent(child, operationById);
    const canJoin = parent && !absorberOf.has(parent.id) && mayJoin(child) && mayJoin(parent);
    const joined = canJoin ? joinOperations(parent, child, kinds) : undefined;
    if (!joined) continue;
    operationById.set(joined.id, joined);
    absorberOf.set(child.id, joined.id);
  }
  if (absorberOf.size === 0) return planned;
  const remaining = operations.flatMap(({ id }) => (absorberOf.has(id) ? [] : operationById.get(id)!));
  return {
    ...planned,
    operations: remaining.map((operation) => dependOnAbsorbers(operation, absorberOf)),
  };
}

/**
 * Returns the operation of the parent of an operation's objects, so that it can absorb them, if the operation waits for no other one;
 * otherwise undefined. An operation that creates a parent has it as its first change.
 */
function findSoleParent(
  child: Operation,
  operationById: ReadonlyMap<string, Operation>,
): Operation | undefined {
  const [parentId, ...otherIds] = child.dependsOn;
  const parent = otherIds.length === 0 ? operationById.get(parentId ?? '') : undefined;
  return parent?.changes[0] === child.parent ? parent : undefined;
}

/** True if an operation only creates objects, by one request. */
function isSingleCreation(
  { requests, reserves, changes }: Operation,
  changeOf: ReadonlyMap<string, Change>,
): boolean {
  const [request, ...otherRequests] = requests;
  // A part of a deletion and creation that must not be interrupted, so its requests have room reserved in the rate limits.
  const isReserved = reserves !== undefined || request?.reserved !== undefined;
  return (
    request !== undefined &&
    otherRequests.length === 0 &&
    !isReserved &&
    changes.every((address) => changeOf.get(address)?.action === 'create')
  );
}

/**
 * Returns the creation of a parent that also creates the children of the operation `child`, so that an apply sends one request instead of
 * two. Undefined if one request cannot do both, or if the children have a reference or a secret, which may be missing.
 */
function joinOperations(parent: Operation, child: Operation, kinds: Kinds): Operation | undefined {
  const [parentRequest, childRequest] = [parent.requests[0]!, child.requests[0]!];
  if (holesIn([childRequest.body]).length > 0 || holdsSecret(childRequest.body)) return undefined;
  const request = kinds.get(child.kind)!.shape.withParent?.join(parentRequest, childRequest);
  return request && { ...parent, changes: [...parent.changes, ...child.changes], requests: [request] };
}

/**
 * Returns an operation that depends on the operations into which those before were absorbed (joined to one request), because these no
 * longer exist.
 */
function dependOnAbsorbers(operation: Operation, absorberOf: ReadonlyMap<string, string>): Operation {
  if (!operation.dependsOn.some((id) => absorberOf.has(id))) return operation;
  const dependsOn = new Set(operation.dependsOn.map((id) => absorberOf.get(id) ?? id));
  return { ...operation, dependsOn: [...dependsOn].sort() };
}
