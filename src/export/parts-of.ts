import type { Kind, Kinds } from '../kind/kind.ts';
import { type Address, addressOf } from '../model/address.ts';
import { listFew } from '../model/fold-wordings.ts';
import { groupBy } from '../model/graph.ts';
import { collectionParts, type Live, type LiveResource, type ReadFailure } from '../model/resource.ts';
import { type Fields, holesIn } from '../model/value.ts';

/** A live object, or one of the rows behind it, with the fields that are declared of it. */
export interface Part {
  of: LiveResource;
  fields: Fields;
}

/** Objects as what stands in the YAML: where units and rows differ, the rows, by the place of their first unit. */
export function partsOf(kind: Kind, objects: LiveResource[]): Part[] {
  const { rowOf } = kind.shape;
  if (!rowOf) return objects.map((resource) => ({ of: resource, fields: resource.fields }));
  const units = objects.flatMap((resource) => (resource.rows ?? []).map((row) => ({ of: resource, row })));
  return [...groupBy(units, ({ row }) => row.id).values()].map((same) => ({
    of: same[0]!.of,
    fields: rowOf(same.map(({ row }) => row.fields)),
  }));
}

/** The objects that these stand in or refer to: they have to be declared, too, be it as existing. */
export function neededBy(objects: LiveResource[]): Set<Address> {
  const needed = new Set<Address>();
  for (const { address, parent, fields } of objects) {
    const refs = holesIn(fields).flatMap((hole) => ('$ref' in hole ? [hole.$ref] : []));
    for (const one of [...(parent === undefined ? [] : [parent]), ...refs])
      if (one !== address)
        for (const [index, part] of [...one.split('/').entries()].reverse())
          needed.add([...one.split('/').slice(0, index), part].join('/'));
  }
  return needed;
}

/** Sentences about what was not read, and about what cannot be declared at all. */
export function notRead({ unreadable, undeclarable }: Live, kinds: Kinds): string[] {
  const place = (id: string): string => {
    const [parent, name] = collectionParts(id);
    return addressOf(parent, kinds.get(name)!.section, []);
  };
  const plural = (count: number) => (count === 1 ? '1 object is' : `${count} objects are`);
  const among = (count: number, names: string[]) =>
    names.length === 0 ? '' : `: ${names.join(', ')}${count > names.length ? ', ...' : ''}`;
  return [
    ...[...groupBy(unreadable, ([, { cause, isRefused }]) => `${isRefused} ${cause}`).values()].flatMap(
      (same) => unreadTexts(same.map(([id, unread]) => ({ place: place(id), unread }))),
    ),
    ...[...undeclarable].map(
      ([id, { count, names }]) =>
        `${place(id)}: ${plural(count)} left out, cannot be declared${among(count, names)}`,
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
  isMeant(address: Address): boolean;
}

/**
 * The file that each object goes to: that of the first rule about it, else that of what it is in; undefined for the main file. What cannot
 * stand apart goes with its parent: the items of a list that is in order, and what is in an item of a list, which has no name to be
 * continued under.
 */
export function filesOf(
  rules: readonly FileRule[],
  { resources }: Live,
  kinds: Kinds,
): (one: LiveResource) => string | undefined {
  const known = new Map<Address, string | undefined>();
  const find = (resource: LiveResource): string | undefined => {
    const { kind: name, address, parent } = resource;
    const kind = kinds.get(name)!;
    const above = parent === undefined ? undefined : resources.get(parent);
    const around = above && kinds.get(above.kind)!;
    const isInItem = around !== undefined && around.key.length > 0 && around.yaml.mapBy === undefined;
    const isBound = above !== undefined && (kind.shape.orderDecides || isInItem);
    const rule = isBound ? undefined : rules.find(({ isMeant }) => isMeant(address));
    return rule ? rule.file : above && fileOf(above);
  };
  const fileOf = (resource: LiveResource) => {
    if (!known.has(resource.address)) known.set(resource.address, find(resource));
    return known.get(resource.address);
  };
  return fileOf;
}
