import { ancestorsOf, canDo, namesOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { comparedFields } from '../kind/leaves.ts';
import { traitsOf } from '../kind/traits.ts';
import { type Address, addressOf, escapeName, isWithin } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { addTo } from '../model/graph.ts';
import type { Live, LiveResource } from '../model/resource.ts';
import { Sealed } from '../model/sealed.ts';
import { type Fields, holesIn, isRef } from '../model/value.ts';
import { inside, walk } from '../model/walk.ts';
import type { PlanInput } from './input.ts';

/** The addresses that a wanted object needs: its parents, its references, and those in `$dependsOn`. */
export function findNeeds(change: Change, kinds: Kinds): Set<Address> {
  const kind = kinds.get(change.kind)!;
  return new Set([
    ...ancestorsOf(kinds, kind, change.parent).map(({ address }) => address),
    ...referencesIn(change.after?.fields ?? {}, kind, change.parent, kinds),
    ...(change.after?.meta.dependsOn ?? []),
  ]);
}

/** The addresses that fields refer to: refs, and soft references by name. */
function referencesIn(fields: Fields, kind: Kind, parent: Address | undefined, kinds: Kinds): Address[] {
  const refs = holesIn(fields).flatMap((hole) => ('$ref' in hole ? [hole.$ref] : []));
  return [...refs, ...addressesByNameIn(fields, kind, parent, kinds)];
}

/** The addresses of resources that fields name in plain text; `softOnly`: without those that a name is inside of. */
export function addressesByNameIn(
  fields: Fields,
  kind: Kind,
  parent: Address | undefined,
  kinds: Kinds,
  softOnly = false,
): Address[] {
  // A sibling in the wide sense: under an ancestor that both have.
  const near = (target: Kind) =>
    ancestorsOf(kinds, kind, parent).find((above) => above.kind.name === target.parent)?.address;
  const schemas = comparedFields(kind);
  return Object.entries(fields).flatMap(([name, value]) => {
    const texts = [value].flat().filter((one) => typeof one === 'string');
    const schema = texts.length > 0 && schemas[name];
    if (!schema) return [];
    const { softRef, within } = traitsOf(schema);
    const target = kinds.get(softRef ?? within ?? '');
    if (!target || (softOnly && softRef === undefined)) return [];
    const named = within === undefined ? texts : texts.flatMap(suffixesOf);
    return named.map((one) => addressOf(near(target), target.section, [escapeName(one)]));
  });
}

/** The names that a name is inside of: for `a.b.c`, `a.b.c` and `b.c`; nobody owns `c`. */
const suffixesOf = (name: string): string[] => {
  const labels = name.split('.');
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
};

/**
 * Finds the changes that must come before the deletion of an address: those of objects that refer to it on the platform, lie in it, or
 * needed it when they were applied.
 */
export function createHolderFinder(
  changes: Change[],
  kinds: Kinds,
  live: Live,
): (address: Address) => Change[] {
  const holders = new Map<Address, Set<Change>>();
  // A row may serve more units than those that are ours, and it is the row that holds on.
  const units = new Map<string, LiveResource[]>();
  const { rootOf: roots, addressById: byId } = findDeletions(changes, live, kinds);
  for (const resource of live.resources.values())
    for (const { id } of resource.rows ?? []) addTo(units, id, resource);
  for (const change of changes) {
    const { before, after, needs = [] } = change;
    if (!before) continue;
    const parent = before.transfer?.parent ?? change.parent;
    const held = [
      ...(parent === undefined ? [] : [parent]),
      ...[before, ...(before.rows ?? []).flatMap(({ id }) => units.get(id) ?? [])].flatMap(({ fields }) => [
        ...referencesIn(fields, kinds.get(change.kind)!, parent, kinds),
        ...addressesByIdIn(fields, byId).flatMap((address) => roots.get(address) ?? []),
      ]),
      // The `needs` of a declared object are about its future.
      ...(after ? [] : needs),
    ];
    for (const address of held) {
      const holder = holders.get(address) ?? new Set();
      holders.set(address, holder.add(change));
    }
  }
  return (address) => [...(holders.get(address) ?? [])].filter((change) => change.address !== address);
}

/** The changes that delete an object, for good or for a moment. */
interface Deletions {
  /** The deleted objects and all that was seen in them, each with the address whose deletion takes it along. */
  rootOf: ReadonlyMap<Address, Address>;
  /** The same objects by the ids that the platform made for them: others may refer to them by these, in plain text. */
  addressById: ReadonlyMap<string, Address>;
}

/** Finds all that changes delete, with everything in it. */
export function findDeletions(changes: readonly Change[], live: Live, kinds: Kinds): Deletions {
  const roots = new Map<Address, Address>();
  for (const { action, address } of changes)
    if (action === 'delete' || action === 'replace') roots.set(address, address);
  const byId = new Map<string, Address>();
  if (roots.size === 0) return { rootOf: roots, addressById: byId };
  for (const { address, kind, parent } of live.resources.values()) {
    const ancestor = ancestorsOf(kinds, kinds.get(kind)!, parent).find((above) => roots.has(above.address));
    if (ancestor && !roots.has(address)) roots.set(address, roots.get(ancestor.address)!);
  }
  for (const address of roots.keys()) {
    const resource = live.resources.get(address);
    const id = resource && madeIdOf(resource, live, kinds);
    if (id !== undefined) byId.set(id, address);
  }
  return { rootOf: roots, addressById: byId };
}

/** The id of an object, if the platform made it: not a name given by people, nor the id of its parent or of an object that it names. */
function madeIdOf(resource: LiveResource, live: Live, kinds: Kinds): string | undefined {
  const { id, fields, parent } = resource;
  const kind = kinds.get(resource.kind)!;
  if (kind.shape.byAddress || kind.key.length === 0) return undefined;
  const others = [
    ...(parent === undefined ? [] : [parent]),
    ...holesIn(fields).flatMap((hole) => ('$ref' in hole ? [hole.$ref] : [])),
  ];
  const isOfAnother = others.some((address) => live.resources.get(address)?.id === id);
  const isName = addressesByIdIn(fields, new Map([[id, resource.address]])).length > 0;
  return isName || isOfAnother ? undefined : id;
}

/** The addresses whose ids appear anywhere in a value, in plain text. */
export function addressesByIdIn(value: unknown, byId: Deletions['addressById']): Address[] {
  if (byId.size === 0) return [];
  const addresses: Address[] = [];
  walk(value, (one) => {
    if (typeof one === 'string') addresses.push(...[byId.get(one) ?? []].flat());
    return one instanceof Sealed ? undefined : inside;
  });
  return addresses;
}

/**
 * Lists all known objects that are deleted with a container, ours and those of others: everything in it, and objects elsewhere that are
 * about it, such as a role in a project.
 */
export function listContents(container: Address, { ledger, live, kinds }: PlanInput): Address[] {
  const isInside = (address: Address) => isWithin(address, container);
  const known = [...Object.entries(ledger.entries), ...live.resources]
    .filter(([address, { kind }]) => {
      const of = kinds.get(kind);
      return address !== container && isInside(address) && of && canDo(of, 'delete');
    })
    .map(([address]) => address);
  const about = [...live.resources.values()]
    .filter(({ address, kind, fields }) => {
      const of = kinds.get(kind);
      return of && canDo(of, 'delete') && !isInside(address) && isAbout(of, fields, isInside);
    })
    .map(({ address }) => address);
  return [...new Set([...known, ...about])];
}

/**
 * True if an object is about one that is deleted: its own address names it, as that of a role in a project does. The platform deletes both
 * together.
 */
export const isAbout = (kind: Kind, fields: Fields, isGoing: (address: Address) => boolean): boolean =>
  Object.entries(fields).some(
    ([name, value]) => isRef(value) && isGoing(value.$ref) && isInAddress(kind, name, fields),
  );

function isInAddress(kind: Kind, name: string, fields: Fields): boolean {
  if (kind.key.includes(name) || kind.shape.addressFields.includes(name)) return true;
  if (!kind.yaml.names) return false;
  const { [name]: _, ...rest } = fields;
  return namesOf(kind, fields).join('/') !== namesOf(kind, rest).join('/');
}
