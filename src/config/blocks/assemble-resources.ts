import type { Kinds } from '../../kind/kind.ts';
import { soleValues } from '../../kind/sole-values.ts';
import { type Address, byAddress } from '../../model/address.ts';
import { type Diagnostic, type Position, problem } from '../../model/diagnostic.ts';
import { groupBy } from '../../model/graph.ts';
import { collectionId, type Resource } from '../../model/resource.ts';
import { revealed } from '../../model/sealed.ts';
import { namesInPath } from '../../model/value.ts';
import type { Entry, MapNode } from '../yaml/nodes.ts';
import type { Spot } from '../yaml/source.ts';
import type { ReadBlock } from './block.ts';

/**
 * Assembles the resources of all blocks into one map, sorted by address: the desired state of the stack. Units that several entries may
 * declare together, such as records of one name, are merged. Reports all other duplicates, and values that must be unique.
 */
export function assembleResources(
  read: ReadBlock[],
  kinds: Kinds,
  diagnostics: Diagnostic[],
): Map<Address, Resource> {
  const resources = new Map<Address, Resource>();
  for (const unit of inMergeOrder(
    read.flatMap(({ units }) => units),
    kinds,
  )) {
    const first = resources.get(unit.address);
    if (!first) resources.set(unit.address, unit);
    else {
      const merged = kinds.get(unit.kind)!.shape.mergeRows?.(first.fields, unit.fields);
      if (merged) resources.set(unit.address, mergeUnits(first, unit, merged));
      else
        diagnostics.push(
          problem('config/duplicate', `${unit.address} is declared twice`, {
            at: unit.at,
            address: unit.address,
            hint: 'keep one of the two',
            related: [{ message: 'the first one', at: first.at }],
          }),
        );
    }
  }
  const sorted = [...resources.values()].sort(byAddress);
  for (const siblings of groupBy(sorted, ({ kind, parent }) => collectionId(kind, parent)).values())
    if (!kinds.get(siblings[0]!.kind)!.shape.orderDecides)
      siblings.forEach((unit, i) => {
        unit.index = i;
      });
  handDownPositions(sorted, kinds);
  diagnostics.push(...checkUniqueClaims(sorted), ...checkUniqueAddresses(sorted, kinds));
  for (const { address, at, meta } of sorted) {
    const old = meta.was === undefined ? undefined : resources.get(meta.was);
    if (old)
      diagnostics.push(
        problem('was/both-declared', `${address} was ${old.address}, which is also declared`, {
          at,
          address,
          hint: 'remove `$was`, or the old block',
          related: [{ message: 'the other one', at: old.at }],
        }),
      );
  }
  return new Map(sorted.map((unit) => [unit.address, unit]));
}

/** Moves `$position` from the block around an ordered list to each item of the list, because the ledger records it there. */
function handDownPositions(resources: Resource[], kinds: Kinds): void {
  const positions = new Map(
    resources.flatMap(({ address, meta }) => (meta.position ? [[address, meta.position] as const] : [])),
  );
  for (const { address, kind, parent, meta } of resources) {
    if (positions.has(address)) delete meta.position;
    const position = positions.get(parent ?? '');
    if (position && kinds.get(kind)!.shape.orderDecides) meta.position = position;
  }
}

/** Reports two resources with the same `$was`, or two of one collection with the same `$id`: both would claim one live object. */
function checkUniqueClaims(resources: Resource[]): Diagnostic[] {
  const first = new Map<string, Resource>();
  return resources.flatMap((resource) => {
    const { kind, parent, meta, group } = resource;
    const claims = [
      meta.was === undefined ? [] : [['$was', meta.was, meta.was]],
      meta.id === undefined ? [] : [['$id', meta.id, `${collectionId(kind, parent)} ${meta.id}`]],
    ].flat() as [key: string, value: string, claim: string][];
    return claims.flatMap(([key, value, claim]) => {
      const other = first.get(`${key} ${claim}`);
      if (!other) first.set(`${key} ${claim}`, resource);
      // The units of one entry share its `$` keys.
      if (!other || (group !== undefined && other.group === group)) return [];
      return problem('config/claimed-twice', `${other.address} has the same \`${key}: ${value}\``, {
        at: resource.at,
        address: resource.address,
        hint: 'it must be unique; in a template, use `${each.key}`',
        related: [{ message: 'the other one', at: other.at }],
      });
    });
  });
}

