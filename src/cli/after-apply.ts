/*
 * The end of an apply, once all changes are done and recorded: verify the account, wait for objects with `$wait`, and wait for the work that
 * actions started. Nothing is at risk here, so Ctrl-C only ends a wait.
 */
import type { ActionEnd } from '../app/applying/await-actions.ts';
import { createPlanOptions, type WritingOptions } from '../app/planning/plan-options.ts';
import { type Session, unlockSession } from '../app/session/session.ts';
import type { Address } from '../model/address.ts';
import { type Diagnostic, hasErrors, problem, warning } from '../model/diagnostic.ts';
import type { Outcome, WaitEvent } from '../model/event.ts';
import { isEmpty } from '../model/plan.ts';
import { actionName } from '../report/action-texts.ts';
import { waitingLines } from '../report/plan-end.ts';
import { planText } from '../report/plan-text.ts';
import { cleanLine, fold } from '../report/text.ts';
import { endDiagnostic, readyText, sideEffectsText, verifiedText } from '../report/verified-text.ts';
import { askedIn, awaitAsked, lookerOf } from '../run/await-ready.ts';
import type { Planned } from '../run/open-plan.ts';
import { type Verified, verify } from '../run/verify.ts';
import { annotate } from './actions-run.ts';
import { abortOnSignal } from './command-run.ts';
import { exitCodes, problemsCode, worstCode } from './exit-codes.ts';
import { type LiveView, openLiveView } from './live-view.ts';
import { sayDiagnostics, type Terminal } from './terminal.ts';

/**
 * Waits for the objects with `$wait` that are not ready, such as certificates. Gives the lease back first, so that other runs need not
 * wait. Sets the exit code if an object does not become ready. `planned`: the last plan, with the objects that are not ready.
 */
export async function waitUntilReady(session: Session, planned: Planned, terminal: Terminal): Promise<void> {
  const waits = askedIn(planned.plan);
  if (waits.length === 0) return;
  const { say, host } = session;
  const { stop, stopListening } = abortOnSignal(host);
  const view = createWaitView(terminal, await openLiveView(terminal));
  const ends: WaitEnd[] = [];
  const look = lookerOf(session, planned);
  let isLooking = false;
  try {
    await unlockSession(session);
    session.say = view.note;
    await awaitAsked(waits, {
      look: async (addresses) => {
        isLooking = true;
        return look(addresses).finally(() => {
          isLooking = false;
        });
      },
      clock: session.clock,
      stop: stop.signal,
      onEvent: (event) => {
        view.show(event);
        if (event.type !== 'waiting' && event.type !== 'ready') ends.push(event);
      },
    });
  } finally {
    view.clear();
    session.say = say;
    stopListening();
  }
  reportWaitEnds(ends, planned, stop.signal.aborted, terminal);
  // A look that waits for a rate limit would keep the process alive.
  if (stop.signal.aborted && isLooking) host.exit(exitCodes.interrupted);
}

/** The end of the wait for an object that did not become ready. */
type WaitEnd = Parameters<typeof endDiagnostic>[0];

/** Reports the objects with `$wait` that did not become ready, and sets the exit code. `isStopped`: a signal ended the wait. */
function reportWaitEnds(
  ends: readonly WaitEnd[],
  { desired }: Planned,
  isStopped: boolean,
  terminal: Terminal,
): void {
  const diagnostics = ends.map((end) => endDiagnostic(end, desired.resources.get(end.address)?.at));
  sayDiagnostics(diagnostics, terminal);
  annotate(diagnostics, terminal);
  if (isStopped) {
    terminal.say(
      'Stopped waiting. Everything is applied and recorded; the next apply waits again for the objects that are not ready.',
    );
    terminal.run.exitCode = exitCodes.interrupted;
  } else if (ends.some(({ type }) => type !== 'over')) terminal.run.exitCode = exitCodes.failed;
  else if (ends.length > 0) terminal.run.exitCode = exitCodes.tryAgainLater;
}

