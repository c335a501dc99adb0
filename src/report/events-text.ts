import type { Address } from '../model/address.ts';
import type { ChangeAction } from '../model/change.ts';
import type { ApplyEvent, RateLimit } from '../model/event.ts';
import { listFirst } from '../model/fold-wordings.ts';
import { groupBy } from '../model/graph.ts';
import { groupLogicalChanges } from '../model/logical-changes.ts';
import type { Operation, Plan } from '../model/plan.ts';
import { createFailureGrouping, failureLines } from './failures.ts';
import { logicalNameOf } from './fold-changes.ts';
import { createCommandFailures, rememberFailure, type StackFailures } from './stacks/stack-failures.ts';
import { plainly, type Style } from './style.ts';
import { cleanLine, count, cut, durationText, firstLines } from './text.ts';

/*
 * Prints the events of an apply while it runs: as lines of a log (`eventWriter`), or as lines that a terminal redraws (`startProgress`,
 * `reduceProgress`, `renderProgress`).
 *
 * People watch changes, but events are about operations, and one change may take several operations. So all operations about the same
 * logical changes are one progress step, which starts with the first of them and is done after the last.
 */

/**
 * Creates the function which formats an event of `trueup apply` as a line for a log; an error may take
 * several lines. A step is all operations about the same changes. Returns an empty text for an event without
 * news for people: a step starts once and is done once, however many operations it has. `failures`: those of
 * other stacks of the command.
 */
export function eventWriter(
  plan: Plan,
  { style, failures }: { style: Style; failures?: StackFailures | undefined },
): (event: ApplyEvent) => string {
  const steps = progressStepsOf(plan);
  const size = totalSizeOf(new Set(steps.values()));
  const started = new Set<ProgressStep>();
  const ended = new Set<ProgressStep>();
  const states = new Map<string, StepState>();
  const writeFailure = failureWriter(plan, style, failures);
  let doneCount = 0;
  const writeSuccess = (step: ProgressStep) => {
    if (stepStateOf(step, states) !== 'done' || !addNew(ended, step)) return '';
    doneCount += step.size;
    const doneText = size > 1 ? ` ${style.quiet(`(${doneCount} of ${size})`)}` : '';
    return `${step.label}: ${style.add(step.done)}${doneText}`;
  };
  return (event) => {
    if (event.type === 'waiting') return style.warn(waitingText(event));
    const step = steps.get(event.operation.id)!;
    states.set(event.operation.id, stateAfter[event.type]);
    const label = `${step.label}:`;
    switch (event.type) {
      case 'started':
        return addNew(started, step) ? style.quiet(`${label} ${step.doing}...`) : '';
      case 'succeeded':
        return writeSuccess(step);
      case 'skipped':
        if (!addNew(ended, step)) return '';
        return `${label} ${style.warn(`skipped because ${skipReasonText(event.reason)}`)}`;
      case 'left':
        return `${label} ${style.warn('left because')} ${rateLimitText(event.rateLimit)}`;
      case 'failed':
        ended.add(step);
        return `${label} ${writeFailure(event)}`;
    }
  };
}

/** Adds an item to a set. True if the set did not have it yet. */
function addNew<T>(set: Set<T>, item: T): boolean {
  const isNew = !set.has(item);
  set.add(item);
  return isNew;
}

/**
 * Creates the function which formats the failures in the log of an apply. The first failure of a cause is written in full and remembered
 * (`firstInLog`); later ones only refer to it, because an expired token may fail hundreds of changes. `failures`: those of the stacks of
 * the command so far, which count as well.
 */
function failureWriter(
  plan: Plan,
  style: Style,
  failures: StackFailures = { command: createCommandFailures(), stack: '' },
): (event: Extract<ApplyEvent, { type: 'failed' }>) => string {
  const causeOf = createFailureGrouping(plan, failures.command.causeByText);
  return ({ operation, error }) => {
    const [address = operation.id] = operation.changes;
    const earlier = rememberFailure(failures, 'firstInLog', causeOf(error, address), address);
    if (earlier !== undefined) return `${style.alarm('failed')} for the same reason as ${earlier}`;
    const { message, hint } = failureLines(error, operation);
    const hints = hint.map((line, index) => (index === 0 ? `-> ${line}` : line));
    return [
      `${style.alarm('failed:')} ${message[0]}`,
      ...[...message.slice(1), ...hints].map((line) => `  ${line}`),
    ].join('\n');
  };
}

/** Formats why a change was postponed: `the rate limit of ... is used up`. */
export const rateLimitText = ({ bucket }: RateLimit): string =>
  `the rate limit of ${cleanLine(bucket)} is used up`;

/**
 * Formats why the changes of one rate limit were postponed, and for how long: `the rate limit of ... is used up for 84 min`. `now` is in
 * milliseconds since 1970.
 */
