import type * as z from 'zod';
import { comparedFields, memberSchemasOf } from '../kind/compare.ts';
import type { FieldSchemas, Kinds } from '../kind/kind.ts';
import { shapeOf, traitsOf } from '../kind/traits.ts';
import { canonicalJson } from '../model/digest.ts';
import { byText, memoize } from '../model/graph.ts';
import { type LiveResource, type Resource, replaceFields } from '../model/resource.ts';
import { revealed } from '../model/sealed.ts';
import { type Fields, isPlainObject, type Value } from '../model/value.ts';
import { mapChangedMembers, setOwn } from '../model/walk.ts';
import type { PlanInput } from './input.ts';

/**
 * Sorts the input of a plan: resources by address, members as the schemas have them, sets by value. So equal input gives a saved plan with
 * equal bytes, and later steps need not care about order. With `--target`, only the fields of objects that were read are sorted, because
 * nothing is decided about the others.
 */
export function sortInput(input: PlanInput): PlanInput {
  const { desired, live, ledger, kinds } = input;
  const isRead = ({ address }: Resource) => live.scope?.has(address) ?? true;
  return {
    ...input,
    desired: {
      ...desired,
      resources: mapWithSortedKeys(desired.resources, (resource) =>
        isRead(resource)
          ? replaceFields(resource, fieldsInOrder(fieldSchemasOfKind(resource.kind, kinds), resource.fields))
          : resource,
      ),
    },
    live: {
      ...live,
      resources: mapWithSortedKeys(live.resources, (resource) => liveInOrder(resource, kinds)),
    },
    ledger: { ...ledger, entries: membersInOrder(noShape, ledger.entries, (entry) => entry) },
  };
}

/**
 * Returns a live object with sorted fields, also in its rows and alternatives, so that two plans of the same account are equal. Rows are
 * sorted by id, since the platform lists them in any order.
 */
function liveInOrder(resource: LiveResource, kinds: Kinds): LiveResource {
  const schemas = fieldSchemasOfKind(resource.kind, kinds);
  const fields = fieldsInOrder(schemas, resource.fields);
  const { ids, rows, alternatives } = resource;
  const idsInOrder = rows ? [...ids].sort() : ids;
  const rowsInOrder = rows
    ?.map((row) => replaceFields(row, fieldsInOrder(schemas, row.fields)))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const isInOrder = !rows || (isSameList(idsInOrder, ids) && isSameList(rowsInOrder!, rows));
  const ordered = isInOrder
    ? replaceFields(resource, fields)
    : { ...resource, fields, ids: idsInOrder, rows: rowsInOrder };
  return alternatives
    ? { ...ordered, alternatives: alternatives.map((alternative) => liveInOrder(alternative, kinds)) }
    : ordered;
}

/** The shape of an object without schemas for its members. */
const noShape = {};

/** Returns the schemas of a kind's fields; none for a kind that this version does not have. */
const fieldSchemasOfKind = (name: string, kinds: Kinds): FieldSchemas => {
  const kind = kinds.get(name);
  return kind ? comparedFields(kind) : noShape;
};

/** Returns a copy of a map with sorted keys, so that equal input gives an equal plan. `change`: makes each value. */
function mapWithSortedKeys<V>(map: ReadonlyMap<string, V>, change: (value: V) => V): Map<string, V> {
  const ordered = new Map<string, V>();
  for (const name of [...map.keys()].sort()) ordered.set(name, change(map.get(name)!));
  return ordered;
}

const fieldsInOrder = (schemas: FieldSchemas, fields: Fields): Fields =>
  membersInOrder(schemas, fields, (value, name) => valueInOrder(value, schemas[name]));

/**
 * Returns an object with its members in a fixed order, so that equal input gives an equal plan: first those that the schemas (`shape`)
 * name, in that order, then the others by name. `change`: makes each value. Returns the object itself if nothing changes.
 */
function membersInOrder<V>(
  shape: Record<string, unknown>,
  object: Record<string, V>,
  change: (value: V, name: string) => V,
): Record<string, V> {
  const names = Object.keys(object);
  const comparePlaces = placeComparatorOf(shape);
  if (names.every((name, index) => index === 0 || comparePlaces(names[index - 1]!, name) < 0))
    return mapChangedMembers(object, change);
  const ordered: Record<string, V> = {};
  for (const name of names.sort(comparePlaces)) setOwn(ordered, name, change(object[name]!, name));
  return ordered;
}

/**
 * Returns the comparison of the names of two members by the order in which plans contain them: first those that `shape` (the schemas
 * of the members) has, in its order, then the others by name.
 */
const placeComparatorOf = memoize((shape: Record<string, unknown>) => {
  const places = new Map(Object.keys(shape).map((name, index) => [name, index]));
  return (a: string, b: string) =>
    (places.get(a) ?? places.size) - (places.get(b) ?? places.size) || byText(a, b);
});

/**
 * Returns a value of a field with its members in order at any depth, so that equal input gives an equal plan. Sets are sorted by value,
 * since their order means nothing.
 */
function valueInOrder(value: Value, schema: z.ZodType | undefined): Value {
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const element = schema && (schema.def as { element?: z.ZodType }).element;
    const items = value.map((item) => valueInOrder(item, element));
    const ordered =
      schema && traitsOf(schema).unordered
        ? items
            .map(keyed)
            .sort(compareKeys)
            .map(({ item }) => item)
        : items;
    return isSameList(ordered, value) ? value : ordered;
  }
  if (!isPlainObject(value)) return value;
  const members = schema && memberSchemasOf(schema);
  return membersInOrder((schema && shapeOf(schema)) ?? noShape, value as Fields, (item, name) =>
    valueInOrder(item, members?.(name)),
  );
}

/** True if two lists of equal length have the same items in the same order. */
const isSameList = (items: readonly unknown[], others: readonly unknown[]): boolean =>
  items.every((item, index) => item === others[index]);

const keyed = (item: Value) => ({ item, key: canonicalJson(revealed(item)) });
const compareKeys = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1);
