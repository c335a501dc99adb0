import type { Address } from '../../model/address.ts';
import type { Change } from '../../model/change.ts';
import type { ApplyEvent, Outcome } from '../../model/event.ts';
import type { Operation, Plan } from '../../model/plan.ts';
import { rateLimitText, waitingText } from '../events-text.ts';
import { outcomeDiagnostics } from '../outcome-diagnostics.ts';
import { outcomeSummaryText } from '../outcome-text.ts';
import { styleFor } from '../style.ts';
import { countTerraformChanges } from './resource-change.ts';
import { uiResourceOf } from './sides.ts';
import { diagnosticLine, logLine, type UiLine, uiLine } from './ui-line.ts';

type HookAction = 'create' | 'update' | 'delete';
const hookWords: Record<HookAction, { begins: string; goesOn: string; noun: string }> = {
  create: { begins: 'Creating', goesOn: 'creating', noun: 'Creation' },
  update: { begins: 'Modifying', goesOn: 'modifying', noun: 'Modifications' },
  delete: { begins: 'Destroying', goesOn: 'destroying', noun: 'Destruction' },
};

/** One thing that is done to one resource: by one operation, or by several. */
interface ResourceStep {
  change: Change;
  verb: HookAction;
  /** Operations that have not succeeded yet. */
  pendingOperationIds: Set<string>;
  /** When it began, and how it is told how long it takes. */
  startedAt?: number;
  isAnnounced?: true;
  lastLineAt: number;
  isOver?: true;
}

/** The lines of an apply, event by event. The time is given with each, in milliseconds. */
interface ApplyLines {
  lines(event: ApplyEvent, now: number): UiLine[];
  /** Lines for operations that have been under way for another ten seconds. */
  progress(now: number): UiLine[];
}

/** A rate limit puts a request off within this time: until then nothing is told to begin. */
const startDelay = 1_000;

/**
 * An apply in the lines of `terraform apply -json`. A resource begins with the first operation that is about it and ends with the
 * last; what is only put off does neither.
 */
export function createApplyLines(plan: Plan): ApplyLines {
  const steps = resourceStepsOf(plan);
  const of = ({ id }: Operation) => steps.filter((step) => step.pendingOperationIds.has(id) && !step.isOver);
  return {
    lines: (event, now) => {
      if (event.type === 'waiting') return [logLine(waitingText(event))];
      const about = of(event.operation);
      if (event.type === 'started') {
        for (const step of about) {
          if (step.startedAt !== undefined) continue;
          step.startedAt = step.lastLineAt = now;
        }
        return [];
      }
      if (event.type === 'succeeded')
        return about.flatMap((step) => {
          step.pendingOperationIds.delete(event.operation.id);
          if (step.pendingOperationIds.size > 0) return announceOnce(step);
          const text = `${hookWords[step.verb].noun} complete after ${elapsedSeconds(step, now)}s`;
          return [
            ...announceOnce(step),
            hookLine('apply_complete', step, text, idAfter(step, event.ids), elapsedSeconds(step, now)),
          ];
        });
      return about.flatMap((step) => {
        step.isOver = true;
        if (event.type === 'left')
          return step.isAnnounced
            ? [logLine(`${step.change.address}: left because ${rateLimitText(event.rateLimit)}`)]
            : [];
        if (step.startedAt === undefined) return [];
        const text = `${hookWords[step.verb].noun} errored after ${elapsedSeconds(step, now)}s`;
        return [
          ...announceOnce(step),
          hookLine('apply_errored', step, text, undefined, elapsedSeconds(step, now)),
        ];
      });
    },
    progress: (now) =>
      steps.flatMap((step) => {
        if (step.startedAt === undefined || step.isOver || step.pendingOperationIds.size === 0) return [];
        const uiLines = now - step.startedAt < startDelay ? [] : announceOnce(step);
        if (now - step.lastLineAt < 10_000) return uiLines;
        step.lastLineAt = now;
        const text = `Still ${hookWords[step.verb].goesOn}... [${elapsedSeconds(step, now)}s elapsed]`;
        return [...uiLines, hookLine('apply_progress', step, text, undefined, elapsedSeconds(step, now))];
      }),
  };
}

