/*
 * Creates the views that checks and `trueup trace` read. A view has the objects of one account at one moment, and says how completely it
 * has each collection (the objects of a kind under a parent). `src/kind/meaning.ts` has the table of views and the other terms.
 */
import type { Kind, Kinds } from '../kind/kind.ts';
import type { Knowledge, PlanViews, View, ViewedObject } from '../kind/meaning.ts';
import { fieldsAfter } from '../kind/step.ts';
import { type Address, indexByAddress } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { type Diagnostic, hasErrors } from '../model/diagnostic.ts';
import { addTo, byText, groupBy } from '../model/graph.ts';
import {
  type CollectionId,
  collectionId,
  type Desired,
  type Live,
  type LiveResource,
} from '../model/resource.ts';
import { atPath, type Fields, holdsSecret, namesInPath, replaceAt } from '../model/value.ts';

/** An object for a view, with its index in its collection. Only the order of the indexes matters; gaps are allowed. */
export type PlacedObject = ViewedObject & { index: number };

/**
 * Returns the view of one or several configurations, for `validate`. An object that several of them mention has the fields of the
 * configuration that owns it, since the others only refer to it (`$existing`). Blocks that give their object up are left out. The view
 * knows the declared objects of a parent that a configuration owns; the account may have more.
 */
export function viewOfConfigurations(configurations: readonly Desired[]): View {
  const resources = configurations.flatMap((desired, number) => {
    const configuration = configurations.length > 1 ? number : undefined;
    return [...desired.resources.values()].map((resource) => ({ ...resource, configuration }));
  });
  const owned = resources.filter(({ meta }) => !meta.existing && !meta.forget);
  const referredTo = resources.filter(({ meta }) => meta.existing && !meta.forget);
  const byAddress = indexByAddress([...referredTo, ...owned]);
  const ownedAddresses = new Set(owned.map(({ address }) => address));
  const ownedKinds = new Set(owned.map(({ kind }) => kind));
  return createView(
    [...byAddress.values()].map(({ address, kind, parent, fields, index, meta, configuration }) => ({
      address,
      kind,
      parent,
      fields,
      index,
      isDeclared: true,
      exclusive: meta.exclusive,
      configuration,
    })),
    (kind, parent) => {
      const isOwned = parent === undefined ? ownedKinds.has(kind) : ownedAddresses.has(parent);
      return isOwned ? 'declared' : 'nothing';
    },
  );
}

/**
 * Returns the view (the objects that checks read) of all stacks of a workspace. Checks of the plan of one stack use it: a host that another
 * stack serves is not free, for example. `unread` if a configuration has errors or may not read one of its sources (`notAllowed`), because
 * it may declare more than was understood.
 */
export function viewOfStacks(
  configurations: readonly {
    desired: Desired;
    diagnostics: Diagnostic[];
    notAllowed: readonly unknown[];
  }[],
): View | 'unread' {
  const isUnderstood = configurations.every(
    ({ diagnostics, notAllowed }) => !hasErrors(diagnostics) && notAllowed.length === 0,
  );
  return isUnderstood ? viewOfConfigurations(configurations.map(({ desired }) => desired)) : 'unread';
}

/** The configuration of a plan, to tell declared live objects from others, and the kinds of the provider. */
interface PlannedFor {
  desired: Desired;
  kinds: Kinds;
}

/**
 * Returns the views (the objects that checks read) of an account before and after a plan, so that checks find which findings the plan
 * causes or ends. Checks cache their results by view, so `after.before` is the same object as `before`. `besides`: the views of the
 * configurations of other stacks.
 */
export function viewsOfPlan(
  live: Live,
  changes: readonly Change[],
  { besides, ...planned }: PlannedFor & Pick<View, 'besides'>,
): PlanViews {
  const before = { ...viewBefore(live, changes, planned), besides };
  return { before, after: { ...viewAfter(live, changes, planned), besides, before } };
}

/**
 * Returns the view of an account as it was read, for the states in which a rehearsed apply leaves it. There are as many states as requests,
 * so this does not compute the view after a plan.
 */
export const viewOfAccount = (live: Live, planned: PlannedFor): View => viewBefore(live, [], planned);

/**
 * Returns the view of an account before a plan, from the objects that the plan has read. Its findings are compared with those of
 * `viewAfter`, to report the difference as the effect of the plan. Declared fields that no change touches have their declared values: the
 * account hides some values, and a finding about a hidden value would otherwise look new in the view after the plan.
 */
