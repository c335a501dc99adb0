import type * as z from 'zod';
import { comparedFields } from '../kind/define-kind.ts';
import type { FieldSchemas, Kinds } from '../kind/kind.ts';
import { membersOf } from '../kind/leaves.ts';
import { shapeOf, traitsOf } from '../kind/traits.ts';
import { canonical } from '../model/digest.ts';
import { put } from '../model/members.ts';
import type { LiveResource } from '../model/resource.ts';
import { revealed } from '../model/sealed.ts';
import { type Fields, isPlainObject, type Value } from '../model/value.ts';
import type { PlanInput } from './input.ts';

/**
 * The input in one order, whatever order it came in: resources by address, members as the schemas have them, sets sorted.
 * So equal input gives equal bytes, and nothing after this has to think of it.
 */
export function inOrder(input: PlanInput): PlanInput {
  const { desired, live, ledger, kinds } = input;
  return {
    ...input,
    desired: {
      ...desired,
      resources: mapInOrder(desired.resources, (one) => ({
        ...one,
        fields: fieldsInOrder(schemasOf(one.kind, kinds), one.fields),
      })),
    },
    live: { ...live, resources: mapInOrder(live.resources, (one) => liveInOrder(one, kinds)) },
    ledger: { ...ledger, entries: membersInOrder(ledger.entries) },
  };
}

/** Rows of a unit are listed in any order; they go by id. */
function liveInOrder(one: LiveResource, kinds: Kinds): LiveResource {
  const schemas = schemasOf(one.kind, kinds);
  return {
    ...one,
    fields: fieldsInOrder(schemas, one.fields),
    ...(one.rows
      ? {
          ids: [...one.ids].sort(),
          rows: one.rows
            .map((row) => ({ ...row, fields: fieldsInOrder(schemas, row.fields) }))
            .sort((a, b) => (a.id < b.id ? -1 : 1)),
        }
      : {}),
    ...(one.alternatives
      ? { alternatives: one.alternatives.map((other) => (other === one ? one : liveInOrder(other, kinds))) }
      : {}),
  };
}

const schemasOf = (kind: string, kinds: Kinds): FieldSchemas => {
  const known = kinds.get(kind);
  return known ? comparedFields(known) : {};
};

function mapInOrder<V>(map: ReadonlyMap<string, V>, change: (value: V) => V): Map<string, V> {
  const ordered = new Map<string, V>();
  for (const name of [...map.keys()].sort()) ordered.set(name, change(map.get(name)!));
  return ordered;
}

function membersInOrder<V>(object: Record<string, V>): Record<string, V> {
  const ordered: Record<string, V> = {};
  for (const name of Object.keys(object).sort()) put(ordered, name, object[name]!);
  return ordered;
}

/** First what the schemas name, in their order, then the rest by name. */
function fieldsInOrder(schemas: FieldSchemas, fields: Fields): Fields {
  const ordered: Fields = {};
  for (const name of namesInOrder(schemas, fields))
    put(ordered, name, valueInOrder(fields[name]!, schemas[name]));
  return ordered;
}

function namesInOrder(shape: Record<string, unknown>, object: object): string[] {
  const known = Object.keys(shape).filter((name) => Object.hasOwn(object, name));
  const names = Object.keys(object);
  if (known.length === names.length) return known;
  return [...known, ...names.filter((name) => !Object.hasOwn(shape, name)).sort()];
}

function valueInOrder(value: Value, schema: z.ZodType | undefined): Value {
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const element = schema && (schema.def as { element?: z.ZodType }).element;
    const items = value.map((item) => valueInOrder(item, element));
    return schema && traitsOf(schema).unordered
      ? items
          .map(keyed)
          .sort(byKey)
          .map(({ item }) => item)
      : items;
  }
  if (!isPlainObject(value)) return value;
  const members = schema && membersOf(schema);
  const ordered: Fields = {};
  for (const name of namesInOrder((schema && shapeOf(schema)) ?? {}, value))
    put(ordered, name, valueInOrder((value as Fields)[name]!, members?.(name)));
  return ordered;
}

const keyed = (item: Value) => ({ item, key: canonical(revealed(item)) });
const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1);
