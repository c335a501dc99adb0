import { soleValues } from '../kind/compare.ts';
import { findDuplicateDescriptions, mirroringFields } from '../kind/duplicate-descriptions.ts';
import { resolveFields } from '../kind/empty-is-absent.ts';
import type { Clash, Kind, Sibling } from '../kind/kind.ts';
import { type Address, indexByAddress, isWithinAny, lastNameOf } from '../model/address.ts';
import { asksForWrite, type Change } from '../model/change.ts';
import type { Reporter } from '../model/diagnostic.ts';
import { addTo, groupBy, memoize } from '../model/graph.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import { collectionId, type LiveResource, type Resource } from '../model/resource.ts';
import { isPlainObject, type Value } from '../model/value.ts';
import { createOwnerFinder, isClaimedUnread, isOwning } from './claims.ts';
import { createAttributeLookup, type PlanInput } from './input.ts';

/**
 * Reports siblings (objects of one kind and parent) that the platform will not allow together after the
 * changes, by the rules of their kinds: two domains of a project that redirect to each other, for example.
 * Without this check the apply would fail in the middle.
 */
export function checkClashes(changes: Change[], input: PlanInput, report: Reporter): void {
  // A clash that no change of this plan causes is not reported.
  const causingChanges = indexByAddress(
    changes.filter(({ action, fields }) => action === 'create' || fields.some(asksForWrite)),
  );
  if (causingChanges.size === 0) return;
  for (const { addresses, message, hint, severity = 'error' } of findClashesAfter(changes, input)) {
    const causingChange = addresses.map((address) => causingChanges.get(address)).find(Boolean);
    if (!causingChange) continue;
    const { address, at } = causingChange;
    report[severity]('plan/clash', message, { address, at, hint });
  }
}

/** Asks the rule of each kind (`rules.clashes`) which siblings the platform will not allow together after the changes. */
function findClashesAfter(changes: Change[], input: PlanInput): Clash[] {
  const { kinds, live } = input;
  const hasRule = ({ kind }: Pick<Change, 'kind'>) => kinds.get(kind)?.rules.clashes !== undefined;
  const idOf = ({ kind, parent }: Pick<Change, 'kind' | 'parent'>) => collectionId(kind, parent);
  const liveByCollection = groupBy([...live.resources.values()].filter(hasRule), idOf);
  // Some rules also ask for all objects of another kind.
  const remainingOf = memoize(({ name }: Kind) => {
    const isOfKind = ({ kind }: { kind: string }) => kind === name;
    return listSiblingsAfter(changes.filter(isOfKind), [...live.resources.values()].filter(isOfKind), input);
  });
  const objectsOf = (kind: string) => remainingOf(kinds.get(kind)!);
  return [...groupBy(changes.filter(hasRule), idOf)].flatMap(([id, siblings]) => {
    const { kind, parent } = siblings[0]!;
    const remaining = listSiblingsAfter(siblings, liveByCollection.get(id) ?? [], input);
    return kinds.get(kind)!.rules.clashes!(remaining, { parent, objectsOf });
  });
}

/**
 * Returns the objects that will exist after the plan, with the fields that they will have, so that the rule of a kind can find two that the
 * platform refuses together (`plan/clash`). Without the changes, these are the live objects. A change adds its object or gives it new
 * fields (`after`), or deletes it; a `forget` only removes the ledger's entry. Holes (values from other objects or secrets) are filled as
 * far as their values are known.
 */
function listSiblingsAfter(
  changes: Change[],
  liveObjects: LiveResource[],
  { kinds, live, secrets }: PlanInput,
): Sibling[] {
  const holeValues = { secrets, attribute: createAttributeLookup(live) };
  const changedAddresses = new Set(changes.map(({ address }) => address));
  const unchanged = liveObjects.filter(({ address }) => !changedAddresses.has(address));
  const changed = changes.flatMap((change) => {
    const { address, action, after, kind } = change;
    const isDeclared = after && action !== 'forget';
    if (isDeclared) return [{ address, fields: resolveFields(kinds.get(kind)!, after, holeValues) }];
    const liveObject = live.resources.get(address);
    // The platform may keep an object in several rows, each with an id: a set of DNS records, for example. The plan deletes only the
    // rows that this stack made (`before`). If somebody else made others, the object stays.
    const isDeleted = action === 'delete' && change.before.ids.length === liveObject?.ids.length;
    return liveObject && !isDeleted ? [{ address, fields: liveObject.fields }] : [];
  });
  return [...changed, ...unchanged];
}

