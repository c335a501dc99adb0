import { comparedFields, leavesOf } from '../kind/compare.ts';
import { isReadable, secretIdOf } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import { normalTextOf, traitsOf } from '../kind/traits.ts';
import { type Address, indexByAddress } from '../model/address.ts';
import { asksForWrite, type Change, isHiddenSide } from '../model/change.ts';
import { listFirst } from '../model/fold-wordings.ts';
import type { Ledger } from '../model/ledger.ts';
import { countLogicalChanges } from '../model/logical-changes.ts';
import type { FirstContact, Operation, Plan } from '../model/plan.ts';
import type { Request } from '../model/request.ts';
import { collectionId, groupByCollection, type Live } from '../model/resource.ts';
import { holdsSecret, isPlainObject } from '../model/value.ts';
import { permissionsOf } from './annotate-changes.ts';
import type { PlanInput } from './input.ts';

/**
 * First contact: an account to which a ledger has not applied anything yet. An apply of several changes then does one harmless change
 * first, the canary, and reads it again before it sends the others. A wrong account or a misunderstood API so costs one change only.
 * This file chooses the canary.
 *
 * Terms: a candidate is a change that can be sent alone. It is an operation of one change, or one item of a batch: the item is then split
 * from the other ones. Changes are counted as people count: a variable in two targets is one.
 *
 * These properties make a candidate less harmless. The first one weighs most, more than all later ones together:
 *   1. it updates an object: something may use the object already
 *   2. everybody can look it up or visit it: a DNS record, or a host name
 *   3. other changes of the plan need it
 *   4. a read does not show all of its values
 *   5. it has to be split from a batch, and so takes one more request
 * Among equals, the order of the plan decides.
 */

/** A change that can be sent alone, before all others. `chooseFirstChange` takes the most harmless candidate as the canary. */
interface CanaryCandidate {
  operation: Operation;
  /** The index of the change among the items of the operation's batch; absent if the operation has no other items. */
  item?: number;
  /** The changes of the candidate: one as people count, but one for each target of a variable. */
  changes: Change[];
}

/**
 * Chooses the canary (the one change that a first apply sends alone, to see that it works as planned) and
 * returns the operations with the canary as an operation of its own. Called at the end of planning.
 * `firstContact` is absent if the plan needs no canary, because it is no first contact, destroys or undoes,
 * or sends fewer than two changes. It has no `firstChange` if no change is harmless enough. The canary of an
 * approved plan (`canary.agreed`) is used again; if it can no longer be one, there is no canary.
 */
export function chooseFirstChange(
  operations: Operation[],
  changes: readonly Change[],
  input: PlanInput,
): Pick<Plan, 'operations' | 'firstContact'> {
  const { canary, destroy, toleratesMissing } = input.options ?? {};
  const sentAddresses = new Set(operations.flatMap((operation) => operation.changes));
  const sent = changes.filter(({ address }) => sentAddresses.has(address));
  if (!canary || destroy || toleratesMissing === 'undo' || countLogicalChanges(sent) < 2)
    return { operations };
  if (canary !== 'on-first-contact') {
    const { agreed } = canary;
    // The approved plan was no first contact, or had no change that is harmless enough.
    if (!agreed?.firstChange) return { operations, firstContact: agreed };
    const agreedCandidate = canaryCandidates(operations, sent, input).find((candidate) =>
      candidate.changes.some(({ address }) => address === agreed.firstChange),
    );
    return agreedCandidate ? startWith(agreedCandidate, operations) : { operations };
  }
  if (!isFirstContact(input.ledger, sentAddresses, changes, input.identities?.takenOver))
    return { operations };
  const neededOperations = new Set(operations.flatMap(({ dependsOn }) => dependsOn));
  const [best] = canaryCandidates(operations, sent, input)
    .map((candidate) => ({ candidate, harm: harmOf(candidate, neededOperations, input) }))
    .sort((a, b) => a.harm - b.harm);
  return best ? startWith(best.candidate, operations) : { operations, firstContact: {} };
}

/**
 * Returns the operations and the name of the canary (the change that a first apply sends alone, as a test),
 * so that `apply` sends it first. If the canary is an item of a batch with other items, the batch is split.
 */