/** Once. */
function announceOnce(step: ResourceStep): UiLine[] {
  if (step.isAnnounced) return [];
  step.isAnnounced = true;
  const { verb, change } = step;
  return [
    hookLine('apply_start', step, `${hookWords[verb].begins}...`, verb === 'create' ? undefined : change.id),
  ];
}

/** The outcome. Only an apply that did everything is summed up; the last line of any other tells the state. */
export function outcomeLines(plan: Plan, outcome: Outcome, now: number): UiLine[] {
  const { done, failed, left, skipped, interrupted } = outcome;
  const isWhole = failed.length + left.length + skipped.length === 0 && !interrupted;
  const carriedOut = new Set(done);
  const counts = countTerraformChanges({
    ...plan,
    changes: plan.changes.filter(({ address }) => carriedOut.has(address)),
  });
  const imported = counts.import > 0 ? `${counts.import} imported, ` : '';
  const text = `Apply complete! Resources: ${imported}${counts.add} added, ${counts.change} changed, ${counts.remove} destroyed.`;
  return [
    ...(isWhole ? [uiLine('change_summary', text, { changes: { ...counts, operation: 'apply' } })] : []),
    ...outcomeDiagnostics(plan, outcome, now).map(diagnosticLine),
    ...(isWhole
      ? []
      : [logLine(outcomeSummaryText(plan, outcome, { style: styleFor({ color: false, width: 80 }) }))]),
  ];
}

/** Lines for an apply with nothing to do: it ends with its sum, too. */
export const nothingLines = (plan: Plan): UiLine[] =>
  outcomeLines(plan, { done: [], failed: [], left: [], skipped: [], overwritten: [], interrupted: false }, 0);

function resourceStepsOf({ changes, operations }: Plan): ResourceStep[] {
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  const steps = new Map<string, ResourceStep>();
  for (const operation of operations)
    for (const address of operation.changes) {
      const change = byAddress.get(address);
      if (!change) continue;
      const verb = hookActionOf(change, operation);
      const step = steps.get(`${verb} ${address}`) ?? {
        change,
        verb,
        pendingOperationIds: new Set<string>(),
        lastLineAt: 0,
      };
      step.pendingOperationIds.add(operation.id);
      steps.set(`${verb} ${address}`, step);
    }
  return [...steps.values()];
}

/** A replacement is two things, one after the other. */
function hookActionOf({ action }: Change, { requests }: Operation): HookAction {
  const onlyDeletes = requests.length > 0 && requests.every(({ endpoint }) => endpoint.startsWith('DELETE '));
  if (action === 'replace') return onlyDeletes ? 'delete' : 'create';
  return action === 'create' || action === 'delete' ? action : 'update';
}

const elapsedSeconds = ({ startedAt: since = 0 }: ResourceStep, now: number) =>
  Math.max(0, Math.floor((now - since) / 1000));

function idAfter({ change, verb }: ResourceStep, ids: Record<Address, string> = {}): string | undefined {
  if (verb === 'delete') return undefined;
  return ids[change.address] ?? (verb === 'update' ? change.id : undefined);
}

function hookLine(
  type: string,
  { change, verb }: ResourceStep,
  text: string,
  id: string | undefined,
  seconds?: number,
): UiLine {
  const idText = id === undefined ? '' : ` [id=${id}]`;
  return uiLine(type, `${change.address}: ${text}${idText}`, {
    hook: {
      resource: uiResourceOf(change),
      action: verb,
      ...(id === undefined ? {} : { id_key: 'id', id_value: id }),
      ...(seconds === undefined ? {} : { elapsed_seconds: seconds }),
    },
  });
}
