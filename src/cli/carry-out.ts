import { type ApplyObserver, awaitReadyObjects, carryOut } from '../app/applying/carry-out.ts';
import type { ApplyCommandOptions, WritingOptions } from '../app/planning/plan-options.ts';
import { lockSession, type Session } from '../app/session/session.ts';
import { createReportPlaces } from '../ci/ci-job.ts';
import { ledgerLine } from '../history/ledger-line.ts';
import type { RunFacts } from '../history/open-recording.ts';
import { problem } from '../model/diagnostic.ts';
import type { ApplyEvent } from '../model/event.ts';
import { asksForNothing, isEmpty, type Plan } from '../model/plan.ts';
import { actionName } from '../report/action-texts.ts';
import { eventWriter, reduceProgress, renderProgress, startProgress } from '../report/events-text.ts';
import { type ApplyResult, appliedMarkdown } from '../report/markdown/applied-markdown.ts';
import { noChangesText, notComparedState, notSetState } from '../report/not-compared-text.ts';
import { outcomeDiagnostics } from '../report/outcome-diagnostics.ts';
import { outcomeText } from '../report/outcome-text.ts';
import { createApplyLines, nothingLines, outcomeLines } from '../report/terraform/apply-lines.ts';
import type { Goal } from '../report/verified-text.ts';
import { refuseMissingSecrets } from '../run/fill-request.ts';
import type { Planned } from '../run/open-plan.ts';
import { recordSources, rewriteLedger } from '../run/session-ledger.ts';
import { addStepSummary, annotateOnGithub } from '../terminal/actions-run.ts';
import {
  createViewSlot,
  type EventView,
  type LiveView,
  openLiveView,
  type ViewSlot,
} from '../terminal/live-view.ts';
import { isYes, type Terminal } from '../terminal/terminal.ts';
import {
  areChangesReady,
  carriedOutCode,
  createWaitObserver,
  readinessCode,
  reportActionEnds,
  reportVerification,
} from './after-apply.ts';
import { exitCodes, worstCode } from './exit-codes.ts';

/**
 * Asks whether to apply plans, unless `--auto-approve` is given or they neither send nor adopt anything. Returns true if they may be
 * applied. `subject`: the plan or plans with their verb, for the problem without a terminal to ask on. Throws `Problems` then.
 */
export async function confirmApply(
  plans: readonly Plan[],
  { autoApprove = false }: Pick<ApplyCommandOptions, 'autoApprove'>,
  { question, subject }: { question: string; subject: 'the plan has' | 'the plans have' },
  terminal: Terminal,
): Promise<boolean> {
  if (autoApprove || plans.every(asksForNothing)) return true;
  const unattended = problem(
    'cli/unattended',
    'apply needs a terminal or --auto-approve; nothing was changed',
    { hint: `pass --auto-approve if ${subject} already been approved` },
  );
  return isYes(terminal, { question, unattended });
}

/**
 * Carries out a confirmed plan of one stack for `apply`. With an empty plan it still updates the ledger, and waits for objects that are
 * not ready. Returns true if all changes are done and ready. `isShown`: the user has seen the plan, so an empty one is not mentioned
 * again.
 */
export async function applyCurrent(
  session: Session,
  current: Planned,
  options: WritingOptions,
  terminal: Terminal,
  { approval, isShown }: { approval: 'flag' | 'asked'; isShown: boolean },
): Promise<boolean> {
  const { plan } = current;
  if (!isEmpty(plan)) {
    refuseMissingSecrets(plan.operations, session.secrets);
    return carryOutOnTerminal(session, current, options, terminal, { approval });
  }
  const emptyPlanText = isShown
    ? notSetState(plan).join('\n')
    : [noChangesText(plan), ...notComparedState(plan), ...notSetState(plan)].join(' ');
  if (terminal.stream) terminal.stream(nothingLines(plan));
  else terminal.out(emptyPlanText);
  await keepLedgerCurrent(session, current, options, terminal);
  const views = createViewSlot(session);
  try {
    const readiness = await awaitReadyObjects(session, current, createWaitObserver(current, views, terminal));
    terminal.run.exitCode = worstCode([terminal.run.exitCode, readinessCode(readiness)]);
  } finally {
    views.close();
  }
  return terminal.run.exitCode === exitCodes.done;
}

/**
 * Applies a confirmed plan that has changes, for `apply`, `destroy` and `undo`, and shows each step on the terminal. Sets the exit code.
 * `facts`: what the run's record says about it. Returns true if all changes are done and ready; `$then` actions may still be pending.
 */
export async function carryOutOnTerminal(
  session: Session,
  planned: Planned,
  options: WritingOptions,
  terminal: Terminal,
  facts: Partial<RunFacts>,
): Promise<boolean> {
  const { run } = terminal;
  const views = createViewSlot(session);
  const goal = goalOf(planned, facts);
  const observer: ApplyObserver = {
    ...(await createSendObserver(planned.plan, goal, views, terminal)),
    onUnsettled: () =>
      terminal.say(`The account does not show everything yet; checking again for up to ${options.settle} s.`),
    onVerified: (verification) =>
      reportVerification(verification, { goal, applied: planned, session }, terminal),
    ...createWaitObserver(planned, views, terminal),
  };
  try {
    const carriedOut = await carryOut(session, planned, options, observer, facts);
    reportActionEnds(carriedOut.actionEnds, terminal);
    run.exitCode = worstCode([run.exitCode, carriedOutCode(carriedOut)]);
    return areChangesReady(carriedOut);
  } finally {
    views.close();
  }
}

