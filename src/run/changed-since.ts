import { isSameValue } from '../kind/compare.ts';
import type { Kind } from '../kind/kind.ts';
import { comparedFields, leavesOf } from '../kind/leaves.ts';
import { sendsFullBody, writeRequests } from '../kind/write.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import {
  type CollectionId,
  groupByCollection,
  type Live,
  type LiveResource,
  type LiveRow,
  withAlternatives,
} from '../model/resource.ts';
import { atPath, type Fields } from '../model/value.ts';

/** True if an update may send undeclared fields, as they were found: then the object is read immediately before. */
export const isWrittenWhole = ({ update, read: { writes } }: Kind) =>
  writes !== undefined || (update !== undefined && writeRequests(update).some(sendsFullBody));

interface Compared {
  id: CollectionId;
  kind: Kind;
  before: Live;
  after: Live;
  ours: ReadonlySet<Address>;
  /** Ids that this run has made. */
  made: ReadonlySet<string>;
  /** The ids that the ledger knows an address by. */
  knownAs(address: Address): readonly string[];
  isFirst: boolean;
}

/** Describes how a collection differs from the one that these changes were planned on; undefined if no difference matters. */
export function changedIn(changes: Change[], compared: Compared): string | undefined {
  const { kind } = compared;
  for (const change of changes) {
    const what = change.before ? changedObject(change, change.before, compared) : newObject(change, compared);
    if (what !== undefined) return what;
  }
  return kind.shape.byIndex ? otherOrder(compared) : undefined;
}

/**
 * Describes somebody else's object in the place of a creation. An object without a name of its own is in that place if it is equal in the
 * identifying fields: other new objects, such as those of another stack that is applied at the same time, are not.
 */
function newObject(
  { address, after: desired }: Change,
  { id, kind, before, after, made, knownAs }: Compared,
): string | undefined {
  // A list may have left out once what was ours: by another name it would be made a second time.
  const lost = knownAs(address).filter((one) => !made.has(one));
  if (lost.length > 0) {
    const [was, is] = [idsIn(id, before), idsIn(id, after)];
    if (lost.some((one) => is.has(one) && !was.has(one))) return `${address}, which was not gone,`;
  }
  // If items have names of their own, a batch refuses one and does the others.
  if (kind.shape.outcome && kind.shape.isNamed && !kind.shape.mergeRows) return undefined;
  if (!kind.shape.isNamed) {
    const known = idsIn(id, before);
    const isNew = (object: LiveResource) => object.ids.every((id) => !known.has(id) && !made.has(id));
    const canMean = (object: LiveResource) =>
      !desired || (kind.shape.canMean?.(kind, desired.fields, object.fields) ?? true);
    return withAlternatives(objectsIn(id, after)).some((object) => isNew(object) && canMean(object))
      ? `what is at ${address}`
      : undefined;
  }
  const [was, is] = [before, after].map((live) => live.resources.get(address));
  const known = new Set(was ? withAlternatives([was]).flatMap(({ ids }) => ids) : []);
  return is && withAlternatives([is]).some(({ ids }) => ids.some((id) => !known.has(id)))
    ? `what is at ${address}`
    : undefined;
}

/** Describes a field whose value is neither the planned-on nor the wanted one. */
function changedObject(change: Change, { ids }: LiveResource, compared: Compared): string | undefined {
  const { address, action, fields, before: planned } = change;
  const { id, kind, before, after, made, knownAs, isFirst } = compared;
  const [old, found] = [before, after].map((live) => piecesAt(kind, live, id, address));
  // A list may have left out once a row of ours: the ledger would forget it, and it would stay for good.
  if (
    kind.shape.byAddress &&
    knownAs(address).some((one) => !made.has(one) && !old!.has(one) && found!.has(one))
  )
    return `${address}, a part of which was not gone,`;
  // Gone already: that is all that a deletion is about.
  if (action === 'delete' && ids.every((id) => !found!.has(id))) return undefined;
  const isGoing = action === 'delete' || action === 'replace';
  // What this run did to its neighbours may have changed it as well.
  const isAll = planned?.transfer
    ? isFirst
    : isFirst
      ? isGoing || isWrittenWhole(kind)
      : !isGoing && isWrittenWhole(kind);
  const changing = new Set(fields.map(({ path }) => fieldOf(path)));
  for (const one of ids) {
    // It is not in the parent yet that it is planned in.
    const was = planned?.transfer ? planned.fields : old!.get(one);
    const now = found!.get(one);
    if (!now) return `${address}, which is gone,`;
    const changed = [was!, now]
      .flatMap((fields) => leavesOf(comparedFields(kind), fields))
      .filter(({ path }) => isAll || changing.has(fieldOf(path)))
      .find(({ path, traits }) => {
        const value = atPath(now, path);
        const wanted = change.after && atPath(change.after.fields, path);
        return (
          !isSameValue(atPath(was!, path) ?? null, value, traits) &&
          (wanted === undefined || !isSameValue(wanted, value, traits))
        );
      });
    if (changed) return `\`${changed.path}\` of ${address}`;
  }
  return undefined;
}

/** The fields behind each id at an address: those of a unit's rows, or of an object without a name anywhere in its collection. */
function piecesAt(kind: Kind, live: Live, id: CollectionId, address: Address): ReadonlyMap<string, Fields> {
  if (!kind.shape.byAddress) return contentsOf(id, live).pieces;
  const unit = live.resources.get(address);
  return piecesOf(unit ? withAlternatives([unit]) : []);
}

function piecesOf(objects: LiveResource[]): Map<string, Fields> {
  const pieces = objects.flatMap(
    (resource): LiveRow[] => resource.rows ?? [{ id: resource.id, fields: resource.fields }],
  );
  return new Map(pieces.map((liveRow) => [liveRow.id, liveRow.fields]));
}

/** The field that a path lies in, `a` of `a.b.c`: it is sent whole, undeclared members as they were found. */
const fieldOf = (path: string) => path.split('.')[0]!;

/** Describes a changed order among the objects that this run has not touched: the place of a change depends on it. */
function otherOrder({ id, before, after, ours }: Compared): string | undefined {
  const orderOf = (live: Live) =>
    withAlternatives(objectsIn(id, live))
      .filter(({ address }) => !ours.has(address))
      .sort((a, b) => a.index - b.index)
      .map((resource) => resource.id)
      .join();
  return orderOf(before) === orderOf(after) ? undefined : 'the order of the list';
}

/** All ids of a collection and the fields behind each, as a reading found them. Cached, since every change of the collection asks. */
interface Contents {
  ids: ReadonlySet<string>;
  pieces: ReadonlyMap<string, Fields>;
}

const known = new WeakMap<readonly LiveResource[], Contents>();
const nothing: readonly LiveResource[] = [];

const objectsIn = (id: CollectionId, { resources }: Live): readonly LiveResource[] =>
  groupByCollection(resources).get(id) ?? nothing;

function contentsOf(id: CollectionId, live: Live): Contents {
  const objects = objectsIn(id, live);
  let contents = known.get(objects);
  if (!contents) {
    const resources = withAlternatives(objects);
    contents = { ids: new Set(resources.flatMap(({ ids }) => ids)), pieces: piecesOf(resources) };
    known.set(objects, contents);
  }
  return contents;
}

/** All ids in a collection. */
export const idsIn = (id: CollectionId, live: Live): ReadonlySet<string> => contentsOf(id, live).ids;
