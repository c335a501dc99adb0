import { type Documents, recordFileName, runNumberOf } from '../ledger/documents.ts';
import { isVerified } from '../ledger/proof.ts';
import type { Ledger } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import { parseRecord, type RunRecord } from './record.ts';

/** The records of so many runs are whole; those before them have no changes any more. */
export const maxFullRecords = 100;
/** There are no records of runs before so many. */
export const maxRecords = 1000;

/** The history of a stack. */
export interface History {
  /** In the order of the runs. */
  records: RunRecord[];
  /** For people: what is wrong with it. */
  doubts: string[];
}

/** Reads the records of a stack. Whatever is wrong with them is in `doubts`; what is wrong with the place is thrown. */
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
  doubts.push(...brokenLinks(records), ...foreignRecords(records, ledger), ...unrecorded(records, ledger));
  return { records, doubts };
}

/** The chain: each record names the digest of the one before. */
function brokenLinks(records: readonly RunRecord[]): string[] {
  return records.flatMap(({ head }, index) => {
    const before = records[index - 1];
    if (!before) {
      const isOld = records.at(-1)!.head.run - head.run >= maxRecords - 1;
      return head.run === 1 || isOld ? [] : [gone(1, head.run - 1)];
    }
    if (before.head.run !== head.run - 1) return [gone(before.head.run + 1, head.run - 1)];
    return head.previous === before.digest
      ? []
      : [`the record of run ${before.head.run} is not the one before run ${head.run}`];
  });
}

const gone = (from: number, to: number): string =>
  from === to ? `the record of run ${from} is missing` : `the records of runs ${from} to ${to} are missing`;

/** Signed, and of another stack or account: somebody put it here. What a rename brought along says so. */
function foreignRecords(
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

/** A run that sent something notes when in the ledger; the record of it ends later. */
function unrecorded(records: readonly RunRecord[], ledger: Pick<Ledger, 'lastWrite'> | undefined): string[] {
  const last = records.at(-1)?.head;
  const sent = ledger?.lastWrite;
  if (sent === undefined || !last || last.outcome === 'begun') return [];
  return Date.parse(sent) > Date.parse(last.end ?? last.start)
    ? [`a run sent a request at ${sent} that no record mentions`]
    : [];
}
