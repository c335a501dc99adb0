/*
 * Selects the changes that `--target` and `--exclude` leave in a plan.
 *
 * Terms: a change requires another one if it cannot be done, or would do harm, without it. A selected change comes with all that it
 * requires; if one of these is excluded, the change is left out.
 *
 *   | change                                    | requires the changes of                                               |
 *   | ----------------------------------------- | --------------------------------------------------------------------- |
 *   | of an item in a first-match list          | all items of the list, since their order is one decision; not in a    |
 *   |                                           | plan of `destroy`, which moves no item                                |
 *   | of an object that is recreated elsewhere  | its other address, since only one of the two can exist                |
 *   | deletion                                  | the objects that still refer to it or lie in it                       |
 *   | transfer to another parent                | the objects that refer to it, and the one that it moves along with    |
 *   | any but a deletion                        | the objects that it needs, if they are created, replaced, move to     |
 *   |                                           | their parent or are declared with `$existing`, and `$dependsOn`       |
 *   | replacement                               | the objects in it, which are deleted or created again, and those      |
 *   |                                           | that refer to its id, which changes                                   |
 *   | creation in a replaced object             | the replacement, which deletes the old one                            |
 *   | creation of an object with a secret       | the variable for the secret, which the platform shows only once       |
 *   | creation under a name that is in use      | the object that gives up the name                                     |
 */
import {
  type Address,
  ancestorsAmong,
  globWithContents,
  indexByAddress,
  isWithin,
} from '../model/address.ts';
import {
  type ArrangedChange,
  asksForWrite,
  type Change,
  createsObject,
  findReplacedAddresses,
} from '../model/change.ts';
import { asWarning, type Reporter } from '../model/diagnostic.ts';
import { createAddressMatcher } from '../model/glob.ts';
import { addTo, groupBy, memoize } from '../model/graph.ts';
import { collectionId, type Desired, type Resource } from '../model/resource.ts';
import { refsIn } from '../model/value.ts';
import { createHolderFinder, findNeeds } from './find-dependencies.ts';
import { isNarrowedBy, type PlanInput, type PlanOptions } from './input.ts';
import { createUnmatchedGlobProblems } from './unmatched-globs.ts';

/** True if one of the globs matches an address. Without globs, false. */
export const matchesAny = (globs: string[] | undefined, address: Address): boolean =>
  globs !== undefined && globs.length > 0 && createAddressMatcher(globs)(address);

/**
 * Returns the declared objects that `--target` names, without those that `--exclude` names, so that a plan checks only these for their
 * readiness. Objects that a target requires are not added.
 */
export function listSelected({ resources }: Desired, options: PlanOptions = {}): Resource[] {
  const { isTarget, isExcluded } = createSelectionTests(options);
  return [...resources.values()].filter(({ address }) => isTarget(address) && !isExcluded(address));
}

/** Creates the tests whether `--target` and `--exclude` name an address. Without `--target`, every address is a target. */
const createSelectionTests = ({ targets, excludes }: PlanOptions) => ({
  isTarget: targets?.length ? createAddressMatcher(targets) : () => true,
  isExcluded: excludes?.length ? createAddressMatcher(excludes) : () => false,
});

/** The parts of the plan input on which the selection depends. */
type SelectionInput = Pick<PlanInput, 'kinds' | 'desired' | 'live' | 'contents' | 'options' | 'identities'>;

/**
 * Returns the changes that `--target` and `--exclude` leave, in their order. Warns of changes that were added because a target cannot be
 * done without them (`reportAdded`), and of changes that were left out because they cannot be done without an excluded one. Reports globs
 * that match nothing.
 */
export function selectChanges(
  changes: ArrangedChange[],
  input: SelectionInput,
  report: Reporter,
): ArrangedChange[] {
  const { options = {} } = input;
  reportUnmatchedGlobs(changes, input, report);
  if (!isNarrowedBy(options)) return changes;
  const listUsers = createUserFinder(changes, input);
  const findRequired = createRequirementFinder(changes, listUsers, input);
  const { isTarget, isExcluded } = createSelectionTests(options);
  const addressesOf = ({ address }: Change) => listAddresses(address, input);

  const targeted = new Set(changes.filter((change) => addressesOf(change).some(isTarget)));
  const closure = withRequired(targeted, findRequired);
  const included = [...closure].filter((change) => !addressesOf(change).some(isExcluded));
  const selected = withoutIncomplete(included, findRequired);

  const usersOfDeleted = new Set(
    [...selected].flatMap(({ action, address }) => (action === 'delete' ? listUsers(address) : [])),
  );
  const added = [...selected].filter((change) => !targeted.has(change));
  reportAdded(added, usersOfDeleted, input, report);
  const leftOutAddresses = formatAddresses(included.filter((change) => !selected.has(change)));
  if (leftOutAddresses)
    report.warning(
      'target/excluded',
      `${leftOutAddresses} depends on an excluded object, so the plan leaves it out too`,
    );
  return changes.filter((change) => selected.has(change));
}

