import { secretIdOf } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import { allOf, byCollection } from '../model/by-collection.ts';
import { groupBy } from '../model/graph.ts';
import type { CollectionId, Live, LiveResource } from '../model/resource.ts';
import { revealed } from '../model/sealed.ts';

/** One object at two times. A new object has no `before`, a deleted one no `after`. */
export interface BeforeAndAfter {
  before?: LiveResource;
  after?: LiveResource;
}

/**
 * Pairs the objects of the collections that were read whole both times; from other collections, only objects that were read both
 * times. Pairs them by id, and then by address, since ids may be given anew.
 */
export function beforeAndAfter(before: Live, after: Live, kinds: Kinds): BeforeAndAfter[] {
  const isComplete = (id: CollectionId) => before.complete.has(id) && after.complete.has(id);
  const isRead = (id: CollectionId) =>
    [before, after].every((one) => one.complete.has(id) || one.unlisted.has(id));
  const [old, now] = [byCollection(before.resources), byCollection(after.resources)];
  const ids = [...new Set([...old.keys(), ...now.keys()])].filter(isRead);
  const sameId = ({ kind: name, address, id, fields }: LiveResource): string => {
    const kind = kinds.get(name);
    // An id stands for several units.
    if (kind?.shape.byAddress) return `${address} ${id}`;
    // As it is kept it depends on a key, which there may not have been before.
    const secretId = kind && secretIdOf(kind);
    return secretId === undefined ? id : String(revealed(fields[secretId]));
  };
  return ids.flatMap((id) =>
    paired(allOf(old.get(id)), allOf(now.get(id)), [sameId, ({ address }) => address]).filter(
      (one) => isComplete(id) || (one.before && one.after),
    ),
  );
}

function paired(
  before: LiveResource[],
  after: LiveResource[],
  [key, ...others]: ((one: LiveResource) => string)[],
): BeforeAndAfter[] {
  if (!key) return [...before.map((one) => ({ before: one })), ...after.map((one) => ({ after: one }))];
  const left = groupBy(after, key);
  const pairs = before.map((one) => ({ before: one, after: left.get(key(one))?.shift() }));
  const open = pairs.filter((one) => one.after === undefined).map((one) => one.before);
  return [
    ...pairs.flatMap(({ before, after }) => (after ? [{ before, after }] : [])),
    ...paired(open, [...left.values()].flat(), others),
  ];
}
