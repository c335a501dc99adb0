import type { Kind, Kinds } from '../kind/kind.ts';
import { type Address, addressOf } from '../model/address.ts';
import { listFew } from '../model/fold-wordings.ts';
import { groupBy } from '../model/graph.ts';
import { collectionParts, type Live, type LiveResource, type ReadFailure } from '../model/resource.ts';
import { type Fields, holesIn } from '../model/value.ts';

/** A block of an export before it is written: a live object, and the fields that the block declares. */
export interface BlockSource {
  resource: LiveResource;
  fields: Fields;
}

/**
 * Returns the blocks for live objects. There is one per object, unless the platform stores several objects together: a variable for three
 * targets is three objects here, and one block.
 */
export function listBlockSources(kind: Kind, objects: LiveResource[]): BlockSource[] {
  const { rowOf } = kind.shape;
  if (!rowOf) return objects.map((resource) => ({ resource, fields: resource.fields }));
  const units = objects.flatMap((resource) => (resource.rows ?? []).map((row) => ({ resource, row })));
  return [...groupBy(units, ({ row }) => row.id).values()].map((unitsOfRow) => ({
    resource: unitsOfRow[0]!.resource,
    fields: rowOf(unitsOfRow.map(({ row }) => row.fields)),
  }));
}

/**
 * Returns the addresses of all objects that these are inside of or refer to, and of their parents. They have to be declared as well, with
 * `$existing`, because a configuration may only mention declared objects.
 */
export function findNeededAddresses(objects: LiveResource[]): Set<Address> {
  const needed = new Set<Address>();
  for (const { address, parent, fields } of objects) {
    const refs = holesIn(fields).flatMap((hole) => ('$ref' in hole ? [hole.$ref] : []));
    for (const target of [...(parent === undefined ? [] : [parent]), ...refs]) {
      if (target === address) continue;
      const steps = target.split('/');
      for (let length = steps.length; length > 0; length--) needed.add(steps.slice(0, length).join('/'));
    }
  }
  return needed;
}

/** Returns sentences about collections that were not read, and about objects that cannot be declared. Printed as the notes of an export. */
export function describeUnexported({ unreadable, undeclarable }: Live, kinds: Kinds): string[] {
  const sectionAddressOf = (id: string): string => {
    const [parent, name] = collectionParts(id);
    return addressOf(parent, kinds.get(name)!.section, []);
  };
  const countText = (count: number) => (count === 1 ? '1 object is' : `${count} objects are`);
  const namesText = (count: number, names: string[]) =>
    names.length === 0 ? '' : `: ${names.join(', ')}${count > names.length ? ', ...' : ''}`;
  return [
    ...[...groupBy(unreadable, ([, { cause, isRefused }]) => `${isRefused} ${cause}`).values()].flatMap(
      (collections) =>
        describeUnreadable(
          collections.map(([id, failure]) => ({ sectionAddress: sectionAddressOf(id), failure })),
        ),
    ),
    ...[...undeclarable].map(
      ([id, { count, names }]) =>
        `${sectionAddressOf(id)}: ${countText(count)} left out, cannot be declared${namesText(count, names)}`,
    ),
  ].sort();
}

/** The most collections with one cause that get a sentence each. More than these share one sentence. */
const maxSentencesPerCause = 3;

/** Returns sentences about collections that could not be read for the same cause. */
function describeUnreadable(collections: { sectionAddress: string; failure: ReadFailure }[]): string[] {
  const { isRefused, cause } = collections[0]!.failure;
  const state = isRefused ? 'not accessible to this account or token' : 'unreadable';
  if (collections.length > maxSentencesPerCause) {
    const addresses = listFew(collections.map(({ sectionAddress }) => sectionAddress));
    return [`${collections.length} lists are ${state} (${cause}): ${addresses}`];
  }
  return collections.map(({ sectionAddress, failure: { why } }) =>
    isRefused ? `${sectionAddress} is ${state}: ${why}` : `${sectionAddress} could not be read: ${why}`,
  );
}

/** A rule of an export (`--by`): objects that get another file than the main one, together with all objects inside them. */
export interface FileRule {
  file: string;
  /** True for an object that the rule is about. */
  appliesTo(address: Address): boolean;
}

/**
 * Returns a function that finds the file for an object by the rules of an export; undefined for the main file. The first rule about the object
 * decides; without one, the object goes to the file of its parent. Two sorts of objects always go with their parent: items of an ordered list,
 * because the order would be lost, and objects inside an item of a list, because the item has no name under which another file could continue
 * it.
 */
export function createFileFinder(
  rules: readonly FileRule[],
  { resources }: Live,
  kinds: Kinds,
): (resource: LiveResource) => string | undefined {
  const fileByAddress = new Map<Address, string | undefined>();
  const findFile = (resource: LiveResource): string | undefined => {
    const { kind: name, address, parent } = resource;
    const kind = kinds.get(name)!;
    const parentObject = parent === undefined ? undefined : resources.get(parent);
    const parentKind = parentObject && kinds.get(parentObject.kind)!;
    const isInItem =
      parentKind !== undefined && parentKind.key.length > 0 && parentKind.yaml.mapBy === undefined;
    const followsParent = parentObject !== undefined && (kind.shape.orderDecides || isInItem);
    const rule = followsParent ? undefined : rules.find(({ appliesTo: isMeant }) => isMeant(address));
    return rule ? rule.file : parentObject && fileOf(parentObject);
  };
  const fileOf = (resource: LiveResource) => {
    if (!fileByAddress.has(resource.address)) fileByAddress.set(resource.address, findFile(resource));
    return fileByAddress.get(resource.address);
  };
  return fileOf;
}
