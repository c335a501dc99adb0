import { type Documents, type HistoryUpdate, recordFileName } from '../ledger/documents.ts';
import type { Ledger, LedgerEntry } from '../model/ledger.ts';
import type { LedgerKey } from '../model/ledger-key.ts';
import { version } from '../model/version.ts';
import { addressOfWhole } from '../model/wholes.ts';
import { pastVerbs } from '../report/outcome-text.ts';
import { maxRecordLength } from './compose-record.ts';
import { formatCommitMessage, prepareNextRecord } from './open-recording.ts';
import { formatRecord, type RecordDetails, type RecordHead } from './record.ts';

/** The effect of a command on a ledger without an apply: no object changes. */
export interface LedgerCommandFacts extends Pick<RecordHead, 'was' | 'to' | 'from'> {
  command: 'rename' | 'move' | 'forget' | 'sign' | 'retire' | 'copy';
  /** The entries that come into the ledger, or leave it. */
  changes?: { action: 'adopt' | 'forget'; entries: Readonly<Record<string, Pick<LedgerEntry, 'kind'>>> };
}

export interface LedgerRecordOptions {
  documents: Pick<Documents, 'history' | 'place'>;
  /** Whose history it is. */
  ledger: Pick<Ledger, 'baseUrl' | 'owner' | 'stack'>;
  key: LedgerKey;
  by: Pick<RecordHead, 'actor' | 'ci'>;
  now(): number;
}

/** The record of what a command does to a ledger, to go with its write: the next one of the history, under the lease. */
export async function composeLedgerRecord(
  { documents, ledger, key, by, now }: LedgerRecordOptions,
  { changes, ...deed }: LedgerCommandFacts,
): Promise<HistoryUpdate> {
  const { run, old, beginning } = await prepareNextRecord(documents, ledger, key);
  const time = new Date(now()).toISOString();
  const addresses = Object.keys(changes?.entries ?? {});
  const count = new Set(addresses.map(addressOfWhole)).size;
  const head: Omit<RecordHead, 'details'> = {
    ...beginning,
    ...deed,
    ...by,
    version,
    plan: '',
    start: time,
    end: time,
    outcome: deed.command === 'rename' ? 'renamed' : 'done',
    done: changes && count > 0 ? { [pastVerbs[changes.action]]: count } : {},
    failed: 0,
    notDone: 0,
  };
  return {
    records: new Map([...old, [recordFileName(run), formatRecord(head, detailsOf(changes), key)]]),
    message: formatCommitMessage(head),
  };
}

/** With ten times the fields' share of a record, changes are left out, as in that of a run. */
function detailsOf(changes: LedgerCommandFacts['changes']): RecordDetails {
  const all = Object.entries(changes?.entries ?? {}).map(
    ([address, { kind }]): RecordDetails['changes'][number] => ({
      address,
      kind,
      action: changes!.action,
      result: 'done',
      fields: [],
    }),
  );
  let size = 0;
  const kept = all.filter((change) => {
    size += JSON.stringify(change).length;
    return size <= 10 * maxRecordLength;
  });
  return { changes: kept, ...(kept.length < all.length ? { more: all.length - kept.length } : {}) };
}

interface RenameOptions extends Pick<LedgerRecordOptions, 'key' | 'by' | 'now'> {
  from: Pick<Documents, 'history' | 'place'>;
  to: Pick<Documents, 'history' | 'place'>;
  /** The ledger under its old name. */
  ledger: Ledger;
  /** The new name. */
  stack: string;
}

/**
 * The history of a stack that gets another name: what arrives in the new place, with a record that vouches for the old name, and what goes
 * from the old one.
 */
export async function composeRenamedHistory({
  from,
  to,
  ledger,
  stack,
  ...how
}: RenameOptions): Promise<{ arriving: HistoryUpdate; leaving: HistoryUpdate }> {
  const names = await from.history.names();
  const { records: history, message } = await composeLedgerRecord(
    { documents: from, ledger: { ...ledger, stack }, ...how },
    { command: 'rename', was: ledger.stack },
  );
  if (from.place === to.place)
    return { arriving: { records: history, message }, leaving: { records: new Map(), message } };
  const texts = await from.history.read(names);
  // Of a stack that had this name before nothing is left.
  const others = (await to.history.names()).map((name) => [name, undefined] as const);
  return {
    arriving: { records: new Map([...others, ...texts, ...history]), message },
    leaving: { records: new Map(names.map((name) => [name, undefined])), message },
  };
}

interface CopyOptions extends Pick<LedgerRecordOptions, 'key' | 'by' | 'now'> {
  from: Pick<Documents, 'history' | 'place'>;
  to: Pick<Documents, 'history' | 'place'>;
  ledger: Ledger;
}

/** The history of a stack whose ledger is copied: all of it arrives, and both places end with the record of that. */
export async function composeCopiedHistory({
  from,
  to,
  ledger,
  ...how
}: CopyOptions): Promise<{ arriving: HistoryUpdate; leaving: HistoryUpdate }> {
  const { records: history, message } = await composeLedgerRecord(
    { documents: from, ledger, ...how },
    { command: 'copy', to: to.place },
  );
  const texts = await from.history.read(await from.history.names());
  const others = (await to.history.names()).map((name) => [name, undefined] as const);
  return {
    arriving: { records: new Map([...others, ...texts, ...history]), message },
    leaving: { records: history, message },
  };
}
