import { canonical } from '../model/canonical.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';
import { shellWord } from '../model/shell-word.ts';
import type { Documents, HistoryUpdate } from './documents.ts';
import { copiedLedgerProblems, type LedgerStore } from './ledger-store.ts';

/** The changes to two histories when a ledger goes to another place or another name. */
interface TransferredHistory {
  /** The records that are written at the new place. */
  arriving: HistoryUpdate;
  /** The records that are written or removed at the old place. */
  leaving: HistoryUpdate;
}

/**
 * Copies the ledger of a stack and its history to another place, for `trueup ledger copy`. Returns false if it was copied there before.
 *
 * 1. The text is copied byte by byte, so that its signature and its generation stay valid.
 * 2. Then the old ledger gets `copiedTo`: nothing can be applied with it any more, but its claims on objects stay visible to other stacks.
 *
 * An interruption between the two steps leaves two complete ledgers, and the same call finishes the work. A ledger may be copied back to
 * a place that was copied here before. Throws `Problems` if there is no ledger to copy, or another one at the new place.
 */
export async function copyLedger(
  from: LeasedLedger,
  to: LeasedLedger,
  composeHistory: (ledger: Ledger) => Promise<TransferredHistory | undefined> = async () => undefined,
): Promise<boolean> {
  const oldPlace = from.documents.place;
  const newPlace = to.documents.place;
  const ledger = await from.store.read();
  if (!ledger || ledger.stack !== from.stack) throw nothingToCopyProblems(from, ledger);
  from.store.requireVerified({ allowCopied: true });
  const existing = await to.store.read();
  if (existing) to.store.requireVerified({ allowCopied: true });
  if (ledger.copiedTo !== undefined) {
    if (ledger.copiedTo === newPlace && existing) return false;
    throw copiedLedgerProblems(oldPlace, ledger.copiedTo);
  }
  // The journal of an interrupted run stays on this machine, so its changes are first written into the ledger.
  if (from.store.journalText() !== undefined) await from.lease.confirm();
  const complete = from.store.journalText() === undefined ? ledger : await from.store.write(ledger);
  const source = (await from.documents.read('ledger'))!;
  const target = await to.documents.read('ledger');
  const isReturn = existing?.copiedTo === oldPlace;
  if (target && target.text !== source.text && !isReturn) throw placeInUseProblems(to, existing!);
  const history = await composeHistory(complete);
  if (target?.text !== source.text) {
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

/** Returns the problem that there is no ledger to copy, or that it belongs to another stack. */
const nothingToCopyProblems = ({ stack, store }: LeasedLedger, ledger: Ledger | undefined): Problems =>
  new Problems([
    ledger
      ? problem('ledger/foreign', `the ledger ${store.place} belongs to ${ledger.stack}, not to ${stack}`, {
          hint: 'check the place, and --file and --stage, which select the ledger',
        })
      : problem('ledger/none', `there is no ledger of ${stack} at ${store.place}`, {
          hint: 'check the place; FROM and TO take the same values as --ledger',
        }),
  ]);

/**
 * Returns the problem that a different ledger is stored at the new place. Copying over it would make its stack forget
 * what it owns.
 */
const placeInUseProblems = ({ store }: LeasedLedger, ledger: Ledger): Problems =>
  new Problems(
    'ledger/exists',
    `there is already a ledger at ${store.place}, of ${ledger.stack}, with ${Object.keys(ledger.entries).length} entries`,
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
 * Renames the stack of a ledger, for `trueup ledger rename`, and returns the ledger under its new name. If places follow from stack names,
 * the new ledger is written before the old one is removed. So an interruption leaves at least one complete ledger, and the same call
 * finishes the work. Throws `Problems` if the ledger is missing, or a different one has the new name.
 */
export async function renameLedger(
  from: LeasedLedger,
  to: LeasedLedger,
  composeHistory: (old: Ledger) => Promise<TransferredHistory | undefined> = async () => undefined,
): Promise<Ledger> {
  const isSamePlace = to.documents.place === from.documents.place;
  const ledger = await from.store.read();
  const existing = isSamePlace ? undefined : await to.store.read();
  if (!ledger || ledger.stack !== from.stack) throw nothingToRenameProblems(from, to, ledger, existing);
  from.store.requireVerified();
  if (existing) {
    to.store.requireVerified();
    if (comparableContentOf(existing) !== comparableContentOf({ ...ledger, stack: to.stack }))
      throw nameInUseProblems(from, to, existing);
  }
  // The journal belongs to the old name, so its changes are first written into the ledger.
  const complete = from.store.journalText() === undefined ? ledger : await writeWithLease(from, ledger);
  const history = await composeHistory(complete);
  if (isSamePlace) {
    const renamed = await writeWithLease(from, { ...complete, stack: to.stack }, history?.arriving);
    await from.store.close();
    return renamed;
  }
  const renamed =
    existing ??
    (await writeWithLease(to, { ...complete, stack: to.stack, generation: 0 }, history?.arriving));
  await from.lease.confirm();
  const oldDocument = await from.documents.read('ledger');
  if (oldDocument)
    await from.documents.remove('ledger', {
      expected: oldDocument.version,
      historyUpdate: history?.leaving,
    });
  await from.store.close();
  await to.store.close();
  return renamed;
}

/**
 * Writes a ledger after making sure that this run still holds its lease, so that no other run is writing it at the
 * same time.
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
  canonical(content);

/**
 * Returns the problem that the ledger to rename is missing or belongs to another stack. `existing`: the ledger under
 * the new name, if there is one. It shows an earlier rename, so the hint says that.
 */
function nothingToRenameProblems(
  { stack, store }: LeasedLedger,
  to: LeasedLedger,
  ledger: Ledger | undefined,
  existing: Ledger | undefined,
): Problems {
  if (ledger)
    return new Problems(
      'ledger/foreign',
      `the ledger ${store.place} belongs to ${ledger.stack}, not to ${stack}`,
      {
        hint: `check the names: \`trueup ledger rename ${shellWord(ledger.stack)} ${shellWord(to.stack)}\``,
      },
    );
  return new Problems('ledger/none', `there is no ledger of ${stack} at ${store.place}`, {
    hint:
      existing?.stack === to.stack
        ? `there is one of ${to.stack}: it was renamed before`
        : 'check the name, and --ledger',
  });
}

/**
 * Returns the problem that a different ledger has the new name. Renaming over it would make that stack forget what it
 * owns.
 */
const nameInUseProblems = (from: LeasedLedger, to: LeasedLedger, ledger: Ledger): Problems =>
  new Problems(
    'ledger/exists',
    `${to.stack} already has a ledger with ${Object.keys(ledger.entries).length} entries: ${to.store.place}`,
    {
      hint: `both may own objects: compare them with \`trueup ledger list\`; nothing was changed, and ${from.stack} keeps its own`,
    },
  );
