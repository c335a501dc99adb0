/*
 * Compares a collection with the one that a plan was made on, immediately before the run writes to it.
 *
 * Terms
 * - planned reading: the account as the plan saw it (`before`). Fresh reading: the same collection just before the write (`after`).
 * - piece: a part of an object that has an id of its own. An object that is split into rows has a piece for each row, any other has one.
 * - named kind: its objects have unique names, so that an address identifies an object. In other kinds, only the id does.
 *
 * What counts as a conflict:
 *
 *   | change                 | conflict                                                                                        |
 *   | creates an object      | somebody else has created the object                                                            |
 *   | updates some fields    | one of these fields has neither its planned-on value nor the desired one                        |
 *   | sends the whole object | the same for any field, because it would be sent as it was                                      |
 *   | deletes or replaces    | the same for any field, if the run has not changed anything in the collection yet               |
 *   | any, in a list whose   | the order of the objects that the run has not changed is another one                            |
 *   |   items have an index  |                                                                                                 |
 *
 * Premise for `recordedIdsOf`: a list of the platform may leave out an object by mistake. The plan then takes our object for deleted. If it
 * reappears, carrying out the plan would create it twice or lose track of it.
 */
import { comparedFields, isSameValue, leavesOf } from '../kind/compare.ts';
import type { Kind } from '../kind/kind.ts';
import { sendsFullBody, writeRequests } from '../kind/write.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { objectsOfCollection } from '../model/refreshed-resources.ts';
import {
  type CollectionId,
  type Live,
  type LiveResource,
  type LiveRow,
  objectsAt,
  withAlternatives,
} from '../model/resource.ts';
import { atPath, type Fields } from '../model/value.ts';

/**
 * True if an update of this kind may send the whole object, so that fields without a declaration are sent as they
 * were read, and if the platform counts the writes of its collection. Such a collection is read immediately before
 * each operation: the update would otherwise undo what somebody else changed since the plan, and a write of others in
 * between shows in the count (`findOverwritten`).
 */
export const isWrittenWhole = ({ update, read: { writes } }: Kind): boolean =>
  writes !== undefined || (update !== undefined && writeRequests(update).some(sendsFullBody));

/** The two readings of a collection, and what the run has done in it. */
interface CollectionComparison {
  /** The collection. */
  id: CollectionId;
  kind: Kind;
  /** The planned reading. */
  before: Live;
  /** The fresh reading. */
  after: Live;
  /** The addresses that this run has started to change. */
  changedByRun: ReadonlySet<Address>;
  /** For a kind without names: true for ids of objects that this run has created or changed. Otherwise always false. */
  isIdOfRun(id: string): boolean;
  /** For a kind without names: the objects that appeared since the plan and that this run has not created. Otherwise empty. */
  newObjects: readonly LiveResource[];
  /** Returns the ids that the ledger had for an address at the beginning of the run. */
  recordedIdsOf(address: Address): readonly string[];
  /** True if this run had not changed anything in the collection before the fresh reading. */
  isFirst: boolean;
}

/**
 * Describes the first of these changes that would overwrite a change of somebody else since the plan, for example "`name` of projects/a was
 * changed by somebody else"; undefined if there is none. An object that was deleted, or that a creation finds already there, counts as
 * well. For a kind whose requests name items by their place in a list, so does another order of the list. Called right before an operation
 * is sent, so that the run stops. The objects of all changes are in one collection.
 */
export function describeConflict(changes: Change[], comparison: CollectionComparison): string | undefined {
  const { kind } = comparison;
  for (const change of changes) {
    const conflict = change.before
      ? describeChangedObject(change, change.before, comparison)
      : describeNewObject(change, comparison);
    if (conflict !== undefined) return conflict;
  }
  // `byIndex`: the requests name an item by its place in the list.
  return kind.shape.byIndex ? describeOtherOrder(comparison) : undefined;
}

/**
 * Describes an object that makes a creation impossible or unnecessary, so that the run stops before it sends the creation; undefined if
 * there is none. That is
 * - an object that the ledger records at this address and that the planned reading lacked, but the fresh one shows ("reappeared"),
 * - for a kind with names, a new object at the address,
 * - for a kind without names, a new object with the same identifying fields. Other new objects do not matter, for example those of
 *   another stack that is applied at the same time.
 */
