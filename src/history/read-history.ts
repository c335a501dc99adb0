import type { Host } from '../host.ts';
import { type Documents, recordFileName, runNumberOf } from '../ledger/documents.ts';
import { isVerified } from '../ledger/proof.ts';
import { type Diagnostic, problem, raise } from '../model/diagnostic.ts';
import type { LedgerKey } from '../model/digest.ts';
import type { Ledger } from '../model/ledger.ts';
import type { SettledLedgerChoice } from '../stores/ledger-choice.ts';
import {
  findLedgerKey,
  openLedgerDocuments,
  openLedgerStore,
  readStackLedger,
} from '../stores/open-ledger.ts';
import { parseRecord, type RunRecord } from './record.ts';

/** The number of newest records that keep their details. */
export const maxFullRecords = 100;
/** The number of newest records that are kept at all. */
export const maxRecords = 1000;

/** The history of a stack. */
interface History {
  /** The records, oldest run first. */
  records: RunRecord[];
  /** The defects of the history, as sentences for people. */
  doubts: string[];
}

/**
 * Reads the history of a stack (the signed records of its runs), for `log`, `blame` and `undo`. Damaged, missing
 * and foreign records are only reported in `doubts`, because the others are still useful. Throws `Problems` if the
 * store cannot be read.
 */
export async function readHistory(
  { history, place }: Pick<Documents, 'history' | 'place'>,
  ledger: Pick<Ledger, 'baseUrl' | 'owner' | 'stack' | 'lastWrite'> | undefined,
  key: LedgerKey | undefined,
): Promise<History> {
  const texts = await history.read(await history.names());
  const doubts: string[] = [];
  const runRecords: RunRecord[] = [];
  for (const [name, text] of texts) {
    const record = parseRecord(text, key, `the record of run ${runNumberOf(name)} at ${place}`);
    if (record && recordFileName(record.head.run) === name) runRecords.push(record);
    else doubts.push(`the record of run ${runNumberOf(name)} is not a valid record`);
  }
  const records = runRecords.sort((a, b) => a.head.run - b.head.run);
  doubts.push(
    ...findBrokenLinks(records),
    ...findForeignRecords(records, ledger),
    ...findUnrecordedRun(records, ledger),
  );
  return { records, doubts };
}

/**
 * Returns texts about missing and replaced records, so that a tampered history is noticed. Each record has the
 * digest of the one before it, so a gap in the run numbers or another digest shows. Only the first records may be
 * missing, once there were more runs than a history keeps (`maxRecords`).
 */
function findBrokenLinks(records: readonly RunRecord[]): string[] {
  return records.flatMap(({ head }, index) => {
    const previousRecord = records[index - 1];
    if (!previousRecord) {
      const keptRuns = records.at(-1)!.head.run - head.run + 1;
      const wereOldRemoved = keptRuns >= maxRecords;
      return head.run === 1 || wereOldRemoved ? [] : [formatMissingRuns(1, head.run - 1)];
    }
    const previousRun = previousRecord.head.run;
    if (previousRun !== head.run - 1) return [formatMissingRuns(previousRun + 1, head.run - 1)];
    return head.previous === previousRecord.digest
      ? []
      : [`the record of run ${previousRun} is not the one before run ${head.run}`];
  });
}

/** Formats the doubt that the records of these runs are missing. */
const formatMissingRuns = (from: number, to: number): string =>
  from === to ? `the record of run ${from} is missing` : `the records of runs ${from} to ${to} are missing`;

/**
 * Returns texts about history records of another stack or account, put here by mistake or to deceive; `trueup log`
 * warns of them. After a rename, records under the old name of the stack are still its own: the verified record of
 * the rename names it (`was`). So the records are checked newest first.
 */
function findForeignRecords(
  records: readonly RunRecord[],
  ledger: Pick<Ledger, 'baseUrl' | 'owner' | 'stack'> | undefined,
): string[] {
  if (!ledger) return [];
  const names = new Set([ledger.stack]);
  const doubts: string[] = [];
  for (const { head, proof } of [...records].reverse()) {
    const isOurs = names.has(head.stack) && head.baseUrl === ledger.baseUrl && head.owner === ledger.owner;
    if (!isOurs) doubts.push(`the record of run ${head.run} belongs to ${head.stack} at another place`);
    else if (head.was !== undefined && isVerified(proof)) names.add(head.was);
  }
  return doubts.reverse();
}

/**
 * Returns a text about a run without a record, so that `trueup log` can warn that the history is incomplete. A run
 * notes in the ledger when it sent its last request (`lastWrite`), and its record ends after that. So a later time
 * in the ledger means that the record is missing.
 */
function findUnrecordedRun(
  records: readonly RunRecord[],
  ledger: Pick<Ledger, 'lastWrite'> | undefined,
): string[] {
  const last = records.at(-1)?.head;
  const sent = ledger?.lastWrite;
  if (sent === undefined || !last || last.outcome === 'begun') return [];
  return Date.parse(sent) > Date.parse(last.end ?? last.start)
    ? [`a run sent a request at ${sent} that no record mentions`]
    : [];
}

/** The history of a stack, with the ledger that it belongs to and the key that verified it. */
export interface OpenHistory extends History {
  key: LedgerKey | undefined;
  ledger: Ledger | undefined;
  documents: Documents;
}

/**
 * Reads the history (the records of all runs) and the ledger of a stack from where they are stored, without connecting to its account.
 * Used by `log`, `blame` and `undo`, which warn of its `doubts`: damaged or missing records and, if no ledger was found, that it may be
 * at another place (`ledgerDoubt`). Throws `Problems` if they cannot be read.
 */
export async function openHistory(
  stack: string,
  options: SettledLedgerChoice,
  host: Host,
): Promise<OpenHistory> {
  const documents = await openLedgerDocuments(stack, options, host);
  const key = await findLedgerKey(options, host);
  const store = await openLedgerStore(stack, options, host, key, documents);
  const ledger = await readStackLedger(stack, store);
  const history = await readHistory(documents, ledger, key);
  const { ledgerDoubt } = options;
  const doubts = !ledger && ledgerDoubt ? [ledgerDoubt.message] : [];
  return { ...history, doubts: [...doubts, ...history.doubts], key, ledger, documents };
}

/**
 * Parses the number of a run, which users write as `12` or `#12` for `trueup log` or `undo`. Throws `Problems` for
 * any other text.
 */
export function parseRunNumber(text: string): number {
  const number = /^#?(\d{1,9})$/.exec(text)?.[1];
  if (number !== undefined) return Number(number);
  raise('history/unknown', `${JSON.stringify(text)} is not a run number`, {
    hint: '`trueup log` lists them',
  });
}

/**
 * Returns the problem that the history has no run with the number that a user named for `trueup log` or `undo`. The hint names
 * the first and the last run that it has.
 */
export const unknownRunProblem = (run: number, { records }: History): Diagnostic =>
  problem('history/unknown', `there is no record of run ${run}`, {
    hint:
      records.length === 0
        ? 'the history is empty; future applies are recorded'
        : `\`trueup log\` lists runs ${records[0]!.head.run} to ${records.at(-1)!.head.run}`,
  });
