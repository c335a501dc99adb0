/**
 * Finds which objects depend on which, for the order of changes and for deletions.
 *
 * Terms: an object needs another one if it can only exist after it: its parent, the objects that it refers to, and those in `$dependsOn`. A
 * holder of an object is a change that must come before the object's deletion, because its own object still refers to it or lies in it.
 * A root is an object that the plan deletes; everything in it is deleted with it, so the root holds what anything in it refers to.
 */

import { ancestorsOf, canDo, isPartOfAddress, namesOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { addressesByIdIn, platformIdOf, referencesIn } from '../kind/references.ts';
import { type Address, ancestorsAmong, indexByAddress, isWithin } from '../model/address.ts';
import { type Change, findReplacedAddresses } from '../model/change.ts';
import { addTo } from '../model/graph.ts';
import type { Live, LiveResource } from '../model/resource.ts';
import { type Fields, isRef, refsIn } from '../model/value.ts';
import type { PlanInput } from './input.ts';

/**
 * Returns the addresses that a desired object needs: its parents, its references, and those in `$dependsOn`. Used to create them first, and
 * to leave out changes whose needs are missing.
 */
export function findNeeds(change: Change, kinds: Kinds): Set<Address> {
  const kind = kinds.get(change.kind)!;
  return new Set([
    ...ancestorsOf(kinds, kind, change.parent).map(({ address }) => address),
    ...referencesIn(change.after?.fields ?? {}, kind, change.parent, kinds),
    ...(change.after?.meta.dependsOn ?? []),
  ]);
}

/**
 * Creates the function which returns the changes that must come before the deletion of an object (its holders), because until then their
 * objects refer to it, lie in it, or need it, so the platform would refuse the deletion or break them. Used to order deletions, and to add
 * required changes to a selection. Example: the holders of a custom environment are the changes of the variables for that environment.
 * An object without a change of its own that is deleted with its container counts as well: the change of the container is then the holder.
 */
export function createHolderFinder(
  changes: Change[],
  input: Pick<PlanInput, 'kinds' | 'live' | 'contents'>,
): (address: Address) => Change[] {
  const { kinds, live } = input;
  const holders = new Map<Address, Set<Change>>();
  const addHolder = (held: Address, change: Change) =>
    holders.set(held, (holders.get(held) ?? new Set()).add(change));
  const deletions = findDeletions(changes, live, kinds);
  const context = {
    kinds,
    deletions,
    replaced: findReplacedAddresses(changes),
    objectsByRow: indexByRow(live),
  };
  for (const change of changes) for (const held of addressesHeldBy(change, context)) addHolder(held, change);
  const changeOf = indexByAddress(changes);
  for (const { held, root } of findAddressesHeldByContents(changeOf, deletions, input))
    addHolder(held, changeOf.get(root)!);
  return (address) => [...(holders.get(address) ?? [])].filter((change) => change.address !== address);
}

/** The facts about all changes and live objects by which `createHolderFinder` finds what one object holds. */
interface HoldContext {
  kinds: Kinds;
  deletions: Deletions;
  replaced: ReadonlySet<Address>;
  objectsByRow: ReadonlyMap<string, readonly LiveResource[]>;
}

/** Returns live objects by the ids of the platform's rows that they are in. One row may contain several objects, also of other stacks. */
function indexByRow({ resources }: Live): Map<string, LiveResource[]> {
  const objectsByRow = new Map<string, LiveResource[]>();
  for (const resource of resources.values())
    for (const { id } of resource.rows ?? []) addTo(objectsByRow, id, resource);
  return objectsByRow;
}

/**
 * Returns the addresses that the live object of a change holds: those that it lies in, refers to or needs. A deletion of one of them must
 * come after the change.
 */
function addressesHeldBy(
  { kind, parent, before, after, needs = [] }: Change,
  context: HoldContext,
): Address[] {
  if (!before) return [];
  // An object that moves to another parent lies in the old one until then.
  const currentParent = before.transfer?.parent ?? parent;
  // A row of the platform can contain several objects. The references of the others stay as long as the row does.
  const objectsOfRows = (before.rows ?? []).flatMap(({ id }) => context.objectsByRow.get(id) ?? []);
  return [
    ...(currentParent === undefined ? [] : [currentParent]),
    ...[before, ...objectsOfRows].flatMap(({ fields }) =>
      addressesReferredTo({ fields, kind, parent: currentParent }, context),
    ),
    // An object that refers to the new id of a replaced one has the old id now, perhaps as a part of a text.
    ...refsIn(after?.fields ?? {}).filter((address) => context.replaced.has(address)),
    // The `needs` of a declared object are those after the change, so they hold nothing.
    ...(after ? [] : needs),
  ];
}

/**
 * Returns the addresses to which the fields of a live object refer. For a bare id of an object that the plan deletes, the address is that
 * of the deletion: the object itself, or the object around it (root) with which it is deleted.
 */
const addressesReferredTo = (
  { fields, kind, parent }: Pick<LiveResource, 'fields' | 'kind' | 'parent'>,
  { kinds, deletions }: Pick<HoldContext, 'kinds' | 'deletions'>,
): Address[] => [
  ...referencesIn(fields, kinds.get(kind)!, parent, kinds),
  ...addressesByIdIn(fields, deletions.addressById).flatMap((address) => deletions.rootOf.get(address) ?? []),
];

/**
 * Returns the addresses (`held`) to which the contents of a deleted object (`root`) refer, outside of this object: they can be deleted only
 * after it. Contents with a change of their own are left out, because their references end with that change.
 */
function findAddressesHeldByContents(
  changeOf: ReadonlyMap<Address, Change>,
  deletions: Deletions,
  { kinds, live, contents }: Pick<PlanInput, 'kinds' | 'live' | 'contents'>,
): { held: Address; root: Address }[] {
  const { rootOf } = deletions;
  const contentsOfPlan = [...rootOf].flatMap(([address, root]) => {
    const object = changeOf.has(address) ? undefined : live.resources.get(address);
    return object ? [{ root, references: addressesReferredTo(object, { kinds, deletions }) }] : [];
  });
  // Of further contents, only the references were read.
  const furtherContents = [...(contents?.resources ?? [])].flatMap(([address, { references = [] }]) => {
    const root = rootOf.get(ancestorsAmong(address, rootOf)[0] ?? '');
    if (root === undefined || changeOf.has(address)) return [];
    return [{ root, references: references.map((held) => rootOf.get(held) ?? held) }];
  });
  return [...contentsOfPlan, ...furtherContents].flatMap(({ root, references }) =>
    references.filter((held) => !isWithin(held, root)).map((held) => ({ held, root })),
  );
}

/** The objects that a plan deletes. Replaced objects count, because they are deleted for a moment. */
export interface Deletions {
  /** The root of each deleted object: the address whose deletion deletes it as well. A root is its own root. */
  rootOf: ReadonlyMap<Address, Address>;
  /** The deleted objects by the ids that the platform made. Other objects may refer to these ids in plain text. */
  addressById: ReadonlyMap<string, Address>;
}

/**
 * Finds the objects that changes delete or replace, with everything in them. Used to find objects that refer to deleted ones. `rootOf`: for
 * each deleted object the address whose deletion deletes it, its own or one around it. `addressById`: the deleted objects by their ids.
 */
export function findDeletions(changes: readonly Change[], live: Live, kinds: Kinds): Deletions {
  const rootOf = new Map<Address, Address>();
  for (const { action, address } of changes)
    if (action === 'delete' || action === 'replace') rootOf.set(address, address);
  const addressById = new Map<string, Address>();
  if (rootOf.size === 0) return { rootOf, addressById };
  for (const { address, kind, parent } of live.resources.values()) {
    const deletedAncestor = ancestorsOf(kinds, kinds.get(kind)!, parent).find((ancestor) =>
      rootOf.has(ancestor.address),
    );
    if (deletedAncestor && !rootOf.has(address)) rootOf.set(address, rootOf.get(deletedAncestor.address)!);
  }
  for (const address of rootOf.keys()) {
    const resource = live.resources.get(address);
    const id = resource && platformIdOf(resource, live, kinds);
    if (id !== undefined) addressById.set(id, address);
  }
  return { rootOf, addressById };
}

/**
 * Creates the function which returns the known addresses of the objects that the platform deletes with one of `containers`, also those of
 * other stacks: everything in the container, and objects elsewhere that are about something in it, such as a role in a project. Leaves out
 * kinds that the API cannot delete, such as settings. Used to count deletions and to show them. Looks at each object once for all
 * containers, because there may be thousands of both.
 */
export function createContentsFinder(
  containers: ReadonlySet<Address>,
  { ledger, live, contents, kinds }: PlanInput,
): (container: Address) => Address[] {
  if (containers.size === 0) return () => [];
  const contentsByContainer = new Map<Address, Address[]>();
  const deletableKind = (name: string): Kind | undefined => {
    const kind = kinds.get(name);
    return kind && canDo(kind, 'delete') ? kind : undefined;
  };
  const objects = [...Object.entries(ledger.entries), ...live.resources, ...(contents?.resources ?? [])];
  for (const [address, { kind }] of objects) {
    if (!deletableKind(kind)) continue;
    for (const container of ancestorsAmong(address, containers))
      if (container !== address) addTo(contentsByContainer, container, address);
  }
  for (const { address, kind: name, fields } of live.resources.values()) {
    const kind = deletableKind(name);
    if (!kind) continue;
    const isOutside = (container: Address) => !isWithin(address, container);
    const namedContainers = containersNamedBy(kind, fields, containers);
    for (const container of namedContainers.filter(isOutside)) addTo(contentsByContainer, container, address);
  }
  return (container) => [...new Set(contentsByContainer.get(container))];
}

/**
 * Returns the containers, such as projects, whose deletion also deletes an object because a reference to them is a part of its address. A
 * role in a project, for example, is not inside the project, but its address contains the name of the project. `createContentsFinder` adds
 * these objects to the contents of the containers. `fields`: those of the object. `containers`: the containers to choose from.
 */
function containersNamedBy(kind: Kind, fields: Fields, containers: ReadonlySet<Address>): Address[] {
  const mentioned = Object.values(fields).flatMap((value) =>
    isRef(value) ? ancestorsAmong(value.$ref, containers) : [],
  );
  return mentioned.filter((container) => isAbout(kind, fields, (address) => isWithin(address, container)));
}

/**
 * True if an object is about a deleted one: its own address contains the name of the deleted object, like the address of a role in a
 * project. The platform deletes both together.
 */
export const isAbout = (kind: Kind, fields: Fields, isDeleted: (address: Address) => boolean): boolean =>
  Object.entries(fields).some(
    ([name, value]) => isRef(value) && isDeleted(value.$ref) && isFieldPartOfAddress(kind, name, fields),
  );

/**
 * True if the value of a field is a part of the object's own address, so that the object cannot exist without the object to which the field
 * refers. A kind may make the names in its addresses from several fields (`yaml.names`): then they are compared with and without the field.
 */
function isFieldPartOfAddress(kind: Kind, field: string, fields: Fields): boolean {
  if (isPartOfAddress(field, kind)) return true;
  if (!kind.yaml.names) return false;
  const { [field]: _, ...otherFields } = fields;
  return namesOf(kind, fields).join('/') !== namesOf(kind, otherFields).join('/');
}
