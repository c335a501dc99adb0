/*
 * Compares a plan with the approved one.
 *
 * Terms
 * - approved plan: the plan in a file that was reviewed, or one that was shown. Current plan: the one that
 *   would be applied now. Both are in the form of such a file, with digests under one salt and key, so that
 *   equal values have equal digests.
 * - basis: for each change, digests of the desired and the live values that it was planned on.
 * - agreed part: the members of a plan that have to be equal. Positions in files, for example, are not part of it.
 */
import type { Kinds } from '../kind/kind.ts';
import { type Address, indexByAddress } from '../model/address.ts';
import { type Change, onlyRecordsHandover } from '../model/change.ts';
import { notReadyCode } from '../model/diagnostic.ts';
import { canonicalJson, digest } from '../model/digest.ts';
import { groupBy } from '../model/graph.ts';
import { collectionId, type Meta } from '../model/resource.ts';
import { atPath, type Fields, holdsSecret } from '../model/value.ts';
import type { DigestSecret } from './encode.ts';
import type { Basis, SavedAction, SavedPlan, ValueDigest } from './saved-plan.ts';

/**
 * True for a problem that an approval covers, so that both plans must have it. Not covered are a ledger that this machine would lose
 * (another machine may apply the plan), problems of guards (they judge the current plan again), objects that were not ready (they may be
 * ready by now), and findings of `src/meaning` (they follow from the changes, and from objects that the plan does not touch).
 */
export const isAboutPlan = ({ code, finding }: { code: string; finding?: unknown }): boolean =>
  finding === undefined &&
  code !== 'ledger/ephemeral' &&
  code !== notReadyCode &&
  !code.startsWith('guards/');

/** The members of a saved plan that may differ although the approval still holds, each with the reason. */
const membersNotAgreed: Partial<Record<keyof SavedPlan, string>> = {
  unmanaged: 'these objects are not changed',
  unlisted: 'these objects are not changed',
  waiting: 'the objects may be ready by now',
  changedBy: 'authors of changes outside do not change the requests',
  guards: 'they judge the current plan again',
  account: 'a team may be renamed; its id is compared',
  firstContact: 'the first change is taken from the approved plan, and only needed once',
  lists: 'their order follows from the changes, and from other objects',
  fixedFindings: 'findings follow from the changes, and from other objects',
  suppressedFindings: 'findings follow from the changes, and from other objects',
  generation: 'checked on its own',
  ledger: 'checked on its own',
  key: 'checked on its own',
  seal: 'checked on its own',
  checksum: 'checked on its own',
};

/**
 * Returns the part of a plan that an approval covers: two plans with an equal part are the same for `apply`. `membersNotAgreed` are left
 * out, and these parts of other members:
 *
 *   | left out                                | because                                        |
 *   | positions in files                      | comments may be added                          |
 *   | changes that only record a handover     | they depend on when the other stack is applied |
 *   | what the ledger recorded of each source | it follows from the ledger                     |
 *   | objects that were not checked           | they may be ready by now                       |
 */
export function agreedPart(plan: Omit<SavedPlan, 'key' | 'salt' | 'seal' | 'checksum'>): unknown {
  const { changes, actions, notCompared = [], diagnostics, sources = [], ...otherMembers } = plan;
  const agreedGroups = notCompared
    .filter(({ cause }) => cause !== 'unchecked')
    .map(({ items, ...group }) => ({ ...group, items: items.map(agreedMembers) }));
  return {
    ...Object.fromEntries(
      Object.entries(otherMembers).filter(([name]) => !Object.hasOwn(membersNotAgreed, name)),
    ),
    changes: changes.filter((change) => !onlyRecordsHandover(change)).map(agreedMembers),
    notCompared: agreedGroups.length > 0 ? agreedGroups : undefined,
    actions: actions?.map(agreedAction),
    sources: sources.map(({ name, source }) => [name, source]),
    diagnostics: diagnostics.filter(isAboutPlan).flatMap(agreedProblems),
  };
}

