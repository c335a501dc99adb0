import type { Address } from '../../model/address.ts';
import type { Change } from '../../model/change.ts';
import type { ApplyEvent, Outcome } from '../../model/event.ts';
import type { Operation, Plan } from '../../model/plan.ts';
import { usedUpText, waitingText } from '../events-text.ts';
import { outcomeDiagnostics } from '../outcome-diagnostics.ts';
import { stateText } from '../outcome-text.ts';
import { styleFor } from '../style.ts';
import { countsOf } from './resource-change.ts';
import { uiResource } from './sides.ts';
import { diagnosticLine, logLine, type UiLine, uiLine } from './ui-line.ts';

type Verb = 'create' | 'update' | 'delete';
const words: Record<Verb, { begins: string; goesOn: string; noun: string }> = {
  create: { begins: 'Creating', goesOn: 'creating', noun: 'Creation' },
  update: { begins: 'Modifying', goesOn: 'modifying', noun: 'Modifications' },
  delete: { begins: 'Destroying', goesOn: 'destroying', noun: 'Destruction' },
};

/** One thing that is done to one resource: by one operation, or by several. */
interface Step {
  change: Change;
  verb: Verb;
  /** Operations that have not succeeded yet. */
  left: Set<string>;
  /** When it began, and how it is told how long it takes. */
  since?: number;
  isTold?: true;
  toldOf: number;
  isOver?: true;
}

/** The lines of an apply, event by event. The time is given with each, in milliseconds. */
interface ApplyLines {
  lines(event: ApplyEvent, now: number): UiLine[];
  /** Lines for operations that have been under way for another ten seconds. */
  progress(now: number): UiLine[];
}

/** A rate limit puts a request off within this time: until then nothing is told to begin. */
const settled = 1_000;

/**
 * An apply in the lines of `terraform apply -json`. A resource begins with the first operation that is about it and ends with the
 * last; what is only put off does neither.
 */
export function applyLines(plan: Plan): ApplyLines {
  const steps = stepsOf(plan);
  const of = ({ id }: Operation) => steps.filter((step) => step.left.has(id) && !step.isOver);
  return {
    lines: (event, now) => {
      if (event.type === 'waiting') return [logLine(waitingText(event))];
      const about = of(event.operation);
      if (event.type === 'started') {
        for (const step of about) {
          if (step.since !== undefined) continue;
          step.since = step.toldOf = now;
        }
        return [];
      }
      if (event.type === 'succeeded')
        return about.flatMap((step) => {
          step.left.delete(event.operation.id);
          if (step.left.size > 0) return begin(step);
          const text = `${words[step.verb].noun} complete after ${elapsed(step, now)}s`;
          return [
            ...begin(step),
            line('apply_complete', step, text, idAfter(step, event.ids), elapsed(step, now)),
          ];
        });
      return about.flatMap((step) => {
        step.isOver = true;
        if (event.type === 'left')
          return step.isTold
            ? [logLine(`${step.change.address}: left because ${usedUpText(event.rateLimit)}`)]
            : [];
        if (step.since === undefined) return [];
        const text = `${words[step.verb].noun} errored after ${elapsed(step, now)}s`;
        return [...begin(step), line('apply_errored', step, text, undefined, elapsed(step, now))];
      });
    },
    progress: (now) =>
      steps.flatMap((step) => {
        if (step.since === undefined || step.isOver || step.left.size === 0) return [];
        const uiLines = now - step.since < settled ? [] : begin(step);
        if (now - step.toldOf < 10_000) return uiLines;
        step.toldOf = now;
        const text = `Still ${words[step.verb].goesOn}... [${elapsed(step, now)}s elapsed]`;
        return [...uiLines, line('apply_progress', step, text, undefined, elapsed(step, now))];
      }),
  };
}

/** Once. */
function begin(step: Step): UiLine[] {
  if (step.isTold) return [];
  step.isTold = true;
  const { verb, change } = step;
  return [line('apply_start', step, `${words[verb].begins}...`, verb === 'create' ? undefined : change.id)];
}

/** The outcome. Only an apply that did everything is summed up; the last line of any other tells the state. */
export function outcomeLines(plan: Plan, outcome: Outcome, now: number): UiLine[] {
  const { done, failed, left, skipped, interrupted } = outcome;
  const isWhole = failed.length + left.length + skipped.length === 0 && !interrupted;
  const carriedOut = new Set(done);
  const counts = countsOf({
    ...plan,
    changes: plan.changes.filter(({ address }) => carriedOut.has(address)),
  });
  const imported = counts.import > 0 ? `${counts.import} imported, ` : '';
  const text = `Apply complete! Resources: ${imported}${counts.add} added, ${counts.change} changed, ${counts.remove} destroyed.`;
  return [
    ...(isWhole ? [uiLine('change_summary', text, { changes: { ...counts, operation: 'apply' } })] : []),
    ...outcomeDiagnostics(plan, outcome, now).map(diagnosticLine),
    ...(isWhole ? [] : [logLine(stateText(plan, outcome, { style: styleFor({ color: false, width: 80 }) }))]),
  ];
}

/** Lines for an apply with nothing to do: it ends with its sum, too. */
export const nothingLines = (plan: Plan): UiLine[] =>
  outcomeLines(plan, { done: [], failed: [], left: [], skipped: [], overwritten: [], interrupted: false }, 0);

function stepsOf({ changes, operations }: Plan): Step[] {
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  const steps = new Map<string, Step>();
  for (const operation of operations)
    for (const address of operation.changes) {
      const change = byAddress.get(address);
      if (!change) continue;
      const verb = verbOf(change, operation);
      const step = steps.get(`${verb} ${address}`) ?? { change, verb, left: new Set<string>(), toldOf: 0 };
      step.left.add(operation.id);
      steps.set(`${verb} ${address}`, step);
    }
  return [...steps.values()];
}

/** A replacement is two things, one after the other. */
function verbOf({ action }: Change, { requests }: Operation): Verb {
  const onlyDeletes = requests.length > 0 && requests.every(({ endpoint }) => endpoint.startsWith('DELETE '));
  if (action === 'replace') return onlyDeletes ? 'delete' : 'create';
  return action === 'create' || action === 'delete' ? action : 'update';
}

const elapsed = ({ since = 0 }: Step, now: number) => Math.max(0, Math.floor((now - since) / 1000));

function idAfter({ change, verb }: Step, ids: Record<Address, string> = {}): string | undefined {
  if (verb === 'delete') return undefined;
  return ids[change.address] ?? (verb === 'update' ? change.id : undefined);
}

function line(
  type: string,
  { change, verb }: Step,
  text: string,
  id: string | undefined,
  seconds?: number,
): UiLine {
  const idText = id === undefined ? '' : ` [id=${id}]`;
  return uiLine(type, `${change.address}: ${text}${idText}`, {
    hook: {
      resource: uiResource(change),
      action: verb,
      ...(id === undefined ? {} : { id_key: 'id', id_value: id }),
      ...(seconds === undefined ? {} : { elapsed_seconds: seconds }),
    },
  });
}
