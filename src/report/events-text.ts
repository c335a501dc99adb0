import type { Address } from '../model/address.ts';
import type { Action } from '../model/change.ts';
import type { ApplyEvent, RateLimit } from '../model/event.ts';
import { groupBy } from '../model/graph.ts';
import { groupLogicalChanges } from '../model/logical-changes.ts';
import type { Operation, Plan } from '../model/plan.ts';
import { cleanLine } from './clean.ts';
import { count, durationText } from './count.ts';
import { cut } from './cut.ts';
import { createFailureGrouping, failureLines } from './failures.ts';
import { logicalNameOf } from './fold-changes.ts';
import { plainly, type Style } from './style.ts';

/**
 * Writes each event of an apply as a line for a log (an error may take several). Nothing is written for what tells nothing new: a change of
 * several operations begins once and is done once.
 */
export function eventWriter(plan: Plan, { style }: { style: Style }): (event: ApplyEvent) => string {
  const steps = progressStepsOf(plan);
  const size = totalSizeOf(new Set(steps.values()));
  const begun = new Set<ProgressStep>();
  const ended = new Set<ProgressStep>();
  const states = new Map<string, StepState>();
  const writeFailure = failureWriter(plan, style);
  let done = 0;
  const isNew = (seen: Set<ProgressStep>, step: ProgressStep) =>
    !seen.has(step) && seen.add(step) !== undefined;
  return (event) => {
    if (event.type === 'waiting') return style.warn(waitingText(event));
    const step = steps.get(event.operation.id)!;
    states.set(event.operation.id, stateAfter[event.type]);
    const label = `${step.label}:`;
    switch (event.type) {
      case 'started':
        return isNew(begun, step) ? style.quiet(`${label} ${step.doing}...`) : '';
      case 'succeeded': {
        if (stepStateOf(step, states) !== 'done' || !isNew(ended, step)) return '';
        done += step.size;
        const place = size > 1 ? ` ${style.quiet(`(${done} of ${size})`)}` : '';
        return `${label} ${style.add(step.done)}${place}`;
      }
      case 'skipped':
        if (!isNew(ended, step)) return '';
        return `${label} ${style.warn(`skipped because ${skipReasonText(event.because)}`)}`;
      case 'left':
        return `${label} ${style.warn('left because')} ${rateLimitText(event.rateLimit)}`;
      case 'failed': {
        ended.add(step);
        return `${label} ${writeFailure(event)}`;
      }
    }
  };
}

/** Writes a failure in full the first time, and refers to the first one when the same cause fails other changes. */
function failureWriter(plan: Plan, style: Style): (event: Extract<ApplyEvent, { type: 'failed' }>) => string {
  const causeOf = createFailureGrouping(plan);
  const firstWith = new Map<string, Address>();
  return ({ operation, error }) => {
    const [address = operation.id] = operation.changes;
    const cause = causeOf(error, address);
    const first = firstWith.get(cause);
    if (first !== undefined) return `${style.alarm('failed')} for the same reason as ${cleanLine(first)}`;
    firstWith.set(cause, address);
    const { message, hint } = failureLines(error);
    const hints = hint.map((line, index) => (index === 0 ? `-> ${line}` : line));
    return [
      `${style.alarm('failed:')} ${message[0]}`,
      ...[...message.slice(1), ...hints].map((line) => `  ${line}`),
    ].join('\n');
  };
}

/** `the rate limit of ... is used up` */
export const rateLimitText = ({ bucket }: RateLimit): string =>
  `the rate limit of ${cleanLine(bucket)} is used up`;

/** The same of all that one bucket put off, with how long that takes: `... is used up for 84 min`. `now`: in milliseconds since 1970. */
export function rateLimitDurationText(same: { rateLimit: RateLimit }[], now: number): string {
  const wait = Math.max(...same.map(({ rateLimit }) => rateLimit.until)) - now;
  return `${rateLimitText(same[0]!.rateLimit)}${wait > 0 ? ` for ${durationText(wait)}` : ''}`;
}

/** `Waiting 12s: rate limit of ...`, `Retrying in 3s: cannot reach ...`. */
export const waitingText = ({ seconds, reason, again }: Omit<Waiting, 'type'>): string =>
  `${again ? `Retrying in ${Math.ceil(seconds)}s` : `Waiting ${Math.ceil(seconds)}s`}: ${cleanLine(reason)}`;

type Waiting = Extract<ApplyEvent, { type: 'waiting' }>;

/** Why something was not tried: an address stands for its failure, which is the usual reason. */
export const skipReasonText = (because: string): string =>
  because.includes('/') ? `${cleanLine(because)} failed` : cleanLine(because);

/** The unit that people watch during an apply: the operations about the same change are one step, however many requests they take. */
interface ProgressStep {
  /** A change, and how many more there are: `projects/web/env/A and 2 more`. */
  label: string;
  /** `creating`, or `changing` where it does several things at once. */
  doing: string;
  /** `created`. */
  done: string;
  operations: Operation[];
  /** Changes that it carries out and no step before it does: over all steps each counts once. */
  size: number;
}