function viewBefore(live: Live, changes: readonly Change[], { desired, kinds }: PlannedFor): View {
  const changeAt = indexByAddress(changes);
  // V8 gives all these objects one hidden class if the added members come before the spread. That saves memory with many objects.
  const objects = [...live.resources.values()].map((object) => ({
    fields: withShownValues(
      withDeclaredFields(kinds.get(object.kind)!, object, changeAt.get(object.address)),
      changeAt.get(object.address),
    ),
    isDeclared: desired.resources.has(object.address),
    ...unchangedMembersOf(object),
  }));
  const createdAddresses = new Set<Address>();
  return createView(objects, accountKnowledge(objects, kinds, live, createdAddresses), live);
}

/** Returns the members of a live object which the views before and after a plan (the objects that checks read) take over as they are. */
const unchangedMembersOf = ({ address, kind, parent, facts, index }: LiveResource) => ({
  address,
  kind,
  parent,
  facts,
  index,
});

/**
 * Returns the live fields of an object, in which each declared field that its change does not touch has its declared value, because the
 * account hides some of these values. Records of the platform for this object that are not ours (`rowsOfOthers`) stay in it, too. So the
 * views before and after the plan differ only in fields that the plan changes.
 */
function withDeclaredFields(kind: Kind, object: LiveResource, change: Change | undefined): Fields {
  if (!change?.after || change.action === 'release') return object.fields;
  const changed = new Set(change.fields.map(({ path }) => namesInPath(path)[0]!));
  const unchanged = Object.entries(change.after.fields).filter(([name]) => !changed.has(name));
  const after = { fields: Object.fromEntries(unchanged) };
  return withRowsOfOthers(kind, fieldsAfter(kind, { before: object, after }), rowsOfOthers(object, change));
}

/**
 * Returns live fields in which the values that the plan shows as the state before a change are readable. The account as it was read has
 * them sealed, because any live value may be a secret; the plan shows them because the ledger proves that the configuration once contained
 * them as text. The checks need them as well: if a check finds that one of them is a secret after all, the plan hides it.
 */
function withShownValues(fields: Fields, change: Change | undefined): Fields {
  const shown = (change?.fields ?? []).filter(({ before }) => before !== undefined && !holdsSecret(before));
  return shown.reduce(
    (opened, { path, before }) =>
      holdsSecret(atPath(opened, path)) ? replaceAt(opened, namesInPath(path), before!) : opened,
    fields,
  );
}

/**
 * Returns the rows of an object that its change leaves alone, because they belong to others: undeclared TXT records at a name with declared
 * ones, for example.
 */
function rowsOfOthers({ rows = [] }: LiveResource, { before }: Change): Fields[] {
  const ours = new Set(before?.ids);
  return rows.filter(({ id }) => !ours.has(id)).map(({ fields }) => fields);
}

/** Returns the fields of an object together with rows of others. Only kinds whose rows can be merged have these. */
const withRowsOfOthers = ({ shape }: Kind, fields: Fields, others: readonly Fields[]): Fields =>
  others.reduce((merged, row) => shape.mergeRows?.(merged, row) ?? merged, fields);

/**
 * Returns the view of an account with the changes of a plan applied to its live objects, to find harm before anything is sent. Collections
 * of a new parent are complete, because they contain only objects that the plan creates.
 */
function viewAfter(live: Live, changes: readonly Change[], { desired, kinds }: PlannedFor): View {
  const changeAt = indexByAddress(changes);
  const objects = [...live.resources.values()].flatMap((object): PlacedObject[] => {
    const fields = liveFieldsAfter(kinds.get(object.kind)!, object, changeAt.get(object.address));
    const isDeclared = desired.resources.has(object.address);
    return fields ? [{ fields, isDeclared, ...unchangedMembersOf(object) }] : [];
  });
  const created = changes.flatMap((change): PlacedObject[] => {
    const { address, kind, parent, after } = change;
    if (!after || live.resources.has(address) || change.action === 'release') return [];
    return [{ address, kind, parent, fields: after.fields, index: after.index, isDeclared: true }];
  });
  const createdAddresses = new Set(created.map(({ address }) => address));
  const placed = orderAfterPlan([...objects, ...created], kinds, changeAt);
  return createView(placed, accountKnowledge(placed, kinds, live, createdAddresses), live);
}

/**
 * Returns the fields of a live object as they are after its change, for the view after the plan; undefined if nothing of the object is
 * left.
 */
function liveFieldsAfter(kind: Kind, object: LiveResource, change: Change | undefined): Fields | undefined {
  if (!change || change.action === 'release') return object.fields;
  const foreignRows = rowsOfOthers(object, change);
  if (change.action === 'delete') {
    // The platform's records of others (rows) stay, if an object can consist of several.
    const [first, ...more] = foreignRows;
    return kind.shape.mergeRows && first ? withRowsOfOthers(kind, first, more) : undefined;
  }
  return change.after ? withRowsOfOthers(kind, fieldsAfter(kind, change), foreignRows) : object.fields;
}

