import type { Host } from '../host.ts';
import type { Documents } from '../ledger/documents.ts';
import { type Diagnostic, problem, raise } from '../model/diagnostic.ts';
import type { Ledger } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import type { LedgerChoice } from '../stores/ledger-choice.ts';
import {
  findLedgerKey,
  openLedgerDocuments,
  openLedgerStore,
  readStackLedger,
} from '../stores/open-ledger.ts';
import { type History, readHistory } from './read-history.ts';

/** The history of a stack, with the ledger that it belongs to and the key that verified it. */
export interface OpenHistory extends History {
  key: LedgerKey | undefined;
  ledger: Ledger | undefined;
  documents: Documents;
}

/** Reads the history of a stack without connecting to its account. Used by `log`, `blame` and `undo`. Throws `Problems`. */
export async function openHistory(stack: string, options: LedgerChoice, host: Host): Promise<OpenHistory> {
  const documents = await openLedgerDocuments(stack, options, host);
  const key = await findLedgerKey(options, host);
  const store = await openLedgerStore(stack, options, host, key, documents);
  const ledger = await readStackLedger(stack, store);
  return { ...(await readHistory(documents, ledger, key)), key, ledger, documents };
}

/** Parses the number of a run, which users write as `12` or `#12` for `trueup log` or `undo`. Throws `Problems`. */
export function parseRunNumber(text: string): number {
  const number = /^#?(\d{1,9})$/.exec(text)?.[1];
  if (number !== undefined) return Number(number);
  raise('history/unknown', `${JSON.stringify(text)} is not a run number`, {
    hint: '`trueup log` lists them',
  });
}

/**
 * Returns the problem that the history has no run with the number that a user named for `trueup log` or `undo`. The hint lists the runs
 * that it has.
 */
export const unknownRunProblem = (run: number, { records }: History): Diagnostic =>
  problem('history/unknown', `there is no record of run ${run}`, {
    hint:
      records.length === 0
        ? 'the history is empty; future applies are recorded'
        : `\`trueup log\` lists runs ${records[0]!.head.run} to ${records.at(-1)!.head.run}`,
  });