interface WaitView {
  show(event: WaitEvent): void;
  /** Prints a message of the session without damaging the live view. */
  note(message: string): void;
  clear(): void;
}

/** Creates the display of the wait for objects with `$wait`: a live line for each object on a terminal, a line for each event in a log. */
function createWaitView({ say, errStyle }: Terminal, view: LiveView | undefined): WaitView {
  if (!view) return { show: (event) => say(readyText(event, errStyle)), note: say, clear: () => {} };
  const waitingObjects = new Map<Address, string>();
  return {
    show(event) {
      const line = readyText(event, errStyle);
      if (event.type === 'waiting') waitingObjects.set(event.address, line);
      else waitingObjects.delete(event.address);
      const text = [...waitingObjects.values()].join('\n');
      if (event.type === 'waiting') view.redraw(text);
      else view.note(line, text);
    },
    note: view.note,
    clear: view.clear,
  };
}

/**
 * Plans again after an apply, because only an empty plan proves that the apply worked. Returns that plan. Returns undefined and sets the exit
 * code if anything is left to do. `applied`: the plan that was carried out. `isDestroy`: the command was `destroy`.
 */
export async function verifyApplied(
  session: Session,
  applied: Planned,
  options: WritingOptions,
  terminal: Terminal,
  { isDestroy }: { isDestroy: boolean },
): Promise<Planned | undefined> {
  const stop = new AbortController();
  const verified = await planUntilSettled(session, applied, options, terminal, { isDestroy, stop });
  const { planned, beside: sideEffects, remaining } = verified;
  const { plan } = planned;
  const { applyResult } = terminal.run;
  if (applyResult) applyResult.proof = isEmpty(plan) ? 'unread' : 'unsettled';
  const changedByPartners = sideEffects.length > 0 ? await session.findChangedByPartners?.() : undefined;
  const foreignEffects = sideEffects.filter(({ address }) => !changedByPartners?.has(address));
  const isVerified = isEmpty(plan) && !hasErrors(plan.diagnostics) && remaining.length === 0;
  if (!isVerified) {
    const planCode = isEmpty(plan) ? problemsCode(plan.diagnostics) : exitCodes.done;
    const isStopped = stop.signal.aborted;
    terminal.run.exitCode = isStopped ? exitCodes.interrupted : planCode || exitCodes.failed;
    reportUnverified({ ...verified, beside: foreignEffects }, terminal);
    return undefined;
  }
  const goal = isDestroy ? 'destroyed' : applied.after ? 'undone' : 'configuration';
  reportVerified({ ...verified, beside: foreignEffects }, { goal, applied }, terminal);
  return planned;
}

/**
 * Reports that an apply worked. Names the objects that become ready later, the changes that others made meanwhile, and the result of the
 * second plan.
 */
function reportVerified(
  { planned: { plan }, beside: sideEffects }: Verified,
  { goal, applied }: { goal: 'destroyed' | 'undone' | 'configuration'; applied: Planned },
  terminal: Terminal,
): void {
  const { outStyle: style } = terminal;
  // Objects with `$wait` are left out, because the wait for them comes next and reports on them.
  const waiting = (plan.waiting ?? []).filter(({ minutes }) => minutes === undefined);
  terminal.out(waitingLines({ waiting }, { style, verbose: false }).join('\n'));
  terminal.out(sideEffectsText(sideEffects, { style }));
  const unrestored = applied.after?.unrestored ?? 0;
  const proof = verifiedText({ ...plan, waiting }, { goal, beside: sideEffects, unrestored });
  if (terminal.run.applyResult) terminal.run.applyResult.proof = { verified: proof };
  terminal.out(fold(proof, style.prose).map(style.strong).join('\n'));
}

/**
 * Reports that an apply could not be verified: the reason, problems, and the differences that are left, so that the user can decide what
 * to do.
 */