export function rateLimitDurationText(postponedChanges: { rateLimit: RateLimit }[], now: number): string {
  const wait = Math.max(...postponedChanges.map(({ rateLimit }) => rateLimit.until)) - now;
  return `${rateLimitText(postponedChanges[0]!.rateLimit)}${wait > 0 ? ` for ${durationText(wait)}` : ''}`;
}

/** Formats why a change was not tried. The reason is mostly the address of a failed change, which contains a slash; else it is a text. */
export const skipReasonText = (reason: string): string =>
  reason.includes('/') ? `${cleanLine(reason)} failed` : cleanLine(reason);

/** The unit that people watch during an apply: all operations about the same logical changes. */
interface ProgressStep {
  /** The first logical change and the number of the others: `projects/web/env/A and 2 more`. */
  label: string;
  /** The verb while it runs: `creating`, or `changing` if its changes have several actions. */
  doing: string;
  /** The verb after it: `created`. */
  done: string;
  operations: Operation[];
  /** The number of its logical changes, without those that an earlier step counts already. */
  size: number;
}

/** The progress of a step or of an operation. */
type StepState = 'waiting' | 'running' | 'done' | 'failed' | 'skipped';

/**
 * Returns the progress step of each operation by the operation's id, in the order of the plan. People watch
 * changes, so all operations about the same changes are one step. The size of a step is its number of
 * changes; changes that an earlier step shares are not counted again, so that the total is right.
 */
function progressStepsOf(plan: Plan): Map<string, ProgressStep> {
  const nameByAddress = new Map<Address, string>(
    groupLogicalChanges(plan.changes).flatMap((changes) =>
      changes.map(({ address }) => [address, logicalNameOf(changes)] as const),
    ),
  );
  const actionByAddress = new Map(plan.changes.map(({ address, action }) => [address, action]));
  const stepByChanges = new Map<string, ProgressStep>();
  const stepByOperationId = new Map<string, ProgressStep>();
  const countedNames = new Set<string>();
  for (const operation of plan.operations) {
    const changeNames = new Set(operation.changes.map((address) => nameByAddress.get(address) ?? address));
    const label = labelOf(operation, changeNames);
    // An operation without changes is a step of its own.
    const key = changeNames.size === 0 ? label : JSON.stringify([...changeNames].sort());
    const verbs = operationVerbOf(operation, actionByAddress);
    const step = stepByChanges.get(key) ?? { label, ...verbs, operations: [], size: 0 };
    step.operations.push(operation);
    step.size += [...changeNames].filter((name) => !countedNames.has(name)).length;
    for (const name of changeNames) countedNames.add(name);
    stepByChanges.set(key, step);
    stepByOperationId.set(operation.id, step);
  }
  return stepByOperationId;
}

/** Returns the label of a step: its first change, and the number of the others. */
const labelOf = ({ id }: Operation, names: ReadonlySet<string>): string =>
  names.size === 0 ? cleanLine(id) : listFirst([...names].map(cleanLine), 1);

/**
 * Returns the number of changes of some steps, for `3 of 12 done`. A variable in several targets counts once.
 */
const totalSizeOf = (steps: Iterable<ProgressStep>): number => {
  let size = 0;
  for (const step of steps) size += step.size;
  return size;
};

/** The verbs of a step while it runs and after it, by action. */
const verbs: Partial<Record<ChangeAction, [doing: string, done: string]>> = {
  create: ['creating', 'created'],
  update: ['updating', 'updated'],
  adopt: ['updating', 'updated'],
  replace: ['replacing', 'replaced'],
  delete: ['deleting', 'deleted'],
  move: ['moving', 'moved'],
};
const severalVerbs: [string, string] = ['changing', 'changed'];

/**
 * Returns the verbs for an operation in the progress of an apply (`creating`, `created`): those of its action, or general ones if its
 * changes have several actions, or one without verbs.
 */
function operationVerbOf(
  { changes }: Operation,
  actions: ReadonlyMap<Address, ChangeAction>,
): Pick<ProgressStep, 'doing' | 'done'> {
  const distinctVerbs = new Set(
    changes.map((address) => verbs[actions.get(address) ?? 'noop'] ?? severalVerbs),
  );
  const [doing, done] = distinctVerbs.size === 1 ? [...distinctVerbs][0]! : severalVerbs;
  return { doing, done };
}

/** The progress of an operation after an event. A postponed operation waits again. */
const stateAfter: Record<Exclude<ApplyEvent['type'], 'waiting'>, StepState> = {
  started: 'running',
  succeeded: 'done',
  failed: 'failed',
  skipped: 'skipped',
  left: 'waiting',
};

/**
 * Returns the progress of a step of an apply (operations that its log reports as one) from those of its operations: failed, skipped or
 * running if any of them is, and done only if all of them are.
 */
