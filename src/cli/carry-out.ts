import { createApplyOptions } from '../app/applying/apply-options.ts';
import { createReportPlaces } from '../app/ci-job.ts';
import { ledgerLine } from '../app/ledger/ledger-line.ts';
import type { WritingOptions } from '../app/planning/plan-options.ts';
import { lockSession, type Session } from '../app/session/session.ts';
import { recordSources, rewriteLedger } from '../app/session/session-ledger.ts';
import type { RunFacts } from '../history/open-recording.ts';
import { problem } from '../model/diagnostic.ts';
import type { ApplyEvent, Outcome } from '../model/event.ts';
import { isEmpty, type Plan } from '../model/plan.ts';
import { standardActionsAtOnce } from '../model/planned-action.ts';
import { actionName } from '../report/action-texts.ts';
import { eventWriter, reduceProgress, renderProgress, startProgress } from '../report/events-text.ts';
import { type ApplyResult, appliedMarkdown } from '../report/markdown/applied-markdown.ts';
import { noChangesText, notComparedState, notSetState } from '../report/not-compared-text.ts';
import { outcomeDiagnostics } from '../report/outcome-diagnostics.ts';
import { outcomeText } from '../report/outcome-text.ts';
import { createApplyLines, nothingLines, outcomeLines } from '../report/terraform/apply-lines.ts';
import { apply } from '../run/apply.ts';
import { refuseMissingSecrets } from '../run/fill-request.ts';
import type { Planned } from '../run/open-plan.ts';
import { addStepSummary, annotate } from './actions-run.ts';
import { verifyApplied, waitUntilReady } from './after-apply.ts';
import { exitCodes, outcomeCode, worstCode } from './exit-codes.ts';
import { type LiveText, liveText, type Terminal } from './terminal.ts';

/** Returns the problem with an apply that nobody can agree to. `what`: the plans, with their verb. */
export const unattendedApplyProblem = (what: 'the plan has' | 'the plans have') =>
  problem('cli/unattended', 'apply needs a terminal or --auto-approve; nothing was changed', {
    hint: `pass --auto-approve if ${what} already been approved`,
  });

/**
 * Carries out the current plan of a stack. If it is empty, only does what an apply does besides: it keeps the ledger current and waits.
 * Returns true if all changes are done and ready. `isShown`: the plan was shown before, so an empty one is not mentioned again.
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
    return carryOut(session, current, options, terminal, { approval });
  }
  if (terminal.stream) terminal.stream(nothingLines(plan));
  else
    terminal.out(
      isShown
        ? notSetState(plan).join('\n')
        : [noChangesText(plan), ...notComparedState(plan), ...notSetState(plan)].join(' '),
    );
  await keepLedgerCurrent(session, current, options, terminal);
  await waitUntilReady(session, current, terminal);
  return terminal.run.exitCode === exitCodes.done;
}

/**
 * Applies a plan that was agreed to: shows progress and the outcome, then looks whether it worked, and waits for what takes its time and is
 * to be waited for. `about`: what its record says of it. True if all changes are done, and ready: what follows them may still be owed.
 */
export async function carryOut(
  session: Session,
  planned: Planned,
  options: WritingOptions,
  terminal: Terminal,
  about: Partial<RunFacts>,
): Promise<boolean> {
  const outcome = await showPlanned(session, planned, options, terminal, about);
  const { run } = terminal;
  if (outcomeCode({ ...outcome, actions: [] }) !== exitCodes.done) {
    run.exitCode = outcomeCode(outcome);
    return false;
  }
  const verified = await verifyApplied(session, planned, options, terminal, {
    destroy: about.command === 'destroy',
  });
  if (!verified) return false;
  await waitUntilReady(session, verified, terminal);
  const isWhole = run.exitCode === exitCodes.done;
  run.exitCode = worstCode([run.exitCode, outcomeCode(outcome)]);
  if (outcome.actions)
    await (await import('./await-actions.ts')).awaitActions(session, planned, outcome, terminal);
  return isWhole;
}

