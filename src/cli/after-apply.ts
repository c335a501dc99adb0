/*
 * The texts and exit codes for the end of an apply: its verification, the wait for objects with `$wait`, and the wait for the work that actions
 * started.
 */

import type { ApplyObserver, CarriedOut, Readiness, Verification } from '../app/applying/carry-out.ts';
import type { Session } from '../app/session/session.ts';
import type { Address } from '../model/address.ts';
import { type Diagnostic, hasErrors, notReadyCode, problem, warning } from '../model/diagnostic.ts';
import type { WaitEvent } from '../model/event.ts';
import { countReleased } from '../model/logical-changes.ts';
import { isEmpty } from '../model/plan.ts';
import { actionName } from '../report/action-texts.ts';
import { problemsBesideChanges } from '../report/finding-text.ts';
import { waitingLines } from '../report/plan-end.ts';
import { planText } from '../report/plan-text.ts';
import { cleanLine, fold } from '../report/text.ts';
import {
  endDiagnostic,
  type Goal,
  readyText,
  sideEffectsText,
  verifiedText,
  type WaitEnd,
} from '../report/verified-text.ts';
import type { ActionEnd } from '../run/await-actions.ts';
import type { Planned } from '../run/open-plan.ts';
import type { Verified } from '../run/verify.ts';
import { annotateOnGithub } from '../terminal/actions-run.ts';
import { type EventView, type LiveView, openLiveView, type ViewSlot } from '../terminal/live-view.ts';
import { sayDiagnostics, type Terminal } from '../terminal/terminal.ts';
import { exitCodes, outcomeCode, problemsCode, waitCodes, worstCode } from './exit-codes.ts';

/**
 * Creates the functions that show how `trueup apply`, at its end, waits for objects with `$wait`. `planned.desired` has the lines of the
 * YAML, for messages about objects that did not become ready. `views` holds the live view that is on the terminal, so that the caller can
 * close it if the apply ends early.
 */
export function createWaitObserver(
  { desired }: Planned,
  views: ViewSlot,
  terminal: Terminal,
): Pick<ApplyObserver, 'say' | 'onWaitStart' | 'onWait' | 'onWaitEnd'> {
  let view: EventView<WaitEvent> | undefined;
  const ends: WaitEnd[] = [];
  return {
    say: terminal.say,
    async onWaitStart() {
      view = views.show(createWaitView(terminal, await openLiveView(terminal)));
    },
    onWait(event) {
      view!.show(event);
      if (event.type !== 'waiting' && event.type !== 'ready') ends.push(event);
    },
    onWaitEnd({ isStopped }) {
      views.close();
      const diagnostics = ends.map((end) => endDiagnostic(end, desired.resources.get(end.address)?.at));
      sayDiagnostics(diagnostics, terminal);
      annotateOnGithub(diagnostics, terminal);
      if (isStopped)
        terminal.say(
          'Stopped waiting. Everything is applied and recorded; the next apply waits again for the objects that are not ready.',
        );
    },
  };
}

/**
 * Returns the exit code of `trueup apply` for the end of the wait for objects with `$wait`: `failed` if an object cannot become ready any
 * more, `tryAgainLater` if only the time is over, so that a script may repeat the apply.
 */
export function readinessCode({ notReady, isStopped }: Readiness): number {
  if (isStopped) return exitCodes.interrupted;
  if (notReady.some(({ type }) => type !== 'over')) return exitCodes.failed;
  return notReady.length > 0 ? exitCodes.tryAgainLater : exitCodes.done;
}

/**
 * Returns the exit code of `trueup apply`, `destroy` or `undo`. An apply that could not send everything is not verified, and its failure
 * decides. Then a failed verification decides. Otherwise it is the worst of the actions and of the waits for objects and actions.
 */
export function carriedOutCode({ outcome, verification, readiness, actionEnds }: CarriedOut): number {
  if (!verification) return outcomeCode(outcome);
  if (!verification.isVerified) return unverifiedCode(verification);
  return worstCode([
    readinessCode(readiness!),
    outcomeCode(outcome),
    ...actionEnds.map(({ end }) => waitCodes[end]),
  ]);
}

/**
 * Returns the exit code of an apply whose second plan, which verifies the result, still had changes, could not read everything, or was
 * stopped by Ctrl-C; or after which deleted objects are still listed.
 */
function unverifiedCode({ isStopped, planned: { plan } }: Verification): number {
  if (isStopped) return exitCodes.interrupted;
  // Nothing is left to do, but the account could not be read completely, for example because of a rate limit, which passes with time.
  if (isEmpty(plan) && hasErrors(plan.diagnostics)) return problemsCode(plan.diagnostics);
  return exitCodes.failed;
}

