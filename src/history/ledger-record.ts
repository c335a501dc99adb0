import type { Host } from '../host.ts';
import type { Documents, HistoryUpdate } from '../ledger/documents.ts';
import { missingKeyProblem } from '../ledger/proof.ts';
import type { Address } from '../model/address.ts';
import { raise } from '../model/diagnostic.ts';
import type { LedgerKey } from '../model/digest.ts';
import type { Ledger, LedgerEntry } from '../model/ledger.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import { version } from '../model/version.ts';
import { pastVerbs } from '../report/past-verbs.ts';
import type { LedgerChoice } from '../stores/ledger-choice.ts';
import { findLedgerKey } from '../stores/open-ledger.ts';
import { maxLengthWithoutFields } from './compose-record.ts';
import { findStarter } from './find-starter.ts';
import { formatRunName, prepareNextRecord } from './open-recording.ts';
import type { ChangeResult, RecordDetails, RecordHead } from './record.ts';

/** Facts for the record of a command that changes only a ledger. */
interface LedgerCommandFacts extends Pick<RecordHead, 'was' | 'to' | 'from'> {
  command: 'rename' | 'move' | 'forget' | 'sign' | 'retire' | 'copy';
  /** The entries that come into the ledger (`adopt`) or leave it (`forget`). */
  changes?: { action: 'adopt' | 'forget'; entries: Readonly<Record<string, Pick<LedgerEntry, 'kind'>>> };
}

/** The history that gets a record, and what every record needs. */
interface LedgerRecordOptions {
  documents: Pick<Documents, 'history' | 'place'>;
  /** The stack of the history. */
  ledger: Pick<Ledger, 'baseUrl' | 'owner' | 'stack'>;
  key: LedgerKey;
  by: Pick<RecordHead, 'actor' | 'ci'>;
  now(): number;
}

/**
 * Composes the record of a command that changes only a ledger, such as `ledger move`; the caller writes it with
 * that ledger. Without it, `trueup log` could not say why a stack stopped owning an object. Must be called while
 * the lease of the stack is held.
 */
async function composeLedgerRecord(
  { documents, ledger, key, by, now }: LedgerRecordOptions,
  { changes, ...facts }: LedgerCommandFacts,
): Promise<HistoryUpdate> {
  const { composeRecord } = await prepareNextRecord(documents, ledger, key);
  const time = new Date(now()).toISOString();
  const addresses = Object.keys(changes?.entries ?? {});
  // A variable with several targets has several entries, but is one object.
  const count = new Set(addresses.map(addressWithoutTarget)).size;
  const head = {
    ...facts,
    ...by,
    version,
    // No plan was applied.
    plan: '',
    start: time,
    end: time,
    outcome: facts.command === 'rename' ? ('renamed' as const) : ('done' as const),
    done: changes && count > 0 ? { [pastVerbs[changes.action]]: count } : {},
    failed: 0,
    notDone: 0,
  };
  return composeRecord(head, detailsOf(changes));
}

/**
 * Returns the entries that a command such as `ledger forget` added to a ledger or removed, as the details of its
 * record, which `trueup log` shows. The record of a very large ledger would be too long, so entries beyond the
 * limit of a record without fields are left out, and counted in `more`.
 */
function detailsOf(changes: LedgerCommandFacts['changes']): RecordDetails {
  if (!changes) return { changes: [] };
  const { action, entries } = changes;
  const recordedChanges: RecordDetails['changes'] = [];
  let size = 0;
  let more = 0;
  for (const [address, { kind }] of Object.entries(entries)) {
    const change = { address, kind, action, result: 'done' as const, fields: [] };
    size += JSON.stringify(change).length;
    if (size <= maxLengthWithoutFields) recordedChanges.push(change);
    else more++;
  }
  return { changes: recordedChanges, more: more > 0 ? more : undefined };
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
 * Prepares the move of a history for `trueup ledger rename`. All records go to the new place, with one more that
 * names the old stack: it proves that the older records belong to the renamed stack. Returns the writes for the new
 * place (`arriving`) and for the old one (`leaving`, which empties it). If both are one place, only the record of
 * the rename is written.
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
  return {
    arriving: { records: await composeArrivingRecords(from, to, names, history), message },
    leaving: { records: new Map(names.map((name) => [name, undefined])), message },
  };
}

/**
 * Returns the records for the write of a history at its new place: all records of the old place (`names`: their
 * file names), and the new ones. Records that an earlier stack left at the new place are removed.
 */
async function composeArrivingRecords(
  from: Pick<Documents, 'history'>,
  to: Pick<Documents, 'history'>,
  names: readonly string[],
  newRecords: HistoryUpdate['records'],
): Promise<HistoryUpdate['records']> {
  const texts = await from.history.read(names);
  const removals = (await to.history.names()).map((name) => [name, undefined] as const);
  return new Map([...removals, ...texts, ...newRecords]);
}

interface CopyOptions extends Pick<LedgerRecordOptions, 'key' | 'by' | 'now'> {
  from: Pick<Documents, 'history' | 'place'>;
  to: Pick<Documents, 'history' | 'place'>;
  ledger: Ledger;
}

/**
 * Prepares the copy of a history for `trueup ledger copy`. The new place gets all records (`arriving`). Both places
 * get a record of the copy, so that each history says where the ledger went (`leaving`: the write at the old
 * place).
 */
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
  const names = await from.history.names();
  return {
    arriving: { records: await composeArrivingRecords(from, to, names, history), message },
    leaving: { records: history, message },
  };
}

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
 * came of it. The caller writes it with the ledger, before sending (`begun`) and after. `about`: the object that
 * the action is about, if any. `by`: who started the command, and where. Must be called while the lease of the stack
 * is held, because it takes the next run number.
 */
export async function openActionRecord(
  { documents, ledger, key, by, now }: LedgerRecordOptions,
  { action, about, ...deed }: ActionDeed,
): Promise<ActionRecord> {
  const { run, composeRecord } = await prepareNextRecord(documents, ledger, key);
  const time = () => new Date(now()).toISOString();
  const start = time();
  const composeUpdate = (outcome: 'begun' | 'done' | 'failed'): HistoryUpdate => {
    const head = {
      command: 'run' as const,
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
    return composeRecord(head, { changes });
  };
  return { run, name: formatRunName(run, by), composeUpdate };
}

/**
 * Composes the history record of a command that changes a ledger but no object, such as `ledger forget`, so that
 * `trueup log` shows it. The caller writes it together with the ledger. `facts`: the command and the entries that
 * it changes. Throws `Problems` if there is no key to sign it.
 */
export async function composeCommandRecord(
  { documents, ...ledger }: Pick<Ledger, 'baseUrl' | 'owner' | 'stack'> & { documents: Documents },
  options: LedgerChoice,
  { host }: { host: Host },
  facts: LedgerCommandFacts,
): Promise<HistoryUpdate> {
  const key = (await findLedgerKey(options, host)) ?? raise(missingKeyProblem);
  return composeLedgerRecord(
    { documents, ledger, key, by: findStarter(host.env), now: host.clock.now },
    facts,
  );
}