/**
 * Warns of the changes that a plan has although no target names them. `usersOfDeleted`: the changes of objects that refer to deleted
 * objects, or lie in them. In a plan of `destroy`, all these are deletions too.
 */
function reportAdded(
  added: readonly Change[],
  usersOfDeleted: ReadonlySet<Change>,
  { options }: SelectionInput,
  report: Reporter,
): void {
  const users = formatAddresses(added.filter((change) => usersOfDeleted.has(change)));
  const needed = formatAddresses(added.filter((change) => !usersOfDeleted.has(change)));
  const verb = options?.destroy ? 'deletes' : 'includes';
  if (users)
    report.warning(
      'target/closure',
      `the plan also ${verb} ${users}, because deleted objects are used there`,
    );
  if (needed)
    report.warning('target/closure', `the targets depend on ${needed}, so the plan includes them too`);
}

/** Returns the address of an object in the plan, and those that its other names make, so that an option may use any of them. */
const listAddresses = (address: Address, { identities }: Pick<SelectionInput, 'identities'>): Address[] => [
  address,
  ...(identities?.otherAddresses?.[address] ?? []),
];

/**
 * Reports globs of options that match no change, because they are probably misspelled. Not if the objects may
 * be in another plan, or gone.
 */
function reportUnmatchedGlobs(changes: Change[], input: SelectionInput, report: Reporter): void {
  const { options = {} } = input;
  const { targets = [], excludes = [], sendUnverified = [], toleratesMissing } = options;
  if (toleratesMissing) return;
  // The addresses of `destroy ADDRESS` may be gone, because a destroy that was stopped is repeated with the same words. `checkGuards`
  // reports them.
  const globsOfDestroy = new Set(options.containersToDelete?.map(globWithContents));
  const expectedTargets = targets.filter((glob) => !globsOfDestroy.has(glob));
  const addresses = changes.flatMap(({ address }) => listAddresses(address, input));
  // The changes may lack a declared object that `--target` left unread.
  const declared = [...input.desired.resources.keys()];
  for (const unmatched of createUnmatchedGlobProblems(sendUnverified, addresses, declared))
    report.add(asWarning(unmatched));
  report.add(createUnmatchedGlobProblems([...expectedTargets, ...excludes], addresses, declared));
}

/** Returns the changes that a change requires; see the table at the top. */
type RequirementFinder = (change: Change) => readonly Change[];

/**
 * Returns the changes that `--target` selects together with all changes that they require, directly and through others. Without these, the
 * targets could not be applied.
 */
function withRequired(changes: ReadonlySet<Change>, findRequired: RequirementFinder): ReadonlySet<Change> {
  const closure = new Set(changes);
  // The loop also visits the changes that it adds.
  for (const change of closure) for (const required of findRequired(change)) closure.add(required);
  return closure;
}

/**
 * Returns changes without those that require a change outside of the set, because `--exclude` leaves that one out. Repeated until every
 * remaining change has all changes that it requires.
 */
function withoutIncomplete(changes: readonly Change[], findRequired: RequirementFinder): ReadonlySet<Change> {
  const remaining = new Set(changes);
  for (let sizeBefore = -1; sizeBefore !== remaining.size; ) {
    sizeBefore = remaining.size;
    for (const change of remaining)
      if (!findRequired(change).every((required) => remaining.has(required))) remaining.delete(change);
  }
  return remaining;
}

/**
 * Lists the addresses of changes for the messages about what `--target` adds and `--exclude` leaves out. Objects without a change are left
 * out, since they do not matter to the reader.
 */
const formatAddresses = (changes: readonly Change[]): string =>
  changes
    .filter(({ action }) => action !== 'noop')
    .map(({ address }) => address)
    .sort()
    .join(', ');

/** Returns the changes of the objects that refer to the object at an address, or lie in it: they have to come before its deletion. */
type UserFinder = (address: Address) => readonly Change[];

/** Creates the finder of the objects that use another one and change with this plan. */
function createUserFinder(changes: Change[], input: SelectionInput): UserFinder {
  const findHolders = createHolderFinder(changes, input);
  return (address) => findHolders(address).filter(changesAccount);
}

/**
 * Creates the function which returns the changes without which a change cannot be done, or would do harm: a
 * variable requires the creation of its project, for example. `--target` adds them, and `--exclude` leaves a
 * change out with them. The function remembers its answers, since the selection asks repeatedly.
 */