/**
 * Reports two resources with a value that only one object of the account may have, in whatever container: the platform would refuse the
 * second. Values that only count while an object is created are no conflict between two existing objects. Resources with `$forget` are
 * skipped, because nothing is sent for them.
 */
function checkUniqueAddresses(resources: Resource[], kinds: Kinds): Diagnostic[] {
  const first = new Map<string, Resource>();
  return resources.flatMap((resource) => {
    const { kind, fields, meta, address, at } = resource;
    if (meta.forget) return [];
    return soleValues(kinds.get(kind)!, fields).flatMap(({ name, text, createOnly }) => {
      const other = createOnly ? undefined : first.get(text);
      if (!createOnly && !other) first.set(text, resource);
      if (!other) return [];
      return problem(
        'config/taken-twice',
        `${address} and ${other.address} have the same \`${name}\`, which only one can have`,
        { at, address, hint: 'keep one of the two', related: [{ message: 'the other one', at: other.at }] },
      );
    });
  });
}

/**
 * Returns the units, with those that may be merged at the end, sorted by content. The order of files and entries then has no influence on
 * the merged resource.
 */
function inMergeOrder(units: Resource[], kinds: Kinds): Resource[] {
  const mergeable = units.filter(({ kind }) => kinds.get(kind)!.shape.mergeRows);
  const contentOfUnit = new Map(mergeable.map((unit) => [unit, JSON.stringify(revealed(unit.fields))]));
  const compare = (a: Resource, b: Resource) =>
    contentOfUnit.get(a)! < contentOfUnit.get(b)!
      ? -1
      : contentOfUnit.get(a)! > contentOfUnit.get(b)!
        ? 1
        : 0;
  return [...units.filter((unit) => !contentOfUnit.has(unit)), ...mergeable.sort(compare)];
}

/** Merges two units with one address. `fields`: the merged fields. */
const mergeUnits = (first: Resource, second: Resource, fields: Resource['fields']): Resource => ({
  ...first,
  fields,
  meta: { ...second.meta, ...first.meta },
  group: [first.group, second.group].filter((group) => group !== undefined).sort()[0],
});

/**
 * Returns a function that finds the line of a field of a resource, by its dotted path: the entry of the field, or of the smallest part of
 * it that the YAML names. It returns undefined for fields that the YAML does not name, such as defaults. Used to show in a plan which line
 * causes a change.
 *
 * Call it after everything was read and masked, since a position quotes its line at once. The index holds positions alone, because a plan
 * has no use for the values as they were written.
 */
export function indexFieldPositions(
  blocks: ReadBlock[],
): (address: Address, path: string) => Position | undefined {
  const locationsByMap = new Map<MapNode, FieldLocation[]>();
  const locationsByAddress = new Map<Address, FieldLocation[]>();
  for (const { block, units } of blocks) {
    const locations = locationsOf(block.fieldEntries, locationsByMap);
    for (const { address } of units) locationsByAddress.set(address, locations);
  }
  return (address, path) => {
    const [first, ...inner] = namesInPath(path);
    const findByName = (locations: FieldLocation[] | undefined, name: string | undefined) =>
      locations?.find((location) => location.name === name);
    let location = findByName(locationsByAddress.get(address), first);
    for (const name of inner) location = findByName(location?.inside, name) ?? location;
    return location?.source.quotedPosition(location.start, location.end);
  };
}

/** The location of an entry: from the key to the end of the value, if both are in one file. `inside`: the entries of a map. */
interface FieldLocation extends Spot {
  name: string;
  inside: FieldLocation[] | undefined;
}

/** Returns the locations of entries. `locationsByMap`: maps that were visited before, since an anchor puts one map into several places. */
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

/** Returns the locations of the entries of a map. */
function locationsInMap(map: MapNode, locationsByMap: Map<MapNode, FieldLocation[]>): FieldLocation[] {
  const locations = locationsByMap.get(map) ?? locationsOf(map.entries, locationsByMap);
  locationsByMap.set(map, locations);
  return locations;
}
