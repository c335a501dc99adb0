import type { Address } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import type { Live } from '../model/resource.ts';
import { type Fields, isPlainObject, isRef, type Value } from '../model/value.ts';
import type { Kind, Kinds } from './kind.ts';
import { type Mirrored, traitsOf } from './traits.ts';

interface Said {
  address: Address;
  kind: string;
  parent?: Address;
  fields: Fields;
}

/** An item in the list `name` of `one` that describes `other` from its other end. */
interface Twice<T> {
  one: T;
  name: string;
  other: T;
}

/** Finds facts in two places: an item in a list of one object that is an object of its own as well. `live` has the ids and facts that show it. */
export function findDuplicateDescriptions<T extends Said>(
  all: Iterable<T>,
  live: Live,
  kinds: Kinds,
): Twice<T>[] {
  const byKind = groupBy([...all], ({ kind }) => kind);
  const isIdOf = (value: Value | undefined, parent: Address) =>
    isRef(value) ? value.$ref === parent : value === live.resources.get(parent)?.id;
  const twices: Twice<T>[] = [];
  for (const [of, ones] of byKind)
    for (const { name, mirrored } of mirrorsIn(kinds.get(of)!)) {
      const { kind, own } = mirrored;
      const group = groupBy(byKind.get(kind) ?? [], ({ fields }) => fields[own.field]);
      for (const one of ones) {
        const fact = live.resources.get(one.address)?.facts?.[own.fact];
        const items = one.fields[name];
        if (fact === undefined || !Array.isArray(items)) continue;
        const parents = items.filter(isPlainObject).map((item) => (item as Fields)[mirrored.parent]);
        for (const other of group.get(fact as Value) ?? [])
          if (parents.some((parent) => isIdOf(parent, other.parent!))) twices.push({ one, name, other });
      }
    }
  return twices;
}

const mirrorsIn = ({ fields }: Kind): { name: string; mirrored: Mirrored }[] =>
  Object.entries(fields).flatMap(([name, schema]) => {
    const { mirrors } = traitsOf(schema);
    return mirrors ? [{ name, mirrored: mirrors }] : [];
  });