/** True if all changes of an apply are done and verified, and its objects are ready. Its `$then` actions may still be pending or under way. */
export const areChangesReady = ({ verification, readiness }: CarriedOut): boolean =>
  verification?.isVerified === true && readinessCode(readiness!) === exitCodes.done;

/**
 * Creates the display of the wait for objects with `$wait` at the end of `trueup apply`: a live line for each object on a terminal, a line
 * for each event in a log.
 */
function createWaitView({ say, errStyle }: Terminal, view: LiveView | undefined): EventView<WaitEvent> {
  if (!view) return { show: (event) => say(readyText(event, errStyle)), note: say, close: () => {} };
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
    close: view.clear,
  };
}

/** The apply that a verification is about. `goal`: the state that the apply should lead to. */
export interface VerifiedApply {
  goal: Goal;
  /** The plan that was applied. */
  applied: Planned;
  session: Session;
}

/**
 * Reports on the terminal and for `apply --report` whether an apply could be verified: a second plan must be empty. Of the differences that
 * the run did not make, leaves out those that other stacks of this command made (partners).
 */
export async function reportVerification(
  verification: Verification,
  { goal, applied, session }: VerifiedApply,
  terminal: Terminal,
): Promise<void> {
  const { planned, sideEffects, isVerified } = verification;
  const { applyResult } = terminal.run;
  // For the report of a failure; `reportVerified` replaces it.
  if (applyResult) applyResult.proof = isEmpty(planned.plan) ? 'unread' : 'unsettled';
  const changedByPartners = sideEffects.length > 0 ? await session.findChangedByPartners?.() : undefined;
  const foreignEffects = sideEffects.filter(({ address }) => !changedByPartners?.has(address));
  const shown = { ...verification, sideEffects: foreignEffects };
  if (isVerified) reportVerified(shown, { goal, applied }, terminal);
  else reportFailedVerification(shown, terminal);
}

/**
 * Reports on the terminal that an apply worked, and stores the proof for the reports of the run. Names the objects that become ready later
 * or do not work yet, the changes that others made meanwhile, and the result of the second plan, which verified it.
 */
function reportVerified(
  { planned: { plan }, sideEffects }: Verified,
  { goal, applied }: Pick<VerifiedApply, 'goal' | 'applied'>,
  terminal: Terminal,
): void {
  const { outStyle: style } = terminal;
  // Objects with `$wait` are left out, because the wait for them comes next and reports on them.
  const waiting = (plan.waiting ?? []).filter(({ minutes }) => minutes === undefined);
  terminal.out(waitingLines({ waiting }, { style, verbose: false }).join('\n'));
  terminal.out(sideEffectsText(sideEffects, { style }));
  const unrestored = applied.after?.unrestored ?? 0;
  const released = goal === 'destroyed' ? countReleased(applied.plan.changes) : 0;
  const proof = verifiedText({ ...plan, waiting }, { goal, sideEffects, unrestored, released });
  const notReady = plan.diagnostics.filter(({ code }) => code === notReadyCode);
  sayDiagnostics(notReady, terminal);
  annotateOnGithub(notReady, terminal);
  if (terminal.run.applyResult) terminal.run.applyResult.proof = { verified: proof, notReady };
  terminal.out(fold(proof, style.prose).map(style.strong).join('\n'));
}

/**
 * Reports after an apply that a second plan still found differences, or could not read everything, so that the user can decide what to do.
 * `plan`: the second plan. `remaining`: addresses of deleted objects that are still listed. `sideEffects`: what else changed.
 */
function reportFailedVerification(
  { planned: { plan }, sideEffects, remaining }: Verified,
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
  sayDiagnostics(problemsBesideChanges(plan), terminal);
  terminal.out(planText(plan, { style, requests: false }));
  terminal.out(sideEffectsText(sideEffects, { style }));
}

/** Reports the `$then` actions with `wait` whose work failed or is still running at the end of `trueup apply`. */
export function reportActionEnds(ends: readonly ActionEnd[], terminal: Terminal): void {
  if (ends.length === 0) return;
  const diagnostics = ends.flatMap((end) => actionEndDiagnostic(end) ?? []);
  sayDiagnostics(diagnostics, terminal);
  annotateOnGithub(diagnostics, terminal);
  if (ends.some(({ end }) => end === 'stopped'))
    terminal.say('Stopped waiting. Everything is applied and recorded; the actions that were sent continue.');
}

/**
 * Returns the diagnostic at the end of `trueup apply` for a `$then` action whose work failed (`ended`: in another state than success) or is
 * still running. Undefined for a success, and for a wait that the user stopped.
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
