import { type Address, isWithin } from '../model/address.ts';
import { canonical } from '../model/canonical.ts';
import { Problems } from '../model/diagnostic.ts';
import { emptyLedger, type Ledger, type LedgerEntry } from '../model/ledger.ts';
import { shellQuoted } from '../model/shell-word.ts';
import type { LeasedLedger } from './copy-ledger.ts';
import type { HistoryUpdate } from './documents.ts';

/** Composes the history record that says which entries left a ledger or came into it. `current`: the content of that ledger before. */
type ComposeRecord = (
  ledger: LeasedLedger,
  current: Ledger,
  entries: Readonly<Record<Address, LedgerEntry>>,
) => Promise<HistoryUpdate | undefined>;

const composeNoRecord: ComposeRecord = async () => undefined;

/**
 * Moves the entries of some objects from one stack's ledger to another's, for `trueup ledger move`, and returns their addresses. The
 * objects themselves do not change, only their owner.
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
  const existingTarget = await to.store.read();
  if (existingTarget && existingTarget.stack !== to.stack)
    throw moveProblems(
      'ledger/foreign',
      `the ledger ${to.store.place} belongs to ${existingTarget.stack}`,
      'check --ledger',
    );
  to.store.requireVerified();
  const addresses = Object.keys(old.entries).filter(
    (address) => !old.entries[address]!.existing && isMoved(address),
  );
  if (addresses.length === 0)
    throw moveProblems(
      'ledger/unknown',
      `the stack ${from.stack} owns nothing that matches`,
      '`trueup ledger list` shows what it owns',
    );
  const unsettled = [old, existingTarget].find((ledger) => ledger && (ledger.begun || ledger.staged));
  if (unsettled)
    throw moveProblems(
      'ledger/unsettled',
      `a run of ${unsettled.stack} was interrupted, and its outcome is not known yet`,
      'run `trueup apply` for it first',
    );
  const target = existingTarget ?? emptyLedger(old.baseUrl, old.owner, to.stack);
  const targetEntries = { ...target.entries };
  const moved: Record<Address, LedgerEntry> = {};
  for (const address of addresses) {
    const entry = old.entries[address]!;
    const targetEntry = targetEntries[address];
    const isSame =
      targetEntry && canonical({ ...targetEntry, handover: entry.handover }) === canonical(entry);
    if (targetEntry && !targetEntry.existing && !isSame)
      throw moveProblems(
        'ledger/both',
        `${address} is in both ledgers with different content`,
        `forget it in one of them: \`trueup ledger forget ${shellQuoted(address)}\``,
      );
    // `$handover` named the stack that may take the object over. This command decides instead.
    const { handover: _, ...movedEntry } = entry;
    targetEntries[address] = movedEntry;
    moved[address] = movedEntry;
  }
  for (const address of addresses) addContainers(address, old.entries, targetEntries);
  // An interrupted call may have written the target already.
  if (canonical(targetEntries) !== canonical(existingTarget?.entries ?? {})) {
    const historyUpdate = await composeRecord(to, target, moved);
    await to.lease.confirm();
    await to.store.write({ ...target, entries: targetEntries }, { historyUpdate });
  }
  const remaining = { ...old.entries };
  for (const address of addresses) delete remaining[address];
  for (const address of Object.keys(remaining)) addContainers(address, old.entries, remaining);
  dropEmptyContainers(remaining);
  const historyUpdate = await composeRecord(from, old, moved);
  await from.lease.confirm();
  await from.store.write({ ...old, entries: remaining }, { historyUpdate });
  await from.store.close();
  await to.store.close();
  return addresses;
}

/**
 * Removes all entries from the ledger of a stack that is no longer used, for `trueup ledger retire`, so that other stacks can adopt its
 * objects. Returns the number of objects that it owned. The objects and the history stay. Throws `Problems` if there is no such ledger.
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
  return claims.length;
}

/**
 * Reads the ledger of a stack whose entries are moved or removed. Throws `Problems` if it is missing, belongs to
 * another stack or is not verified, because the command would otherwise spread false claims.
 */
async function readVerifiedLedger(
  { stack, store }: LeasedLedger,
  options?: { allowCopied?: true },
): Promise<Ledger> {
  const ledger = await store.read();
  if (!ledger || ledger.stack !== stack)
    throw moveProblems(
      'ledger/none',
      `there is no ledger of ${stack} at ${store.place}`,
      'check the name, and --ledger',
    );
  store.requireVerified(options);
  return ledger;
}

/**
 * Adds the containers of an object (its project, for example) to `entries`, as existing objects that the stack does
 * not own. An object is reached through the ids of its containers, and these may belong to the other ledger now.
 */
function addContainers(
  address: Address,
  oldEntries: Ledger['entries'],
  entries: Record<Address, LedgerEntry>,
): void {
  for (const [container, entry] of Object.entries(oldEntries))
    if (container !== address && isWithin(address, container))
      entries[container] ??= { ...entry, fields: {}, secrets: {}, existing: true };
}

/**
 * Removes from `entries` the containers that the stack does not own and in which it has no objects any more. They
 * were only recorded to reach these objects.
 */
function dropEmptyContainers(entries: Record<Address, LedgerEntry>): void {
  const addresses = Object.keys(entries);
  for (const address of addresses) {
    const isEmpty = !addresses.some((other) => other !== address && isWithin(other, address));
    if (entries[address]!.existing && isEmpty) delete entries[address];
  }
}

/** Returns one problem with a remedy, for the commands of this file. */
const moveProblems = (code: string, message: string, hint: string) => new Problems(code, message, { hint });
