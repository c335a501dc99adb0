import { createHash } from 'node:crypto';
import { type Documents, type HistoryUpdate, recordFileName, runNumberOf } from '../ledger/documents.ts';
import { byAddress } from '../model/address.ts';
import { canonicalJson, type LedgerKey } from '../model/digest.ts';
import { type ApplyEvent, type Outcome, runEndOf } from '../model/event.ts';
import type { Ledger } from '../model/ledger.ts';
import type { Plan } from '../model/plan.ts';
import { version } from '../model/version.ts';
import { changeJson, operationJson } from '../report/plan-json.ts';
import { cleanLine } from '../report/text.ts';
import { createPlannedRecord, formatRunCounts } from './compose-record.ts';
import { maxFullRecords, maxRecords } from './read-history.ts';
import {
  dropRecordDetails,
  formatRecord,
  isActionRecord,
  isLedgerRecord,
  parseRecord,
  type RecordDetails,
  type RecordHead,
} from './record.ts';

/** Facts for the record of a run that its caller knows: the command, who started it, the commit, the approval. */
export interface RunFacts
  extends Pick<RecordHead, 'command' | 'stage' | 'undoes' | 'actor' | 'ci' | 'commit' | 'approval'> {
  /** True if the record contains the values of fields, not only their paths. */
  values: boolean;
}

interface RecordingOptions {
  documents: Pick<Documents, 'history' | 'place'>;
  ledger: Pick<Ledger, 'baseUrl' | 'owner' | 'stack'>;
  key: LedgerKey;
  plan: Plan;
  /** The digest of the saved plan, if one is applied. */
  digest?: string | undefined;
  about: RunFacts;
  now(): number;
}

/** The record of a run while it goes on. It is written with each write of the ledger, so that a killed run leaves a record too. */
interface Recording {
  /** The number of the run. */
  run: number;
  /** The run for people, with the person who started it if known: `run 12, ada`. */
  name: string;
  /** Returns the record with the results so far, for the next write of the ledger. */
  composeUpdate(): HistoryUpdate;
  addEvent(event: ApplyEvent): void;
  end(outcome: Outcome): void;
}

/**
 * Starts the record of an apply, which `trueup log` will show. The caller passes on events and the outcome, and writes `composeUpdate()`
 * with each write of the ledger, so that the record of a killed run has its results so far. Must be called while the lease of the stack is
 * held, because otherwise two runs could choose the same number. `values` in `about`: true to record the values of fields. Without them,
 * the record says so (`values: false`).
 */
export async function openRecording(options: RecordingOptions): Promise<Recording> {
  const { documents, ledger, key, plan, about, now } = options;
  const { values, ...facts } = about;
  const { last, run, composeRecord } = await prepareNextRecord(documents, ledger, key);
  // A killed run leaves its record as `begun`. The plan of this run contains what that one did not do.
  const isLastUnfinished = last?.head.outcome === 'begun' && !isActionRecord(last.head);
  const doneAddresses = new Set<string>();
  const failedAddresses = new Set<string>();
  let ended: { outcome: Outcome; end: string } | undefined;
  const unchangingHead = {
    ...facts,
    resumes: isLastUnfinished ? last.head.run : undefined,
    version,
    plan: options.digest ?? planDigest(plan),
    partial: plan.isNarrowed && (true as const),
    start: new Date(now()).toISOString(),
  };
  const planned = createPlannedRecord(plan, { values });
  return {
    run,
    name: formatRunName(run, about),
    composeUpdate: () => {
      const progress = { done: doneAddresses, failed: failedAddresses, outcome: ended?.outcome };
      const head = {
        ...unchangingHead,
        end: ended?.end,
        outcome: ended ? runEndOf(ended.outcome) : ('begun' as const),
        ...planned.counts(progress),
        values: values ? undefined : (false as const),
      };
      return composeRecord(head, planned.details(progress));
    },
    addEvent: (event) => {
      if (event.type === 'succeeded')
        for (const address of event.operation.changes) doneAddresses.add(address);
      if (event.type === 'failed')
        for (const address of event.operation.changes) failedAddresses.add(address);
    },
    end: (outcome) => {
      ended = { outcome, end: new Date(now()).toISOString() };
    },
  };
}

/** Formats a run for people, with the person who started it if known: `run 12, ada`. */
export const formatRunName = (run: number, { actor }: Pick<RecordHead, 'actor'>): string =>
  `run ${run}${actor ? `, ${cleanLine(actor.name)}` : ''}`;

/** The facts of a run for the head of its record, without the members that follow from the history. */
type NextHead = Omit<
  RecordHead,
  'details' | 'formatVersion' | 'run' | 'previous' | 'baseUrl' | 'owner' | 'stack'
>;