/**
 * Reports `was/missing` for each object that the plan creates although the account has it. The ledger has it under an old address, where
 * the plan deletes or releases it: the renamed object would be lost. This happens if a rename outside could not be followed, or if `$was`
 * was removed from the YAML before its rename was applied.
 */
export function refuseRecreations(changes: readonly Change[], report: Reporter): void {
  // Deletions and releases, by the address that their object has in the account.
  const leavingByAddress = new Map(
    changes.flatMap((change) => {
      const { action, after, before } = change;
      const isLeaving = !after && (action === 'delete' || action === 'release');
      return isLeaving && before?.renamedTo !== undefined ? [[before.renamedTo, change] as const] : [];
    }),
  );
  for (const { address, action, at } of changes) {
    const leaving = action === 'create' ? leavingByAddress.get(address) : undefined;
    if (!leaving) continue;
    report.error('was/missing', `${address} exists in the account, but is known here as ${leaving.address}`, {
      address,
      at,
      hint: `write \`$was: ${lastNameOf(addressWithoutTarget(leaving.address))}\` in its block to keep the existing object and its contents`,
    });
  }
}

/**
 * Warns if a container (an object with content, such as a project) is created while an undeclared one of the same kind and parent is
 * released (no longer managed), because it is often the same one under a new name. `proposed`: the addresses of creations for which
 * `proposeRenames` has proposed a rename already. These get no warning.
 */
export function reportSuspectedRenames(
  changes: Change[],
  proposed: ReadonlySet<string>,
  { kinds }: PlanInput,
  report: Reporter,
): void {
  const containers = changes.filter(({ kind }) => kinds.get(kind)!.lifecycle.container);
  const released = containers.filter(({ action, after }) => action === 'release' && !after);
  for (const { address, kind, parent, action, at } of containers) {
    const candidates = released.filter((change) => change.kind === kind && change.parent === parent);
    if (action !== 'create' || candidates.length === 0 || proposed.has(address)) continue;
    // `refuseRecreations` reports this one: the account shows that the released object has the new name.
    if (released.some(({ before }) => before?.renamedTo === address)) continue;
    const names = candidates.map((change) => lastNameOf(change.address));
    report.warning(
      'was/suspected',
      `${address} would be created, and ${candidates.map((change) => change.address).join(', ')} no longer managed`,
      {
        address,
        at,
        hint: `if it is the same ${kind} under a new name, write \`$was: ${names[0]}\` in its block: it is renamed and keeps its contents`,
      },
    );
  }
}

/**
 * Reports blocks that repeat an item of a list in another block, because both describe the same object of the platform: a member of a
 * project, for example, and a project in the list of a team member. If the two differed, applying one would undo the other.
 */
export function checkDuplicateDescriptions(input: PlanInput, report: Reporter): void {
  const { desired, live, kinds } = input;
  const duplicates = findDuplicateDescriptions(desired.resources.values(), live, kinds);
  // One block with a list can declare several objects, such as a variable in several targets. It is reported once.
  const byBlock = new Map(
    duplicates.map((found) => [
      `${found.described.address} ${found.holder.at.file} ${found.holder.at.line}`,
      found,
    ]),
  );
  for (const { holder, name, described } of byBlock.values())
    report.error(
      'plan/said-twice',
      `${described.address} repeats what \`${name}\` of ${holder.address} declares (${holder.at.file}:${holder.at.line})`,
      {
        address: described.address,
        at: described.at,
        related: [{ message: `\`${name}\` is here`, at: holder.at }],
        hint: `keep one of the two: this block, or the item in \`${name}\``,
      },
    );
}

