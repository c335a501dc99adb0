import type { Change } from '../model/change.ts';
import type { Outcome } from '../model/event.ts';
import { groupLogicalChanges } from '../model/logical-changes.ts';
import type { Plan } from '../model/plan.ts';
import { type ActionOutcome, isOpenAction } from '../model/planned-action.ts';
import { isSecretRef } from '../model/value.ts';
import { mapTree, visitMembers } from '../model/walk.ts';
import { reportedFieldsOf } from '../report/field-text.ts';
import { orderedPastVerbs, pastVerbOf } from '../report/past-verbs.ts';
import { fieldJson } from '../report/plan-json.ts';
import { count } from '../report/text.ts';
import type { ChangeResult, RecordDetails, RecordedChange, RecordedField, RecordHead } from './record.ts';

/** The size of the largest value in a record, in characters of JSON. A larger one is marked as omitted. */
const maxRecordedValueLength = 16_000;
/** The size of a record, in characters of JSON, above which the fields of further changes are left out. */
const maxLengthWithFields = 250_000;
/** The size above which whole changes are left out of a record, and only counted. */
export const maxLengthWithoutFields = 10 * maxLengthWithFields;

/** The length to which the ids of actions are cut in a record. */
const maxRecordedIdLength = 2000;

/** The outcomes of a plan's changes so far. */
interface RecordProgress {
  done: ReadonlySet<string>;
  failed: ReadonlySet<string>;
  /** The outcome of the run, once it has ended. */
  outcome?: Outcome;
}

/**
 * The part of a run's record that follows from its plan. It is composed once, and each write of the record adds the
 * results so far.
 * - `details`: the changes with their results
 * - `counts`: the numbers of finished, failed and unfinished objects
 */
interface PlannedRecord {
  details(progress: RecordProgress): RecordDetails;
  counts(progress: RecordProgress): Pick<RecordHead, 'done' | 'failed' | 'notDone'>;
}

/**
 * Creates the part of a run's history record that follows from its plan: the changes (`details`) and their numbers (`counts`), in which a
 * variable that changes in several targets counts once. Called at the start of a run. Its functions add the results so far: the record is
 * written with every write of the ledger, so that a killed run leaves one, too. Unchanged objects are not recorded.
 * @param values true to record the values of fields; otherwise only their paths are recorded
 */
export function createPlannedRecord(plan: Plan, { values }: { values: boolean }): PlannedRecord {
  const plannedChanges = plan.changes.filter(({ action }) => action !== 'noop');
  const { changes, more } = toRecordedChanges(plannedChanges, values);
  const changesByObject = groupLogicalChanges(plannedChanges);
  return {
    details: (progress) => {
      const resultOf = resultsOf(progress);
      const recordedActions = actionResultsOf(plan, progress)?.map(({ id, result }) => ({
        id: id.slice(0, maxRecordedIdLength),
        result,
      }));
      return {
        changes: changes.map((change) => ({ ...change, result: resultOf(change.address) })),
        more: more > 0 ? more : undefined,
        actions: recordedActions,
      };
    },
    counts: (progress) => countsOf(changesByObject, progress),
  };
}

/**
 * Converts the changes of a plan for the record of its run (for `trueup log`, `blame` and `undo`), with the result `planned`. Keeps the
 * record small: large plans lose the fields of each change that would exceed `maxLengthWithFields`, and very large ones lose whole changes
 * (`more` counts them).
 * @param values true to record the values of fields, not only their paths
 */
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
    const isLarge = size + length > maxLengthWithFields;
    const recordedChange: RecordedChange = isLarge ? { ...recorded, fields: [], omitted: true } : recorded;
    size += isLarge ? JSON.stringify(recordedChange).length : length;
    if (size > maxLengthWithoutFields) more++;
    else changes.push(recordedChange);
  }
  return { changes, more };
}

/**
 * Returns the results of the actions that follow the changes of a plan (`$then` in the configuration), for the
 * record of its run; undefined if there are none. Until the run has ended, its actions count as owed, because a
 * killed run leaves them to the next one.
 */
