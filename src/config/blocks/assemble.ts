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

/** All resources by address, in that order. Units that several entries write are merged; any other double is reported. */
export function assemble(read: ReadBlock[], kinds: Kinds, diagnostics: Diagnostic[]): Map<Address, Resource> {
  const found = new Map<Address, Resource>();
  for (const unit of inMergeOrder(
    read.flatMap(({ units }) => units),
    kinds,
  )) {
    const first = found.get(unit.address);
    if (!first) found.set(unit.address, unit);
    else {
      const merged = kinds.get(unit.kind)!.shape.mergeRows?.(first.fields, unit.fields);
      if (merged) found.set(unit.address, join(first, unit, merged));
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
  const sorted = [...found.values()].sort(byAddress);
  for (const siblings of groupBy(sorted, ({ kind, parent }) => collectionId(kind, parent)).values())
    if (!kinds.get(siblings[0]!.kind)!.shape.orderDecides)
      siblings.forEach((unit, i) => {
        unit.index = i;
      });
  handDownPositions(sorted, kinds);
  diagnostics.push(...claimedTwice(sorted), ...takenTwice(sorted, kinds));
  for (const { address, at, meta } of sorted) {
    const old = meta.was === undefined ? undefined : found.get(meta.was);
    if (old)
      diagnostics.push(
        problem('config/was-declared', `${address} was ${old.address}, which is also declared`, {
          at,
          address,
          hint: 'remove `$was`, or the old block',
          related: [{ message: 'the other one', at: old.at }],
        }),
      );
  }
  return new Map(sorted.map((unit) => [unit.address, unit]));
}

/** Hands the place that the block around a list gives it to each item: the ledger remembers it there. */
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

/** Two resources of one kind that were the same one, or have the same id. */
function claimedTwice(resources: Resource[]): Diagnostic[] {
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
      // The units of one entry have one `$` key between them.
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
 * Two resources with a value that only one object may have at a time, in whatever container: the platform would refuse the second. What
 * only counts while an object is created is no matter of two that are there, nor is what `$forget` leaves as it is.
 */
function takenTwice(resources: Resource[], kinds: Kinds): Diagnostic[] {
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

/** Units that may be merged are sorted by content, so that the order of files and entries does not show. */
function inMergeOrder(units: Resource[], kinds: Kinds): Resource[] {
  const merging = units.filter(({ kind }) => kinds.get(kind)!.shape.mergeRows);
  const content = new Map(merging.map((unit) => [unit, JSON.stringify(revealed(unit.fields))]));
  const compare = (a: Resource, b: Resource) =>
    content.get(a)! < content.get(b)! ? -1 : content.get(a)! > content.get(b)! ? 1 : 0;
  return [...units.filter((unit) => !content.has(unit)), ...merging.sort(compare)];
}

const join = (first: Resource, second: Resource, fields: Resource['fields']): Resource => ({
  ...first,
  fields,
  meta: { ...second.meta, ...first.meta },
  group: [first.group, second.group].filter((group) => group !== undefined).sort()[0],
});

/**
 * Finds the lines that write fields of resources, by dotted paths: the entry of the field, or of the part of it that the YAML
 * names. Undefined for what the YAML does not name, as a default. Asked once all is read, since the line is quoted at once. Keeps
 * the places alone: a plan has no use for the values as they were written.
 */
export function fieldPlaces(blocks: ReadBlock[]): (address: Address, path: string) => Position | undefined {
  const known = new Map<MapNode, Place[]>();
  const byAddress = new Map<Address, Place[]>();
  for (const { block, units } of blocks) {
    const places = placesOf(block.own, known);
    for (const { address } of units) byAddress.set(address, places);
  }
  return (address, path) => {
    const [first, ...inner] = namesInPath(path);
    const named = (places: Place[] | undefined, name: string | undefined) =>
      places?.find((place) => place.name === name);
    let place = named(byAddress.get(address), first);
    for (const name of inner) place = named(place?.inside, name) ?? place;
    return place?.source.quotedPosition(place.start, place.end);
  };
}

/** An entry: from the key to the end of the value, where both stand in one line. `known`: maps that stand in several places. */
interface Place extends Spot {
  name: string;
  inside: Place[] | undefined;
}

const placesOf = (entries: Entry[], known: Map<MapNode, Place[]>): Place[] =>
  entries.map(({ key, value }): Place => {
    const { source, start, end } = key.at;
    return {
      name: key.text,
      source,
      start,
      end: value.at.source === source ? Math.max(end, value.at.end) : end,
      inside: value.type === 'map' ? placesIn(value, known) : undefined,
    };
  });

function placesIn(map: MapNode, known: Map<MapNode, Place[]>): Place[] {
  const places = known.get(map) ?? placesOf(map.entries, known);
  known.set(map, places);
  return places;
}