function startWith(
  { operation, item, changes }: CanaryCandidate,
  operations: Operation[],
): { operations: Operation[]; firstContact: FirstContact } {
  return {
    operations: item === undefined ? operations : splitOff(operation, item, operations),
    firstContact: { firstChange: changes[0]!.address, isSplit: item === undefined ? undefined : true },
  };
}

/**
 * True if no run with this ledger ever sent a write to its account, so that the apply should begin with a canary: one harmless change that
 * is sent and verified alone. An apply that only adopts writes the ledger, but sends nothing. If the canary of the last run was not
 * verified (`unverifiedFirstChange`), this run counts as first contact too, until a plan contains the canary and sends nothing for it
 * (`sentAddresses`): the account shows it as configured. `takenOver`: addresses whose entries were copied from another stack, and so say
 * nothing about this one.
 */
function isFirstContact(
  { lastWrite, unverifiedFirstChange, entries }: Ledger,
  sentAddresses: ReadonlySet<Address>,
  changes: readonly Change[],
  takenOver: ReadonlySet<Address> = new Set(),
): boolean {
  if (unverifiedFirstChange !== undefined) {
    const isPlanned = changes.some(({ address }) => address === unverifiedFirstChange);
    const isAsConfigured = isPlanned && !sentAddresses.has(unverifiedFirstChange);
    return !isAsConfigured;
  }
  // Ledgers of earlier versions lack the time of the last write, but an object that they created proves a write.
  const hasCreated = ([address, { origin }]: [Address, { origin: string }]) =>
    origin === 'created' && !takenOver.has(address);
  return lastWrite === undefined && !Object.entries(entries).some(hasCreated);
}

/**
 * Returns the changes that can be the canary (the one that a first apply sends alone, as a test): those that are harmless and need no
 * other, in the order of the plan. `chooseFirstChange` takes the best. An address with several operations is no candidate.
 */
function canaryCandidates(
  operations: readonly Operation[],
  sentChanges: readonly Change[],
  { kinds, live }: Pick<PlanInput, 'kinds' | 'live'>,
): CanaryCandidate[] {
  const changeOf = indexByAddress(sentChanges);
  const operationCounts = new Map<Address, number>();
  for (const { changes } of operations)
    for (const address of changes) operationCounts.set(address, (operationCounts.get(address) ?? 0) + 1);
  const hasOneOperation = (address: Address) => operationCounts.get(address) === 1;
  return operations
    .filter((operation) => isSimple(operation) && operation.changes.every(hasOneOperation))
    .flatMap((operation): CanaryCandidate[] => {
      const changesAt = (addresses: Address[]) => addresses.map((address) => changeOf.get(address)!);
      const batch = operation.requests[0]?.batch ?? [];
      return isSplittable(operation)
        ? batch.map((addresses, item) => ({ operation, item, changes: changesAt(addresses) }))
        : [{ operation, changes: changesAt(operation.changes) }];
    })
    .filter(
      ({ changes }) =>
        countLogicalChanges(changes) === 1 &&
        changes.every((change) => isHarmless(change, kinds.get(change.kind)!, live)),
    );
}

/**
 * True if an operation depends on no other one, changes the account at once, receives no secret and removes nothing. Only such an operation
 * can be the canary: the one change that a first apply sends alone, as a test.
 */
function isSimple({ dependsOn, requests, reserves }: Operation): boolean {
  // An operation with `reserves` deletes an object, and the request that creates it again is `reserved`.
  const isPartOfReplacement =
    reserves !== undefined || requests.some(({ reserved }) => reserved !== undefined);
  return (
    dependsOn.length === 0 &&
    !isPartOfReplacement &&
    requests.every(({ stages, shows, drops = [] }) => !stages && !shows && drops.length === 0)
  );
}

/**
 * True if a change can be the canary: the one change that a first apply sends alone, to see that it works as
 * planned. `undo` can take it back wholly, it disrupts and costs nothing, gives no person access, has no
 * secret and no place in an order of changes, and one read shows at once whether the account kept it. Objects
 * that are protected or declared with `$existing`, or that others changed or owned, are left alone.
 */
