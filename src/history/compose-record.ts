import type { Change } from '../model/change.ts';
import type { Outcome } from '../model/event.ts';
import { groupLogicalChanges } from '../model/logical-changes.ts';
import type { Plan } from '../model/plan.ts';
import { type ActionOutcome, isOpenAction } from '../model/planned-action.ts';
import { dropUndefined, inside, mapTree } from '../model/walk.ts';
import { count } from '../report/count.ts';
import { reportedFieldsOf } from '../report/field-text.ts';
import { orderedPastVerbs, pastVerbOf } from '../report/outcome-text.ts';
import { fieldJson } from '../report/plan-json.ts';
import type { ChangeResult, RecordDetails, RecordedChange, RecordedField, RecordHead } from './record.ts';

/** The size of the largest value in a record, in characters of JSON. A larger one is marked as omitted. */
const maxRecordedValueLength = 16_000;
/** The size of a record, in characters of JSON, above which fields are left out. Above ten times this size, whole changes are. */
export const maxRecordLength = 250_000;

/** The outcomes of a plan's changes so far. */
interface RecordProgress {
  done: ReadonlySet<string>;
  failed: ReadonlySet<string>;
  /** The outcome of the run, once it has ended. */
  outcome?: Outcome;
}

/** The part of a run's record that follows from its plan. It is composed once, and each write of the record adds the results so far. */
export interface PlannedRecord {
  details(progress: RecordProgress): RecordDetails;
  counts(progress: RecordProgress): Pick<RecordHead, 'done' | 'failed' | 'notDone'>;
}

/** Creates the part of a run's record that follows from its plan. `values`: also records the values of fields, not only their paths. */
export function createPlannedRecord(plan: Plan, { values }: { values: boolean }): PlannedRecord {
  const plannedChanges = plan.changes.filter(({ action }) => action !== 'noop');
  const { changes, more } = toRecordedChanges(plannedChanges, values);
  const wholes = groupLogicalChanges(plannedChanges);
  return {
    details: (progress) => {
      const resultOf = resultsOf(progress);
      const recordedActions = actionResultsOf(plan, progress)?.map(({ id, result }) => ({
        id: id.slice(0, 2000),
        result,
      }));
      return {
        changes: changes.map((change) => ({ ...change, result: resultOf(change.address) })),
        more: more > 0 ? more : undefined,
        actions: recordedActions,
      };
    },
    counts: (progress) => countsOf(wholes, progress),
  };
}

/** Converts changes for a record, with the result `planned`. Returns also how many had no room (`more`). */
function toRecordedChanges(
  plannedChanges: readonly Change[],
  values: boolean,
): { changes: RecordedChange[]; more: number } {
  const changes: RecordedChange[] = [];
  let size = 0;
  let more = 0;
  for (const change of plannedChanges) {
    const { address, kind, action } = change;
    const recorded: RecordedChange = {
      address,
      kind,
      action,
      result: 'planned',
      fields: reportedFieldsOf(change).map((field) => toRecordedField(fieldJson(field), values)),
    };
    const { length } = JSON.stringify(recorded);
    const isLarge = size + length > maxRecordLength;
    const recordedChange: RecordedChange = isLarge ? { ...recorded, fields: [], omitted: true } : recorded;
    size += isLarge ? JSON.stringify(recordedChange).length : length;
    if (size > 10 * maxRecordLength) more++;
    else changes.push(recordedChange);
  }
  return { changes, more };
}

/** Returns the results of the actions that follow the changes. Until the run has ended, they are owed. Undefined if there are none. */
const actionResultsOf = (
  { actions = [] }: Plan,
  { outcome }: RecordProgress,
): Pick<ActionOutcome, 'id' | 'result'>[] | undefined => {
  if (outcome) return outcome.actions;
  const openActions = actions.filter(isOpenAction);
  return openActions.length > 0 ? openActions.map(({ id }) => ({ id, result: 'owed' as const })) : undefined;
};

type JsonFieldChange = ReturnType<typeof fieldJson>;

/** Converts a field of a change for a record. Leaves out values that are too large or must not be recorded, and marks that. */
function toRecordedField(
  { path, before, after, cause, secret }: JsonFieldChange,
  values: boolean,
): RecordedField {
  const sides = dropUndefined({ before: hideSecretNames(before), after: hideSecretNames(after) });
  const isKept = values && JSON.stringify(sides).length <= maxRecordedValueLength;
  return { path, cause, secret: secret ? true : undefined, ...(isKept ? sides : { omitted: true }) };
}

/** Replaces secrets in a value by `(secret)`, without the names that they have in the configuration. */
const hideSecretNames = (value: unknown): unknown =>
  value === undefined
    ? undefined
    : mapTree(value, (node) =>
        typeof node === 'object' &&
        node !== null &&
        typeof (node as { $secret?: unknown }).$secret === 'string'
          ? '(secret)'
          : inside,
      );

/** Returns a function from an address to the result of its change, before or after the end of the run. */
function resultsOf({ done, failed, outcome }: RecordProgress): (address: string) => ChangeResult {
  if (!outcome) return (address) => (failed.has(address) ? 'failed' : done.has(address) ? 'done' : 'planned');
  const results = new Map<string, ChangeResult>(outcome.done.map((address) => [address, 'done']));
  for (const { address } of outcome.skipped) results.set(address, 'not tried');
  for (const { address } of outcome.left) results.set(address, 'left');
  for (const { address } of outcome.failed) results.set(address, 'failed');
  return (address) => results.get(address) ?? 'planned';
}

/** Counts the objects that were created, updated and so on, that failed, and that are not done. A variable with several targets is one. */
function countsOf(
  changes: readonly Change[][],
  progress: RecordProgress,
): ReturnType<PlannedRecord['counts']> {
  const resultOf = resultsOf(progress);
  const done: Record<string, number> = {};
  let failed = 0;
  let notDone = 0;
  for (const units of changes) {
    const results = new Set(units.map(({ address }) => resultOf(address)));
    const verb = pastVerbOf(units[0]!);
    if (results.has('failed')) failed++;
    else if (results.size === 1 && results.has('done')) done[verb] = (done[verb] ?? 0) + 1;
    else notDone++;
  }
  const results = (progress.outcome?.actions ?? []).map(({ result }) => result);
  const countActions = (...counted: string[]) => results.filter((result) => counted.includes(result)).length;
  if (countActions('done') > 0) done[sentActions] = countActions('done');
  return {
    done,
    failed: failed + countActions('refused', 'unknown'),
    notDone: notDone + countActions('owed'),
  };
}

/** The name under which `done` counts the actions that were sent after the changes. */
const sentActions = 'followed';

/** Formats the counts of a run for people: `3 created, 1 updated`, with the failed and the missing ones if there are any. */
export function formatRunCounts({
  done,
  failed,
  notDone,
  outcome,
}: Pick<RecordHead, 'done' | 'failed' | 'notDone' | 'outcome'>): string {
  const parts = [
    ...orderedPastVerbs.flatMap((verb) => (done[verb] ? [`${done[verb]} ${verb}`] : [])),
    ...(done[sentActions] ? [`${count(done[sentActions], 'action')} sent`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(notDone > 0 ? [`${notDone} ${outcome === 'begun' ? 'to go' : 'not done'}`] : []),
  ];
  return parts.join(', ') || 'nothing';
}
