import { type Address, ancestorsAmong } from '../model/address.ts';
import { type Diagnostic, problem, raise, shellQuoted, shellWord } from '../model/diagnostic.ts';
import { canonicalJson } from '../model/digest.ts';
import { emptyLedger, type Ledger, type LedgerEntry } from '../model/ledger.ts';
import { countObjects } from '../model/logical-changes.ts';
import type { Documents, HistoryUpdate } from './documents.ts';
import { copiedLedgerProblem, type LedgerStore } from './ledger-store.ts';

/** The changes to two histories when a ledger goes to another place or another name. */
interface TransferredHistory {
  /** The records that are written at the new place. */
  arriving: HistoryUpdate;
  /** The records that are written or removed at the old place. */
  leaving: HistoryUpdate;
}

/**
 * Copies the ledger of a stack and its history to another place (a file, a git ref, a database), for `trueup ledger
 * copy`. Returns false if it was copied there before.
 *
 * 1. The text is copied byte by byte, so that its signature and its generation (its count of writes) stay valid.
 * 2. Then the old ledger gets `copiedTo`: nothing can be applied with it any more, but other stacks still see which objects it owns.
 *
 * An interruption between the two steps leaves two complete ledgers, and the same call finishes the work. A ledger
 * may be copied back to a place from which it was copied here before. `composeHistory` returns the records of runs
 * to write at both places. Throws `Problems` if there is no ledger to copy, or another one at the new place.
 */
export async function copyLedger(
  from: LeasedLedger,
  to: LeasedLedger,
  composeHistory: (ledger: Ledger) => Promise<TransferredHistory | undefined> = async () => undefined,
): Promise<boolean> {
  const oldPlace = from.documents.place;
  const newPlace = to.documents.place;
  const ledger = await from.store.read();
  if (!ledger || ledger.stack !== from.stack)
    raise(
      missingLedgerProblem(from, ledger, {
        foreign: 'check the place, and --file and --stage, which select the ledger',
        none: 'check the place; FROM and TO take the same values as --ledger',
      }),
    );
  from.store.requireVerified({ allowCopied: true });
  const existing = await to.store.read();
  if (existing) to.store.requireVerified({ allowCopied: true });
  if (ledger.copiedTo !== undefined) {
    if (ledger.copiedTo === newPlace && existing) return false;
    raise(copiedLedgerProblem(oldPlace, ledger.copiedTo));
  }
  const complete = await includeJournal(from, ledger);
  const source = (await from.documents.read('ledger'))!;
  const target = await to.documents.read('ledger');
  // An interrupted call has done the first step.
  const isCopiedAlready = target?.text === source.text;
  // The ledger there is the outdated one from which this one was copied.
  const isReturn = existing?.copiedTo === oldPlace;
  // Decided by the document that the copy would replace: it may have come after the ledger was read.
  if (target && !isCopiedAlready && !isReturn) raise(placeInUseProblem(to, existing));
  const history = await composeHistory(complete);
  if (!isCopiedAlready) {
    await to.lease.confirm();
    await to.documents.write('ledger', source.text, {
      expected: target?.version,
      historyUpdate: history?.arriving,
    });
  }
  await from.lease.confirm();
  await from.store.write({ ...complete, copiedTo: newPlace }, { historyUpdate: history?.leaving });
  await from.store.close();
  return true;
}

/**
 * Returns the problem that a place has no ledger of a stack: none at all, or the ledger of another stack
 * (`storedLedger`). Used by the commands that copy, rename, move or retire a ledger. `hints`: what the user should
 * check in each of the two cases.
 */
const missingLedgerProblem = (
  { stack, store }: LeasedLedger,
  storedLedger: Ledger | undefined,
  hints: { foreign?: string; none: string },
): Diagnostic =>
  storedLedger
    ? problem(
        'ledger/foreign',
        `the ledger ${store.place} belongs to ${storedLedger.stack}, not to ${stack}`,
        {
          hint: hints.foreign,
        },
      )
    : problem('ledger/none', `there is no ledger of ${stack} at ${store.place}`, { hint: hints.none });

const checkNameHint = 'check the name, and --ledger';

/**
 * Returns the problem with which `trueup ledger copy` stops if a different ledger is stored at the new place.
 * Copying over it would lose the record of the objects that its stack owns. `ledger`: undefined if it came after the place was read.
 */
