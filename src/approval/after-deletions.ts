import { type Address, indexByAddress, isWithinAny } from '../model/address.ts';
import { asksForWrite, type FieldChange, grades } from '../model/change.ts';
import { canonicalJson } from '../model/digest.ts';
import { byText } from '../model/graph.ts';
import { containsValue, mapTree, visitMembers } from '../model/walk.ts';
import { removingActions } from './compare-approval.ts';
import type { Basis, SavedChange, SavedPlan } from './saved-plan.ts';

/*
 * Several stacks are planned and approved together, then applied one after another. If one of them deletes an object, the platform takes
 * that object out of everything that refers to it, so the plan of a later stack has less to do than was approved:
 *
 *   | approved                                     | planned again after the deletion         |
 *   | delete an object that refers to it           | nothing, or only forget the ledger entry |
 *   | stop managing the deleted object             | forget its ledger entry                  |
 *   | remove it from a list, and change the rest   | change the rest                          |
 *
 * These differences are accepted, and no others: what somebody else changed meanwhile still differs from the approved plan.
 */

/** The result of `acceptDeletions`: two plans that are equal if they differed only because of the deletions. */
interface AcceptedDeletions {
  /** The approved plan as it would be had it been made after the deletions. */
  approved: SavedPlan;
  /** The current plan without conflicts that are only due to the deletions. */
  current: SavedPlan;
  /** The addresses whose changes differ, and only because of the deletions. */
  addresses: ReadonlySet<Address>;
}

type SavedOperation = SavedPlan['operations'][number];

/** A change of a plan with its basis: digests of the desired and the live values that it was planned on. */
interface BasedChange {
  change: SavedChange;
  basis: Basis;
}

/**
 * Removes differences between an approved plan and the plan made again before the apply, if deletions by other stacks of the same run
 * explain them. One approval is then enough for several stacks, because the caller compares the returned plans. `deleted`: the deleted
 * objects; everything in them counts, too.
 *
 * In the returned `approved` plan, each explained change has its current form; in `current`, conflicts that only report these deletions are
 * gone. Both plans are returned unchanged if an operation differs in another way. Their digests of secrets need the same salt and key.
 */
export function acceptDeletions(
  approved: SavedPlan,
  current: SavedPlan,
  deleted: ReadonlySet<Address>,
): AcceptedDeletions {
  const nothingAccepted = { approved, current, addresses: new Set<Address>() };
  if (deleted.size === 0) return nothingAccepted;
  const approvedChanges = basedChanges(approved);
  const accepted = findExplainedChanges(approvedChanges, basedChanges(current), deleted);
  const operations = acceptOperations(approved.operations, current.operations, accepted);
  if (!operations || accepted.size === 0) return nothingAccepted;
  const changes = replaceAcceptedChanges(approvedChanges, accepted);
  const diagnostics = current.diagnostics.filter((diagnostic) => !isConflictWithin(diagnostic, accepted));
  // The current plan may lack problems about accepted changes, so the approved plan loses them, too.
  const isStillReported = (diagnostic: SavedPlan['diagnostics'][number]) =>
    diagnostics.some((other) => canonicalJson(other) === canonicalJson(diagnostic));
  const approvedDiagnostics = approved.diagnostics.filter(
    (diagnostic) => !concernsOnly(diagnostic, accepted) || isStillReported(diagnostic),
  );
  return {
    addresses: new Set(accepted.keys()),
    current: { ...current, diagnostics },
    approved: {
      ...approved,
      changes: changes.map(({ change }) => change),
      basis: changes.map(({ basis }) => basis),
      operations,
      diagnostics: approvedDiagnostics,
    },
  };
}

/**
 * The changes that the deletions by other stacks explain, by address, in their current form; undefined for a change that the current plan
 * does not have any more.
 */
type AcceptedChanges = ReadonlyMap<Address, BasedChange | undefined>;

/**
 * Returns the approved changes that the deletions by other stacks concern and whose current form differs, if at all, only because of them.
 * Each has its current form, or undefined if the current plan lacks it.
 */
function findExplainedChanges(
  approvedChanges: ReadonlyMap<Address, BasedChange>,
  currentChanges: ReadonlyMap<Address, BasedChange>,
  deleted: ReadonlySet<Address>,
): AcceptedChanges {
  const explained = [...approvedChanges].filter(([address, approved]) =>
    isExplainedByDeletions(approved.change, currentChanges.get(address)?.change, deleted),
  );
  return new Map(explained.map(([address]) => [address, currentChanges.get(address)]));
}

/** A problem of a plan, with the addresses of its folded instances. */
interface DeletionFinding {
  code: string;
  address?: Address;
  folded?: readonly { address?: Address }[];
}

