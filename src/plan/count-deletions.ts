/**
 * Counts what a plan deletes. One deletion can delete many objects: the platform deletes a container with everything in it. The limits, the guards, the
 * advice to write `objects: N`, and all reports take their numbers from here, so that they agree.
 *
 * Terms: an object counts as people count, so a variable in three targets is one. The contents of a container are the objects in it, and the objects
 * elsewhere that cannot exist without it, such as a role in a project. Only objects that were read or are in the ledger can be counted.
 */

import { canDo, childKinds } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import type { Draft } from '../kind/write.ts';
import { type Address, isWithin, isWithinAny } from '../model/address.ts';
import { type Change, findReplacedAddresses } from '../model/change.ts';
import type { DeletionCount } from '../model/deletion-count.ts';
import { createRemovalFinder } from '../model/find-removal.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import type { DeletedObject } from '../model/plan.ts';
import { collectionId } from '../model/resource.ts';
import { listContents } from './find-dependencies.ts';
import type { PlanInput } from './input.ts';

/**
 * Returns a key that is equal for units that people count as one object, so that the limit of deletions counts them once: a variable in three targets
 * has three units.
 */
export function countingKeyOf(address: Address, { ledger, live }: PlanInput): string {
  const whole = addressWithoutTarget(address);
  if (whole === address) return address;
  const ids = ledger.entries[address]?.ids ?? live.resources.get(address)?.ids;
  return ids ? `${whole} ${ids.join(' ')}` : address;
}

/**
 * Returns the objects that count for limits on deletions: those that a plan deletes or replaces, each once,
 * containers with their contents. Used for the limits of plans and of guards. An object that is created again
 * counts, because its content is lost: it was deleted outside, or is in a replaced object. Units that people count as one, such as a
 * variable in several targets, are one object (`otherUnits`). `losses`: the number of deleted parts of
 * objects that stay, by address. `removal` of an object names the entry of `removed` that deletes it.
 */
export function listDeletedObjects(
  changes: Change[],
  losses: ReadonlyMap<Address, number>,
  input: PlanInput,
): DeletedObject[] {
  const { kinds, ledger, live } = input;
  const kindOf = ({ kind }: Change): Kind => kinds.get(kind)!;
  const replaced = findReplacedAddresses(changes);
  const isOurs = (entry: LedgerEntry | undefined) => entry !== undefined && !entry.existing;
  const isInReplaced = (address: Address) => live.resources.has(address) && isWithinAny(address, replaced);
  const isRecreated = ({ address, action }: Change) =>
    action === 'create' && (isOurs(ledger.entries[address]) || isInReplaced(address));
  const recreatedContainers = changes.filter(
    (change) => isRecreated(change) && kindOf(change).lifecycle.container,
  );
  const findRemoval = createRemovalFinder(input.desired.removed);
  const deleted = new Map<string, { kind: string; units: Set<Address>; removal: Address | undefined }>();
  const add = (address: Address, kind: string, removal?: Address) => {
    const key = countingKeyOf(address, input);
    const object = deleted.get(key) ?? { kind, units: new Set(), removal };
    object.units.add(address);
    object.removal ??= removal;
    deleted.set(key, object);
  };
  for (const change of changes) {
    const { address, action, kind } = change;
    // If a container was deleted outside, its contents were deleted with it. Together they count once.
    const isInRecreatedContainer = recreatedContainers.some(
      (container) => container !== change && isWithin(address, container.address),
    );
    const removal = action === 'delete' ? findRemoval(address)?.address : undefined;
    if (action === 'delete' || action === 'replace' || (isRecreated(change) && !isInRecreatedContainer))
      add(address, kind, removal);
    if (action !== 'delete' || !kindOf(change).lifecycle.container) continue;
    for (const content of listContents(address, input)) add(content, kindAt(content, input), removal);
  }
  const objects = [...deleted.values()].map(({ kind, units, removal }): DeletedObject => {
    const [address, ...otherUnits] = units;
    return { address: address!, kind, otherUnits: otherUnits.length > 0 ? otherUnits : undefined, removal };
  });
  const lostParts = changes.flatMap(({ address, kind }) =>
    Array.from({ length: losses.get(address) ?? 0 }, (): DeletedObject => ({ address, kind })),
  );
  return [...objects, ...lostParts];
}

/** The kind of an object that the ledger or the account has. */
const kindAt = (address: Address, { ledger, live }: PlanInput): string =>
  (ledger.entries[address] ?? live.resources.get(address))!.kind;

/**
 * Returns the objects that the platform deletes with an object, and the object itself, by kind. `unread`: the kinds of contents that were not read, so
 * that their objects are deleted without being counted. Used for a deletion, and for the advice how to write one.
 */
export function countDeletionOf(
  { address, kind }: Pick<Change, 'address' | 'kind'>,
  input: PlanInput,
): DeletionCount {
  const isContainer = input.kinds.get(kind)!.lifecycle.container;
  const contents = isContainer ? listContents(address, input) : [];
  const kindsByKey = new Map(
    contents.map((content) => [countingKeyOf(content, input), kindAt(content, input)]),
  );
  const counts = new Map([[kind, 1]]);
  for (const name of kindsByKey.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return {
    objects: 1 + kindsByKey.size,
    byKind: Object.fromEntries([...counts].sort()),
    unread: isContainer ? listUnreadKinds(address, kind, input) : [],
  };
}

/** Returns the kinds of objects that can be in a container and that this plan did not read, those with contents of their own first. */
function listUnreadKinds(address: Address, kind: string, { kinds, live }: PlanInput): string[] {
  const isCounted = (id: string) => live.complete.has(id) || live.partial.has(id);
  const unread = childKinds(kinds, kind).filter(
    (child) => canDo(child, 'delete') && !isCounted(collectionId(child.name, address)),
  );
  const rank = ({ lifecycle }: Kind) => (lifecycle.container ? 0 : 1);
  return unread
    .toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1))
    .map((child) => child.name);
}

/**
 * Counts, by address, the objects of the platform that are deleted although the declared object at the
 * address stays: records of a DNS set, or second copies of a rule. They appear in no change, but count for
 * the limits on deletions and for the grades. Counts by requests, so that a part is not lost if it only moves
 * or is replaced by a new copy.
 */
export function countLosses(drafts: Draft[], changes: Change[]): Map<Address, number> {
  const staying = new Set(
    changes.filter(({ action }) => action !== 'delete' && action !== 'replace').map(({ address }) => address),
  );
  const balance = new Map<Address, number>();
  const count = (address: Address, difference: number) =>
    balance.set(address, (balance.get(address) ?? 0) + difference);
  for (const { requests } of drafts)
    for (const { drops = [], returns = [], batch = [] } of requests) {
      for (const { address } of drops) count(address, 1);
      for (const { address } of returns) count(address, -1);
      for (const address of batch.flat()) count(address, -1);
    }
  return new Map([...balance].filter(([address, lost]) => lost > 0 && staying.has(address)));
}