const placeInUseProblem = ({ store }: LeasedLedger, ledger: Ledger | undefined): Diagnostic =>
  problem(
    'ledger/exists',
    ledger
      ? `there is already a ledger at ${store.place}, of ${ledger.stack}, with ${Object.keys(ledger.entries).length} entries`
      : `a ledger has come to ${store.place} in the meantime`,
    { hint: 'both may own objects: compare them with `trueup ledger list`; nothing was changed' },
  );

/** The ledger of one stack, in a place whose lease this run holds. */
export interface LeasedLedger {
  stack: string;
  documents: Documents;
  store: LedgerStore;
  lease: { confirm(): Promise<void> };
}

/**
 * Renames the stack of a ledger, for `trueup ledger rename`, and returns the ledger under its new name. In places
 * that name ledgers after their stacks, the new ledger is written before the old one is removed. So an interruption
 * leaves at least one complete ledger, and the same call finishes the work. `composeHistory` returns the records of
 * runs to write or remove at both names. Throws `Problems` if the ledger is missing, or a different one has the new
 * name.
 */
export async function renameLedger(
  from: LeasedLedger,
  to: LeasedLedger,
  composeHistory: (old: Ledger) => Promise<TransferredHistory | undefined> = async () => undefined,
): Promise<Ledger> {
  const isSamePlace = to.documents.place === from.documents.place;
  const ledger = await from.store.read();
  const existing = isSamePlace ? undefined : await to.store.read();
  if (!ledger || ledger.stack !== from.stack)
    raise(
      missingLedgerProblem(from, ledger, {
        foreign: `check the names: \`trueup ledger rename ${shellWord(ledger?.stack ?? '')} ${shellWord(to.stack)}\``,
        none:
          existing?.stack === to.stack ? `there is one of ${to.stack}: it was renamed before` : checkNameHint,
      }),
    );
  from.store.requireVerified();
  if (existing) {
    to.store.requireVerified();
    if (comparableContentOf(existing) !== comparableContentOf({ ...ledger, stack: to.stack }))
      raise(nameInUseProblem(from, to, existing));
  }
  const complete = await includeJournal(from, ledger);
  const history = await composeHistory(complete);
  if (isSamePlace) {
    const renamed = await writeWithLease(from, { ...complete, stack: to.stack }, history?.arriving);
    await from.store.close();
    return renamed;
  }
  // An interrupted call has written the new ledger already.
  const renamed =
    existing ??
    (await writeWithLease(to, { ...complete, stack: to.stack, generation: 0 }, history?.arriving));
  await removeLedger(from, history?.leaving);
  await from.store.close();
  await to.store.close();
  return renamed;
}

/**
 * Writes the changes that an interrupted run left in its journal into the ledger, and returns that ledger. Done before a ledger is copied
 * or renamed: the journal stays on this machine and belongs to the old place and name. Returns the ledger as it is if there is no journal.
 */
const includeJournal = async (from: LeasedLedger, ledger: Ledger): Promise<Ledger> =>
  from.store.journalText() === undefined ? ledger : writeWithLease(from, ledger);

/** Removes the ledger under its old name, if an earlier call has not removed it. */
async function removeLedger(
  { documents, lease }: LeasedLedger,
  historyUpdate: HistoryUpdate | undefined,
): Promise<void> {
  await lease.confirm();
  const stored = await documents.read('ledger');
  if (stored) await documents.remove('ledger', { expected: stored.version, historyUpdate });
}

/**
 * Writes a ledger after making sure that this run still holds its lease (the exclusive right to write it), so that
 * no other run is writing it at the same time.
 */
async function writeWithLease(
  { lease, store }: LeasedLedger,
  ledger: Ledger,
  historyUpdate?: HistoryUpdate,
): Promise<Ledger> {
  await lease.confirm();
  return store.write(ledger, { historyUpdate });
}

/**
 * Returns the content of a ledger as comparable text, without the members that every write changes. Used to see
 * whether the ledger under the new name is the renamed one, from a call that was interrupted.
 */
const comparableContentOf = ({ generation: _, writtenAt: __, ...content }: Ledger): string =>
  canonicalJson(content);

/**
 * Returns the problem with which `trueup ledger rename` stops if the new name has a different ledger already.
 * Renaming over it would lose the record of the objects that that stack owns.
 */