/**
 * Reports an object that one stack declares as a whole list, and another stack as a part of it: a shared
 * variable lists its projects, and a project can also declare the variable. The next apply of the list would
 * remove the other stack's object. Both directions are errors: this stack has the list, or the part.
 */
export function checkListsOfStacks(
  { desired, live, kinds, otherStacks = [] }: PlanInput,
  report: Reporter,
): void {
  // An unverified ledger may contain anything, so each entry is checked before its members are used.
  const owned = otherStacks.flatMap(({ stack, entries }) =>
    Object.entries(entries).flatMap(([address, entry]) =>
      isOwning(entry, kinds) ? { stack, address, entry } : [],
    ),
  );
  if (owned.length === 0) return;
  // Only kinds that occur are looked up, because a lookup loads the declaration of the kind.
  const kindNames = new Set(
    [...desired.resources.values(), ...owned.map(({ entry }) => entry)].map(({ kind }) => kind),
  );
  const lists = listsWithParts(kindNames, kinds);
  if (lists.length === 0) return;
  const findOwned = createOwnedFinder(owned, lists);
  for (const resource of desired.resources.values())
    for (const list of lists) {
      refuseListOverPart(resource, list, { live, findOwned, report });
      refusePartOfList(resource, list, { findOwned, report });
    }
}

/** An object that another stack owns. */
interface OwnedByStack {
  stack: string;
  address: Address;
  entry: LedgerEntry;
}

/** Returns the objects of a kind with an id that other stacks own. */
type FindOwned = (kind: string, id: Value | undefined) => readonly OwnedByStack[];

/**
 * Creates the search for objects of other stacks by kind and id, with which a complete list in one stack and its parts in another are
 * found. It finds only objects of kinds that have one of the lists, or are listed in one.
 */
function createOwnedFinder(owned: readonly OwnedByStack[], lists: readonly CompleteList[]): FindOwned {
  const kindsInLists = new Set(lists.flatMap(({ holderKind, partKind }) => [holderKind, partKind]));
  const ownedById = new Map<string, OwnedByStack[]>();
  for (const object of owned.filter(({ entry }) => kindsInLists.has(entry.kind)))
    for (const id of object.entry.ids) addTo(ownedById, `${object.entry.kind} ${id}`, object);
  return (kind, id) => (typeof id === 'string' ? (ownedById.get(`${kind} ${id}`) ?? []) : []);
}

/** What a check of a complete list against the objects of other stacks needs. */
interface ListContext extends Pick<PlanInput, 'live'> {
  findOwned: FindOwned;
  report: Reporter;
}

/** A field that completely lists objects (its parts) that can also be declared one by one, such as the projects of a shared variable. */
interface CompleteList {
  /** The name of the field. */
  name: string;
  /** The kind that has the field. */
  holderKind: string;
  partKind: string;
  /** The field of a part that has the id of the object with the list. The part itself has that id as well. */
  holderIdField: string;
}

/**
 * Refuses a block that declares a complete list of objects, such as the projects of a shared variable, although another stack owns an
 * object that belongs in the list.
 */
function refuseListOverPart(
  { address, kind, fields, at }: Resource,
  { name, holderKind, partKind }: CompleteList,
  { live, findOwned, report }: ListContext,
): void {
  if (kind !== holderKind || !Array.isArray(fields[name])) return;
  // A part has the id of the object with the list.
  const [part] = findOwned(partKind, live.resources.get(address)?.id);
  if (!part) return;
  report.error(
    'stack/complete-list',
    `${address}: \`${name}\` would be the complete list, but the stack ${part.stack} owns ${part.address}`,
    { address, at, hint: `leave \`${name}\` out here, or remove that block there` },
  );
}

/**
 * Refuses a block that declares an object which belongs in the complete list of another stack, such as a shared variable in a project,
 * while another stack declares the list of all projects of that variable. The next apply of that list would remove the object.
 */
