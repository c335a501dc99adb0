import type { Kinds } from '../kind/kind.ts';
import type { Knowledge, PlanViews, View } from '../kind/meaning.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { Plan, PlannedList } from '../model/plan.ts';
import { type CollectionId, collectionId } from '../model/resource.ts';
import { type Fields, fieldsFromLeaves, isPlainObject, type Value } from '../model/value.ts';
import { mapMembers } from '../model/walk.ts';
import { createView, type PlacedObject } from './view.ts';

/**
 * Returns the views before and after a saved plan, for `trueup trace --plan`, which reads neither the configuration nor the account. A plan
 * file has no fields of objects that no stack owns, so these are left out, and the view knows nothing about their collections.
 */
export function viewsOfSavedPlan(plan: Plan, kinds: Kinds): PlanViews {
  const knows = knowledgeOfPlan(plan, kinds);
  const lists = indexLists(plan.lists ?? []);
  const objectsOf = (side: 'before' | 'after') =>
    plan.changes.flatMap((change): PlacedObject[] => {
      const { address, kind, parent } = change;
      if (!existsOn(side, change)) return [];
      return [
        {
          address,
          kind,
          parent,
          fields: fieldsOn(side, change),
          index: lists.get(collectionId(kind, parent))?.[side].get(address) ?? 0,
          isDeclared: change.after !== undefined,
        },
      ];
    });
  return { before: createView(objectsOf('before'), knows), after: createView(objectsOf('after'), knows) };
}

/**
 * Returns the addresses of each ordered list before and after a plan, for a saved plan: `trueup trace --plan` restores the order of rules
 * from them. Only lists of several objects whose order changes their effect are included.
 */
export function plannedLists({ before, after }: PlanViews, kinds: Kinds): PlannedList[] {
  return [...kinds.values()].flatMap((listKind) => {
    const kind = listKind.name;
    const objects = [...before.ofKind(kind), ...after.ofKind(kind)];
    // Reading the shape loads the declaration of a kind, so kinds without objects are left out first.
    if (objects.length === 0 || !listKind.shape.orderDecides) return [];
    const addressesIn = (view: View, parent: Address | undefined) =>
      view.under(parent, kind).map(({ address }) => address);
    return [...new Set(objects.map(({ parent }) => parent))]
      .map((parent) => ({
        kind,
        parent,
        before: addressesIn(before, parent),
        after: addressesIn(after, parent),
      }))
      .filter((list) => Math.max(list.before.length, list.after.length) > 1);
  });
}

/** True if the object of a change exists before or after the plan. */
const existsOn = (side: 'before' | 'after', { action }: Change): boolean =>
  side === 'before' ? action !== 'create' : action !== 'delete' && action !== 'forget';

/**
 * Returns the fields of an object before or after its change in a plan file. There, `before.fields` has only undeclared fields and
 * `after.fields` only unchanged ones, equal on both sides; `fields` has the changed ones with both values.
 */
function fieldsOn(side: 'before' | 'after', { before, after, fields }: Change): Fields {
  const changed = fields.flatMap((field): [string, Value][] => {
    const value = field[side];
    return value === undefined ? [] : [[field.path, value]];
  });
  return [after?.fields ?? {}, fieldsFromLeaves(changed)].reduce(withNestedMembers, before?.fields ?? {});
}

/**
 * Returns fields with the members of `overlay` on top, also inside nested values. A plan file has the undeclared, the unchanged and the
 * changed fields of an object apart, and `trueup trace --plan` needs them together.
 */
function withNestedMembers(fields: Fields, overlay: Fields): Fields {
  const merged = mapMembers(overlay, (value, name) => {
    const ownValue = fields[name];
    return isPlainObject(ownValue) && isPlainObject(value)
      ? (withNestedMembers(ownValue as Fields, value as Fields) as Value)
      : value;
  });
  return { ...fields, ...merged };
}

/**
 * Returns the positions of items in the ordered lists of a saved plan, by address, so that its views have the same order as those of a new
 * plan.
 */
function indexLists(lists: readonly PlannedList[]) {
  const positions = (addresses: readonly Address[]) =>
    new Map(addresses.map((address, index) => [address, index]));
  return new Map(
    lists.map(({ kind, parent, before, after }) => [
      collectionId(kind, parent),
      { before: positions(before), after: positions(after) },
    ]),
  );
}

/**
 * Returns what a plan file tells about a collection: everything, or nothing if the file lacks objects of it, or may lack some. It tells
 * nothing about a whole kind (without `parent`).
 */
function knowledgeOfPlan(
  { unmanaged, partialKinds = [], complete, isNarrowed }: Plan,
  kinds: Kinds,
): View['knows'] {
  const withUnmanaged = new Set<CollectionId>();
  for (const { kind, address } of unmanaged) {
    // A plan file has only the address of an unmanaged object. Its parent stands before the section: `projects/web` in
    // `projects/web/env/A`.
    const end = address.lastIndexOf(`/${kinds.get(kind)?.section}/`);
    withUnmanaged.add(collectionId(kind, end < 0 ? undefined : address.slice(0, end)));
  }
  return (kind, parent): Knowledge => {
    const isWhole = complete && !isNarrowed && parent !== undefined && !partialKinds.includes(kind);
    return isWhole && !withUnmanaged.has(collectionId(kind, parent)) ? 'all' : 'nothing';
  };
}