const nameInUseProblem = (from: LeasedLedger, to: LeasedLedger, ledger: Ledger): Diagnostic =>
  problem(
    'ledger/exists',
    `${to.stack} already has a ledger with ${Object.keys(ledger.entries).length} entries: ${to.store.place}`,
    {
      hint: `both may own objects: compare them with \`trueup ledger list\`; nothing was changed, and ${from.stack} keeps its own`,
    },
  );

/** Composes the history record that says which entries left a ledger or came into it. `current`: the content of that ledger before. */
type ComposeRecord = (
  ledger: LeasedLedger,
  current: Ledger,
  entries: Readonly<Record<Address, LedgerEntry>>,
) => Promise<HistoryUpdate | undefined>;

const composeNoRecord: ComposeRecord = async () => undefined;

/**
 * Moves the entries of some objects from one stack's ledger to another's, for `trueup ledger move`, and returns their addresses. The
 * objects themselves do not change, only their owner. The target also gets entries of their containers, such as the project, as objects that
 * it does not own.
 *
 * The target ledger is written first. After an interruption both ledgers have the entries: both stacks then refuse to plan, and the same
 * call finishes the work. Throws `Problems` if nothing matches, if the ledgers disagree about an entry, or if an interrupted run of
 * either stack has creations with an unknown outcome.
 */
export async function moveEntries(
  from: LeasedLedger,
  to: LeasedLedger,
  isMoved: (address: Address) => boolean,
  composeRecord: ComposeRecord = composeNoRecord,
): Promise<Address[]> {
  const old = await readVerifiedLedger(from);
  const existingTarget = await readMoveTarget(to);
  // Entries with `existing` are containers that the stack does not own.
  const addresses = Object.keys(old.entries).filter(
    (address) => !old.entries[address]!.existing && isMoved(address),
  );
  if (addresses.length === 0)
    raise('ledger/unknown', `the stack ${from.stack} owns nothing that matches`, {
      hint: '`trueup ledger list` shows what it owns',
    });
  refuseInterruptedRun(old);
  if (existingTarget) refuseInterruptedRun(existingTarget);
  const target = existingTarget ?? emptyLedger(old.baseUrl, old.owner, to.stack);
  const moved = entriesToMove(addresses, old.entries, target.entries);
  const targetEntries = { ...target.entries, ...moved };
  for (const address of addresses) addContainers(address, old.entries, targetEntries);
  // An interrupted call may have written the target already.
  if (canonicalJson(targetEntries) !== canonicalJson(existingTarget?.entries ?? {})) {
    const historyUpdate = await composeRecord(to, target, moved);
    await writeWithLease(to, { ...target, entries: targetEntries }, historyUpdate);
  }
  const remaining = entriesWithout(addresses, old.entries);
  const historyUpdate = await composeRecord(from, old, moved);
  await writeWithLease(from, { ...old, entries: remaining }, historyUpdate);
  await from.store.close();
  await to.store.close();
  return addresses;
}

/**
 * Reads the ledger that gets the entries in `trueup ledger move`; undefined if its stack has none yet. Throws `Problems` if it belongs to
 * another stack, or has no valid signature.
 */
async function readMoveTarget({ stack, store }: LeasedLedger): Promise<Ledger | undefined> {
  const ledger = await store.read();
  if (ledger && ledger.stack !== stack)
    raise('ledger/foreign', `the ledger ${store.place} belongs to ${ledger.stack}`, {
      hint: 'check --ledger',
    });
  store.requireVerified();
  return ledger;
}

/** Throws `Problems` if an interrupted run has left creations or staged changes of lists whose outcome the ledger does not know. */
function refuseInterruptedRun({ stack, begun, staged }: Ledger): void {
  if (begun || staged)
    raise('ledger/unsettled', `a run of ${stack} was interrupted, and its outcome is not known yet`, {
      hint: 'run `trueup apply` for it first',
    });
}

/**
 * Returns the entries of these addresses as they are written into the ledger of another stack, for `trueup ledger move`. Throws `Problems`
 * if that stack owns one of the objects already but has a different entry, because it is unknown which entry is right. (An entry that is
 * marked `existing` only records a container, such as a project, that the stack does not own.)
 */
