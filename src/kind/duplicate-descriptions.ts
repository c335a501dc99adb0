import type { Address } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import type { Live, LiveResource } from '../model/resource.ts';
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

/** A list field whose items describe objects of another kind, and how. */
interface MirroringField {
  name: string;
  mirrored: Mirrored;
}

/**
 * Finds relations that are described twice: as an item in a list of one object (the projects of a team member), and as an object of its own
 * (a member of a project). A plan refuses a configuration with both, because each would undo the other, and `trueup export` writes only
 * one. `live` has the ids by which an item and an object are recognized as the same relation. A list whose items name no parents (the
 * projects of a shared variable) is meant to be complete, so each object beside it contradicts it: the list would remove the others.
 */
export function findDuplicateDescriptions<T extends DescribedObject>(
  objects: Iterable<T>,
  live: Live,
  kinds: Kinds,
): DuplicateDescription<T>[] {
  const objectsByKind = groupBy(objects, ({ kind }) => kind);
  return [...objectsByKind].flatMap(([kind, holders]) =>
    mirroringFields(kinds.get(kind)!).flatMap((field) => {
      const described = objectsByKind.get(field.mirrored.kind) ?? [];
      return findDuplicatesInField(field, holders, described, live);
    }),
  );
}

/**
 * Returns the relations that are described twice: by an item in a list field of one of the `holders` (team members with their `projects`),
 * and by one of the `objects` of the kind that the items describe (members of projects). `mirrored` says how an object names the holder (in
 * its field `own`) and which member of an item names the parent of the object (`parent`); without that, each object of the holder counts.
 */
function findDuplicatesInField<T extends DescribedObject>(
  { name, mirrored }: MirroringField,
  holders: readonly T[],
  objects: readonly T[],
  live: Live,
): DuplicateDescription<T>[] {
  const { own, parent: parentMember } = mirrored;
  // The other end of the relation, by the id of the holder that it names.
  const objectsByHolder = groupBy(objects, ({ fields }) => fields[own.field]);
  return holders.flatMap((holder) => {
    const items = holder.fields[name];
    const holderId = idForMirrored(live.resources.get(holder.address), mirrored);
    if (holderId === undefined || !Array.isArray(items)) return [];
    return (objectsByHolder.get(holderId) ?? [])
      .filter(({ parent }) => parentMember === undefined || listsParent(items, parentMember, parent!, live))
      .map((described) => ({ holder, name, described }));
  });
}

/**
 * Returns the id by which objects of another kind name a live object, such as the user id by which a member of a project names a member
 * of the team: a fact of the object, or its own id.
 */
const idForMirrored = (object: LiveResource | undefined, { own }: Mirrored): Value | undefined =>
  (own.fact === undefined ? object?.id : object?.facts?.[own.fact]) as Value | undefined;

/**
 * True if a list, such as the projects of a team member, has an item whose member names this parent (a project): by a reference or by its
 * id. Then the list describes the same relation as an object under that parent.
 */
const listsParent = (items: Value[], parentMember: string, parent: Address, live: Live): boolean =>
  items.some((item) => {
    if (!isPlainObject(item)) return false;
    const named = (item as Fields)[parentMember];
    return isRef(named) ? named.$ref === parent : named === live.resources.get(parent)?.id;
  });

/**
 * Returns the list fields of a kind whose items describe objects of another kind, such as the projects of a team member. Only these fields
 * can describe an object twice, which a plan refuses.
 */
export const mirroringFields = ({ fields }: Kind): MirroringField[] =>
  Object.entries(fields).flatMap(([name, schema]) => {
    const { mirrors } = traitsOf(schema);
    return mirrors ? [{ name, mirrored: mirrors }] : [];
  });
