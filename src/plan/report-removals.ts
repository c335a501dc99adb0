/**
 * Reports what the entries of `removed` do, and the containers that have no entry:
 *
 *   | state                                                             | report                                    |
 *   | ----------------------------------------------------------------- | ----------------------------------------- |
 *   | deletes more objects than its `objects`                           | error, with the number                    |
 *   | releases an object that `$exclusive` would then delete            | error                                     |
 *   | releases an object in a container that `destroy` or the ledger of | error                                     |
 *   | an earlier version names for deletion                             |                                           |
 *   | the ledger has nothing of it, and a live object should be deleted | warning: it is not ours, and stays        |
 *   | the ledger has nothing of it, and nothing is to be done           | note: the entry can be dropped            |
 *   | a container is released, because it has neither block nor entry   | warning, with the lines that delete it    |
 */
import { addressPathOf, canDo } from '../kind/define-kind.ts';
import { type Address, ancestorsAmong } from '../model/address.ts';
import type { Change, ChangeOf } from '../model/change.ts';
import { type DeletionCount, formatDeletionCount, formatKindCounts } from '../model/deletion-count.ts';
import { asNote, type Diagnostic, type Reporter, shellQuoted, warning } from '../model/diagnostic.ts';
import { createRemovalFinder, listUnownedRemovals } from '../model/find-removal.ts';
import { listFirst } from '../model/fold-wordings.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import type { DeletedObject } from '../model/plan.ts';
import { formatRemoval, type Removal } from '../model/removal.ts';
import { collectionId, type LiveResource } from '../model/resource.ts';
import { isExclusive, type PreparedInput } from './comparison.ts';
import { countDeletionsOf, countKinds, groupByRemoval, listUnreadKinds } from './count-deletions.ts';
import type { PlanInput } from './input.ts';

/**
 * Reports problems of the entries of `removed`, and containers that the plan stops managing although no entry says so, as the table at the
 * top of this file lists them. `deleted`: all objects that the plan deletes, also those that go with a deleted container.
 */
export function reportRemovals(
  changes: readonly Change[],
  deleted: readonly DeletedObject[],
  input: PreparedInput,
  report: Reporter,
): void {
  refuseTooManyObjects(deleted, input, report);
  refuseReleasesThatReturn(changes, input, report);
  refuseReleasesInDeleted(changes, input, report);
  reportFinishedRemovals(input, report);
  reportReleasedContainers(changes, input, report);
}

/**
 * Reports `removed/objects` for each entry of `removed:` that would delete more objects than its `objects` says. Somebody may have added
 * objects to a project after the entry was written, and nothing in the YAML would show that they are deleted, too.
 */
function refuseTooManyObjects(
  deleted: readonly DeletedObject[],
  { desired, findRemoval }: PreparedInput,
  report: Reporter,
): void {
  const deletedByRemoval = groupByRemoval(deleted, findRemoval);
  for (const removal of desired.removed ?? []) {
    const objects = deletedByRemoval.get(removal) ?? [];
    if (removal.objects === undefined || objects.length <= removal.objects) continue;
    report.error(
      'removed/objects',
      `${removal.address}: ${objects.length} objects would be deleted (${formatKindCounts(countKinds(objects))}), but \`removed\` says ${removal.objects}`,
      {
        address: removal.address,
        at: removal.at,
        hint: `look at them; if they may go, write\n  ${formatRemoval({ ...removal, objects: objects.length })}`,
      },
    );
  }
}

/**
 * Refuses to keep an object that `removed` names with `delete: false` in a list with `$exclusive`: nothing would own it, so this plan or
 * the next would delete it.
 */
function refuseReleasesThatReturn(changes: readonly Change[], input: PreparedInput, report: Reporter): void {
  for (const { address, action, kind, parent, exclusive } of changes) {
    const removal = input.findRemoval(address);
    // The plan releases an object of ours, and deletes one that is not ours because of `$exclusive`.
    const wouldNotStay = action === 'release' || (action === 'delete' && exclusive);
    if (!wouldNotStay || removal?.deletes !== false) continue;
    const { section } = input.kinds.get(kind)!;
    if (!isExclusive({ input, parent, kind: input.kinds.get(kind)! })) continue;
    report.error(
      'removed/exclusive',
      `${address} cannot stay: \`$exclusive\` of ${parent} deletes everything in \`${section}\` that is not declared`,
      {
        address,
        at: removal.at,
        hint: `take \`${section}\` out of \`$exclusive\`, or declare the object with \`$existing: true\``,
      },
    );
  }
}

/**
 * Refuses to release an object in a container that this plan deletes, because the platform deletes it as well. The container is named for
 * deletion by the command line of `destroy`, or by the ledger of an earlier version: reading the configuration refuses two entries that
 * contradict each other.
 */