function reportUnverified(
  { planned: { plan }, beside: sideEffects, remaining }: Verified,
  terminal: Terminal,
): void {
  const { outStyle: style } = terminal;
  const differenceText = isEmpty(plan)
    ? 'Applied, but not verified: the account could not be read again.'
    : 'Applied, but not verified: the account still differs from the configuration.';
  terminal.say(
    remaining.length > 0
      ? cleanLine(`Applied, but not verified: the account still shows ${remaining.join(', ')}.`)
      : differenceText,
  );
  sayDiagnostics(plan.diagnostics, terminal);
  terminal.out(planText(plan, { style, requests: false }));
  terminal.out(sideEffectsText(sideEffects, { style }));
}

/**
 * Plans again until the account shows every write, because the platform's lists may lag, or until the time of `--settle` is over. During
 * the pauses, a signal aborts `stop`.
 */
async function planUntilSettled(
  session: Session,
  applied: Planned,
  options: WritingOptions,
  terminal: Terminal,
  { isDestroy, stop }: { isDestroy: boolean; stop: AbortController },
): Promise<Verified> {
  const { lease, host } = session;
  try {
    return await verify(session, applied, {
      ...createPlanOptions(options, host, { destroy: isDestroy }),
      within: options.settle * 1000,
      onWait: () => {
        terminal.say(
          `The account does not show everything yet; checking again for up to ${options.settle} s.`,
        );
        if (lease) lease.onInterrupt = () => stop.abort();
      },
      stop: stop.signal,
    });
  } finally {
    if (lease) lease.onInterrupt = () => lease.abandon();
  }
}

/**
 * Waits at the end of an apply for the work of `$then` actions that have a `wait`, such as a deployment. Sets the exit code if one fails
 * or takes too long.
 */
export async function awaitActions(
  session: Session,
  planned: Planned,
  outcome: Outcome,
  terminal: Terminal,
): Promise<void> {
  const { awaitStartedWork } = await import('../app/applying/await-actions.ts');
  const { stop, stopListening } = abortOnSignal(session.host);
  try {
    const watching = { stop: stop.signal, say: terminal.say };
    const ends = await awaitStartedWork(session, planned, outcome, watching);
    if (ends.length > 0) reportActionEnds(ends, terminal);
  } finally {
    stopListening();
  }
}

/** Reports the `$then` actions whose work failed or is still running, and sets the exit code to the worst of them. */
function reportActionEnds(ends: readonly ActionEnd[], terminal: Terminal): void {
  const { run } = terminal;
  const diagnostics = ends.flatMap((end) => actionEndDiagnostic(end) ?? []);
  sayDiagnostics(diagnostics, terminal);
  annotate(diagnostics, terminal);
  if (ends.some(({ end }) => end === 'stopped'))
    terminal.say('Stopped waiting. Everything is applied and recorded; the actions that were sent continue.');
  run.exitCode = worstCode([run.exitCode, ...ends.map(({ end }) => actionEndCodes[end])]);
}

const actionEndCodes: Record<ActionEnd['end'], number> = {
  reached: exitCodes.done,
  stopped: exitCodes.interrupted,
  ended: exitCodes.failed,
  'under way': exitCodes.tryAgainLater,
};

/**
 * Returns the diagnostic for an action whose work failed or is still running. Undefined for a success, and for a wait that the user
 * stopped.
 */
function actionEndDiagnostic({ end, action, minutes, state }: ActionEnd): Diagnostic | undefined {
  const name = actionName(action);
  const subject = action.about === undefined ? {} : { address: action.about };
  if (end === 'ended')
    return problem('then/ended', `${name} was sent and ended as ${state}`, {
      ...subject,
      hint: 'everything is applied and nothing is pending; see its log in the dashboard',
    });
  if (end !== 'under way') return undefined;
  return warning('then/under-way', `${name} is still running after ${minutes} min`, {
    ...subject,
    hint: 'it continues on its own: use `trueup wait`',
  });
}