function refusePartOfList(
  { address, kind, fields, at }: Resource,
  { name, holderKind, partKind, holderIdField }: CompleteList,
  { findOwned, report }: Pick<ListContext, 'findOwned' | 'report'>,
): void {
  if (kind !== partKind) return;
  const list = findOwned(holderKind, fields[holderIdField]).find(
    ({ entry }) => isPlainObject(entry.fields) && name in entry.fields,
  );
  if (!list) return;
  report.error(
    'stack/complete-list',
    `${address} is a part of \`${name}\` of ${list.address}, which the stack ${list.stack} declares completely`,
    { address, at, hint: `leave \`${name}\` out there and apply that stack, or remove this block` },
  );
}

/**
 * Returns the fields of these kinds that completely list objects that can also be declared one by one, such as the projects of a shared
 * variable: applying the list removes objects that it lacks. Lists that are not complete are left out. Their items name the parent of the
 * object (`mirrored.parent`), such as the projects of a team member.
 */
const listsWithParts = (kindNames: Iterable<string>, kinds: PlanInput['kinds']): CompleteList[] =>
  [...kindNames].flatMap((holderKind) => {
    const kind = kinds.get(holderKind);
    const completeLists = (kind ? mirroringFields(kind) : []).filter(
      ({ mirrored }) => mirrored.parent === undefined,
    );
    return completeLists.map(({ name, mirrored }) => ({
      name,
      holderKind,
      partKind: mirrored.kind,
      holderIdField: mirrored.own.field,
    }));
  });

/**
 * Reports creations with a value that only one object may have at a time, such as a domain name, if an undeclared object of the account has
 * it and stays. The platform would refuse the new object, or take the value from the other one. If the other object belongs to another
 * stack, there is no report, because that stack may give up the value before this plan is applied.
 */
export function checkUniqueValues(changes: Change[], input: PlanInput, report: Reporter): void {
  const conflicts = findValueConflicts(changes, input);
  if (conflicts.length === 0) return;
  const { live, kinds, otherStacks = [] } = input;
  const ownerOf = createOwnerFinder(otherStacks, kinds, (address) => live.resources.get(address));
  for (const { creation, name, holder } of conflicts) {
    // The stacks whose ledgers were read, and the others.
    const belongsToOtherStack = ownerOf(holder) !== undefined || isClaimedUnread(holder, input);
    if (belongsToOtherStack) continue;
    report.error(
      'plan/taken',
      `${creation.address}: ${holder.address} has the same \`${name}\`, which only one can have`,
      {
        address: creation.address,
        at: creation.at,
        hint: `declare it as ${holder.address}, apply, and then move the block here; or delete it there first`,
      },
    );
  }
}

/**
 * Returns the creations with a value that only one object may have, each with the field and the undeclared live object that has the
 * value.
 */
function findValueConflicts(
  changes: Change[],
  input: PlanInput,
): { creation: Change; name: string; holder: LiveResource }[] {
  const neededValues = changes.flatMap((change) =>
    change.action === 'create'
      ? soleValues(input.kinds.get(change.kind)!, change.after.fields).map((value) => ({ change, ...value }))
      : [],
  );
  if (neededValues.length === 0) return [];
  const holders = findHolders(changes, input);
  return neededValues.flatMap(({ change, name, text }) => {
    const holder = holders.get(text);
    return holder ? [{ creation: change, name, holder }] : [];
  });
}

/**
 * Returns the undeclared objects that stay in the account, by the values that only one object may have (such
 * as a domain name), so that a creation with such a value is reported before it fails. Declared ones are left
 * out, since `validate` compares them in the configuration.
 */
function findHolders(changes: Change[], { live, kinds }: PlanInput): Map<string, LiveResource> {
  const changeOf = indexByAddress(changes);
  const deleted = new Set(
    changes.flatMap(({ action, address }) => (action === 'delete' || action === 'replace' ? [address] : [])),
  );
  const holders = new Map<string, LiveResource>();
  for (const object of live.resources.values()) {
    const change = changeOf.get(object.address);
    const isDeclared = change?.after && change.action !== 'forget';
    if (isDeclared || isWithinAny(object.address, deleted)) continue;
    for (const { text } of soleValues(kinds.get(object.kind)!, object.fields)) holders.set(text, object);
  }
  return holders;
}