/** The progress of a step. If one operation fails, so does the step, and so on. */
type StepState = 'waiting' | 'running' | 'done' | 'failed' | 'skipped';

/** The step of each operation, by the operation's id; steps in the order of the plan. */
function progressStepsOf(plan: Plan): Map<string, ProgressStep> {
  const names = new Map<Address, string>();
  for (const changes of groupLogicalChanges(plan.changes)) {
    const name = logicalNameOf(changes);
    for (const { address } of changes) names.set(address, name);
  }
  const actions = new Map(plan.changes.map(({ address, action }) => [address, action]));
  const steps = new Map<string, ProgressStep>();
  const byOperation = new Map<string, ProgressStep>();
  const counted = new Set<string>();
  for (const operation of plan.operations) {
    const own = new Set(operation.changes.map((address) => names.get(address) ?? address));
    const label = labelOf(operation, own);
    const step = steps.get(label) ?? {
      label,
      ...operationVerbOf(operation, actions),
      operations: [],
      size: 0,
    };
    step.operations.push(operation);
    step.size += [...own].filter((name) => !counted.has(name)).length;
    for (const name of own) counted.add(name);
    steps.set(label, step);
    byOperation.set(operation.id, step);
  }
  return byOperation;
}

function labelOf({ id }: Operation, names: ReadonlySet<string>): string {
  const [first = id, ...more] = names;
  return cleanLine(first) + (more.length > 0 ? ` and ${more.length} more` : '');
}

/** The number of changes that steps carry out. */
const totalSizeOf = (steps: Iterable<ProgressStep>): number => {
  let size = 0;
  for (const step of steps) size += step.size;
  return size;
};

const verbs: Partial<Record<Action, [doing: string, done: string]>> = {
  create: ['creating', 'created'],
  update: ['updating', 'updated'],
  adopt: ['updating', 'updated'],
  replace: ['replacing', 'replaced'],
  delete: ['deleting', 'deleted'],
  move: ['moving', 'moved'],
};
const severalVerbs: [string, string] = ['changing', 'changed'];

function operationVerbOf(
  { changes }: Operation,
  actions: ReadonlyMap<Address, Action>,
): Pick<ProgressStep, 'doing' | 'done'> {
  const found = new Set(changes.map((address) => verbs[actions.get(address) ?? 'noop'] ?? severalVerbs));
  const [doing, done] = found.size === 1 ? [...found][0]! : severalVerbs;
  return { doing, done };
}

/** The progress of an operation after an event. A postponed one counts as not begun. */
const stateAfter: Record<Exclude<ApplyEvent['type'], 'waiting'>, StepState> = {
  started: 'running',
  succeeded: 'done',
  failed: 'failed',
  skipped: 'skipped',
  left: 'waiting',
};

/** The progress of a step, from that of its operations. */
function stepStateOf({ operations }: ProgressStep, states: ReadonlyMap<string, StepState>): StepState {
  const stepStates = operations.map(({ id }) => states.get(id) ?? 'waiting');
  const found = (['failed', 'skipped', 'running'] as const).find((state) => stepStates.includes(state));
  if (found) return found;
  return stepStates.every((state) => state === 'done') ? 'done' : 'waiting';
}

/** The progress of an apply: plain data that each event turns into the next. */
interface RunProgress {
  /** By operation id. */
  steps: ReadonlyMap<string, ProgressStep>;
  states: ReadonlyMap<string, StepState>;
  waiting?: string;
}

/** Before the first event. */
export const startProgress = (plan: Plan): RunProgress => ({
  steps: progressStepsOf(plan),
  states: new Map(),
});

/** The state after one more event. A wait is over when anything else happens. */
export function reduceProgress({ steps, states }: RunProgress, event: ApplyEvent): RunProgress {
  return event.type === 'waiting'
    ? { steps, states, waiting: waitingText(event) }
    : { steps, states: new Map(states).set(event.operation.id, stateAfter[event.type]) };
}

const mostShownSteps = 8;

/** The state as lines that a terminal can redraw; no line is wider than the style allows. */
export function renderProgress(state: RunProgress, style: Style): string {
  const steps = groupBy(new Set(state.steps.values()), (step) => stepStateOf(step, state.states));
  const number = (stepState: StepState) => totalSizeOf(steps.get(stepState) ?? []);
  const running = steps.get('running') ?? [];
  const size = totalSizeOf([...steps.values()].flat());
  const lines = [
    ...running
      .slice(0, mostShownSteps)
      .map(({ doing, label }) => `${style.quiet(doing.padEnd(9))} ${cut(label, style.width - 10)}`),
    ...(running.length > mostShownSteps
      ? [style.quiet(`... and ${running.length - mostShownSteps} more`)]
      : []),
    ...(state.waiting === undefined ? [] : [style.warn(cut(state.waiting, style.width))]),
    [
      style.strong(`${number('done')} of ${count(size, 'change')} done`),
      ...(number('failed') > 0 ? [style.alarm(`${number('failed')} failed`)] : []),
      ...(number('skipped') > 0 ? [style.warn(`${number('skipped')} skipped`)] : []),
      `${number('running') + number('waiting')} left`,
    ].join(', '),
  ];
  return plainly(lines.join('\n'), style);
}