/**
 * Returns the state that the account should have afterwards, for the words of the verification. Only an undo says what to expect after it
 * (`after`).
 */
function goalOf({ after }: Planned, { command }: Partial<RunFacts>): Goal {
  if (command === 'destroy') return 'destroyed';
  return after ? 'undone' : 'configuration';
}

/** Creates the functions that show the progress and the outcome of `apply`, `destroy` or `undo` while its requests are sent. */
async function createSendObserver(
  plan: Plan,
  goal: Goal,
  views: ViewSlot,
  terminal: Terminal,
): Promise<Pick<ApplyObserver, 'onStart' | 'onEvent' | 'onAction' | 'onEnd'>> {
  const openProgress = await prepareProgress(plan, terminal);
  const { clock } = terminal.run.host;
  const startTime = clock.now();
  let progress: EventView<ApplyEvent> | undefined;
  return {
    onStart() {
      progress = views.show(openProgress());
    },
    // `onStart` comes before all events.
    onEvent: (event) => progress!.show(event),
    onAction: ({ action, outcome }) => {
      if (!outcome) progress!.note(`Sending ${actionName(action)} ...`);
    },
    onEnd(outcome) {
      views.close();
      showOutcome({ plan, outcome, goal }, terminal, startTime);
    },
  };
}

/** An apply that has sent its requests. */
type Finished = Required<Pick<ApplyResult, 'plan' | 'outcome' | 'goal'>>;

/**
 * Shows the outcome of `apply`, `destroy` or `undo` on the terminal, in the CI job and in the report of `--report`. `startTime`: the start of the
 * apply, in milliseconds since 1970.
 */
function showOutcome(finished: Finished, terminal: Terminal, startTime: number): void {
  const { plan, outcome, goal } = finished;
  const { run, outStyle: style } = terminal;
  const endTime = run.host.clock.now();
  if (terminal.stream) terminal.stream(outcomeLines(plan, outcome, endTime));
  else
    terminal.out(
      outcomeText(plan, outcome, {
        style,
        now: endTime,
        took: endTime - startTime,
        failures: terminal.failures,
        goal,
      }),
    );
  terminal.failures?.command.outcomes.push({ id: terminal.failures.stack, plan, outcome });
  annotateOnGithub(outcomeDiagnostics(plan, outcome, endTime), terminal);
  const result: ApplyResult = { ...finished, at: endTime };
  if (run.applyResult) Object.assign(run.applyResult, result);
  addStepSummary((room) => appliedMarkdown(plan, result, room, createReportPlaces(run.host)), terminal);
}

/**
 * Returns a function to start the display of the progress of `apply`, `destroy` or `undo`: events for `--json-stream`, a live view for a person,
 * or lines of a log. Loads the code of the display before the first request is sent.
 */
async function prepareProgress(plan: Plan, terminal: Terminal): Promise<() => EventView<ApplyEvent>> {
  const { stream } = terminal;
  if (stream) return () => streamProgress(plan, stream, terminal);
  const view = await openLiveView(terminal);
  return () => (view ? drawProgress(plan, view, terminal) : logProgress(plan, terminal));
}

/** Prints each event of an apply as a line, for a log. */
function logProgress(plan: Plan, { errStyle: style, failures, say }: Terminal): EventView<ApplyEvent> {
  const formatEvent = eventWriter(plan, { style, failures });
  return { show: (event) => say(formatEvent(event)), note: say, close: () => {} };
}

/** Shows the progress of an apply in a live view, drawn again at each event. Failures and notes stay above it. */
function drawProgress(
  plan: Plan,
  view: LiveView,
  { errStyle: style, failures }: Terminal,
): EventView<ApplyEvent> {
  const formatEvent = eventWriter(plan, { style, failures });
  let progress = startProgress(plan);
  const render = () => renderProgress(progress, style);
  return {
    show: (event) => {
      progress = reduceProgress(progress, event);
      if (event.type === 'failed') view.note(formatEvent(event), render());
      else view.redraw(render());
    },
    note: (message) => view.note(message, render()),
    close: view.clear,
  };
}

/**
 * Writes the progress of an apply as events for `--json-stream`, like Terraform: each event, and every second the changes that are still
 * running.
 */
function streamProgress(
  plan: Plan,
  stream: NonNullable<Terminal['stream']>,
  { say, run }: Terminal,
): EventView<ApplyEvent> {
  const { now } = run.host.clock;
  const { lines, progress } = createApplyLines(plan);
  const timer = setInterval(() => stream(progress(now())), 1000).unref();
  return {
    show: (event) => stream(lines(event, now())),
    note: say,
    close: () => clearInterval(timer),
  };
}

/**
 * Updates the ledger after an apply without changes, so that the next plan does not mention it again: the recorded sources of secrets, the
 * signature of an old key, or an old journal (the steps of an interrupted run).
 */
async function keepLedgerCurrent(
  session: Session,
  planned: Planned,
  options: WritingOptions,
  terminal: Terminal,
): Promise<void> {
  const lock = () => lockSession(session, options, terminal);
  if (await recordSources(session, planned, lock))
    terminal.say('The ledger now records where secrets and variables are read from.');
  if (await rewriteLedger(session, lock))
    terminal.out(ledgerLine(session.store, session.ledger, session.host.clock.now()));
}
