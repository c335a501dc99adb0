import { findStarter } from '../../history/find-starter.ts';
import { composeCopiedHistory } from '../../history/ledger-record.ts';
import { copyLedger, type LeasedLedger } from '../../ledger/transfer-ledger.ts';
import { raise } from '../../model/diagnostic.ts';
import { decidedByOperator } from '../../stores/ledger-choice.ts';
import { findLedgerKey, openLedgerDocuments } from '../../stores/open-ledger.ts';
import type { Run } from '../port.ts';
import { type LedgerOptions, type LedgerTools, withLeasedLedgers } from './leased-ledgers.ts';

/** The two places of a ledger that moves, in the form that `--ledger` takes. */
export interface LedgerMove {
  stack: string;
  from: string;
  to: string;
}

/** What became of a ledger that was to be copied. */
interface CopiedLedger {
  /** False if an earlier call has copied it. */
  isCopied: boolean;
  /** The places as messages name them. */
  oldPlace: string;
  newPlace: string;
}

/**
 * Copies the ledger of a stack and its history to another place, with the right to write both (their leases), for `ledger copy` and `init
 * --ci`. The old place then points to the new one. Throws `Problems` if the places are the same, if the new one has another ledger, and
 * without a key.
 */
export async function copyStackLedger(
  { stack, from, to }: LedgerMove,
  options: LedgerOptions,
  tools: LedgerTools,
): Promise<CopiedLedger> {
  const { host } = tools.port.run;
  const optionsAt = (ledger: string) => decidedByOperator({ ...options, ledger });
  const { place: oldPlace } = await openLedgerDocuments(stack, optionsAt(from), host);
  const { place: newPlace } = await openLedgerDocuments(stack, optionsAt(to), host);
  if (oldPlace === newPlace)
    raise('ledger/same', `source and destination are the same: ${oldPlace}`, {
      hint: 'trueup ledger copy git postgres://db.example.com/trueup',
    });
  const places = new Map([from, to].map((place) => [place, { stack, options: optionsAt(place) }]));
  const isCopied = await withLeasedLedgers(places, options, tools, async (ledgers) => {
    const [source, target] = [ledgers.get(from)!, ledgers.get(to)!];
    const history = await movedHistoryOptions(source, target, options, tools.port.run);
    return copyLedger(source, target, (ledger) => composeCopiedHistory({ ...history, ledger }));
  });
  return { isCopied, oldPlace, newPlace };
}

/**
 * Returns what `ledger copy` and `ledger rename` need to write the history of runs at its new place: both places, the key that signs it,
 * the person or CI job that runs the command, and the clock.
 */
export const movedHistoryOptions = async (
  from: LeasedLedger,
  to: LeasedLedger,
  options: LedgerOptions,
  { host }: Run,
) => ({
  from: from.documents,
  to: to.documents,
  key: (await findLedgerKey(options, host))!,
  by: findStarter(host.env),
  now: host.clock.now,
});
