import { soleValues } from '../../kind/compare.ts';
import type { Kinds } from '../../kind/kind.ts';
import { type Address, byAddress, indexByAddress } from '../../model/address.ts';
import { type Diagnostic, type Position, problem, type Reporter } from '../../model/diagnostic.ts';
import { byText, groupBy } from '../../model/graph.ts';
import { collectionId, type Resource } from '../../model/resource.ts';
import { revealed } from '../../model/sealed.ts';
import { namesInPath } from '../../model/value.ts';
import type { Entry, MapNode } from '../yaml/nodes.ts';
import type { Spot } from '../yaml/source.ts';
import type { LoadedBlock } from './block.ts';

/**
 * Combines the resources of all blocks into one map, sorted by address: the desired state of the stack, which a plan compares with the
 * account. Entries that declare one object together, such as DNS records of one name, are merged. Reports other duplicate addresses, values
 * and `$` settings that must be unique, and a `$was` whose address is still declared. `loadedBlocks`: the blocks with their resources
 * (`units`: a block for several targets declares several).
 */
export function assembleResources(
  loadedBlocks: LoadedBlock[],
  kinds: Kinds,
  report: Reporter,
): Map<Address, Resource> {
  const units = loadedBlocks.flatMap((block) => block.units);
  const resources = mergeByAddress(sortForMerging(units, kinds), kinds, report);
  const sorted = [...resources.values()].sort(byAddress);
  // The index is the place among siblings. In lists whose order counts, it is that of the YAML and stays.
  for (const siblings of groupBy(sorted, ({ kind, parent }) => collectionId(kind, parent)).values())
    if (!kinds.get(siblings[0]!.kind)!.shape.orderDecides)
      siblings.forEach((unit, i) => {
        unit.index = i;
      });
  movePositionsToListItems(sorted, kinds);
  report.add([
    ...checkUniqueClaims(sorted),
    ...checkValuesUniqueInAccount(sorted, kinds),
    ...checkOldAddresses(resources, sorted),
  ]);
  return indexByAddress(sorted);
}

/**
 * Returns the resources by address, one for each, because a plan compares one with each object of the
 * account. Entries that several blocks may declare together, such as DNS records of one name, are merged;
 * others with the same address are reported. `units`: the single resources of all blocks, in the order of
 * `sortForMerging`.
 */
function mergeByAddress(units: Resource[], kinds: Kinds, report: Reporter): Map<Address, Resource> {
  const resources = new Map<Address, Resource>();
  for (const unit of units) {
    const { address, at } = unit;
    const first = resources.get(address);
    // Undefined if the kind has no objects of several entries, or if both entries declare the same.
    const mergedFields = first && kinds.get(unit.kind)!.shape.mergeRows?.(first.fields, unit.fields);
    if (!first) resources.set(address, unit);
    else if (mergedFields) resources.set(address, mergeUnits(first, unit, mergedFields));
    else
      report.error('config/duplicate', `${address} is declared twice`, {
        at,
        address,
        hint: 'keep one of the two',
        related: [{ message: 'the first one', at: first.at }],
      });
  }
  return resources;
}

/**
 * Returns a problem for each resource whose old address (`$was`, which declares a renaming) is still
 * declared. A plan cannot both rename the object at that address and keep it there.
 */
function checkOldAddresses(resources: ReadonlyMap<Address, Resource>, sorted: Resource[]): Diagnostic[] {
  return sorted.flatMap(({ address, at, meta }) => {
    const old = meta.was === undefined ? undefined : resources.get(meta.was);
    if (!old) return [];
    return problem('was/both-declared', `${address} was ${old.address}, which is also declared`, {
      at,
      address,
      hint: 'remove `$was`, or the old block',
      related: [{ message: 'the other one', at: old.at }],
    });
  });
}

/**
 * Moves the setting `$position` from each block to the items of the ordered lists directly inside it, such as the rules of a firewall. It
 * says where the items of this stack go among those of other stacks. Users write it once, on the block around the list. But the ledger
 * records it with each item, where the plans of other stacks look for it (see `createNeighbour`).
 */
function movePositionsToListItems(resources: Resource[], kinds: Kinds): void {
  const positions = new Map(
    resources.flatMap(({ address, meta }) => (meta.position ? [[address, meta.position] as const] : [])),
  );
  for (const { address, kind, parent, meta } of resources) {
    // The own `$position` of an item is for a list inside the item. It was copied above, so the item can now take that of its parent.
    if (positions.has(address)) delete meta.position;
    // The items of an ordered list are resources whose parent is the block.
    const position = positions.get(parent ?? '');
    if (position && kinds.get(kind)!.shape.orderDecides) meta.position = position;
  }
}

/**
 * Returns a problem for each resource that claims the same object of the account as an earlier one: with the same old
 * address (`$was`), or with the same `$id` among the objects of one kind and parent. At most one of them could be
 * applied. Resources that one entry of the YAML declares together (`group`), such as a variable in several targets,
 * share its settings and may claim the same.
 */
function checkUniqueClaims(resources: Resource[]): Diagnostic[] {
  const firstByClaim = new Map<string, Resource>();
  return resources.flatMap((resource) => {
    const { kind, parent, meta, group } = resource;
    const claims = [
      { key: '$was', value: meta.was, scope: '' },
      { key: '$id', value: meta.id, scope: collectionId(kind, parent) },
    ];
    return claims.flatMap(({ key, value, scope }) => {
      if (value === undefined) return [];
      const claim = `${key} ${scope} ${value}`;
      const first = firstByClaim.get(claim);
      if (!first) firstByClaim.set(claim, resource);
      // The units of one entry share its `$` keys.
      if (!first || (group !== undefined && first.group === group)) return [];
      return problem('config/claimed-twice', `${first.address} has the same \`${key}: ${value}\``, {
        at: resource.at,
        address: resource.address,
        hint: 'it must be unique; in a template, use `${each.key}`',
        related: [{ message: 'the other one', at: first.at }],
      });
    });
  });
}