function isHarmless(change: Change, kind: Kind, live: Live): boolean {
  const { action, grade, permissions = [], undo, after } = change;
  const hasAllowedAction = action === 'create' || action === 'update' || action === 'adopt';
  const isReversible = grade === 'safe' && permissions.length === 0 && undo?.can === 'wholly';
  // If deleting such an object takes access away, the object gives access.
  const isAboutAccess = permissionsOf(kind, { ...change, action: 'delete' } as Change).includes(
    'remove-access',
  );
  return (
    hasAllowedAction &&
    isReversible &&
    !isAboutAccess &&
    !isOrdered(change, kind) &&
    !isDisputed(change) &&
    !involvesSecret(change, kind) &&
    !after?.meta.protect &&
    !after?.meta.existing &&
    isReadAtOnce(change, kind, live) &&
    readBack(change, kind).some(Boolean)
  );
}

/**
 * True if a change has a place in an order: in a list, in a version that is promoted as a whole, or in a lane
 * of operations that run one at a time. Such a change cannot be the canary, the change that a first apply
 * sends alone: before all others, it could have another effect.
 */
const isOrdered = ({ moves, reinserted, position }: Change, { shape, lifecycle }: Kind): boolean =>
  Boolean(moves) ||
  Boolean(reinserted) ||
  position !== undefined ||
  shape.orderDecides ||
  shape.staging !== undefined ||
  lifecycle.lane !== undefined;

/**
 * True if somebody else changed the object of a change or owned it until now, if it is renamed or moved, or if a
 * secret of it could not be compared. Such a change cannot be the canary, the harmless change that a first apply
 * sends alone, because it may undo something that other people did.
 */
const isDisputed = ({ outside, takenFrom, recordedAddress, before, fields }: Change): boolean =>
  Boolean(outside) ||
  takenFrom !== undefined ||
  recordedAddress !== undefined ||
  before?.transfer !== undefined ||
  before?.renamedTo !== undefined ||
  fields.some(({ cause }) => cause === 'conflict' || cause === 'drift' || cause === 'unverified');

/**
 * True if a change sends, shows or replaces a secret. Such a change cannot be the canary, the change that a
 * first apply sends alone: the check after it cannot compare a secret, and an undo cannot restore it.
 */
const involvesSecret = ({ after, fields, uncompared = [] }: Change, kind: Kind): boolean =>
  kind.shows !== undefined ||
  secretIdOf(kind) !== undefined ||
  after?.meta.secretTo !== undefined ||
  after?.meta.secretOf !== undefined ||
  uncompared.length > 0 ||
  holdsSecret(after?.fields) ||
  fields.some((field) => isHiddenSide(field, field.before) || isHiddenSide(field, field.after));

/** The size of the smallest page of any list: a list of more objects may take several requests. */
const smallestPage = 20;

/**
 * True if one request reads the object of a change: it is read alone, or all of its list is in one answer. Only such a change is chosen as
 * the canary (the harmless change that a first apply does alone), so that checking it costs one request.
 */
function isReadAtOnce(change: Change, kind: Kind, { resources }: Live): boolean {
  const { endpoint, byId, items } = kind.read;
  if (!isReadable(kind)) return false;
  if (kind.read.single) return true;
  // Some kinds are read from several lists, or object by object because their list lacks values.
  const hasFurtherReads = byId?.isNeededFor !== undefined || typeof endpoint !== 'string';
  if (hasFurtherReads) return false;
  // Other answers are read page by page: `items` names the member with the objects of a page.
  const isWholeAnswer = items === undefined || typeof items === 'function';
  return isWholeAnswer || isOnePage(collectionId(change.kind, change.parent), resources);
}

/**
 * True if a list (the objects of one kind under one parent) has fewer rows than a page of the platform's
 * answer, so that one request reads all of it. Then it costs little to check the canary, the change that a
 * first apply sends alone. Stops counting at a page, since it is asked for each change of a list.
 */
function isOnePage(collection: string, resources: Live['resources']): boolean {
  const rows = new Set<string>();
  for (const { ids } of groupByCollection(resources).get(collection) ?? []) {
    for (const id of ids) rows.add(id);
    if (rows.size >= smallestPage) return false;
  }
  return true;
}

