import type * as z from 'zod';
import { mapSchemaMembers } from '../kind/compare.ts';
import { isSingleton } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { itemSchemaOf, shapeOf, traitsOf } from '../kind/traits.ts';
import { type Address, addressOf } from '../model/address.ts';
import { listFew } from '../model/fold-wordings.ts';
import { groupBy, memoize } from '../model/graph.ts';
import { collectionParts, type Live, type LiveResource, type ReadFailure } from '../model/resource.ts';
import { type Fields, holesIn, type Value } from '../model/value.ts';
import { mapMembers } from '../model/walk.ts';

/** A block of an export before it is written: a live object, and the fields that the block declares. */
export interface BlockSource {
  /** The live object; of several that are stored as one row, the first. */
  resource: LiveResource;
  /** The addresses of all live objects that the block declares. */
  addresses: Address[];
  /** The id of the object, or of the row. */
  id: string;
  fields: Fields;
}

/**
 * Returns what `trueup export` writes as blocks: one per live object, unless the platform stores several
 * resources as one row. A variable for three targets is three resources here, but one row of the platform and
 * one block; its fields are then those of all three together (`rowOf`).
 */
export function listBlockSources(kind: Kind, objects: LiveResource[]): BlockSource[] {
  const { rowOf } = kind.shape;
  if (!rowOf)
    return objects.map((resource) => {
      const { address, id, fields } = resource;
      return { resource, addresses: [address], id, fields };
    });
  const units = objects.flatMap((resource) => (resource.rows ?? []).map((row) => ({ resource, row })));
  return [...groupBy(units, ({ row }) => row.id)].map(([id, unitsOfRow]) => ({
    resource: unitsOfRow[0]!.resource,
    addresses: unitsOfRow.map(({ resource }) => resource.address),
    id,
    fields: rowOf(unitsOfRow.map(({ row }) => row.fields)),
  }));
}

/**
 * Returns the addresses of all objects that the exported ones are inside of or refer to, and of their
 * parents. `trueup export` declares them as well, with `$existing`, because a configuration may only mention
 * declared objects.
 */
export function findNeededAddresses(objects: LiveResource[]): Set<Address> {
  const needed = new Set<Address>();
  for (const { address, parent, fields } of objects) {
    const refs = holesIn(fields).flatMap((hole) => ('$ref' in hole ? [hole.$ref] : []));
    for (const target of [...(parent === undefined ? [] : [parent]), ...refs]) {
      if (target === address) continue;
      // Every prefix, although some are no objects: `projects/web` in `projects/web/env/API_URL@production`, but also `projects`.
      const steps = target.split('/');
      for (let length = steps.length; length > 0; length--) needed.add(steps.slice(0, length).join('/'));
    }
  }
  return needed;
}

/**
 * Returns sentences about collections that were not read, and about objects that cannot be declared. `trueup export` prints them as notes,
 * because the file is then not the whole account.
 */
export function describeUnexported({ unreadable, undeclarable }: Live, kinds: Kinds): string[] {
  const sectionAddressOf = (id: string): string => {
    const [parent, name] = collectionParts(id);
    return addressOf(parent, kinds.get(name)!.section, []);
  };
  const unread = [...unreadable].map(([id, failure]) => ({ sectionAddress: sectionAddressOf(id), failure }));
  const unreadByCause = groupBy(unread, ({ failure: { isRefused, cause } }) => `${isRefused} ${cause}`);
  return [
    ...[...unreadByCause.values()].flatMap(describeUnreadable),
    ...[...undeclarable].map(([id, objects]) => `${sectionAddressOf(id)}: ${describeUndeclarable(objects)}`),
  ].sort();
}

/** Returns how many objects of a collection are left out because no configuration can declare them, with the names of the first ones. */
function describeUndeclarable({ count, names }: { count: number; names: readonly string[] }): string {
  const leftOut =
    count === 1
      ? '1 object is left out because it cannot be declared'
      : `${count} objects are left out because they cannot be declared`;
  if (names.length === 0) return leftOut;
  return `${leftOut}: ${names.join(', ')}${count > names.length ? ', ...' : ''}`;
}

/** The most collections with one cause that get a sentence each. More than these share one sentence. */
const maxSentencesPerCause = 3;