function refuseReleasesInDeleted(
  changes: readonly Change[],
  { desired, ledger }: PreparedInput,
  report: Reporter,
): void {
  const { removed = [] } = desired;
  if (removed.every(({ deletes }) => deletes)) return;
  const unowned = new Set(listUnownedRemovals(removed, ledger));
  const deleted = new Set(changes.flatMap(({ action, address }) => (action === 'delete' ? [address] : [])));
  for (const removal of removed) {
    const { address, at } = removal;
    const container = ancestorsAmong(address, deleted).find((ancestor) => ancestor !== address);
    if (removal.deletes || unowned.has(removal) || container === undefined) continue;
    report.error('removed/inside', `${address} cannot stay: ${container} is deleted with everything in it`, {
      address,
      at,
      hint: `drop this entry, or write \`${formatRemoval({ address: container, deletes: false })}\` to keep both`,
    });
  }
}

/**
 * Advice for a stack `NAME@STAGE`: its ledger does not know whether another stage still owns the object. Without the entry, that stage
 * would release it although it should be deleted.
 */
const hintForStages = 'other stages have the same entries: drop them once the plans of all stages say so';

/**
 * Reports the entries for which the ledger has no object: those that can be dropped in one note, and those with a live object that is not
 * ours. Not for `--target`, `--exclude` or `destroy`, whose plans do not show whether an entry is done.
 */
function reportFinishedRemovals(input: PreparedInput, report: Reporter): void {
  const { desired, ledger, live, options = {} } = input;
  const { removed = [] } = desired;
  if (removed.length === 0 || live.scope || options.excludes?.length || options.destroy) return;
  const finished: Removal[] = [];
  for (const removal of listUnownedRemovals(removed, ledger)) {
    const state = removal.deletes ? findLiveState(removal, input) : 'absent';
    if (state === 'absent') finished.push(removal);
    if (state === 'exists') reportNotOwned(removal, input, report);
  }
  if (finished.length > 0) report.add(createDoneNote(finished, desired.stack));
}

/**
 * Creates the note that entries of `removed` are done and can be dropped, at the first of them. For a stack `NAME@STAGE` it advises to wait
 * until the plans of all stages say so.
 */
function createDoneNote(finished: readonly Removal[], stack: string): Diagnostic {
  const [first, ...others] = finished;
  const names = finished.map(({ address }) => address).join(', ');
  const message =
    others.length === 0
      ? `this entry of \`removed\` is done and can be dropped: ${names}`
      : `${finished.length} entries of \`removed\` are done and can be dropped: ${names}`;
  const note = warning('removed/done', message, {
    at: first!.at,
    related: others.map(({ address, at }) => ({ message: address, at })),
    hint: stack.includes('@') ? hintForStages : undefined,
  });
  return asNote(note);
}

/**
 * Finds out if the account still has the object of an entry of `removed:`. If not, the entry can be deleted. `unknown`: its list was not
 * read completely.
 */
function findLiveState(removal: Removal, { live, kinds }: PreparedInput): 'exists' | 'absent' | 'unknown' {
  const isSubject = (address: Address) =>
    address === removal.address || addressWithoutTarget(address) === removal.address;
  if ([...live.resources.keys()].some(isSubject)) return 'exists';
  for (const [kind, parent, address] of addressPathOf(removal.address, removal.kind, kinds)) {
    const id = collectionId(kind, parent);
    if (!live.complete.has(id) && !live.partial.has(id)) return 'unknown';
    // Without its parent, an object cannot exist.
    if (!live.resources.has(address)) return 'absent';
  }
  return 'absent';
}

/** Warns that an entry of `removed:` deletes nothing, because this stack does not own the object, and says what to do. */
function reportNotOwned({ address, at }: Removal, input: PreparedInput, report: Reporter): void {
  const owner = input.otherStacks?.find(({ entries }) => entries[address] && !entries[address].existing);
  report.warning(
    'removed/not-owned',
    owner
      ? `${address} is not deleted: it is owned by the stack ${owner.stack}`
      : `${address} is not deleted: it exists, but this stack does not own it`,
    {
      address,
      at,
      hint: owner
        ? 'if that is another stage of this configuration, write `$when: { stage: STAGE }` with its name into the entry; if not, drop the entry, since the other stack can have one'
        : 'to delete it, drop this entry, declare the object again and apply (it is adopted); then remove the block and add the entry. To keep it, drop the entry',
    },
  );
}

/**
 * Warns of containers that the plan releases because their blocks are gone and no entry of `removed` names them, with the lines that delete
 * them instead. The lines have to come before the apply, because afterwards this stack does not own the container any more.
 */
