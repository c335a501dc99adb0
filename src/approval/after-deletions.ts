import { type Address, isWithinAny } from '../model/address.ts';
import { canonical } from '../model/canonical.ts';
import { asksForWrite, type FieldChange, grades } from '../model/change.ts';
import { byText } from '../model/graph.ts';
import { containsValue, inside, mapTree } from '../model/walk.ts';
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

/** The result of `acceptDeletions`. */
interface Accepted {
  /** The approved plan as it would be had it been made after the deletions. */
  approved: SavedPlan;
  /** The current plan without conflicts that are only due to the deletions. */
  current: SavedPlan;
  /** The addresses whose changes differ, and only because of the deletions. */
  addresses: ReadonlySet<Address>;
}

type Operation = SavedPlan['operations'][number];

/** A change of a plan with the state it was planned on. */
interface BasedChange {
  change: SavedChange;
  basis: Basis;
}

/**
 * Takes over from the current plan what differs from the approved one because other stacks of the same run deleted objects. `deleted`: the
 * addresses of these objects; what they contained is deleted, too. Both plans must be saved under one salt and key.
 */
export function acceptDeletions(
  approved: SavedPlan,
  current: SavedPlan,
  deleted: ReadonlySet<Address>,
): Accepted {
  const nothing = { approved, current, addresses: new Set<Address>() };
  if (deleted.size === 0) return nothing;
  const [before, now] = [basedChanges(approved), basedChanges(current)];
  const accepted = new Map<Address, BasedChange | undefined>();
  for (const [address, old] of before) {
    const basedChange = now.get(address);
    if (!isExplained(old, basedChange, deleted)) continue;
    accepted.set(address, basedChange);
  }
  const operations = acceptOperations(approved.operations, current.operations, accepted);
  if (!operations || accepted.size === 0) return nothing;
  const kept = [...before.values()].filter(({ change }) => !accepted.has(change.address));
  const taken = [...accepted].flatMap(([address, based]) =>
    based ? [{ ...based, basis: expectedBasis(based.basis, before.get(address)!.basis) }] : [],
  );
  const all = [...kept, ...taken].sort((a, b) => byText(a.change.address, b.change.address));
  const diagnostics = current.diagnostics.filter((diagnostic) => !isConflictWithin(diagnostic, accepted));
  const isStillFound = (diagnostic: SavedPlan['diagnostics'][number]) =>
    diagnostics.some((other) => canonical(other) === canonical(diagnostic));
  return {
    addresses: new Set(accepted.keys()),
    current: { ...current, diagnostics },
    approved: {
      ...approved,
      changes: all.map(({ change }) => change),
      basis: all.map(({ basis }) => basis),
      operations,
      diagnostics: approved.diagnostics.filter(
        (diagnostic) => !concernsOnly(diagnostic, accepted) || isStillFound(diagnostic),
      ),
    },
  };
}

interface Finding {
  code: string;
  address?: Address;
  folded?: readonly { address?: Address }[];
}

/** True if a finding is about these addresses and no others. */
const concernsOnly = ({ address, folded }: Finding, addresses: { has(address: Address): boolean }): boolean =>
  (folded ?? [{ address }]).every(
    (finding) => finding.address !== undefined && addresses.has(finding.address),
  );

/**
 * True if a finding says that these objects were changed here and in the account. Their live values were compared with the approved ones, so
 * the change in the account is the deletion that this run made.
 */
export const isConflictWithin = (finding: Finding, addresses: { has(address: Address): boolean }): boolean =>
  finding.code === 'guard/conflict' && concernsOnly(finding, addresses);

function basedChanges({ changes, basis }: SavedPlan): Map<Address, BasedChange> {
  const basisOf = new Map(basis.map((state) => [state.address, state]));
  return new Map(
    changes.flatMap((change) => {
      const own = basisOf.get(change.address);
      return own ? [[change.address, { change, basis: own }] as const] : [];
    }),
  );
}

