import { type Beside, recordName } from '../ledger/documents.ts';
import type { Address } from '../model/address.ts';
import { version } from '../model/version.ts';
import { cleanLine } from '../report/clean.ts';
import type { DeedOptions } from './ledger-record.ts';
import { latest, messageOf } from './open-recording.ts';
import { type RecordHead, type Result, recordText } from './record.ts';

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
  beside(outcome: 'begun' | 'done' | 'failed'): Beside;
}

const results = { begun: 'planned', done: 'done', failed: 'failed' } as const satisfies Record<
  string,
  Result
>;

/** Begins the record of an action, under the lease of the ledger. */
export async function openActionRecord(
  { documents, ledger, key, by, now }: DeedOptions,
  { action, about, ...deed }: ActionDeed,
): Promise<ActionRecord> {
  const { run, old, beginning } = await latest(documents, ledger, key);
  const time = () => new Date(now()).toISOString();
  const start = time();
  const beside = (outcome: 'begun' | 'done' | 'failed'): Beside => {
    const head: Omit<RecordHead, 'details'> = {
      ...beginning,
      command: 'run',
      action,
      ...deed,
      ...by,
      version,
      plan: '',
      start,
      ...(outcome === 'begun' ? {} : { end: time() }),
      outcome,
      done: {},
      failed: outcome === 'failed' ? 1 : 0,
      notDone: 0,
    };
    const changes = about
      ? [{ ...about, action: 'noop' as const, result: results[outcome], fields: [] }]
      : [];
    return {
      history: new Map([...old, [recordName(run), recordText(head, { changes }, key)]]),
      message: messageOf(head),
    };
  };
  return { run, name: `run ${run}${by.actor ? `, ${cleanLine(by.actor.name)}` : ''}`, beside };
}