function createRequirementFinder(
  changes: Change[],
  listUsers: UserFinder,
  input: SelectionInput,
): RequirementFinder {
  const changeOf = indexByAddress(changes);
  const changesAt = (address: Address | undefined): Change[] => {
    const change = changeOf.get(address ?? '');
    return change ? [change] : [];
  };
  const findCompanions = createCompanionFinder(changes, input, changesAt);
  const secretVariables = groupBy(changes, ({ after }) => after?.meta.secretOf?.object);
  const changesWith = findChangesWithReplacements(changes);

  return memoize((change: Change): Change[] => {
    const { address, action, before } = change;
    // The other items of its first-match list, and the other half of an object that is recreated elsewhere.
    const companions = findCompanions(change);
    if (action === 'delete') return [...companions, ...listUsers(address)];
    // Set if the platform moves the object from another parent; `with` is the object whose move takes it along.
    const transfer = before?.transfer;
    const needed = [...findNeeds(change, input.kinds)].flatMap(changesAt);
    return [
      ...companions,
      ...(transfer ? [...listUsers(transfer.from), ...changesAt(transfer.with)] : []),
      ...(createsObject(change) ? (secretVariables.get(address) ?? []) : []),
      ...(action === 'replace' ? (changesWith.get(address) ?? []) : []),
      ...needed.filter((other) => isRequired(other, change)),
      // The object that has this name now, and gives it up.
      ...(action === 'create' ? changes.filter((other) => other.before?.renamedTo === address) : []),
    ];
  });
}

/**
 * Creates the function which returns the changes that belong together with a change, so that each requires the others: those of all items
 * of a first-match list, such as firewall rules, since each item depends on the order of all; and the two of an object that is deleted
 * here and created elsewhere. `destroy ADDRESS` deletes an item of a list without the others, whose order stays.
 */
function createCompanionFinder(
  changes: readonly Change[],
  { kinds, identities, options }: SelectionInput,
  changesAt: (address: Address | undefined) => Change[],
): RequirementFinder {
  const isInList = ({ kind }: Change) => !options?.destroy && kinds.get(kind)!.shape.orderDecides;
  const listOf = ({ kind, parent }: Change) => collectionId(kind, parent);
  const lists = groupBy(changes.filter(isInList), listOf);
  const recreated = [...(identities?.recreatedElsewhere ?? [])];
  const otherAddresses = new Map([...recreated, ...recreated.map(([from, to]) => [to, from] as const)]);
  return (change) => [
    ...(isInList(change) ? (lists.get(listOf(change)) ?? []) : []),
    ...changesAt(otherAddresses.get(change.address)),
  ];
}

/**
 * Returns the changes that have to be made together with each replacement, by the replaced address: those of its content, which the
 * platform deletes with it, and those of objects that refer to it, which would keep its old id. Walks up the addresses, because thousands
 * of objects may be replaced.
 */
function findChangesWithReplacements(changes: readonly Change[]): ReadonlyMap<Address, Change[]> {
  const replaced = findReplacedAddresses(changes);
  const changesWith = new Map<Address, Change[]>();
  if (replaced.size === 0) return changesWith;
  for (const change of changes.filter(changesAccount)) {
    const references = refsIn(change.after?.fields ?? {}).filter((address) => replaced.has(address));
    for (const address of new Set([...ancestorsAmong(change.address, replaced), ...references]))
      if (address !== change.address) addTo(changesWith, address, change);
  }
  return changesWith;
}

/**
 * True if `change` cannot be done without `needed`, the change of an object that it needs (see `findNeeds`), so that
 * a selection (`--target`) must have both. That is always so for a creation. The change of an object that exists is
 * only required if one of these is true:
 * - it is a replacement, and `change` creates something in the object or refers to its new id;
 * - it is a replacement that shows the secret which `change` writes into a variable;
 * - it moves the object to another parent;
 * - the object is declared with `$existing`;
 * - `$dependsOn` names the object, and the account changes.
 */
function isRequired(needed: Change, change: Change): boolean {
  const { after } = change;
  return (
    needed.action === 'create' ||
    isLostIn(needed, change) ||
    // The new id of a replaced object does not exist before.
    (needed.action === 'replace' && refsIn(after?.fields ?? {}).includes(needed.address)) ||
    (after?.meta.secretOf?.object === needed.address && createsObject(needed)) ||
    needed.before?.transfer !== undefined ||
    // An object that is not ours. The ledger records it together with our objects in it.
    needed.after?.meta.existing === true ||
    (after?.meta.dependsOn?.includes(needed.address) === true && changesAccount(needed))
  );
}

/** True if a change creates an object that is in a replaced one: the platform deletes both first. */
const isLostIn = (replaced: Change, { address, action }: Change): boolean =>
  replaced.action === 'replace' && action === 'create' && isWithin(address, replaced.address);

/**
 * True if a change writes, moves to another parent, or deletes its object. Other changes only touch the
 * ledger or the order of a list, so no change has to wait for them.
 */
const changesAccount = ({ action, fields, before }: Change): boolean =>
  before?.transfer !== undefined ||
  action === 'update' ||
  action === 'replace' ||
  action === 'delete' ||
  action === 'create' ||
  (action === 'adopt' && fields.some(asksForWrite));