/**
 * Returns a problem for each two resources with a value that only one object of the account may have, such as
 * a domain name, even in different parents and kinds: the platform would refuse the second.
 */
function checkValuesUniqueInAccount(resources: Resource[], kinds: Kinds): Diagnostic[] {
  const firstByValue = new Map<string, Resource>();
  return resources.flatMap((resource) => {
    const { kind, fields, address, at } = resource;
    return soleValues(kinds.get(kind)!, fields).flatMap(({ name, text, createOnly }) => {
      // Such a value only counts while an object is created, so two existing objects may have it.
      if (createOnly) return [];
      // `text` contains the group of fields in which the value must be unique.
      const first = firstByValue.get(text);
      if (!first) {
        firstByValue.set(text, resource);
        return [];
      }
      return problem(
        'config/taken-twice',
        `${address} and ${first.address} have the same \`${name}\`, which only one can have`,
        { at, address, hint: 'keep one of the two', related: [{ message: 'the other one', at: first.at }] },
      );
    });
  });
}

/**
 * Returns the units (single resources of all blocks) in the order in which `mergeByAddress` combines those
 * with one address. Kinds that allow merging, such as DNS records, come last, sorted by content, so that the
 * merged resource does not depend on the order of files and entries.
 */
function sortForMerging(units: Resource[], kinds: Kinds): Resource[] {
  const mergeable = units.filter(({ kind }) => kinds.get(kind)!.shape.mergeRows);
  const contentOfUnit = new Map(mergeable.map((unit) => [unit, JSON.stringify(revealed(unit.fields))]));
  mergeable.sort((a, b) => byText(contentOfUnit.get(a)!, contentOfUnit.get(b)!));
  return [...units.filter((unit) => !contentOfUnit.has(unit)), ...mergeable];
}

/**
 * Returns one resource for two with the same address, with the merged `fields`. Needed for kinds in which several entries may declare one
 * object together, such as the DNS records of one name. The `$` settings of the first win. The result belongs to one of the two groups
 * (`group` marks the units of one entry): the first by name, so that the group does not depend on the order of the files.
 */
const mergeUnits = (first: Resource, second: Resource, fields: Resource['fields']): Resource => ({
  ...first,
  fields,
  meta: { ...second.meta, ...first.meta },
  group: [first.group, second.group].filter((group) => group !== undefined).sort()[0],
});

/** Finds where a field of a resource is written; undefined if the YAML does not state it (a default). */
export type FindFieldSpot = (address: Address, path: string) => Spot | undefined;

/**
 * Returns a function which finds the place of a field in the YAML: for the line that a plan quotes beside a change, and for the folder
 * to which the path of a picture in a field is relative. For a dotted path (`resourceConfig.fluid`), that is the deepest member that the
 * YAML states.
 */
export function indexFieldSpots(blocks: LoadedBlock[]): FindFieldSpot {
  // An anchor puts one map into several blocks, so the locations in a map are found once.
  const locationsByMap = new Map<MapNode, FieldLocation[]>();
  const locationsByAddress = new Map<Address, FieldLocation[]>();
  for (const { block, units } of blocks) {
    const locations = locationsOf(block.fieldEntries, locationsByMap);
    for (const { address } of units) locationsByAddress.set(address, locations);
  }
  return (address, path) => {
    let candidates = locationsByAddress.get(address);
    let deepest: FieldLocation | undefined;
    for (const name of namesInPath(path)) {
      const location = candidates?.find((candidate) => candidate.name === name);
      if (!location) break;
      deepest = location;
      candidates = location.inside;
    }
    return deepest;
  };
}

/**
 * Returns a function which finds the position of a field with its line, so that `trueup plan` can quote the
 * line that causes a change. It quotes at once, so call it only after all secrets in the files are masked.
 */
export const quoteFieldSpots =
  (findSpot: FindFieldSpot) =>
  (address: Address, path: string): Position | undefined => {
    const spot = findSpot(address, path);
    return spot?.source.quotedPosition(spot.start, spot.end);
  };

/**
 * The location of an entry: from the key to the end of the value if both are in one file, otherwise only the key.
 * `inside`: the entries of a map.
 */
interface FieldLocation extends Spot {
  name: string;
  inside: FieldLocation[] | undefined;
}

/**
 * Returns where each entry of a YAML map is written, and the entries inside it, so that a plan can show the
 * line of a changed field (`quoteFieldSpots`). An entry reaches from its key to the end of its value.
 * `locationsByMap`: a cache, since an anchor puts one map into several places.
 */
const locationsOf = (entries: Entry[], locationsByMap: Map<MapNode, FieldLocation[]>): FieldLocation[] =>
  entries.map(({ key, value }): FieldLocation => {
    const { source, start, end } = key.at;
    return {
      name: key.text,
      source,
      start,
      end: value.at.source === source ? Math.max(end, value.at.end) : end,
      inside: value.type === 'map' ? locationsInMap(value, locationsByMap) : undefined,
    };
  });

/**
 * Returns the locations of the entries of a YAML map, by which a plan shows the line of a changed field. Cached, because an anchor puts
 * one map into several places.
 */
function locationsInMap(map: MapNode, locationsByMap: Map<MapNode, FieldLocation[]>): FieldLocation[] {
  const locations = locationsByMap.get(map) ?? locationsOf(map.entries, locationsByMap);
  locationsByMap.set(map, locations);
  return locations;
}
