import type { Kind, Kinds } from '../kind/kind.ts';
import { type Address, addressOf } from '../model/address.ts';
import { listFew } from '../model/fold-wordings.ts';
import { groupBy } from '../model/graph.ts';
import { collectionParts, type Live, type LiveResource, type ReadFailure } from '../model/resource.ts';
import { type Fields, holesIn } from '../model/value.ts';

/** A live object, or one of the rows behind it, with the fields that are declared of it. */
export interface BlockSource {
  resource: LiveResource;
  fields: Fields;
}

/** Returns the blocks for these objects in the YAML. Usually one per object; if the API joins several objects into rows, one per row. */
export function listBlockSources(kind: Kind, objects: LiveResource[]): BlockSource[] {
  const { rowOf } = kind.shape;
  if (!rowOf) return objects.map((resource) => ({ resource, fields: resource.fields }));
  const units = objects.flatMap((resource) => (resource.rows ?? []).map((row) => ({ resource, row })));
  return [...groupBy(units, ({ row }) => row.id).values()].map((same) => ({
    resource: same[0]!.resource,
    fields: rowOf(same.map(({ row }) => row.fields)),
  }));
}

/** Returns the addresses of the objects that these are inside of or refer to. They have to be declared too, at least with `$existing`. */
export function findNeededAddresses(objects: LiveResource[]): Set<Address> {
  const needed = new Set<Address>();
  for (const { address, parent, fields } of objects) {
    const refs = holesIn(fields).flatMap((hole) => ('$ref' in hole ? [hole.$ref] : []));
    for (const target of [...(parent === undefined ? [] : [parent]), ...refs])
      if (target !== address)
        for (const [index, step] of [...target.split('/').entries()].reverse())
          needed.add([...target.split('/').slice(0, index), step].join('/'));
  }
  return needed;
}

/** Returns sentences about collections that were not read, and about objects that cannot be declared. Printed as the notes of an export. */
export function describeUnexported({ unreadable, undeclarable }: Live, kinds: Kinds): string[] {
  const sectionAddressOf = (id: string): string => {
    const [parent, name] = collectionParts(id);
    return addressOf(parent, kinds.get(name)!.section, []);
  };
  const plural = (count: number) => (count === 1 ? '1 object is' : `${count} objects are`);
  const among = (count: number, names: string[]) =>
    names.length === 0 ? '' : `: ${names.join(', ')}${count > names.length ? ', ...' : ''}`;
  return [
    ...[...groupBy(unreadable, ([, { cause, isRefused }]) => `${isRefused} ${cause}`).values()].flatMap(
      (same) => unreadTexts(same.map(([id, unread]) => ({ place: sectionAddressOf(id), unread }))),
    ),
    ...[...undeclarable].map(
      ([id, { count, names }]) =>
        `${sectionAddressOf(id)}: ${plural(count)} left out, cannot be declared${among(count, names)}`,
    ),
  ].sort();
}

/** So many collections that could not be read for one reason have a sentence each. */
const fewParts = 3;

function unreadTexts(same: { place: string; unread: ReadFailure }[]): string[] {
  const { isRefused, cause } = same[0]!.unread;
  const what = isRefused ? 'not accessible to this account or token' : 'unreadable';
  if (same.length > fewParts)
    return [`${same.length} lists are ${what} (${cause}): ${listFew(same.map(({ place }) => place))}`];
  return same.map(({ place, unread: { why } }) =>
    isRefused ? `${place} is ${what}: ${why}` : `${place} could not be read: ${why}`,
  );
}

/** The objects of an account that get a file of their own, with all their content. */
export interface FileRule {
  file: string;
  appliesTo(address: Address): boolean;
}

/**
 * Returns a function that returns the file for an object; undefined for the main file. The first rule about the object decides, else it goes to
 * the file of its parent. Two sorts of objects always go with their parent: items of an ordered list, because the order would be lost, and
 * objects inside an item of a list, because the item has no name under which another file could continue it.
 */
export function createFileFinder(
  rules: readonly FileRule[],
  { resources }: Live,
  kinds: Kinds,
): (resource: LiveResource) => string | undefined {
  const fileByAddress = new Map<Address, string | undefined>();
  const find = (resource: LiveResource): string | undefined => {
    const { kind: name, address, parent } = resource;
    const kind = kinds.get(name)!;
    const parentObject = parent === undefined ? undefined : resources.get(parent);
    const parentKind = parentObject && kinds.get(parentObject.kind)!;
    const isInItem =
      parentKind !== undefined && parentKind.key.length > 0 && parentKind.yaml.mapBy === undefined;
    const isBound = parentObject !== undefined && (kind.shape.orderDecides || isInItem);
    const rule = isBound ? undefined : rules.find(({ appliesTo: isMeant }) => isMeant(address));
    return rule ? rule.file : parentObject && fileOf(parentObject);
  };
  const fileOf = (resource: LiveResource) => {
    if (!fileByAddress.has(resource.address)) fileByAddress.set(resource.address, find(resource));
    return fileByAddress.get(resource.address);
  };
  return fileOf;
}