/**
 * Returns the approved changes, sorted by address, with the current form of the accepted ones (those that the deletions explain), but
 * without those that are accepted as missing. So the approved plan is compared as if it had been made after the deletions.
 */
function replaceAcceptedChanges(
  approvedChanges: ReadonlyMap<Address, BasedChange>,
  accepted: AcceptedChanges,
): BasedChange[] {
  const unaffected = [...approvedChanges.values()].filter(({ change }) => !accepted.has(change.address));
  const replacing = [...accepted].flatMap(([address, current]): BasedChange[] => {
    if (!current) return [];
    return [{ ...current, basis: expectedBasis(current.basis, approvedChanges.get(address)!.basis) }];
  });
  return [...unaffected, ...replacing].sort((a, b) => byText(a.change.address, b.change.address));
}

/**
 * True if a problem is about these addresses and no others. A folded problem stands for equal problems of several objects, so all of these
 * are compared. Used to drop problems of the approved plan about changes whose differences the deletions by other stacks explain.
 * `addresses`: a set, or a map by address.
 */
const concernsOnly = (
  { address, folded }: DeletionFinding,
  addresses: { has(address: Address): boolean },
): boolean =>
  (folded ?? [{ address }]).every(
    (finding) => finding.address !== undefined && addresses.has(finding.address),
  );

/**
 * True for the problem that these objects, and no others, were changed both in the configuration and outside. Used to
 * drop it where the change outside was made by this run: another stack of the run deleted objects that these ones
 * refer to.
 */
export const isConflictWithin = (
  finding: DeletionFinding,
  addresses: { has(address: Address): boolean },
): boolean => finding.code === 'guard/conflict' && concernsOnly(finding, addresses);

/**
 * Returns the changes of a plan by address, each with its basis (digests of the values that it was planned on). Used to compare the
 * approved and the current plan after other stacks deleted objects. Changes without a basis are left out.
 */
function basedChanges({ changes, basis }: SavedPlan): Map<Address, BasedChange> {
  const basisOf = indexByAddress(basis);
  return new Map(
    changes.flatMap((change) => {
      const changeBasis = basisOf.get(change.address);
      return changeBasis ? [[change.address, { change, basis: changeBasis }] as const] : [];
    }),
  );
}

/**
 * True if objects that other stacks of the same run deleted explain the current change of an address (undefined: none). Then
 * `apply FILE` continues, although the change differs from the approved one:
 *
 *   | approved change                                     | current change                                                     |
 *   | removes an object that is deleted or refers to one  | none, or it only changes the ledger (`forget`, `release`)          |
 *   | keeps an object that refers to a deleted one        | keeps the object, and writes no more than approved (`writesNoMore`) |
 */
function isExplainedByDeletions(
  approved: SavedChange,
  current: SavedChange | undefined,
  deleted: ReadonlySet<Address>,
): boolean {
  if (removingActions.has(approved.action)) {
    const isConcerned =
      isWithinAny(approved.address, deleted) || valueRefersToAny(approved.deletedFields, deleted);
    const hasNothingToSend =
      current === undefined || current.action === 'forget' || current.action === 'release';
    return isConcerned && hasNothingToSend;
  }
  if (current === undefined) return false;
  const bothKeepObject = keepingActions.has(approved.action) && keepingActions.has(current.action);
  const referredToDeleted = approved.fields.some(({ before }) => valueRefersToAny(before, deleted));
  return bothKeepObject && referredToDeleted && writesNoMore(approved, current, deleted);
}

/**
 * True if a change writes the same fields as the approved one, apart from references to deleted objects, is at most as severe, and needs no
 * other permissions.
 */
function writesNoMore(approved: SavedChange, current: SavedChange, deleted: ReadonlySet<Address>): boolean {
  const writesSame =
    canonicalJson(fieldsToWrite(approved, deleted)) === canonicalJson(fieldsToWrite(current, deleted));
  // `grades` is sorted by severity.
  const isAtMostAsSevere = grades.indexOf(current.grade) <= grades.indexOf(approved.grade);
  const permissions = current.permissions ?? [];
  const needsNoOthers = permissions.every((permission) => approved.permissions?.includes(permission));
  return writesSame && isAtMostAsSevere && needsNoOthers;
}

/** The actions that keep the object. */
const keepingActions: ReadonlySet<string> = new Set(['adopt', 'update', 'noop']);

/**
 * True if a value is a reference to one of the deleted objects, or to something in them. `apply` of an approved plan then compares
 * the value without it.
 */
const isReferenceTo = (value: unknown, deleted: ReadonlySet<Address>): boolean =>
  typeof value === 'object' &&
  value !== null &&
  '$ref' in value &&
  typeof value.$ref === 'string' &&
  isWithinAny(value.$ref, deleted);

