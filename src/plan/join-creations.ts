import type { Kinds } from '../kind/kind.ts';
import { indexByAddress } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { canaryOperation, type Operation, type Plan } from '../model/plan.ts';
import { holdsSecret, holesIn } from '../model/value.ts';

/*
 * Lets the creation of a new parent create its new children as well, if one request of the platform can do that (`Shape.withParent`). The plan
 * then has one request where it had two.
 *
 * A parent and its children share a failure after that: if the platform refuses one child, the parent is not created either. So children stay
 * in an operation of their own in these cases:
 *
 *   | case                                                  | because                                                             |
 *   | they wait for more than their parent                  | the parent need not wait for that                                   |
 *   | they have a reference or a secret                     | it may be missing, and the parent can be created without it         |
 *   | the parent or one of them is the canary               | the canary is one object, so that a wrong assumption costs only one |
 *   | the parent takes several requests                     | a refusal of a later one would also count as that of the children   |
 *   | the parent's creation cannot have all of them         | they would take a request of their own all the same                 |
 */

/** The operations of a plan, and which of them is the canary. */
type OperationsOfPlan = Pick<Plan, 'operations' | 'firstContact'>;

/**
 * Returns the operations with the creations of children in those of their new parents, so that an apply sends fewer requests. Called last,
 * because the choice of the canary needs the parent alone.
 */
export function joinCreations(
  planned: OperationsOfPlan,
  changes: readonly Change[],
  kinds: Kinds,
): OperationsOfPlan {
  const { operations } = planned;
  const changeOf = indexByAddress(changes);
  const canary = canaryOperation(planned);
  const isCreation = (operation: Operation) =>
    operation !== canary &&
    operation.reserves === undefined &&
    operation.requests.length === 1 &&
    operation.requests[0]!.reserved === undefined &&
    operation.changes.every((address) => changeOf.get(address)?.action === 'create');
  const joinedById = new Map(operations.map((operation) => [operation.id, operation]));
  /** The ids of operations that became a part of another one, each with the id of that one. */
  const absorbedBy = new Map<string, string>();
  for (const child of operations) {
    const [parentId, ...otherIds] = child.dependsOn;
    const parent = joinedById.get(parentId ?? '');
    if (!parent || otherIds.length > 0 || parent.changes[0] !== child.parent) continue;
    if (absorbedBy.has(parent.id) || !isCreation(child) || !isCreation(parent)) continue;
    const joined = joinOperations(parent, child, kinds);
    if (!joined) continue;
    joinedById.set(parent.id, joined);
    absorbedBy.set(child.id, parent.id);
  }
  if (absorbedBy.size === 0) return planned;
  const remaining = operations.filter(({ id }) => !absorbedBy.has(id)).map(({ id }) => joinedById.get(id)!);
  return { ...planned, operations: remaining.map((operation) => withNewNames(operation, absorbedBy)) };
}

/** Returns the creation of a parent that also creates the children of another operation; undefined if one request cannot do both. */
function joinOperations(parent: Operation, child: Operation, kinds: Kinds): Operation | undefined {
  const [parentRequest, own] = [parent.requests[0]!, child.requests[0]!];
  if (holesIn([own.body]).length > 0 || holdsSecret(own.body)) return undefined;
  const request = kinds.get(child.kind)!.shape.withParent?.join(parentRequest, own);
  return request && { ...parent, changes: [...parent.changes, ...child.changes], requests: [request] };
}

/** Returns an operation that depends on the operations which contain what it depended on before. */
function withNewNames(operation: Operation, absorbedBy: ReadonlyMap<string, string>): Operation {
  if (!operation.dependsOn.some((id) => absorbedBy.has(id))) return operation;
  const dependsOn = new Set(operation.dependsOn.map((id) => absorbedBy.get(id) ?? id));
  return { ...operation, dependsOn: [...dependsOn].sort() };
}