function entriesToMove(
  addresses: readonly Address[],
  entries: Ledger['entries'],
  targetEntries: Ledger['entries'],
): Record<Address, LedgerEntry> {
  const moved: Record<Address, LedgerEntry> = {};
  for (const address of addresses) {
    const entry = entries[address]!;
    const targetEntry = targetEntries[address];
    // `$handover` named the stack that may take the object over. This command decides instead.
    const { handover: _, ...movedEntry } = entry;
    const isOwnedByTarget = targetEntry !== undefined && !targetEntry.existing;
    const isSameEntry = () =>
      canonicalJson({ ...targetEntry, handover: undefined }) === canonicalJson(movedEntry);
    if (isOwnedByTarget && !isSameEntry())
      raise('ledger/both', `${address} is in both ledgers with different content`, {
        hint: `forget it in one of them: \`trueup ledger forget ${shellQuoted(address)}\``,
      });
    moved[address] = movedEntry;
  }
  return moved;
}

/**
 * Returns the entries that stay in a ledger when `trueup ledger move` takes these addresses out. Containers (such
 * as a project) of the remaining objects stay, marked as not owned, because requests need their ids.
 */
function entriesWithout(addresses: readonly Address[], entries: Ledger['entries']): Ledger['entries'] {
  const remaining = { ...entries };
  for (const address of addresses) delete remaining[address];
  for (const address of Object.keys(remaining)) addContainers(address, entries, remaining);
  dropEmptyContainers(remaining);
  return remaining;
}

/**
 * Removes all entries (with unfinished creations, staged versions and orders of lists) from the ledger of a stack that is no longer used,
 * for `trueup ledger retire`, so that other stacks can adopt its objects. Returns the number of objects that it owned; parents of these
 * that it did not own (`existing`) do not count. The objects in the account and the history stay. A ledger that was copied elsewhere can be
 * retired, too. Throws `Problems` if there is no such ledger.
 */
export async function retireLedger(
  ledger: LeasedLedger,
  composeRecord: ComposeRecord = composeNoRecord,
): Promise<number> {
  const old = await readVerifiedLedger(ledger, { allowCopied: true });
  const { begun: _, staged: __, orders: ___, ...otherMembers } = old;
  const claims = Object.entries(old.entries).filter(([, { existing }]) => !existing);
  const historyUpdate = await composeRecord(ledger, old, Object.fromEntries(claims));
  await ledger.lease.confirm();
  await ledger.store.write({ ...otherMembers, entries: {} }, { historyUpdate, allowCopied: true });
  await ledger.store.close();
  return countObjects(claims.map(([address, { ids }]) => ({ address, ids })));
}

/**
 * Reads the ledger of a stack whose entries will be moved or removed. Throws `Problems` if it is missing (one of another stack counts as
 * missing) or has no valid signature, because the command would otherwise spread false claims about who owns an object.
 */
async function readVerifiedLedger(ledger: LeasedLedger, options?: { allowCopied?: true }): Promise<Ledger> {
  const { stack, store } = ledger;
  const stored = await store.read();
  if (!stored || stored.stack !== stack)
    raise(missingLedgerProblem(ledger, undefined, { none: checkNameHint }));
  store.requireVerified(options);
  return stored;
}

/**
 * Adds the containers of an object (its project, for example) to `entries`, marked as existing objects that the
 * stack does not own. Used when `trueup ledger move` splits a ledger: requests need the ids of an object's
 * containers, whose entries may be in the other ledger now.
 */
function addContainers(
  address: Address,
  oldEntries: Ledger['entries'],
  entries: Record<Address, LedgerEntry>,
): void {
  const containers = ancestorsAmong(address, { has: (name) => Object.hasOwn(oldEntries, name) });
  for (const container of containers)
    if (container !== address)
      entries[container] ??= { ...oldEntries[container]!, fields: {}, secrets: {}, existing: true };
}

/**
 * Removes from `entries` the containers (such as projects) that the stack does not own and in which it owns no
 * objects any more, after `trueup ledger move` gave these objects to another stack. Such containers are only
 * recorded to reach the objects in them.
 */
function dropEmptyContainers(entries: Record<Address, LedgerEntry>): void {
  const names = Object.keys(entries);
  const containers = new Set(names.filter((address) => entries[address]!.existing));
  const owned = names.filter((address) => !containers.has(address));
  const used = new Set(owned.flatMap((address) => ancestorsAmong(address, containers)));
  for (const container of containers) if (!used.has(container)) delete entries[container];
}