const actionResultsOf = (
  { actions = [] }: Plan,
  { outcome }: RecordProgress,
): Pick<ActionOutcome, 'id' | 'result'>[] | undefined => {
  if (outcome) return outcome.actions;
  const openActions = actions.filter(isOpenAction);
  return openActions.length > 0 ? openActions.map(({ id }) => ({ id, result: 'owed' as const })) : undefined;
};

type JsonFieldChange = ReturnType<typeof fieldJson>;

/**
 * Converts a changed field for the record of a run, which `trueup log` shows and `undo` reads. The values before
 * and after are left out, and the field is marked `omitted`, if they are too large, or if the run records no values
 * at all (`values` is false).
 */
function toRecordedField(
  { path, before, after, cause, secret }: JsonFieldChange,
  values: boolean,
): RecordedField {
  const sides = { before: hideSecretNames(before), after: hideSecretNames(after) };
  const isKept = values && JSON.stringify(sides).length <= maxRecordedValueLength;
  return { path, cause, secret: secret ? true : undefined, ...(isKept ? sides : { omitted: true }) };
}

/**
 * Replaces each secret in a value by `(secret)` for the record of a run, because `trueup log` must not show the names of secrets in the
 * configuration.
 */
function hideSecretNames(value: unknown): unknown {
  if (value === undefined) return undefined;
  return mapTree(value, (node) => (isSecretRef(node) ? '(secret)' : visitMembers));
}

/**
 * Returns a function from an address to the result of its change, for the record of a run. While the run is under
 * way (no `outcome`), only the operations that ended so far count, and all others are still `planned`. After that,
 * its outcome decides. `left`: a rate limit left the change to a later run.
 */
function resultsOf({ done, failed, outcome }: RecordProgress): (address: string) => ChangeResult {
  if (!outcome)
    return (address) => {
      if (failed.has(address)) return 'failed';
      return done.has(address) ? 'done' : 'planned';
    };
  const results = new Map<string, ChangeResult>(outcome.done.map((address) => [address, 'done']));
  for (const { address } of outcome.skipped) results.set(address, 'not tried');
  for (const { address } of outcome.postponed) results.set(address, 'left');
  for (const { address } of outcome.failed) results.set(address, 'failed');
  return (address) => results.get(address) ?? 'planned';
}

/**
 * Counts the objects of a run for the head of its record, which `trueup log` shows: created, updated and so on (`done`), failed, and not
 * done. `objects` has the changes of each object: a variable with several targets has several changes but counts as one, and is done only
 * if all are. A container that was deleted counts with its contents, as in the plan; one that was not counts as one object. Actions that
 * follow the changes are counted as well.
 */
function countsOf(
  objects: readonly Change[][],
  progress: RecordProgress,
): ReturnType<PlannedRecord['counts']> {
  const resultOf = resultsOf(progress);
  const done: Record<string, number> = {};
  const addDone = (name: string, number: number) => {
    done[name] = (done[name] ?? 0) + number;
  };
  const isFailed = (changes: readonly Change[]) =>
    changes.some(({ address }) => resultOf(address) === 'failed');
  const isDone = (changes: readonly Change[]) => changes.every(({ address }) => resultOf(address) === 'done');
  const doneObjects = objects.filter(isDone);
  for (const [first] of doneObjects as [Change][]) addDone(pastVerbOf(first), first.deletes?.objects ?? 1);
  const failed = objects.filter(isFailed).length;
  const results = (progress.outcome?.actions ?? []).map(({ result }) => result);
  const countActions = (...countedResults: string[]) =>
    results.filter((result) => countedResults.includes(result)).length;
  const sentCount = countActions('done');
  if (sentCount > 0) addDone(sentActions, sentCount);
  return {
    done,
    failed: failed + countActions('refused', 'unknown'),
    notDone: objects.length - doneObjects.length - failed + countActions('owed'),
  };
}

/** The name under which `done` counts the actions that were sent after the changes. */
const sentActions = 'followed';

/**
 * Formats the counts of a run for `trueup log` and commit messages: `3 created, 1 updated`, then sent actions,
 * failures and open items, if there are any; `nothing` if all counts are zero.
 */
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
