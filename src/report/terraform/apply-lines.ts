import { type Address, indexByAddress } from '../../model/address.ts';
import type { Change } from '../../model/change.ts';
import { type ApplyEvent, type Outcome, runEndOf } from '../../model/event.ts';
import { addTo } from '../../model/graph.ts';
import type { Operation, Plan } from '../../model/plan.ts';
import { rateLimitText, waitingText } from '../events-text.ts';
import { outcomeDiagnostics } from '../outcome-diagnostics.ts';
import { outcomeSummaryText } from '../outcome-summary.ts';
import { styleFor } from '../style.ts';
import { streamResourceOf } from './sides.ts';
import { createStreamLine, diagnosticLine, logLine, type StreamLine } from './stream-line.ts';
import { countTerraformChanges } from './terraform-plan.ts';

/*
 * Prints an apply in the lines of `terraform apply -json`, for tools that read Terraform's stream.
 *
 * - A hook is a line about one resource: `apply_start`, `apply_progress`, `apply_complete` or `apply_errored` (Terraform's names).
 * - A resource step is one hook action on one resource, by one operation or by several. A replacement is two steps: create and delete.
 *
 * A step starts with its first operation and completes with its last. `apply_start` is not printed at once but after a second, because a
 * rate limit postpones a request within that time: a step that was only postponed then prints nothing.
 */

/** Terraform's word for the effect of an apply on a resource. */
type HookAction = 'create' | 'update' | 'delete';
const hookWords: Record<HookAction, { begins: string; goesOn: string; noun: string }> = {
  create: { begins: 'Creating', goesOn: 'creating', noun: 'Creation' },
  update: { begins: 'Modifying', goesOn: 'modifying', noun: 'Modifications' },
  delete: { begins: 'Destroying', goesOn: 'destroying', noun: 'Destruction' },
};

/** The progress of one hook action on one resource. Events change it in place. */
interface ResourceStep {
  change: Change;
  verb: HookAction;
  /** The operations that have not succeeded yet. */
  pendingOperationIds: Set<string>;
  /** When the first operation started, in milliseconds; absent before. */
  startedAt?: number;
  /** `apply_start` was printed. */
  isAnnounced?: true;
  /** When the last line about its progress was printed, in milliseconds. */
  lastLineAt: number;
  /** It failed, was skipped or was postponed: nothing more is printed. */
  isOver?: true;
}

/** Turns the events of an apply into lines. `now` is in milliseconds. */
interface ApplyLines {
  /** Returns the lines for an event. */
  lines(event: ApplyEvent, now: number): StreamLine[];
  /** Returns the delayed `apply_start` lines, and a line for each step that has run for another ten seconds. Called by a timer. */
  progress(now: number): StreamLine[];
}

/** Milliseconds before `apply_start` is printed: a rate limit postpones a request within this time. */
const startDelay = 1_000;
const progressInterval = 10_000;

/**
 * Creates the object that turns the events of an apply into the lines of `terraform apply -json`, for tools
 * that read that stream. It keeps the progress of each step: one action on one resource, by one operation or
 * several (`pendingOperationIds`, until each has succeeded). Times are in milliseconds.
 */
export function createApplyLines(plan: Plan): ApplyLines {
  const steps = resourceStepsOf(plan);
  const stepsByOperation = new Map<string, ResourceStep[]>();
  for (const step of steps) for (const id of step.pendingOperationIds) addTo(stepsByOperation, id, step);
  return {
    lines: (event, now) => {
      if (event.type === 'waiting') return [logLine(waitingText(event))];
      const { id } = event.operation;
      const affectedSteps = (stepsByOperation.get(id) ?? []).filter(
        (step) => step.pendingOperationIds.has(id) && !step.isOver,
      );
      if (event.type === 'started') {
        for (const step of affectedSteps)
          if (step.startedAt === undefined) step.startedAt = step.lastLineAt = now;
        return [];
      }
      return affectedSteps.flatMap((step) =>
        event.type === 'succeeded' ? successLines(step, event, now) : endLines(step, event, now),
      );
    },
    progress: (now) => steps.flatMap((step) => progressLines(step, now)),
  };
}

/**
 * Records that one operation of a step (a creation, update or deletion of one resource) succeeded. Returns the lines that
 * this adds to the stream of `terraform apply -json`, for tools that read it: `apply_start` if it is still missing, and
 * after the last operation of the step `apply_complete`.
 */
function successLines(
  step: ResourceStep,
  event: Extract<ApplyEvent, { type: 'succeeded' }>,
  now: number,
): StreamLine[] {
  step.pendingOperationIds.delete(event.operation.id);
  if (step.pendingOperationIds.size > 0) return announceStep(step);
  const seconds = elapsedSeconds(step, now);
  const text = `${hookWords[step.verb].noun} complete after ${seconds}s`;
  return [...announceStep(step), hookLine('apply_complete', step, text, idAfter(step, event.ids), seconds)];
}

/**
 * Records that a step (one action on one resource) ends without success. Returns the line `apply_errored` of
 * Terraform's stream (with the line that announces the step, if that is still missing) or, if the step was only
 * left to a later run because of a rate limit, a line with the reason. No line for a step that failed before it
 * started, or that was left before it was announced: for readers of the stream there is nothing to end.
 */
function endLines(
  step: ResourceStep,
  event: Extract<ApplyEvent, { type: 'failed' | 'skipped' | 'left' }>,
  now: number,
): StreamLine[] {
  step.isOver = true;
  if (event.type === 'left')
    return step.isAnnounced
      ? [logLine(`${step.change.address}: left because ${rateLimitText(event.rateLimit)}`)]
      : [];
  if (step.startedAt === undefined) return [];
  const seconds = elapsedSeconds(step, now);
  const text = `${hookWords[step.verb].noun} errored after ${seconds}s`;
  return [...announceStep(step), hookLine('apply_errored', step, text, undefined, seconds)];
}

