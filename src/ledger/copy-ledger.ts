import { Problems, problem } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';
import type { Beside } from './documents.ts';
import { copiedAway } from './ledger-store.ts';
import type { LeasedLedger } from './rename-ledger.ts';

/** The records that arrive in the new place, and what the old one is told of its end. */
interface CopiedHistory {
  arriving: Beside;
  leaving: Beside;
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
  from.store.requireVerified({ evenCopied: true });
  const known = await to.store.read();
  if (known) to.store.requireVerified({ evenCopied: true });
  if (old.copiedTo !== undefined) {
    if (old.copiedTo === there && known) return false;
    throw copiedAway(here, old.copiedTo);
  }
  // What only the journal of an interrupted run has comes along.
  if (from.store.journalText() !== undefined) await from.lease.confirm();
  const whole = from.store.journalText() === undefined ? old : await from.store.write(old);
  const kept = (await from.documents.read('ledger'))!;
  const before = await to.documents.read('ledger');
  const isReturn = known?.copiedTo === here;
  if (before && before.text !== kept.text && !isReturn) throw taken(to, known!);
  const history = await historyOf(whole);
  if (before?.text !== kept.text) {
    await to.lease.confirm();
    await to.documents.write('ledger', kept.text, { expected: before?.version, beside: history?.arriving });
  }
  await from.lease.confirm();
  await from.store.write({ ...whole, copiedTo: there }, { beside: history?.leaving });
  await from.store.close();
  return true;
}

const noLedger = ({ stack, store }: LeasedLedger, found: Ledger | undefined): Problems =>
  new Problems([
    found
      ? problem('ledger/foreign', `the ledger ${store.place} belongs to ${found.stack}, not to ${stack}`, {
          hint: 'check the place, and --file and --stage, which select the ledger',
        })
      : problem('ledger/none', `there is no ledger of ${stack} at ${store.place}`, {
          hint: 'check the place; FROM and TO take the same values as --ledger',
        }),
  ]);

const taken = ({ store }: LeasedLedger, there: Ledger): Problems =>
  new Problems([
    problem(
      'ledger/exists',
      `there is already a ledger at ${store.place}, of ${there.stack}, with ${Object.keys(there.entries).length} entries`,
      { hint: 'both may own objects: compare them with `trueup ledger list`; nothing was changed' },
    ),
  ]);