/**
 * Returns the function `knows` of the view of an account: how completely the view has the objects of a kind under a parent (a collection),
 * by the lists that were read (`live.complete`, `live.partial`). Without a parent, it is asked about the whole kind, which is as complete
 * as the least complete of its lists: for the domains of projects, the list of projects and the domains of each. `created`: the parents
 * that the plan creates, whose objects are all known.
 */
function accountKnowledge(
  objects: readonly ViewedObject[],
  kinds: Kinds,
  live: Live,
  created: ReadonlySet<Address>,
): View['knows'] {
  const addressesByKind = new Map<string, Address[]>();
  for (const { kind, address } of objects) addTo(addressesByKind, kind, address);
  const ofCollection = (kind: string, parent: Address | undefined): Knowledge => {
    if (parent !== undefined && created.has(parent)) return 'all';
    const id = collectionId(kind, parent);
    if (live.complete.has(id)) return 'all';
    return live.partial.has(id) ? 'declared' : 'nothing';
  };
  const ofKind = (kind: string): Knowledge => {
    const parentKind = kinds.get(kind)!.parent;
    if (parentKind === undefined) return ofCollection(kind, undefined);
    const ofParents = (addressesByKind.get(parentKind) ?? []).map((parent) => ofCollection(kind, parent));
    return leastOf([ofKind(parentKind), ...ofParents]);
  };
  const byKind = new Map<string, Knowledge>();
  return (kind, parent) => {
    if (parent !== undefined) return ofCollection(kind, parent);
    const knowledge = byKind.get(kind) ?? ofKind(kind);
    byKind.set(kind, knowledge);
    return knowledge;
  };
}

function leastOf(levels: readonly Knowledge[]): Knowledge {
  if (levels.includes('nothing')) return 'nothing';
  return levels.includes('declared') ? 'declared' : 'all';
}

/**
 * Returns objects with the index that they have after a plan, so that the view after it shows which firewall rule or route comes first.
 * `objects`: those that exist then. The changes of an ordered list state the position of each new or moved item, counted from 1; the other
 * items keep their order around these. Objects of other kinds stay as they are.
 */
function orderAfterPlan(
  objects: readonly PlacedObject[],
  kinds: Kinds,
  changeAt: ReadonlyMap<Address, Change>,
): PlacedObject[] {
  const positionOf = ({ address }: PlacedObject) => changeAt.get(address)?.position?.to;
  const lists = groupBy(objects, ({ kind, parent }) =>
    kinds.get(kind)!.shape.orderDecides ? collectionId(kind, parent) : undefined,
  );
  return [...lists].flatMap(([id, list]) => {
    if (id === undefined) return list;
    const ordered = list.filter((object) => positionOf(object) === undefined).sort(byIndex);
    const placed = list.filter((object) => positionOf(object) !== undefined);
    // From the front, so that each index counts the objects that were inserted before.
    for (const object of placed.sort((a, b) => positionOf(a)! - positionOf(b)!)) {
      const index = positionOf(object)! - 1;
      ordered.splice(index, 0, object);
    }
    return ordered.map((object, index) => ({ ...object, index }));
  });
}

const byIndex = (a: PlacedObject, b: PlacedObject): number => a.index - b.index;

/** Compares two collections of one kind, neither of them empty. */
const byParent = ([a]: readonly PlacedObject[], [b]: readonly PlacedObject[]): number =>
  byText(a?.parent ?? '', b?.parent ?? '');

/**
 * Creates a view with indexes for its lookups, so that checks of large accounts stay linear. `knows`: how completely the view has a
 * collection, or all objects of a kind. `live`: the account as it was read, for facts about its undeclarable objects; absent for a view
 * without an account.
 */
export function createView(objects: readonly PlacedObject[], knows: View['knows'], live?: Live): View {
  const byAddress = indexByAddress(objects);
  const collections = groupBy(objects, ({ kind, parent }) => collectionId(kind, parent));
  for (const collection of collections.values()) collection.sort(byIndex);
  const collectionsByKind = groupBy(collections.values(), ([first]) => first!.kind);
  const byKind = new Map(
    [...collectionsByKind].map(([kind, ofKind]) => [kind, ofKind.sort(byParent).flat()]),
  );
  return {
    ofKind: (kind) => byKind.get(kind) ?? [],
    under: (parent, kind) => collections.get(collectionId(kind, parent)) ?? [],
    at: (address) => byAddress.get(address),
    ...(live && { undeclarable: (parent, kind) => undeclarableIn(live, collectionId(kind, parent)) }),
    knows,
  };
}

const undeclarableIn = ({ complete, undeclarable }: Live, id: CollectionId) =>
  complete.has(id) ? (undeclarable.get(id)?.facts ?? []) : undefined;