/**
 * Returns the lines about a step (one action on one resource) that are due at `now`, in milliseconds, as in
 * the stream of `terraform apply -json`: `apply_start` once it has run for a second, and `apply_progress`
 * every ten seconds until it ends. None for a step that has not started, or whose operations are all done.
 */
function progressLines(step: ResourceStep, now: number): StreamLine[] {
  if (step.startedAt === undefined || step.isOver || step.pendingOperationIds.size === 0) return [];
  const startLines = now - step.startedAt < startDelay ? [] : announceStep(step);
  if (now - step.lastLineAt < progressInterval) return startLines;
  step.lastLineAt = now;
  const seconds = elapsedSeconds(step, now);
  const text = `Still ${hookWords[step.verb].goesOn}... [${seconds}s elapsed]`;
  return [...startLines, hookLine('apply_progress', step, text, undefined, seconds)];
}

/**
 * Returns the line `apply_start` of Terraform's stream for a step (one action on one resource) the first
 * time, and nothing afterwards.
 */
function announceStep(step: ResourceStep): StreamLine[] {
  if (step.isAnnounced) return [];
  step.isAnnounced = true;
  const { verb, change } = step;
  const id = verb === 'create' ? undefined : change.id;
  return [hookLine('apply_start', step, `${hookWords[verb].begins}...`, id)];
}

/**
 * Returns the last lines of an apply: Terraform's summary and the problems. An unfinished apply, also one with actions left to send, has no
 * such summary, because tools would take it for success. It ends with our own summary sentence instead.
 */
export function outcomeLines(plan: Plan, outcome: Outcome, now: number): StreamLine[] {
  const isComplete = runEndOf(outcome) === 'done';
  const doneAddresses = new Set(outcome.done);
  const counts = countTerraformChanges({
    ...plan,
    changes: plan.changes.filter(({ address }) => doneAddresses.has(address)),
  });
  const importedText = counts.import > 0 ? `${counts.import} imported, ` : '';
  const text = `Apply complete! Resources: ${importedText}${counts.add} added, ${counts.change} changed, ${counts.remove} destroyed.`;
  const style = styleFor({ color: false, width: 80 });
  return [
    ...(isComplete
      ? [createStreamLine('change_summary', text, { changes: { ...counts, operation: 'apply' } })]
      : []),
    ...outcomeDiagnostics(plan, outcome, now).map(diagnosticLine),
    ...(isComplete ? [] : [logLine(outcomeSummaryText(plan, outcome, { style }))]),
  ];
}

/** Returns the last lines of an apply that had nothing to do, in Terraform's stream. Tools that read it expect the summary there too. */
export const nothingLines = (plan: Plan): StreamLine[] =>
  outcomeLines(
    plan,
    { done: [], failed: [], postponed: [], skipped: [], overwritten: [], interrupted: false },
    0,
  );

/**
 * Returns the steps of a plan for printing an apply as Terraform's stream, before any of them has started. A step is one action (create,
 * update, delete; called hook action in that stream) on one resource. A replacement may have two steps, and a step may need several
 * operations. The steps are in the order of their first operations.
 */
function resourceStepsOf({ changes, operations }: Plan): ResourceStep[] {
  const changesByAddress = indexByAddress(changes);
  const steps = new Map<string, ResourceStep>();
  for (const operation of operations)
    for (const address of operation.changes) {
      const change = changesByAddress.get(address);
      if (!change) continue;
      const verb = hookActionOf(change, operation); // the step depends on what the requests of the operation do
      const key = `${verb} ${address}`;
      const step = steps.get(key) ?? { change, verb, pendingOperationIds: new Set<string>(), lastLineAt: 0 };
      step.pendingOperationIds.add(operation.id);
      steps.set(key, step);
    }
  return [...steps.values()];
}

/**
 * Returns the effect of an operation on the resource of a change, in the words of Terraform's stream
 * (`create`, `update` or `delete`). A replacement may take two operations, one that deletes and one that
 * creates, so it depends on the requests.
 */
function hookActionOf({ action }: Change, { requests }: Operation): HookAction {
  const onlyDeletes = requests.length > 0 && requests.every(({ endpoint }) => endpoint.startsWith('DELETE '));
  if (action === 'replace') return onlyDeletes ? 'delete' : 'create';
  return action === 'create' || action === 'delete' ? action : 'update';
}

/** Returns the whole seconds since a step started. */
const elapsedSeconds = ({ startedAt = 0 }: ResourceStep, now: number) =>
  Math.max(0, Math.floor((now - startedAt) / 1000));

/**
 * Returns the id of a resource after its step, as far as it is available; undefined after a deletion. `ids`: the ids from the answers of
 * the operation.
 */
function idAfter({ change, verb }: ResourceStep, ids: Record<Address, string> = {}): string | undefined {
  if (verb === 'delete') return undefined;
  return ids[change.address] ?? (verb === 'update' ? change.id : undefined);
}

/**
 * Formats a hook of Terraform's stream (a line about one resource, such as `apply_complete`), with its id and the seconds so far if these
 * are available.
 */
function hookLine(
  type: string,
  { change, verb }: ResourceStep,
  text: string,
  id: string | undefined,
  seconds?: number,
): StreamLine {
  const idText = id === undefined ? '' : ` [id=${id}]`;
  return createStreamLine(type, `${change.address}: ${text}${idText}`, {
    hook: {
      resource: streamResourceOf(change),
      action: verb,
      id_key: id === undefined ? undefined : 'id',
      id_value: id,
      elapsed_seconds: seconds,
    },
  });
}