async function showPlanned(
  session: Session,
  planned: Planned,
  options: WritingOptions,
  terminal: Terminal,
  about: Partial<RunFacts>,
): Promise<Outcome> {
  const { lease, say } = session;
  const { plan } = planned;
  const stop = new AbortController();
  let progress: ProgressView | undefined;
  const live = await liveText(terminal);
  const started = session.host.clock.now();
  try {
    return await apply(session, planned, {
      ...createApplyOptions(session, planned, options, about),
      onStart: (flush) => {
        progress = progressFor(plan, terminal, live);
        session.say = progress.note;
        // The first signal waits for what is in flight, the second ends the run.
        lease!.onInterrupt = () =>
          stop.signal.aborted || lease!.lost.aborted ? lease!.abandon(flush) : stop.abort();
      },
      onEvent: (event) => progress!.show(event),
      onAction: ({ action, outcome }) => {
        if (!outcome) progress!.note(`Sending ${actionName(action)} ...`);
      },
      actionsAtOnce: options.actionsAtOnce ?? standardActionsAtOnce,
      onEnd: (outcome) => {
        progress!.done();
        showOutcome(plan, outcome, terminal, started);
      },
      stop: stop.signal,
    });
  } finally {
    progress?.done();
    session.say = say;
    if (lease) lease.onInterrupt = () => lease.abandon();
  }
}

/** `started`: when it began, in milliseconds since 1970. */
function showOutcome(plan: Plan, outcome: Outcome, terminal: Terminal, started: number): void {
  const now = terminal.run.host.clock.now();
  const took = now - started;
  if (terminal.stream) terminal.stream(outcomeLines(plan, outcome, now));
  else terminal.out(outcomeText(plan, outcome, { style: terminal.outStyle, now, took }));
  annotate(outcomeDiagnostics(plan, outcome, now), terminal);
  const deed: ApplyResult = { plan, outcome, at: now };
  Object.assign(terminal.run.deed ?? {}, deed);
  addStepSummary(
    (room) => appliedMarkdown(plan, deed, room, createReportPlaces(terminal.run.host)),
    terminal,
  );
}

interface ProgressView {
  show(event: ApplyEvent): void;
  note(text: string): void;
  /** Leaves the screen to others; may be called twice. */
  done(): void;
}

/** A live view on a terminal, plain lines elsewhere; or lines of a stream. */
function progressFor(plan: Plan, terminal: Terminal, update: LiveText | undefined): ProgressView {
  if (terminal.stream) return streamed(plan, terminal.stream, terminal);
  const write = eventWriter(plan, { style: terminal.errStyle });
  if (!update)
    return {
      show: (event) => terminal.say(write(event)),
      note: (text) => terminal.say(text),
      done: () => {},
    };
  let state = startProgress(plan);
  // Drawn anew each time: changing only the lines that differ leaves the cursor too high at the bottom of the screen.
  const draw = () => {
    update.clear();
    update(renderProgress(state, terminal.errStyle));
  };
  // Failures and notes stay above the view.
  const note = (text: string) => {
    update.clear();
    terminal.say(text);
    draw();
  };
  return {
    show: (event) => {
      state = reduceProgress(state, event);
      if (event.type === 'failed') note(write(event));
      else draw();
    },
    note,
    done: () => update.clear(),
  };
}

/** Also says from time to time what is still under way. */
function streamed(plan: Plan, stream: NonNullable<Terminal['stream']>, { say, run }: Terminal): ProgressView {
  const { now } = run.host.clock;
  const { lines, progress } = createApplyLines(plan);
  const timer = setInterval(() => stream(progress(now())), 1000).unref();
  return {
    show: (event) => stream(lines(event, now())),
    note: say,
    done: () => clearInterval(timer),
  };
}

/** After an apply that had nothing to do but to be told: says what was written into the ledger all the same. */
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