function stepStateOf({ operations }: ProgressStep, states: ReadonlyMap<string, StepState>): StepState {
  const stepStates = operations.map(({ id }) => states.get(id) ?? 'waiting');
  const decisiveState = (['failed', 'skipped', 'running'] as const).find((state) =>
    stepStates.includes(state),
  );
  if (decisiveState) return decisiveState;
  return stepStates.every((state) => state === 'done') ? 'done' : 'waiting';
}

/** The progress of an apply. Plain data: each event leads to a new value. */
interface RunProgress {
  /** The step of each operation, by the id of the operation. */
  steps: ReadonlyMap<string, ProgressStep>;
  /** The progress of each operation, by its id. */
  states: ReadonlyMap<string, StepState>;
  /** Why the run pauses, if it does. */
  waiting?: string;
}

/** Returns the progress before the first event. */
export const startProgress = (plan: Plan): RunProgress => ({
  steps: progressStepsOf(plan),
  states: new Map(),
});

/**
 * Returns the progress of an apply after one more event, for the lines that a terminal redraws. The event
 * `waiting` announces a pause for a rate limit; any other event means that the pause is over.
 */
export function reduceProgress({ steps, states }: RunProgress, event: ApplyEvent): RunProgress {
  return event.type === 'waiting'
    ? { steps, states, waiting: waitingText(event) }
    : { steps, states: new Map(states).set(event.operation.id, stateAfter[event.type]) };
}

/** The number of running steps that a terminal shows. */
const mostShownSteps = 8;

/**
 * Formats the progress of an apply for a terminal, which redraws it after each event: the running steps (all
 * operations about the same changes), the reason of a pause, and counts. Steps and reasons are cut to the width
 * of a line.
 */
export function renderProgress(progress: RunProgress, style: Style): string {
  const steps = groupBy(new Set(progress.steps.values()), (step) => stepStateOf(step, progress.states));
  const number = (stepState: StepState) => totalSizeOf(steps.get(stepState) ?? []);
  const running = steps.get('running') ?? [];
  const size = totalSizeOf([...steps.values()].flat());
  const lines = [
    ...firstLines(
      running.map(({ doing, label }) => `${style.quiet(doing.padEnd(9))} ${cut(label, style.width - 10)}`),
      mostShownSteps,
      style.quiet,
    ),
    ...(progress.waiting === undefined ? [] : [style.warn(cut(progress.waiting, style.width))]),
    [
      style.strong(`${number('done')} of ${count(size, 'change')} done`),
      ...(number('failed') > 0 ? [style.alarm(`${number('failed')} failed`)] : []),
      ...(number('skipped') > 0 ? [style.warn(`${number('skipped')} skipped`)] : []),
      `${number('running') + number('waiting')} left`,
    ].join(', '),
  ];
  return plainly(lines.join('\n'), style);
}

/** An attempt at a request, and how it ended. `status`: undefined if there was no answer. */
interface RequestAttempt {
  method: string;
  path: string;
  status: number | undefined;
  milliseconds: number;
  attempt: number;
  body?: unknown;
}

/**
 * Formats a request for `--verbose`: `GET /v9/projects 200 85 ms`. Secrets in its body are sealed (they print as a placeholder), and
 * headers are left out.
 */
export function exchangeText({ method, path, status, milliseconds, attempt, body }: RequestAttempt): string {
  const attemptText = attempt > 1 ? ` (attempt ${attempt})` : '';
  const bodyText = body === undefined ? '' : `\n    ${JSON.stringify(body)}`;
  return `  ${method} ${path} ${status ?? 'no answer'} ${Math.round(milliseconds)} ms${attemptText}${bodyText}`;
}

const [minute, day] = [60_000, 86_400_000];

/**
 * Returns a warning if the clock of this machine is wrong by more than a minute, because times in the ledger would be wrong, too; undefined
 * otherwise. `ahead`: the milliseconds by which it is ahead of the platform's clock. A difference of more than a day comes from a cache or
 * a test, so it is ignored.
 */
export function clockWarning(ahead: number): string | undefined {
  const difference = Math.abs(ahead);
  const isWrong = difference > minute && difference < day;
  if (!isWrong) return undefined;
  const duration = durationText(Math.round(difference / minute) * minute);
  return `The clock of this machine is ${duration} ${ahead > 0 ? 'ahead of' : 'behind'} the platform's. Set it: times in the ledger and its history will be wrong, a freeze of guards begins and ends at another time, and a \`$then\` action may be skipped or sent twice.`;
}

type Waiting = Extract<ApplyEvent, { type: 'waiting' }>;

/** Formats a pause of the run: `Waiting 12s: rate limit of ...`, or `Retrying in 3s: cannot reach ...` after a failed request (`again`). */
export const waitingText = ({ seconds, reason, again }: Omit<Waiting, 'type'>): string =>
  `${again ? `Retrying in ${Math.ceil(seconds)}s` : `Waiting ${Math.ceil(seconds)}s`}: ${cleanLine(reason)}`;