/**
 * Returns the parts of a problem that an approval covers, to compare the approved and the current plan. Equal problems of several objects
 * are folded into one, and an interrupted apply may have solved those of some objects, so the problem of each object is returned. Hints and
 * positions in files may differ.
 */
export const agreedProblems = ({
  severity,
  code,
  message,
  address,
  folded,
}: SavedPlan['diagnostics'][number]) =>
  (folded ?? [{ message, address }]).map((instance) => ({
    severity,
    code,
    message: instance.message,
    address: instance.address,
  }));

/**
 * Returns the part of a `$then` action that an approval covers: its object (`about`), its input, its risk (`grade`), and whether the user
 * excluded it (`isLeft`). Used to compare the actions of the approved and the current plan. Its request is not compared, because it is made
 * from the values that the account has when it is sent.
 */
export const agreedAction = ({
  id,
  action,
  about,
  input,
  grade,
  state,
}: Pick<SavedAction, 'id' | 'action' | 'about' | 'grade' | 'state'> & { input: unknown }): unknown => ({
  id,
  action,
  about,
  input,
  grade,
  isLeft: state === 'left',
});

/**
 * Returns a change or problem of a plan file without the members that may differ although the approval still holds, so that `apply` can
 * compare the others: positions in a file or an ordered list, fields that no configuration declares (`undeclaredFields`), and members that
 * follow from others and that older versions did not write.
 */
export function agreedMembers(
  planPart: Partial<Record<'at' | 'undo' | 'changesLedgerOnly' | 'undeclaredFields' | 'position', unknown>>,
): unknown {
  const {
    at: _,
    undo: __,
    changesLedgerOnly: ___,
    undeclaredFields: ____,
    position: _____,
    ...comparedMembers
  } = planPart;
  return comparedMembers;
}

/** True if two parts of plans are equal. The order of members does not matter. */
export const isSame = (value: unknown, other: unknown): boolean =>
  canonicalJson(value) === canonicalJson(other);

/** True if the current plan is the approved one. Both must be saved with one salt and key. */
export const isApproved = (approved: SavedPlan, current: SavedPlan): boolean =>
  isSame(agreedPart(approved), agreedPart(current));

/**
 * True if the current plan is the remainder of the approved one after a part of it was applied, so that an interrupted apply can be
 * continued without a new approval. The caller must know from the ledger that a run started to apply the approved plan. Conditions:
 *
 *   1. Stack, account and options are equal.
 *   2. A change is either unchanged since the approval, or has nothing to send: an interrupted run has done it without recording that.
 *   3. The configuration wants the same for each address, and unchanged changes have the same live object.
 *   4. Each action that is not done (`over`), operation and problem was approved. An operation with only some of its requests is another
 *      operation.
 *   5. Addresses that are missing now were to be deleted or to leave the ledger.
 */
export function isRemainder(approved: SavedPlan, current: SavedPlan): boolean {
  const currentAddresses = new Set(current.basis.map(({ address }) => address));
  const unchangedAddresses = findUnchangedAddresses(approved, current);
  const areActionsApproved = (current.actions ?? []).every(
    (action) =>
      action.state === 'over' ||
      approved.actions?.some((other) => isSame(agreedAction(other), agreedAction(action))),
  );
  const areOnlyRemovedMissing = approved.changes.every(
    ({ address, action }) => currentAddresses.has(address) || removingActions.has(action),
  );
  return (
    isSame(headOf(approved), headOf(current)) &&
    areChangesOfRemainder(approved, current, unchangedAddresses) &&
    isBasisOfRemainder(approved, current, unchangedAddresses) &&
    areActionsApproved &&
    areOperationsApproved(approved, current) &&
    areProblemsApproved(approved, current) &&
    areOnlyRemovedMissing
  );
}