function describeNewObject(
  { address, after: desired }: Change,
  { id, kind, before, after, isIdOfRun, newObjects, recordedIdsOf }: CollectionComparison,
): string | undefined {
  const recordedIds = recordedIdsOf(address).filter((recordedId) => !isIdOfRun(recordedId));
  if (recordedIds.length > 0) {
    const plannedIds = idsIn(id, before);
    const currentIds = idsIn(id, after);
    const hasReappeared = recordedIds.some(
      (recordedId) => currentIds.has(recordedId) && !plannedIds.has(recordedId),
    );
    if (hasReappeared) return `${address} reappeared`;
  }
  const { isNamed, outcome, mergeRows } = kind.shape;
  // The platform itself refuses an item of a batch whose name is taken, and creates the others, so the batch need not stop.
  // If several rows can share an address (`mergeRows`), it would add the row.
  const isRefusedByPlatform = outcome && isNamed && !mergeRows;
  if (isRefusedByPlatform) return undefined;
  const mayBeDesired = (object: LiveResource) =>
    !desired || (kind.shape.canMean?.(kind, desired.fields, object.fields) ?? true);
  const isConflict = isNamed ? hasNewObjectAt(address, before, after) : newObjects.some(mayBeDesired);
  return isConflict ? `${address} was created by somebody else` : undefined;
}

/**
 * Returns the objects of a collection that appeared since the plan, also those that share an address with another one (`alternatives`).
 * Those of other people may be the object that the apply is about to create, so the creation is refused.
 */
export function listNewObjects(id: CollectionId, before: Live, after: Live): LiveResource[] {
  const plannedIds = idsIn(id, before);
  return withAlternatives(objectsOfCollection(after.resources, id)).filter(({ ids }) =>
    ids.every((objectId) => !plannedIds.has(objectId)),
  );
}

/**
 * True if an object appeared at an address since the plan. Used by an apply before a creation, which would otherwise overwrite or duplicate
 * that object.
 */
function hasNewObjectAt(address: Address, before: Live, after: Live): boolean {
  const idsAt = (live: Live): string[] => objectsAt(live, address).flatMap(({ ids }) => ids);
  const plannedIds = new Set(idsAt(before));
  return idsAt(after).some((currentId) => !plannedIds.has(currentId));
}

/**
 * Describes how an object that the plan changes or deletes was changed by somebody else since; undefined if nothing
 * conflicts. Used before the write, because the plan was approved for the object as it was.
 */
function describeChangedObject(
  change: Change,
  { ids }: LiveResource,
  comparison: CollectionComparison,
): string | undefined {
  const { address, action, before: planned } = change;
  const { id, kind, before, after, isIdOfRun, recordedIdsOf } = comparison;
  // The fields of each piece of the object, by id. A piece is a row of the platform, and an object can have several.
  const plannedPieces = piecesAt(kind, before, id, address);
  const currentPieces = piecesAt(kind, after, id, address);
  const hasReappearedRow = recordedIdsOf(address).some(
    (recordedId) => !isIdOfRun(recordedId) && !plannedPieces.has(recordedId) && currentPieces.has(recordedId),
  );
  // An object that is stored in several rows (`byAddress`): the ledger would forget the row, and it would stay in the account for good.
  if (kind.shape.byAddress && hasReappearedRow) return `a part of ${address} reappeared`;
  // An object that somebody else has deleted needs no deletion, so that is no conflict.
  if (action === 'delete' && ids.every((pieceId) => !currentPieces.has(pieceId))) return undefined;
  for (const pieceId of ids) {
    // An object that moves to another parent (`transfer`) is planned there, not where it is now, so the planned reading of this collection
    // lacks it.
    const plannedFields = planned?.transfer ? planned.fields : plannedPieces.get(pieceId)!;
    const currentFields = currentPieces.get(pieceId);
    if (!currentFields) return `${address} was deleted by somebody else`;
    const path = conflictingPath(change, plannedFields, currentFields, comparison);
    if (path !== undefined) return `\`${path}\` of ${address} was changed by somebody else`;
  }
  return undefined;
}

/**
 * Returns the first path of an object that somebody else changed since the plan, and to another value than the desired one; undefined if
 * there is none. With a conflict, the apply does not change the object. A field that has its desired value already is no conflict.
 */
