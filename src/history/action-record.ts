import { type HistoryUpdate, recordFileName } from '../ledger/documents.ts';
import type { Address } from '../model/address.ts';
import { version } from '../model/version.ts';
import { cleanLine } from '../report/text.ts';
import type { LedgerRecordOptions } from './ledger-record.ts';
import { formatCommitMessage, prepareNextRecord } from './open-recording.ts';
import { type ChangeResult, formatRecord, type RecordHead } from './record.ts';

/** The action that a record describes. Without its input, because that may be confidential. */
interface ActionDeed extends Pick<RecordHead, 'stage' | 'commit' | 'approval'> {
  action: string;
  about?: { address: Address; kind: string };
}

/**
 * The record of an action in the history. It is written before the action is sent, and again once its outcome is
 * known.
 */
interface ActionRecord {
  /** The number of the run. */
  run: number;
  /** The same for people: `run 12, ada`. */
  name: string;
  composeUpdate(outcome: 'begun' | 'done' | 'failed'): HistoryUpdate;
}

/** The result of the object that an action is about, by the outcome of the action. */
const resultsByOutcome = { begun: 'planned', done: 'done', failed: 'failed' } as const satisfies Record<
  string,
  ChangeResult
>;

/**
 * Prepares the history record of an action that `trueup run` sends, so that `trueup log` shows who sent it and what
 * came of it. The caller writes it with the ledger, before and after sending. Must be called while the lease of the
 * stack is held, because it takes the next run number.
 */
export async function openActionRecord(
  { documents, ledger, key, by, now }: LedgerRecordOptions,
  { action, about, ...deed }: ActionDeed,
): Promise<ActionRecord> {
  const { run, old, beginning } = await prepareNextRecord(documents, ledger, key);
  const time = () => new Date(now()).toISOString();
  const start = time();
  const composeUpdate = (outcome: 'begun' | 'done' | 'failed'): HistoryUpdate => {
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
  return { run, name: `run ${run}${by.actor ? `, ${cleanLine(by.actor.name)}` : ''}`, composeUpdate };
}