/**
 * Returns the addresses whose changes are those of the approved plan, apart from positions in files. Used after an interrupted apply, to
 * decide whether the new plan is only the remaining part of the approved one and needs no new approval.
 */
function findUnchangedAddresses(approved: SavedPlan, current: SavedPlan): ReadonlySet<Address> {
  const approvedChangeOf = indexByAddress(approved.changes);
  const unchanged = current.changes.filter((change) => {
    const approvedChange = approvedChangeOf.get(change.address);
    return approvedChange && isSame(agreedMembers(approvedChange), agreedMembers(change));
  });
  return new Set(unchanged.map(({ address }) => address));
}

/**
 * True if each change of a new plan is an approved one, or was approved and now has nothing to send: an interrupted apply has done it
 * without recording that. This is condition 2 of `isRemainder`, under which a second `apply` of the file may continue.
 */
function areChangesOfRemainder(
  approved: SavedPlan,
  current: SavedPlan,
  unchangedAddresses: ReadonlySet<Address>,
): boolean {
  const approvedChangeOf = indexByAddress(approved.changes);
  const addressesToSend = new Set(current.operations.flatMap(({ changes }) => changes));
  const isDoneUnrecorded = (address: Address) => {
    const approvedChange = approvedChangeOf.get(address);
    return approvedChange !== undefined && approvedChange.action !== 'noop' && !addressesToSend.has(address);
  };
  return current.changes.every(
    ({ address, action }) =>
      action === 'noop' || unchangedAddresses.has(address) || isDoneUnrecorded(address),
  );
}

/**
 * True if the configuration declares the same for each address of a new plan as in the approved one, and the live objects of unchanged
 * changes are the same. This is condition 3 of `isRemainder`, under which a second `apply` of the file may continue.
 */
function isBasisOfRemainder(
  approved: SavedPlan,
  current: SavedPlan,
  unchangedAddresses: ReadonlySet<Address>,
): boolean {
  const approvedBasisOf = indexByAddress(approved.basis);
  return current.basis.every((basis) => {
    const approvedBasis = approvedBasisOf.get(basis.address);
    return unchangedAddresses.has(basis.address)
      ? isSame(approvedBasis, basis)
      : approvedBasis !== undefined && isSame(approvedBasis.desired, basis.desired);
  });
}

/**
 * True if each operation (requests that are sent together) was approved with the same requests, so that an interrupted apply may be
 * continued. It may depend on fewer operations than approved, because those may be done.
 */
function areOperationsApproved(approved: SavedPlan, current: SavedPlan): boolean {
  const approvedOperationOf = new Map(approved.operations.map((operation) => [operation.id, operation]));
  return current.operations.every(({ dependsOn, ...operation }) => {
    const { dependsOn: approvedDependencies = [], ...approvedOperation } =
      approvedOperationOf.get(operation.id) ?? {};
    return isSame(approvedOperation, operation) && dependsOn.every((id) => approvedDependencies.includes(id));
  });
}

/**
 * True if the approved plan has each problem of a new plan that an approval covers (`isAboutPlan`), apart from hints and positions.
 * Otherwise an interrupted apply must not be continued, because the new problem was not approved.
 */
function areProblemsApproved(approved: SavedPlan, current: SavedPlan): boolean {
  const approvedProblems = new Set(approved.diagnostics.flatMap(agreedProblems).map(canonicalJson));
  return current.diagnostics
    .filter(isAboutPlan)
    .flatMap(agreedProblems)
    .every((problem) => approvedProblems.has(canonicalJson(problem)));
}

/** The actions after which later plans do not mention the address. */
export const removingActions: ReadonlySet<string> = new Set(['delete', 'forget', 'release']);

/**
 * Returns the members of a saved plan that say for which stack, account and options it is, whether the plan is complete, and
 * whether targets narrow it (`partial`). `apply FILE` may continue an interrupted apply only if they are equal in the new plan.
 */
