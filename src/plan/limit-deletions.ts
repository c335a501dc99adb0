/**
 * Limits how many objects one plan may delete, so that a mistake in the configuration cannot empty an account.
 *
 * Objects count as lost if the plan deletes or replaces them, if it recreates them because somebody deleted them
 * outside or because they are in a replaced object, and if they are parts of an object that stays (see `countLosses`). A deleted container counts with everything in it.
 */

import type { Kind } from '../kind/kind.ts';
import type { Draft } from '../kind/write.ts';
import { type Address, isWithin, isWithinAny } from '../model/address.ts';
import { type Change, findReplacedAddresses } from '../model/change.ts';
import type { Reporter } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import type { DeletedObject } from '../model/plan.ts';
import { listContents } from './find-dependencies.ts';
import type { PlanInput } from './input.ts';

/** The most objects that a plan may delete, unless `--max-deletions` says otherwise. */
const maxDeletions = 10;
/** The largest share of the objects of one kind that a plan may delete. */
const maxShareOfKind = 0.3;
/** The share is only checked for a kind if the stack owns at least this many objects of it. */
const minOwnedForShare = 10;

/**
 * Reports a problem if a plan deletes too many objects, in total or of one kind, unless `--max-deletions`
 * allows it or the stack is destroyed: a wrong file or branch would look like that. `losses`: the number of
 * deleted parts of objects that stay, by address.
 */
export function limitDeletions(
  changes: Change[],
  losses: ReadonlyMap<Address, number>,
  input: PlanInput,
  report: Reporter,
): void {
  const { options = {} } = input;
  if (options.destroy) return;
  const deleted = listDeletedObjects(changes, losses, input);
  const deletedByKind = groupBy(deleted, ({ kind }) => kind);
  const limit = options.maxDeletions ?? maxDeletions;
  const hint = `if this is intended, run with --max-deletions ${deleted.length}`;
  const phrase = 'would be deleted, replaced or recreated';
  if (deleted.length > limit) {
    const counts = [...deletedByKind].map(([kind, objects]) => `${objects.length} ${kind}`).sort();
    report.error(
      'guard/deletions',
      `${deleted.length} objects ${phrase} (${counts.join(', ')}); the limit is ${limit}`,
      { hint },
    );
  }
  if (options.maxDeletions !== undefined) return;
  for (const [kind, objects] of deletedByKind) {
    const ownedCount = countOwned(kind, input);
    if (ownedCount >= minOwnedForShare && objects.length > ownedCount * maxShareOfKind)
      report.error(
        'guard/share',
        `${objects.length} of ${ownedCount} ${kind} objects ${phrase}; the limit is 30 % of a kind`,
        { hint },
      );
  }
}

/**
 * Returns the number of objects of a kind that this stack owns, as people count: a variable in three targets
 * is one. A plan may delete at most a share of that number.
 */
function countOwned(kind: string, input: PlanInput): number {
  const ownedKeys = Object.entries(input.ledger.entries)
    .filter(([, entry]) => entry.kind === kind && !entry.existing)
    .map(([address]) => countingKeyOf(address, input));
  return new Set(ownedKeys).size;
}

/**
 * Returns a key that is equal for units that people count as one object, so that the limit of deletions counts them once: a variable in three targets
 * has three units.
 */
function countingKeyOf(address: Address, { ledger, live }: PlanInput): string {
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
 * objects that stay, by address.
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
  const deleted = new Map<string, { kind: string; units: Set<Address> }>();
  const add = (address: Address, kind: string) => {
    const key = countingKeyOf(address, input);
    const object = deleted.get(key) ?? { kind, units: new Set() };
    object.units.add(address);
    deleted.set(key, object);
  };
  for (const change of changes) {
    const { address, action, kind } = change;
    // If a container was deleted outside, its contents were deleted with it. Together they count once.
    const isInRecreatedContainer = recreatedContainers.some(
      (container) => container !== change && isWithin(address, container.address),
    );
    if (action === 'delete' || action === 'replace' || (isRecreated(change) && !isInRecreatedContainer))
      add(address, kind);
    if (action !== 'delete' || !kindOf(change).lifecycle.container) continue;
    for (const content of listContents(address, input))
      add(content, (ledger.entries[content] ?? live.resources.get(content))!.kind);
  }
  const objects = [...deleted.values()].map(({ kind, units }): DeletedObject => {
    const [address, ...otherUnits] = units;
    return { address: address!, kind, otherUnits: otherUnits.length > 0 ? otherUnits : undefined };
  });
  const lostParts = changes.flatMap(({ address, kind }) =>
    Array.from({ length: losses.get(address) ?? 0 }, (): DeletedObject => ({ address, kind })),
  );
  return [...objects, ...lostParts];
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
