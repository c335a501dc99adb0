/**
 * Counts what a plan deletes. One deletion can delete many objects: the platform deletes a container with everything in it. The limits, the
 * guards, the advice to write `objects: N`, and all reports take their numbers from here, so that they agree.
 *
 * Terms: an object counts as people count, so a variable in three targets is one. The contents of a container are the objects in it, and
 * the objects elsewhere that cannot exist without it, such as a role in a project. Only objects that were read or are in the ledger can be
 * counted.
 */

import { canDo, childKinds } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import type { Draft } from '../kind/write.ts';
import { type Address, ancestorsAmong, isWithinAny } from '../model/address.ts';
import { type ArrangedChange, type Change, findReplacedAddresses } from '../model/change.ts';
import { type DeletionCount, formatDeletionCount } from '../model/deletion-count.ts';
import type { FindRemoval } from '../model/find-removal.ts';
import { groupBy } from '../model/graph.ts';
import { isOwnEntry } from '../model/ledger.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import type { DeletedObject } from '../model/plan.ts';
import type { Removal } from '../model/removal.ts';
import { type CollectionId, collectionId } from '../model/resource.ts';
import { createContentsFinder } from './find-dependencies.ts';
import type { PlanInput } from './input.ts';

/**
 * Returns a key that is equal for units that people count as one object, so that the limit of deletions counts them once: a variable in
 * three targets has three units (`env/A@production` and others), and these have the same ids.
 */
export function countingKeyOf(address: Address, { ledger, live, contents }: PlanInput): string {
  const whole = addressWithoutTarget(address);
  if (whole === address) return address;
  const object = ledger.entries[address] ?? live.resources.get(address) ?? contents?.resources.get(address);
  const ids = object?.ids;
  return ids ? `${whole} ${ids.join(' ')}` : address;
}

/**
 * Returns the objects that count for limits on deletions, such as `--max-deletions`:
 * - objects that the plan deletes or replaces, and the contents of deleted containers,
 * - objects that it creates again, because their content is lost: they were deleted outside, or are in a replaced object,
 * - deleted parts of objects that stay (`losses`: their number by address).
 * Each counts once. Units that people count as one, such as a variable in several targets, are one object (`otherUnits`). `cause`: the
 * address of the deletion that an object is lost by, its own or that of its container; absent for all others. Reports count by it.
 */
export function listDeletedObjects(
  changes: readonly ArrangedChange[],
  losses: ReadonlyMap<Address, number>,
  input: PlanInput,
): DeletedObject[] {
  const lostUnits = [...listLostByOwnChange(changes, input), ...listLostContents(changes, input)];
  const lostParts = changes.flatMap(({ address, kind }) =>
    Array.from({ length: losses.get(address) ?? 0 }, (): DeletedObject => ({ address, kind })),
  );
  return [...joinCountedUnits(lostUnits, input), ...lostParts];
}

/** Returns the objects that a plan deletes, replaces or creates again by a change of their own. */
function listLostByOwnChange(changes: readonly ArrangedChange[], input: PlanInput): LostUnit[] {
  const recreatedAddresses = findRecreated(changes, input);
  const recreatedContainers = new Set(
    changes
      .filter(({ address, kind }) => recreatedAddresses.has(address) && isContainer(kind, input))
      .map(({ address }) => address),
  );
  return changes.flatMap(({ address, action, kind }): LostUnit[] => {
    if (action === 'delete') return [{ address, kind, cause: address }];
    // If a container was deleted outside, its contents were deleted with it. Together they count once.
    const isInRecreatedContainer = ancestorsAmong(address, recreatedContainers).some(
      (container) => container !== address,
    );
    const isRecreated = recreatedAddresses.has(address) && !isInRecreatedContainer;
    return action === 'replace' || isRecreated ? [{ address, kind, cause: undefined }] : [];
  });
}

/**
 * Returns the addresses of the objects that a plan creates again: the ledger has them as ours, or they exist in an object that is replaced.
 * They count for limits of deletions (`--max-deletions`), because the object before is lost.
 */
function findRecreated(changes: readonly ArrangedChange[], { ledger, live }: PlanInput): Set<Address> {
  const replaced = findReplacedAddresses(changes);
  const isInReplaced = (address: Address) => live.resources.has(address) && isWithinAny(address, replaced);
  const created = changes.filter(({ action }) => action === 'create').map(({ address }) => address);
  return new Set(created.filter((address) => isOwnEntry(ledger.entries[address]) || isInReplaced(address)));
}

/** Returns the contents of the containers, such as projects, that a plan deletes, each with the deletion of its container as the cause. */
function listLostContents(changes: readonly ArrangedChange[], input: PlanInput): LostUnit[] {
  const containers = changes
    .filter(({ action, kind }) => action === 'delete' && isContainer(kind, input))
    .map(({ address }) => address);
  const listContents = createContentsFinder(new Set(containers), input);
  return containers.flatMap((container) =>
    listContents(container).map((address) => ({ address, kind: kindAt(address, input), cause: container })),
  );
}

/** True if objects of a kind are containers, such as projects: the platform deletes them with everything in them. */
const isContainer = (kind: string, { kinds }: PlanInput): boolean =>
  kinds.get(kind)!.lifecycle.container === true;

/** An object that a plan deletes, replaces or creates again. `cause`: the address of the deletion that deletes it, if one does. */
interface LostUnit {
  address: Address;
  kind: string;
  cause: Address | undefined;
}

/**
 * Joins those of the lost units that people count as one object, such as a variable in several targets, so that limits and reports count it
 * once. The first unit gives its address and its cause.
 */