const headOf = ({ stack, baseUrl, owner, options, complete, partial }: SavedPlan) => ({
  stack,
  baseUrl,
  owner,
  options,
  complete,
  partial,
});

/** The name, among the live fields of a basis, of the position of an item in an ordered list. */
export const placeField = '$place';

/** The address before each live item of an ordered list, among the items in the plan; null for the first one. */
type PrecedingAddresses = ReadonlyMap<Address, Address | null>;

/**
 * Returns for each live item of an ordered list, such as firewall rules, the address of the item before it; null for the first one. It is
 * saved with a plan, so that `apply` refuses the plan if the order changed outside. An index would not do, because items outside the plan
 * change it.
 */
export function precedingAddresses(changes: Change[], kinds: Kinds): PrecedingAddresses {
  const liveItems = changes.filter(({ kind, before }) => before && kinds.get(kind)?.shape.orderDecides);
  const lists = groupBy(liveItems, ({ kind, parent }) => collectionId(kind, parent)).values();
  return new Map(
    [...lists].flatMap((list) => {
      const items = list.sort((a, b) => a.before!.index - b.before!.index);
      return items.map(({ address }, index) => [address, items[index - 1]?.address ?? null] as const);
    }),
  );
}

/**
 * Returns the basis of a change: digests of the values that the configuration wants (`desired`), with `$` keys such as `$protect`, and of
 * those that the account has (`live`). A saved plan has them, so that a later `apply` refuses it if one of the two has changed. The
 * position of an item in an ordered list, such as the rules of a firewall, counts like a live field: `precedingAddressOf` has the address
 * of the item before it. `ids`: those of the live object. Secrets are digested with the ledger key, other values only with `salt`.
 */
export function basisOf(
  change: Change,
  salt: string,
  digestSecret: DigestSecret,
  precedingAddressOf: PrecedingAddresses,
): Basis {
  // `uncompared`: declared secrets that this run could not compare with the account.
  const { address, before, after, declared = [], uncompared = [] } = change;
  const digestsOf = (side: 'desired' | 'live', values: NamedValue[]): Record<string, ValueDigest> =>
    Object.fromEntries(
      values.map(([name, value]): [string, ValueDigest] => {
        const location = `${address}#${side}/${name}`;
        return holdsSecret(value)
          ? [name, { secret: digestSecret(location, value) }]
          : [name, digest(`${salt}\n${location}`, value ?? null)];
      }),
    );
  const desiredValues = after && [
    ...valuesAt(after.fields, [...declared, ...uncompared]),
    ...metaValues(after.meta),
  ];
  const positionValues: NamedValue[] = precedingAddressOf.has(address)
    ? [[placeField, precedingAddressOf.get(address)]]
    : [];
  return {
    address,
    ids: before?.ids ?? [],
    desired: desiredValues && digestsOf('desired', desiredValues),
    live: digestsOf('live', [...liveValuesOf(change), ...positionValues]),
  };
}

/** A field or `$` key with its value. */
type NamedValue = [name: string, value: unknown];

/**
 * Returns the live values on which a change depends: those of the declared fields, because it touches no others. A deletion depends on all.
 */
function liveValuesOf({ action, before, declared = [] }: Change): NamedValue[] {
  if (!before) return [];
  return action === 'delete' ? Object.entries(before.fields) : valuesAt(before.fields, declared);
}

/** Returns the values at some paths of an object's fields, undefined for a field that it lacks. */
const valuesAt = (fields: Fields, paths: readonly string[]): NamedValue[] =>
  paths.map((path) => [path, atPath(fields, path)]);

/**
 * Returns the `$` keys of a resource, such as `$protect`, with their values. They are part of what the configuration
 * wants, so a plan is refused if one changed.
 */
const metaValues = (meta: Meta): NamedValue[] =>
  Object.entries(meta)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [`$${name}`, value]);