/**
 * True if a value contains a reference to one of the deleted objects, or to something in them. Such a value loses the
 * reference when the platform deletes the object.
 */
const valueRefersToAny = (value: unknown, deleted: ReadonlySet<Address>): boolean =>
  containsValue(value, (nested) => isReferenceTo(nested, deleted) || visitMembers);

/**
 * Returns the fields that a change writes, as if the live values (`before`) had lost their references to deleted objects already. Used to
 * compare a change of the approved plan with the current one if other stacks deleted objects in between. A field that was only to lose such
 * a reference needs no write any more.
 */
function fieldsToWrite({ fields }: SavedChange, deleted: ReadonlySet<Address>) {
  return fields
    .filter((field) => asksForWrite(field as FieldChange))
    .map(({ path, before, after, replaces }) => ({
      path,
      before: withoutReferences(before, deleted) ?? null,
      after: after ?? null,
      replaces,
    }))
    .filter(({ before, after }) => canonicalJson(before) !== canonicalJson(after));
}

/**
 * Returns a value as it is after other stacks deleted objects: items of lists that refer to deleted objects are removed, and any other such
 * reference becomes null. The plan of a stack was approved before these deletions, so its values must lose these references before they are
 * compared with those of the current plan.
 */
function withoutReferences(value: unknown, deleted: ReadonlySet<Address>): unknown {
  return mapTree(value, (nested) => {
    if (isReferenceTo(nested, deleted)) return null;
    if (!Array.isArray(nested)) return visitMembers;
    return nested
      .filter((item) => !isReferenceTo(item, deleted))
      .map((item) => withoutReferences(item, deleted));
  });
}

/**
 * Returns the basis (digests of the desired and the live values, and ids) that an explained change must have now: the live values of the
 * current plan, because `isExplainedByDeletions` has compared them, but the desired values and the ids of the approved one. If the current
 * basis has others, the declaration was changed or the object exchanged, so the plans stay different. A deleted object has no ids.
 */
const expectedBasis = (current: Basis, approved: Basis): Basis => ({
  ...current,
  ...(approved.desired ? { desired: approved.desired } : {}),
  ids: current.ids.length === 0 ? [] : approved.ids,
});

/**
 * Returns the approved operations as they must be after the deletions by other stacks: operations for accepted changes (those that the
 * deletions explain) are exchanged for the current ones. An operation may serve several changes. Of those of the exchanged operations only
 * the accepted ones may have no operation now, and the current operations may serve no others. Otherwise returns undefined, because that is
 * more than the deletions explain.
 */
function acceptOperations(
  approved: readonly SavedOperation[],
  current: readonly SavedOperation[],
  accepted: AcceptedChanges,
): SavedOperation[] | undefined {
  // The operations with an accepted change, and all changes that these serve.
  const isAffected = ({ changes }: SavedOperation) => changes.some((address) => accepted.has(address));
  const affected = approved.filter(isAffected);
  const affectedAddresses = new Set([...affected.flatMap(({ changes }) => changes), ...accepted.keys()]);
  const replacing = current.filter(({ changes }) =>
    changes.some((address) => affectedAddresses.has(address)),
  );
  const addressesNow = new Set(replacing.flatMap(({ changes }) => changes));
  const serveNoOthers = [...addressesNow].every((address) => affectedAddresses.has(address));
  const serveRequired = [...affectedAddresses].every(
    (address) => accepted.has(address) || addressesNow.has(address),
  );
  if (!serveNoOthers || !serveRequired) return undefined;
  const unaffected = withCurrentDependencies(
    approved.filter((operation) => !isAffected(operation)),
    affected,
    current,
  );
  const currentIndexes = new Map(current.map(({ id }, index) => [id, index]));
  const indexOf = ({ id }: SavedOperation) => currentIndexes.get(id) ?? current.length;
  return [...unaffected, ...replacing].sort((a, b) => indexOf(a) - indexOf(b));
}

/**
 * Returns the approved operations that stay when others are exchanged for those of the current plan (`acceptOperations`). One that depends
 * on an exchanged operation gets the dependencies that it has in the current plan.
 */
function withCurrentDependencies(
  staying: readonly SavedOperation[],
  exchanged: readonly SavedOperation[],
  current: readonly SavedOperation[],
): SavedOperation[] {
  const exchangedIds = new Set(exchanged.map(({ id }) => id));
  const currentById = new Map(current.map((operation) => [operation.id, operation]));
  return staying.map((operation) =>
    operation.dependsOn.some((id) => exchangedIds.has(id))
      ? { ...operation, dependsOn: currentById.get(operation.id)?.dependsOn ?? [] }
      : operation,
  );
}
