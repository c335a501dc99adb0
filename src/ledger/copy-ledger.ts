import { canonical } from '../model/canonical.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';
import { shellWord } from '../model/shell-word.ts';
import type { Documents, HistoryUpdate } from './documents.ts';
import { copiedLedgerProblems, type LedgerStore } from './ledger-store.ts';

/** The records that arrive in the new place, and what the old one is told of its end. */
interface CopiedHistory {
  arriving: HistoryUpdate;
  leaving: HistoryUpdate;
}

/**
 * Copies the ledger of a stack to another place, byte by byte, so that its signature and generation hold, with its history. The old one
 * then says where it went, signed, and takes no apply; what it claims beside other stacks stays. The new one is written before the old
 * one says so: whatever interrupts it, both have all, and the same call ends it. A place that was copied to this one before may be copied
 * back to. Gives back false where it was copied already. Throws `Problems`.
 */
export async function copyLedger(
  from: LeasedLedger,
  to: LeasedLedger,
  historyOf: (ledger: Ledger) => Promise<CopiedHistory | undefined> = async () => undefined,
): Promise<boolean> {
  const [here, there] = [from.documents.place, to.documents.place];
  const old = await from.store.read();
  if (!old || old.stack !== from.stack) throw noLedger(from, old);
  from.store.requireVerified({ allowCopied: true });
  const ledger = await to.store.read();
  if (ledger) to.store.requireVerified({ allowCopied: true });
  if (old.copiedTo !== undefined) {
    if (old.copiedTo === there && ledger) return false;
    throw copiedLedgerProblems(here, old.copiedTo);
  }
  // What only the journal of an interrupted run has comes along.
  if (from.store.journalText() !== undefined) await from.lease.confirm();
  const whole = from.store.journalText() === undefined ? old : await from.store.write(old);
  const storedDocument = (await from.documents.read('ledger'))!;
  const before = await to.documents.read('ledger');
  const isReturn = ledger?.copiedTo === here;
  if (before && before.text !== storedDocument.text && !isReturn) throw takenPlace(to, ledger!);
  const history = await historyOf(whole);
  if (before?.text !== storedDocument.text) {
    await to.lease.confirm();
    await to.documents.write('ledger', storedDocument.text, {
      expected: before?.version,
      historyUpdate: history?.arriving,
    });
  }
  await from.lease.confirm();
  await from.store.write({ ...whole, copiedTo: there }, { historyUpdate: history?.leaving });
  await from.store.close();
  return true;
}

const noLedger = ({ stack, store }: LeasedLedger, ledger: Ledger | undefined): Problems =>
  new Problems([
    ledger
      ? problem('ledger/foreign', `the ledger ${store.place} belongs to ${ledger.stack}, not to ${stack}`, {
          hint: 'check the place, and --file and --stage, which select the ledger',
        })
      : problem('ledger/none', `there is no ledger of ${stack} at ${store.place}`, {
          hint: 'check the place; FROM and TO take the same values as --ledger',
        }),
  ]);

const takenPlace = ({ store }: LeasedLedger, ledger: Ledger): Problems =>
  new Problems([
    problem(
      'ledger/exists',
      `there is already a ledger at ${store.place}, of ${ledger.stack}, with ${Object.keys(ledger.entries).length} entries`,
      { hint: 'both may own objects: compare them with `trueup ledger list`; nothing was changed' },
    ),
  ]);

/** A place for the ledger of one stack, whose lease this run has. */
export interface LeasedLedger {
  stack: string;
  documents: Documents;
  store: LedgerStore;
  lease: { confirm(): Promise<void> };
}

/** The records that arrive in the new place, and those that leave the old one. */
interface Moved {
  arriving: HistoryUpdate;
  leaving: HistoryUpdate;
}

/**
 * Gives a ledger to a stack of another name, in the same place or in one of its own, and gives back what is kept now. The new one is written whole
 * before the old one goes, with its history: whatever interrupts it, one of them has all, and the same call ends it. Throws `Problems` where the new one is there.
 */
export async function renameLedger(
  from: LeasedLedger,
  to: LeasedLedger,
  historyOf: (old: Ledger) => Promise<Moved | undefined> = async () => undefined,
): Promise<Ledger> {
  const old = await from.store.read();
  const ledger = to.documents.place === from.documents.place ? undefined : await to.store.read();
  if (!old || old.stack !== from.stack) throw noSuchLedger(from, to, old, ledger);
  from.store.requireVerified();
  if (ledger) {
    to.store.requireVerified();
    if (contentOf(ledger) !== contentOf({ ...old, stack: to.stack })) throw taken(from, to, ledger);
  }
  // What only the journal of an interrupted run has comes along.
  const kept = from.store.journalText() === undefined ? old : await written(from, old);
  const history = await historyOf(kept);
  if (to.documents.place === from.documents.place) {
    const renamed = await written(from, { ...kept, stack: to.stack }, history?.arriving);
    await from.store.close();
    return renamed;
  }
  const made = ledger ?? (await written(to, { ...kept, stack: to.stack, generation: 0 }, history?.arriving));
  await from.lease.confirm();
  const last = await from.documents.read('ledger');
  if (last)
    await from.documents.remove('ledger', { expected: last.version, historyUpdate: history?.leaving });
  await from.store.close();
  await to.store.close();
  return made;
}

async function written(
  { lease, store }: LeasedLedger,
  ledger: Ledger,
  historyUpdate?: HistoryUpdate,
): Promise<Ledger> {
  await lease.confirm();
  return store.write(ledger, { historyUpdate });
}

/** All but how often and when it was written. */
const contentOf = ({ generation: _, writtenAt: __, ...rest }: Ledger): string => canonical(rest);

function noSuchLedger(
  { stack, store }: LeasedLedger,
  to: LeasedLedger,
  ledger: Ledger | undefined,
  there: Ledger | undefined,
): Problems {
  if (ledger)
    return new Problems([
      problem('ledger/foreign', `the ledger ${store.place} belongs to ${ledger.stack}, not to ${stack}`, {
        hint: `check the names: \`trueup ledger rename ${shellWord(ledger.stack)} ${shellWord(to.stack)}\``,
      }),
    ]);
  return new Problems([
    problem('ledger/none', `there is no ledger of ${stack} at ${store.place}`, {
      hint:
        there?.stack === to.stack
          ? `there is one of ${to.stack}: it was renamed before`
          : 'check the name, and --ledger',
    }),
  ]);
}

const taken = (from: LeasedLedger, to: LeasedLedger, ledger: Ledger): Problems =>
  new Problems([
    problem(
      'ledger/exists',
      `${to.stack} already has a ledger with ${Object.keys(ledger.entries).length} entries: ${to.store.place}`,
      {
        hint: `both may own objects: compare them with \`trueup ledger list\`; nothing was changed, and ${from.stack} keeps its own`,
      },
    ),
  ]);
