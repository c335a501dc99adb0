import type { Address } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import type { Live } from '../model/resource.ts';
import { type Fields, isPlainObject, isRef, type Value } from '../model/value.ts';
import type { Kind, Kinds } from './kind.ts';
import { type Mirrored, traitsOf } from './traits.ts';

/** The part of a declared or live object that the search needs. */
interface DescribedObject {
  address: Address;
  kind: string;
  parent?: Address;
  fields: Fields;
}

/** An item in the list field `name` of object `holder` that describes the object `described`, seen from its other end, or would have to. */
interface DuplicateDescription<T> {
  holder: T;
  name: string;
  described: T;
}

/**
 * Finds relations that are described twice: as an item in a list of one object (the projects of a team member), and as an object of its own (a member
 * of a project). A plan refuses a configuration with both, since it would write both, and `trueup export` writes only one. Ids and facts in `live`
 * show that an item and an object are the same relation; see `Mirrored`. A list that has to name all parents (the projects of a shared variable) counts
 * for each object beside it, because it would remove those that it lacks.
 */
export function findDuplicateDescriptions<T extends DescribedObject>(
  objects: Iterable<T>,
  live: Live,
  kinds: Kinds,
): DuplicateDescription<T>[] {
  const objectsByKind = groupBy([...objects], ({ kind }) => kind);
  const isIdOf = (value: Value | undefined, address: Address) =>
    isRef(value) ? value.$ref === address : value === live.resources.get(address)?.id;
  const duplicates: DuplicateDescription<T>[] = [];
  for (const [kindName, holders] of objectsByKind)
    for (const { name, mirrored } of mirroringFields(kinds.get(kindName)!)) {
      const { kind, own } = mirrored;
      const describedByField = groupBy(objectsByKind.get(kind) ?? [], ({ fields }) => fields[own.field]);
      for (const holder of holders) {
        const object = live.resources.get(holder.address);
        const fact = own.fact === undefined ? object?.id : object?.facts?.[own.fact];
        const items = holder.fields[name];
        if (fact === undefined || !Array.isArray(items)) continue;
        const nameOfParent = mirrored.parent;
        const isListed = ({ parent }: T) =>
          items.some((item) => isPlainObject(item) && isIdOf((item as Fields)[nameOfParent!], parent!));
        for (const described of describedByField.get(fact as Value) ?? [])
          if (nameOfParent === undefined || isListed(described)) duplicates.push({ holder, name, described });
      }
    }
  return duplicates;
}

/**
 * Returns the list fields of a kind whose items describe objects of another kind, such as the projects of a team member. Only these fields can
 * describe an object twice, which a plan refuses.
 */
export const mirroringFields = ({ fields }: Kind): { name: string; mirrored: Mirrored }[] =>
  Object.entries(fields).flatMap(([name, schema]) => {
    const { mirrors } = traitsOf(schema);
    return mirrors ? [{ name, mirrored: mirrors }] : [];
  });
