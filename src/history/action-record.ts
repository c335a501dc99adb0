import { type HistoryUpdate, recordFileName } from '../ledger/documents.ts';
import type { Address } from '../model/address.ts';
import { version } from '../model/version.ts';
import { cleanLine } from '../report/clean.ts';
import type { LedgerRecordOptions } from './ledger-record.ts';
import { formatCommitMessage, prepareNextRecord } from './open-recording.ts';
import { type ChangeResult, formatRecord, type RecordHead } from './record.ts';

/** The record of an action, without its input. */
interface ActionDeed extends Pick<RecordHead, 'stage' | 'commit' | 'approval'> {
  action: string;
  about?: { address: Address; kind: string };
}

/** The record of an action, which is written before it is sent, and once more when it is known what became of it. */
interface ActionRecord {
  /** The number of the run. */
  run: number;
  /** The same for people: `run 12, ada`. */
  name: string;
  composeUpdate(outcome: 'begun' | 'done' | 'failed'): HistoryUpdate;
}

const resultsByOutcome = { begun: 'planned', done: 'done', failed: 'failed' } as const satisfies Record<
  string,
  ChangeResult
>;

/** Begins the record of an action, under the lease of the ledger. */
export async function openActionRecord(
  { documents, ledger, key, by, now }: LedgerRecordOptions,
  { action, about, ...deed }: ActionDeed,
): Promise<ActionRecord> {
  const { run, old, beginning } = await prepareNextRecord(documents, ledger, key);
  const time = () => new Date(now()).toISOString();
  const start = time();
  const beside = (outcome: 'begun' | 'done' | 'failed'): HistoryUpdate => {
    const head: Omit<RecordHead, 'details'> = {
      ...beginning,
      command: 'run',
      action,
      ...deed,
      ...by,
      version,
      plan: '',
      start,
      end: outcome === 'begun' ? undefined : time(),
      outcome,
      done: {},
      failed: outcome === 'failed' ? 1 : 0,
      notDone: 0,
    };
    const changes = about
      ? [{ ...about, action: 'noop' as const, result: resultsByOutcome[outcome], fields: [] }]
      : [];
    return {
      records: new Map([...old, [recordFileName(run), formatRecord(head, { changes }, key)]]),
      message: formatCommitMessage(head),
    };
  };
  return { run, name: `run ${run}${by.actor ? `, ${cleanLine(by.actor.name)}` : ''}`, composeUpdate: beside };
}