function reportReleasedContainers(changes: readonly Change[], input: PreparedInput, report: Reporter): void {
  const outermost = listAbandonedContainers(changes, input);
  const [first, second] = outermost;
  if (!first) return;
  const counts = countDeletionsOf(outermost, changes, input);
  const released = outermost.map(({ address }, index) => ({ address, count: counts[index]! }));
  const advice = createDeletionAdvice(released, input);
  const addresses = outermost.map(({ address }) => address);
  const names = listFirst(addresses, maxNamed);
  report.warning(
    'removed/released',
    second
      ? `${outermost.length} objects with contents are released, so they stay in the account, and nothing manages them: ${names}`
      : `${names} is released: it stays in the account, and nothing manages it`,
    {
      address: second ? undefined : first.address,
      hint: isRenameLikely(outermost, changes)
        ? `if it is not to be renamed with \`$was\`: ${advice}`
        : advice,
    },
  );
}

/**
 * True if one of the released containers (such as a project whose block is gone: it stays in the account, unmanaged) may have been
 * renamed in the YAML, because the plan creates an object of the same kind and parent. The warnings `was/proposed` and `was/suspected` then
 * say how to rename it, so the advice to delete it is given only for other cases.
 */
function isRenameLikely(released: readonly Change[], changes: readonly Change[]): boolean {
  const idOf = ({ kind, parent }: Change) => collectionId(kind, parent);
  const createdCollections = new Set(changes.filter(({ action }) => action === 'create').map(idOf));
  return released.some((change) => createdCollections.has(idOf(change)));
}

/**
 * Returns the releases of containers (such as projects) whose blocks are gone and that no entry of `removed` names, so that the plan can
 * warn that they stay, and count the objects that a deletion would delete. Containers in such a container are left out, and those that the
 * platform cannot delete. None in a plan of `undo` or `blame`.
 */
function listAbandonedContainers(
  changes: readonly Change[],
  { kinds, options, findRemoval }: Pick<PreparedInput, 'kinds' | 'options' | 'findRemoval'>,
): ChangeOf<'release'>[] {
  if (options?.toleratesMissing === 'undo') return [];
  const released = changes.filter(
    (change): change is ChangeOf<'release'> =>
      change.action === 'release' &&
      change.after === undefined &&
      kinds.get(change.kind)!.lifecycle.container === true &&
      canDo(kinds.get(change.kind)!, 'delete') &&
      findRemoval(change.address) === undefined,
  );
  const releasedAddresses = new Set(released.map(({ address }) => address));
  // The only released one among the container and those around it is the container itself.
  return released.filter(({ address }) => ancestorsAmong(address, releasedAddresses).length === 1);
}

/**
 * Returns the live containers with contents that were not read and that the plan has to count: the containers that it deletes, and those
 * that it only releases (`listAbandonedContainers`), because it prints how to delete them instead, with numbers. `planWithContents` then
 * reads the contents and plans again with them.
 */
export function listUncountedContainers(changes: readonly Change[], input: PlanInput): LiveResource[] {
  const { desired, kinds, live, options } = input;
  const deleted = changes.filter(({ action, deletes }) => action === 'delete' && deletes !== undefined);
  const findRemoval = createRemovalFinder(desired.removed);
  const abandoned = listAbandonedContainers(changes, { kinds, options, findRemoval });
  // For several containers, the advice of `destroy` has no number, so nothing has to be counted (`createDeletionAdvice`).
  const advised = options?.destroy && abandoned.length > 1 ? [] : abandoned;
  return [...deleted, ...advised].flatMap(({ address, kind }) => {
    const container = live.resources.get(address);
    return container && listUnreadKinds(address, kind, input).length > 0 ? [container] : [];
  });
}

/** The most released objects that the message names. The advice names all of them. */
const maxNamed = 3;

/**
 * Returns a hint on how to delete containers, such as projects, that a plan only releases (they stay in the account, and the stack does not
 * own them any more) because their blocks are gone. For a plan of `destroy`, it is the command with their addresses, otherwise the lines to
 * paste into the configuration: entries for its `removed`, or the whole `removed` if it has none. `count` is the number of objects that a
 * deletion would delete.
 */
function createDeletionAdvice(
  released: readonly { address: Address; count: DeletionCount }[],
  { desired, options = {} }: PreparedInput,
): string {
  const [first, second] = released;
  const pronoun = second ? 'them' : 'it';
  const effect = second ? '' : `. This deletes ${formatDeletionCount(first!.count)}`;
  if (options.destroy) {
    const words = released.map(({ address }) => shellQuoted(address)).join(' ');
    return `to delete ${pronoun}, run \`trueup destroy ${words}\` first${effect}`;
  }
  const entries = released.map(({ address, count }) => ({
    text: formatRemoval({ address, deletes: true, objects: count.objects }),
    comment: formatKindCounts(count.byKind),
  }));
  const entryLines = entries.map(({ text, comment }) => `  ${text} # ${comment}`);
  const wholeRemoved = second
    ? ['removed:', ...entryLines]
    : [`removed: [${entries[0]!.text.slice('- '.length)}]`];
  const lines = desired.removed ? entryLines : wholeRemoved;
  return [
    `to delete ${pronoun} instead, add this in the same change, because after the apply this stack does not own ${pronoun} any more${effect}`,
    ...lines,
  ].join('\n');
}