/**
 * Returns sentences for the notes of `trueup export` about collections (lists of objects) that could not be read, all for the same cause.
 * More than a few collections share one sentence.
 */
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
 * Returns a function which finds the file for an object by the rules of an export; undefined for the main file. The first rule about the
 * object decides; without one, the object goes to the file of its parent. Two sorts of objects always go with their parent: items of an
 * ordered list, because the order would be lost, and objects inside an item of a list, because the item has no name under which another
 * file could continue it.
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
      parentKind !== undefined && !isSingleton(parentKind) && parentKind.yaml.mapBy === undefined;
    const followsParent = parentObject !== undefined && (kind.shape.orderDecides || isInItem);
    const rule = followsParent ? undefined : rules.find(({ appliesTo }) => appliesTo(address));
    return rule ? rule.file : parentObject && fileOf(parentObject);
  };
  const fileOf = (resource: LiveResource) => {
    if (!fileByAddress.has(resource.address)) fileByAddress.set(resource.address, findFile(resource));
    return fileByAddress.get(resource.address);
  };
  return fileOf;
}

type AddressOf = (kind: string, id: string) => Address | undefined;

/**
 * Returns the live objects with references instead of ids: a text that is the id of another object becomes a reference if its schema allows
 * that (`mayIdentify`). Used so that an export does not contain ids, which differ in each account.
 */
export function replaceIdsByReferences({ resources }: Live, kinds: Kinds): LiveResource[] {
  const objects = [...resources.values()];
  const addresses = new Map(objects.map(({ kind, id, address }) => [`${kind} ${id}`, address]));
  const addressOf: AddressOf = (kind, id) => addresses.get(`${kind} ${id}`);
  return objects.map((resource) => {
    const kind = kinds.get(resource.kind)!;
    return Object.values(kind.fields).some(mayHoldId) ? replaceInObject(resource, kind, addressOf) : resource;
  });
}

/**
 * Replaces ids in the fields of a live object by references (`${projects.web.id}`), so that `trueup export`
 * writes a configuration that works in any account. `alternatives`: other objects with the same name; one of
 * them may be exported instead. `addressOf`: returns the address of the object with an id.
 */
const replaceInObject = (resource: LiveResource, kind: Kind, addressOf: AddressOf): LiveResource => ({
  ...resource,
  fields: mapMembers(resource.fields, (value, name) => replaceInValue(kind.fields[name]!, value, addressOf)),
  alternatives: resource.alternatives?.map((alternative) => replaceInObject(alternative, kind, addressOf)),
});

/**
 * Replaces the ids in a value by references for `trueup export`, at all depths, if their schemas may identify an object (`mayIdentify`).
 * Unknown ids stay as they are.
 */
function replaceInValue(schema: z.ZodType, value: Value, addressOf: AddressOf): Value {
  if (typeof value === 'string') {
    const { mayIdentify } = traitsOf(schema);
    const address = mayIdentify === undefined ? undefined : addressOf(mayIdentify, value);
    return address === undefined ? value : { $ref: address, attr: 'id' };
  }
  if (Array.isArray(value)) {
    const element = itemSchemaOf(schema);
    return element ? value.map((item) => replaceInValue(element, item, addressOf)) : value;
  }
  return mapSchemaMembers(schema, value, (member, item) => replaceInValue(member, item, addressOf));
}

/** True if a value of a schema can contain an id. Remembered, since it is asked for each object. */
const mayHoldId: (schema: z.ZodType) => boolean = memoize((schema) => {
  const inside = [itemSchemaOf(schema), ...Object.values(shapeOf(schema) ?? {})];
  return traitsOf(schema).mayIdentify !== undefined || inside.some((schema) => schema && mayHoldId(schema));
});

/**
 * Returns, of several objects with one address, the one with the smallest id, which alone can have the block of their name, so that each
 * export chooses the same one. It keeps the list of all as `alternatives`.
 */
export function chooseAlternative(resource: LiveResource): LiveResource {
  const { alternatives } = resource;
  if (!alternatives) return resource;
  const [first] = [...alternatives].sort((a, b) => (a.id < b.id ? -1 : 1));
  return { ...first!, alternatives };
}