function conflictingPath(
  change: Change,
  plannedFields: Fields,
  currentFields: Fields,
  comparison: CollectionComparison,
): string | undefined {
  const changedFields = new Set(change.fields.map(({ path }) => topFieldOf(path)));
  const areAllCompared = comparesAllFields(change, comparison);
  // The leaves of both, because somebody may have removed a field or added one.
  const conflict = [plannedFields, currentFields]
    .flatMap((fields) => leavesOf(comparedFields(comparison.kind), fields))
    .filter(({ path }) => areAllCompared || changedFields.has(topFieldOf(path)))
    .find(({ path, traits }) => {
      const current = atPath(currentFields, path);
      const desired = change.after && atPath(change.after.fields, path);
      const isAsPlanned = isSameValue(atPath(plannedFields, path) ?? null, current, traits);
      if (isAsPlanned) return false;
      // Without a desired value, such as for a deletion, any other value is a conflict.
      return desired === undefined || !isSameValue(desired, current, traits);
    });
  return conflict?.path;
}

/**
 * True if a change of an apply conflicts with any field of its object that somebody changed since the plan, not only with the fields that
 * it sends. "Moved to a parent": from another project, for example. "Written whole": an update sends all fields, those that are not
 * declared as they were read. "First reading": the first time in this run that the collection of the object is read again.
 *
 *   | change            | first reading                        | later reading                            |
 *   | moved to a parent | yes                                  | no                                       |
 *   | delete, replace   | yes                                  | no: earlier writes may have changed it   |
 *   | any other         | if the kind is written whole         | if the kind is written whole             |
 */
function comparesAllFields({ action, before }: Change, { kind, isFirst }: CollectionComparison): boolean {
  if (before?.transfer) return isFirst;
  const isRemoved = action === 'delete' || action === 'replace';
  return isRemoved ? isFirst : isWrittenWhole(kind);
}

/**
 * Returns the fields of each piece that may belong to an address, by id, so that the planned and the current values
 * can be compared. In a kind that is not split into rows, these are all pieces of the collection, because an id is
 * enough to find the object.
 */
function piecesAt(kind: Kind, live: Live, id: CollectionId, address: Address): ReadonlyMap<string, Fields> {
  if (!kind.shape.byAddress) return collectionContentsOf(id, live).pieces;
  return piecesOf(objectsAt(live, address));
}

/**
 * Returns the fields of each piece of these objects, by id, to compare them as the plan saw them with how they are
 * right before the write. An object that the platform stores in several rows has a piece for each row, any other
 * object is one piece.
 */
function piecesOf(objects: LiveResource[]): Map<string, Fields> {
  const pieces = objects.flatMap(
    (resource): LiveRow[] => resource.rows ?? [{ id: resource.id, fields: resource.fields }],
  );
  return new Map(pieces.map(({ id, fields }) => [id, fields]));
}

/** Returns the field that a path lies in, `a` for `a.b.c`. A field is sent whole, with its undeclared members as they were read. */
const topFieldOf = (path: string) => path.split('.')[0]!;

/**
 * Describes a changed order of a list whose items are written by index; undefined if the order is the same.
 * The apply then stops the write, since an index of the plan would mean the wrong item. Objects that this run
 * has changed do not count.
 */
function describeOtherOrder({ id, before, after, changedByRun }: CollectionComparison): string | undefined {
  const orderIn = (live: Live) =>
    withAlternatives(objectsOfCollection(live.resources, id))
      .filter(({ address }) => !changedByRun.has(address))
      .sort((a, b) => a.index - b.index)
      .map((resource) => resource.id)
      .join();
  return orderIn(before) === orderIn(after)
    ? undefined
    : 'the order of the list was changed by somebody else';
}

/** All ids of a collection, and the fields of each piece. */
interface CollectionContents {
  ids: ReadonlySet<string>;
  pieces: ReadonlyMap<string, Fields>;
}

/** The contents of a collection by its objects: every change of a large collection asks for them. */
const contentsCache = new WeakMap<readonly LiveResource[], CollectionContents>();

/**
 * Returns the ids and pieces (rows of the platform, or whole objects) of a collection in one reading. The
 * result is cached by reading, because each change of a large collection (the objects of one kind under one
 * parent) needs it.
 */
function collectionContentsOf(id: CollectionId, live: Live): CollectionContents {
  const objects = objectsOfCollection(live.resources, id);
  let contents = contentsCache.get(objects);
  if (!contents) {
    const resources = withAlternatives(objects);
    contents = { ids: new Set(resources.flatMap(({ ids }) => ids)), pieces: piecesOf(resources) };
    contentsCache.set(objects, contents);
  }
  return contents;
}

/** Returns all ids in a collection, those of rows and of objects at the same address included. */
export const idsIn = (id: CollectionId, live: Live): ReadonlySet<string> =>
  collectionContentsOf(id, live).ids;