/**
 * Returns, for each value that a change sends, whether a read shows the value. The canary (the one change that a first apply sends alone,
 * as a test) needs at least one value that can be checked.
 */
function readBack({ action, fields, after }: Change, kind: Kind): boolean[] {
  const written = fields.filter(asksForWrite).map(({ path }) => path);
  return leavesOf(comparedFields(kind), after?.fields ?? {})
    .filter(({ path }) => action === 'create' || written.includes(path))
    .map(({ traits }) => !traits.writeOnly && !traits.createOnly && !traits.readMayLack);
}

/**
 * True if objects of a kind can be seen from outside the account: everybody can look up their values, or visit the host that they name.
 * Such a change is a worse canary (the change that a first apply sends alone).
 */
const isPublic = (kind: Kind): boolean =>
  Object.values(comparedFields(kind)).some((schema) => traitsOf(schema).published !== undefined) ||
  kind.key.some((name) => kind.fields[name] && normalTextOf(kind.fields[name]) !== undefined);

/**
 * Returns a number for a candidate for the canary (the change that a first apply sends alone): the lower, the
 * more harmless. A creation is better than an update, then one that is not public, one that no other
 * operation needs (`neededOperations`: the ids of those that are needed), one whose values can all be read,
 * and one that need not be split from a batch. The number has a binary digit for each of these.
 */
function harmOf(
  { operation, item, changes }: CanaryCandidate,
  neededOperations: ReadonlySet<string>,
  { kinds }: Pick<PlanInput, 'kinds'>,
): number {
  const isCreation = changes.every(({ action }) => action === 'create');
  const isNeeded = neededOperations.has(operation.id);
  const isVisible = changes.some((change) => isPublic(kinds.get(change.kind)!));
  const isUnread = changes.some((change) => readBack(change, kinds.get(change.kind)!).includes(false));
  return [!isCreation, isVisible, isNeeded, isUnread, item !== undefined].reduce(
    (harm, isWorse) => 2 * harm + Number(isWorse),
    0,
  );
}

/**
 * True if an operation is one request of several items, and each item can be sent in a request of its own. Only then one item can be the
 * first change of an apply (`choose-first-change.ts`).
 */
function isSplittable({ requests: [request, ...others] }: Operation): boolean {
  const { batch = [], body } = request ?? {};
  return others.length === 0 && batch.length > 1 && itemsMember(body, batch.length) !== undefined;
}

/**
 * Replaces an operation that sends a batch by two: one with the single item that a first apply sends alone as its canary (test change), and
 * one with all other items. Operations that depend on it then depend on both.
 */
function splitOff(operation: Operation, item: number, operations: readonly Operation[]): Operation[] {
  const [first, second] = [
    withBatchItems(operation, (index) => index === item),
    withBatchItems(operation, (index) => index !== item),
  ];
  return operations.flatMap((other) =>
    other === operation ? [first, second] : [dependingOnBoth(other, operation.id, [first.id, second.id])],
  );
}

/**
 * Returns an operation that depends on two operations (`partIds`) if it depended on the one (`splitId`) from which a first apply splits off
 * a single change to send it alone.
 */
const dependingOnBoth = (operation: Operation, splitId: string, partIds: string[]): Operation =>
  operation.dependsOn.includes(splitId)
    ? { ...operation, dependsOn: [...operation.dependsOn.filter((id) => id !== splitId), ...partIds].sort() }
    : operation;

/**
 * Returns an operation that sends only the chosen items of its batch, so that a first apply can send one of them alone: with fewer items in
 * the body, fewer changes, and fewer ids to expect in the answer. It has a new id, so the caller changes the operations that depend on it.
 * `operation`: one that `isSplittable`. `isChosen` takes the index of an item.
 */
function withBatchItems(operation: Operation, isChosen: (index: number) => boolean): Operation {
  const [request] = operation.requests as [Request];
  const { batch = [], returns } = request;
  const chosen = <T>(list: readonly T[]): T[] => list.filter((_, index) => isChosen(index));
  const changes = chosen(batch).flat();
  const { body } = request;
  // The items of the body are in the order of `batch`. The name is not used if the body itself is the list.
  const name = itemsMember(body, batch.length)!;
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
        returns: returns?.filter(({ address }) => changes.includes(address)),
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
