import type { Change } from '../model/change.ts';
import type { Outcome } from '../model/event.ts';
import type { Plan } from '../model/plan.ts';
import { type ActionOutcome, isOpenAction } from '../model/planned-action.ts';
import { definedOnly, inside, mapTree } from '../model/walk.ts';
import { wholesOf } from '../model/wholes.ts';
import { count } from '../report/count.ts';
import { reportedFieldsOf } from '../report/field-text.ts';
import { orderedPastVerbs, pastVerbOf } from '../report/outcome-text.ts';
import { fieldJson } from '../report/plan-json.ts';
import type { ChangeResult, RecordDetails, RecordedChange, RecordedField, RecordHead } from './record.ts';

/** In characters of JSON: a larger value is left out, and says so. */
const mostOfValue = 16_000;
/** From here on fields are left out of a record; with ten times as much, changes. */
export const maxRecordLength = 250_000;

/** The outcomes of a plan's changes so far. */
interface Progress {
  done: ReadonlySet<string>;
  failed: ReadonlySet<string>;
  /** Once it is over. */
  outcome?: Outcome;
}

/** The part of a run's record that the plan decides. Each write of the record only adds the results so far. */
export interface PlannedRecord {
  details(progress: Progress): RecordDetails;
  counts(progress: Progress): Pick<RecordHead, 'done' | 'failed' | 'notDone'>;
}

/** Composes the changes of a plan for a record, as the plan showed them. */
export function createPlannedRecord(plan: Plan, { values }: { values: boolean }): PlannedRecord {
  const real = plan.changes.filter(({ action }) => action !== 'noop');
  const { changes, more } = recordedChanges(real, values);
  const wholes = wholesOf(real);
  return {
    details: (progress) => {
      const resultOf = resultsOf(progress);
      const acted = actedIn(plan, progress)?.map(({ id, result }) => ({ id: id.slice(0, 2000), result }));
      return {
        changes: changes.map((change) => ({ ...change, result: resultOf(change.address) })),
        ...(more > 0 ? { more } : {}),
        ...(acted ? { actions: acted } : {}),
      };
    },
    counts: (progress) => countsOf(wholes, progress),
  };
}

/** The changes without their results yet, and the number of those for which there is no room. */
function recordedChanges(
  real: readonly Change[],
  values: boolean,
): { changes: RecordedChange[]; more: number } {
  const changes: RecordedChange[] = [];
  let size = 0;
  let more = 0;
  for (const change of real) {
    const { address, kind, action } = change;
    const recorded: RecordedChange = {
      address,
      kind,
      action,
      result: 'planned',
      fields: reportedFieldsOf(change).map((field) => recordedField(fieldJson(field), values)),
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

/** The outcomes of the actions that follow; until a run is over, it owes them. */
const actedIn = (
  { actions = [] }: Plan,
  { outcome }: Progress,
): Pick<ActionOutcome, 'id' | 'result'>[] | undefined => {
  if (outcome) return outcome.actions;
  const open = actions.filter(isOpenAction);
  return open.length > 0 ? open.map(({ id }) => ({ id, result: 'owed' as const })) : undefined;
};

type JsonField = ReturnType<typeof fieldJson>;

function recordedField({ path, before, after, cause, secret }: JsonField, values: boolean): RecordedField {
  const sides = definedOnly({ before: unnamed(before), after: unnamed(after) });
  const isKept = values && JSON.stringify(sides).length <= mostOfValue;
  return { path, cause, ...(secret ? { secret: true } : {}), ...(isKept ? sides : { omitted: true }) };
}

/** Secrets read `(secret)`, whatever they are called in the configuration. */
const unnamed = (value: unknown): unknown =>
  value === undefined
    ? undefined
    : mapTree(value, (one) =>
        typeof one === 'object' && one !== null && typeof (one as { $secret?: unknown }).$secret === 'string'
          ? '(secret)'
          : inside,
      );

function resultsOf({ done, failed, outcome }: Progress): (address: string) => ChangeResult {
  if (!outcome) return (address) => (failed.has(address) ? 'failed' : done.has(address) ? 'done' : 'planned');
  const results = new Map<string, ChangeResult>(outcome.done.map((address) => [address, 'done']));
  for (const { address } of outcome.skipped) results.set(address, 'not tried');
  for (const { address } of outcome.left) results.set(address, 'left');
  for (const { address } of outcome.failed) results.set(address, 'failed');
  return (address) => results.get(address) ?? 'planned';
}

/** Counts what was created, updated and so on, what failed and what is left, as people count. */
function countsOf(changes: readonly Change[][], progress: Progress): ReturnType<PlannedRecord['counts']> {
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
  const number = (...wanted: string[]) => results.filter((result) => wanted.includes(result)).length;
  if (number('done') > 0) done[followed] = number('done');
  return { done, failed: failed + number('refused', 'unknown'), notDone: notDone + number('owed') };
}

/** The count of the actions that followed and were accepted. */
const followed = 'followed';

/** `3 created, 1 updated`; with what failed and what is left, if anything. */
export function formatRunCounts({
  done,
  failed,
  notDone,
  outcome,
}: Pick<RecordHead, 'done' | 'failed' | 'notDone' | 'outcome'>): string {
  const parts = [
    ...orderedPastVerbs.flatMap((verb) => (done[verb] ? [`${done[verb]} ${verb}`] : [])),
    ...(done[followed] ? [`${count(done[followed], 'action')} sent`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(notDone > 0 ? [`${notDone} ${outcome === 'begun' ? 'to go' : 'not done'}`] : []),
  ];
  return parts.join(', ') || 'nothing';
}