function joinCountedUnits(units: readonly LostUnit[], input: PlanInput): DeletedObject[] {
  const objects = groupBy(units, ({ address }) => countingKeyOf(address, input));
  return [...objects.values()].map((unitsOfObject): DeletedObject => {
    const { address, kind, cause } = unitsOfObject[0]!;
    const [, ...otherUnits] = new Set(unitsOfObject.map((unit) => unit.address));
    return { address, kind, otherUnits: otherUnits.length > 0 ? otherUnits : undefined, cause };
  });
}

/** The kind of an object that the ledger or the account has. */
const kindAt = (address: Address, { ledger, live, contents }: PlanInput): string =>
  (ledger.entries[address] ?? live.resources.get(address) ?? contents?.resources.get(address))!.kind;

/**
 * Returns for each of `containers` the objects that the platform deletes with it, and the container itself, by kind. Objects that the plan
 * deletes on their own do not count. `unread`: the kinds of contents that were not read, so that their objects are deleted without being
 * counted. Used for the advice how to write a deletion.
 */
export function countDeletionsOf(
  containers: readonly Pick<Change, 'address' | 'kind'>[],
  changes: readonly Change[],
  input: PlanInput,
): DeletionCount[] {
  const deletedOnTheirOwn = new Set(
    changes.flatMap((change) => (change.action === 'delete' ? [change.address] : [])),
  );
  const listContents = createContentsFinder(new Set(containers.map(({ address }) => address)), input);
  return containers.map(({ address, kind }) => {
    const contents = listContents(address).filter((content) => !deletedOnTheirOwn.has(content));
    const kindsByKey = new Map(
      contents.map((content) => [countingKeyOf(content, input), kindAt(content, input)]),
    );
    const objects = [kind, ...kindsByKey.values()].map((name) => ({ kind: name }));
    return {
      objects: objects.length,
      byKind: countKinds(objects),
      unread: listUnreadKinds(address, kind, input),
    };
  });
}

/**
 * Returns the changes with the number of objects that each deletion of a container deletes, also as the reason of its grade, because the
 * person who approves the plan has to know. `deleted`: all objects that the plan deletes, each once.
 */
export function addDeletionCounts(
  changes: readonly ArrangedChange[],
  deleted: readonly DeletedObject[],
  input: PlanInput,
): ArrangedChange[] {
  const deletedByCause = groupBy(deleted, ({ cause }) => cause);
  return changes.map((change) => {
    const { address, kind, action } = change;
    if (action !== 'delete' || !input.kinds.get(kind)!.lifecycle.container) return change;
    const objects = deletedByCause.get(address) ?? [];
    const deletes: DeletionCount = {
      objects: objects.length,
      byKind: countKinds(objects),
      unread: listUnreadKinds(address, kind, input),
    };
    return { ...change, deletes, gradeReason: `this deletes ${formatDeletionCount(deletes)}` };
  });
}

/**
 * Groups deleted objects by the entry of `removed` that deletes them; those without one are under `undefined`. Used because an entry says
 * how many objects it may delete.
 */
export const groupByRemoval = (
  deleted: readonly DeletedObject[],
  findRemoval: FindRemoval,
): Map<Removal | undefined, DeletedObject[]> =>
  groupBy(deleted, ({ cause }) => (cause === undefined ? undefined : findRemoval(cause)));

/** Counts objects by kind, in the order of the names. */
export function countKinds(objects: readonly Pick<DeletedObject, 'kind'>[]): Record<string, number> {
  const groups = [...groupBy(objects, ({ kind }) => kind)].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(groups.map(([kind, { length }]) => [kind, length]));
}

/**
 * Returns the kinds of objects that can be in a container and that this plan did not read completely, those with contents of their own
 * first. Deleting the container deletes such objects uncounted, and messages say so.
 */
export function listUnreadKinds(
  address: Address,
  kind: string,
  { kinds, live, contents }: PlanInput,
): string[] {
  const isRead = (id: CollectionId) => live.complete.has(id) || contents?.complete.has(id) === true;
  const isCounted = ({ name, shape }: Kind) =>
    shape.onlyDeclared !== true && isRead(collectionId(name, address));
  const unread = childKinds(kinds, kind).filter((child) => canDo(child, 'delete') && !isCounted(child));
  const rank = ({ lifecycle }: Kind) => (lifecycle.container ? 0 : 1);
  return unread
    .toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1))
    .map((child) => child.name);
}

/**
 * Counts, by address, the objects of the platform that are deleted although the declared object at the
 * address stays: records of a DNS set, or second copies of a rule. They appear in no change, but count for
 * the limits on deletions and for the grades. Subtracts the objects that requests create from those that they
 * delete, so that a part is not lost if it only moves or is replaced by a new copy.
 */
export function countLosses(drafts: Draft[], changes: Change[]): Map<Address, number> {
  const staying = new Set(
    changes.filter(({ action }) => action !== 'delete' && action !== 'replace').map(({ address }) => address),
  );
  const balance = new Map<Address, number>();
  const count = (address: Address, difference: number) =>
    balance.set(address, (balance.get(address) ?? 0) + difference);
  // A request deletes the objects in `drops`. It creates those in `returns` or, as a request for many objects, those in `batch`.
  for (const { requests } of drafts)
    for (const { drops = [], returns = [], batch = [] } of requests) {
      for (const { address } of drops) count(address, 1);
      for (const { address } of returns) count(address, -1);
      for (const address of batch.flat()) count(address, -1);
    }
  return new Map([...balance].filter(([address, lost]) => lost > 0 && staying.has(address)));
}