/**
 * Prepares the next record of a history. Every command that writes a record calls it, under the lease of the stack,
 * so that two runs never take the same number. Returns:
 *
 * - `last`: the last record, whose digest the next one contains
 * - `run`: the number of the next record
 * - `composeRecord`: composes the write of the next record. The same write removes the oldest records and drops the
 *   details of one more, so that a history does not grow forever. A run writes its record several times.
 */
export async function prepareNextRecord(
  { history, place }: Pick<Documents, 'history' | 'place'>,
  { baseUrl, owner, stack }: Pick<Ledger, 'baseUrl' | 'owner' | 'stack'>,
  key: LedgerKey,
) {
  const names = await history.names();
  const run = names.length > 0 ? runNumberOf(names.at(-1)!) + 1 : 1;
  const removedNames = names.filter((name) => runNumberOf(name) <= run - maxRecords);
  // At most one record: older ones lost their details in earlier runs.
  const shortenedNames = names.filter((name) => runNumberOf(name) === run - maxFullRecords);
  const texts = await history.read([...shortenedNames, ...names.slice(-1)]);
  const lastText = texts.get(names.at(-1) ?? '');
  const last = lastText === undefined ? undefined : parseRecord(lastText, key, `the last record at ${place}`);
  // The new texts of old records; undefined removes a record.
  const oldRecords = new Map<string, string | undefined>([
    ...removedNames.map((name) => [name, undefined] as const),
    ...shortenedNames.map((name) => [name, dropRecordDetails(texts.get(name)!)] as const),
  ]);
  const beginning = {
    formatVersion: 1 as const,
    run,
    previous: last?.digest ?? null,
    baseUrl,
    owner,
    stack,
  };
  const composeRecord = (facts: NextHead, details: RecordDetails): HistoryUpdate => {
    const head = { ...beginning, ...facts };
    return {
      records: new Map([...oldRecords, [recordFileName(run), formatRecord(head, details, key)]]),
      message: formatCommitMessage(head),
    };
  };
  return { last, run, composeRecord };
}

/**
 * Returns a digest that identifies an unsaved plan, for the record of the run that applies it; a saved plan has a digest in its file. The
 * digest is that of the canonical JSON of these members, with the changes sorted by address. It is made one change at a time, because the
 * text of a plan with 100,000 changes takes more memory than the plan.
 */
export function planDigest({ stack, account, changes, operations }: Plan): string {
  const digest = createHash('sha256');
  const addList = <T>(items: readonly T[], toJson: (item: T) => unknown) => {
    for (const [index, item] of items.entries())
      digest.update(`${index === 0 ? '[' : ','}${canonicalJson(toJson(item))}`);
    digest.update(items.length === 0 ? '[]' : ']');
  };
  digest.update(account ? `{"account":${canonicalJson(account)},"changes":` : '{"changes":');
  addList([...changes].sort(byAddress), changeJson);
  digest.update(',"operations":');
  addList(operations, operationJson);
  return digest.update(`,"stack":${canonicalJson(stack)}}`).digest('base64url');
}

/**
 * Formats the commit message for the record of a run, used if the history is in git, so that `git log` shows the
 * runs, too. It has a subject such as `apply shop: 3 created (#12)`, and a line for each fact, such as `Actor: ada
 * (USER)`.
 */
function formatCommitMessage(head: Omit<RecordHead, 'details'>): string {
  const {
    run,
    command,
    action,
    stack,
    undoes,
    to,
    from,
    actor,
    ci,
    commit,
    plan,
    approval,
    outcome,
    resumes,
    start,
    end,
  } = head;
  const isLedgerCommand = isLedgerRecord(head) && command !== 'rename';
  const plainCommand = isLedgerCommand ? `ledger ${command}` : command;
  const subject = undoes === undefined ? plainCommand : `${command} of #${undoes}`;
  const beginning = outcome === 'begun' ? 'begun, ' : '';
  // An action changes no objects that could be counted, so its name stands there instead.
  const counts = action === undefined ? formatRunCounts(head) : action;
  const trailers: Record<string, string | undefined> = {
    Run: String(run),
    Actor: actor && `${actor.name} (${actor.says})`,
    'CI-Run': ci && [ci.name, ci.run, ci.url].filter(Boolean).join(' '),
    'Configuration-Commit': commit && `${commit.id}${commit.dirty ? ' (dirty)' : ''}`,
    Plan: plan || undefined,
    To: to,
    From: from,
    Approval: approval,
    Resumes: resumes === undefined ? undefined : String(resumes),
    Start: start,
    End: end,
    Outcome: outcome,
  };
  const lines = Object.entries(trailers).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${cleanLine(value)}`],
  );
  return `${subject} ${cleanLine(stack)}: ${beginning}${counts} (#${run})\n\n${lines.join('\n')}\n`;
}