/** True if a change differs from the approved one only because objects were deleted. */
function isExplained(
  approved: BasedChange,
  current: BasedChange | undefined,
  deleted: ReadonlySet<Address>,
): boolean {
  const { change } = approved;
  if (change.action === 'delete' || change.action === 'release' || change.action === 'forget')
    return (
      (isWithinAny(change.address, deleted) || refersToAny(change.deleted, deleted)) &&
      (current === undefined || current.change.action === 'forget' || current.change.action === 'release')
    );
  return (
    current !== undefined &&
    inPlace.has(change.action) &&
    inPlace.has(current.change.action) &&
    change.fields.some(({ before }) => refersToAny(before, deleted)) &&
    canonical(fieldsToWrite(change, deleted)) === canonical(fieldsToWrite(current.change, deleted)) &&
    grades.indexOf(current.change.grade) <= grades.indexOf(change.grade) &&
    (current.change.permissions ?? []).every((permission) => change.permissions?.includes(permission))
  );
}

/** Actions on an object that stays. */
const inPlace: ReadonlySet<string> = new Set(['adopt', 'update', 'noop']);

const isReferenceTo = (value: unknown, deleted: ReadonlySet<Address>): boolean =>
  typeof value === 'object' &&
  value !== null &&
  '$ref' in value &&
  typeof value.$ref === 'string' &&
  isWithinAny(value.$ref, deleted);

/** True if a value refers to one of these objects or to something in them. */
const refersToAny = (value: unknown, deleted: ReadonlySet<Address>): boolean =>
  containsValue(value, (part) => isReferenceTo(part, deleted) || inside);

/** Returns what a change writes once references to deleted objects are gone: for equal live states, the same. */
function fieldsToWrite({ fields }: SavedChange, deleted: ReadonlySet<Address>) {
  return fields
    .filter((field) => asksForWrite(field as FieldChange))
    .map(({ path, before, after, replaces }) => ({
      path,
      before: withoutReferences(before, deleted) ?? null,
      after: after ?? null,
      replaces,
    }))
    .filter(({ before, after }) => canonical(before) !== canonical(after));
}

/** Removes references to deleted objects from the lists of a value; a value that is such a reference becomes null. */
function withoutReferences(value: unknown, deleted: ReadonlySet<Address>): unknown {
  return mapTree(value, (part) => {
    if (isReferenceTo(part, deleted)) return null;
    if (!Array.isArray(part)) return inside;
    return part
      .filter((item) => !isReferenceTo(item, deleted))
      .map((item) => withoutReferences(item, deleted));
  });
}

/**
 * Returns the state that an accepted change must have been planned on: the approved configuration, and the approved object or none. Its
 * found fields were compared by `isExplained`.
 */
const expectedBasis = (current: Basis, approved: Basis): Basis => ({
  ...current,
  ...(approved.wanted ? { wanted: approved.wanted } : {}),
  ids: current.ids.length === 0 ? [] : approved.ids,
});

/**
 * Returns the approved operations with those of accepted changes as they are now; undefined if these do anything for other changes than
 * before.
 */
function acceptOperations(
  approved: readonly Operation[],
  current: readonly Operation[],
  accepted: ReadonlyMap<Address, BasedChange | undefined>,
): Operation[] | undefined {
  const isAffected = ({ changes }: Operation) => changes.some((address) => accepted.has(address));
  const replaced = approved.filter(isAffected);
  const served = new Set([...replaced.flatMap(({ changes }) => changes), ...accepted.keys()]);
  const taken = current.filter(({ changes }) => changes.some((address) => served.has(address)));
  const remaining = new Set(taken.flatMap(({ changes }) => changes));
  const isSameWork =
    [...remaining].every((address) => served.has(address)) &&
    [...served].every((address) => accepted.has(address) || remaining.has(address));
  if (!isSameWork) return undefined;
  const replacedIds = new Set(replaced.map(({ id }) => id));
  const currentById = new Map(current.map((operation) => [operation.id, operation]));
  const kept = approved
    .filter((operation) => !isAffected(operation))
    .map((operation) => {
      const dependsOnReplaced = operation.dependsOn.some((id) => replacedIds.has(id));
      return dependsOnReplaced
        ? { ...operation, dependsOn: currentById.get(operation.id)?.dependsOn ?? [] }
        : operation;
    });
  const position = new Map(current.map(({ id }, index) => [id, index]));
  return [...kept, ...taken].sort(
    (a, b) => (position.get(a.id) ?? current.length) - (position.get(b.id) ?? current.length),
  );
}
