/*
 * Carries out a confirmed plan, for every command that applies, for the library and for the workers of a fleet:
 *
 *   1. Send the requests of the plan, and record them in the ledger.
 *   2. Verify: plan again, because only an empty plan proves that the apply worked.
 *   3. Wait until the objects with `$wait`, such as certificates, are ready.
 *   4. Wait until the work that `$then` actions with `wait` started, such as a deployment, has ended.
 *
 * After step 1 everything is recorded, so a signal only ends the wait that is under way.
 */
import type { RunFacts } from '../../history/open-recording.ts';
import { interruptedCode, listenToSignals } from '../../host.ts';
import type { Address } from '../../model/address.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { Outcome, WaitEvent } from '../../model/event.ts';
import { isEmpty } from '../../model/plan.ts';
import { type ApplyPlanOptions, applyPlan } from '../../run/apply.ts';
import type { ActionEnd } from '../../run/await-actions.ts';
import { askedIn, awaitAsked, lookerOf } from '../../run/await-ready.ts';
import type { Planned } from '../../run/open-plan.ts';
import { type Verified, verify } from '../../run/verify.ts';
import { createPlanOptions, type WritingOptions } from '../planning/plan-options.ts';
import { type Session, unlockSession } from '../session/session.ts';
import { createApplyOptions } from './apply-options.ts';

/** Shows the steps of an apply while they go on, and may stop them. */
export interface ApplyObserver extends Pick<ApplyPlanOptions, 'onEvent' | 'onAction' | 'onEnd'> {
  /** Shows a message about the work of actions. */
  say(text: string): void;
  /** Once aborted, the step that is under way and all later ones end early. A signal of the host ends only the step that is under way. */
  stop?: AbortSignal | undefined;
  /** Called after all checks, before the first request is sent. */
  onStart?(): void;
  /** Called once if the account does not show every write yet, so that verification has to repeat its reading. */
  onUnsettled?(): void;
  onVerified?(verification: Verification): void | Promise<void>;
  /** True to wait for objects and actions even if the account still differs from the configuration. */
  waitsUnverified?: boolean;
  /** Called before the first event of `onWait`, if there are objects to wait for. */
  onWaitStart?(): void | Promise<void>;
  onWait?(event: WaitEvent): void;
  onWaitEnd?(readiness: Readiness): void;
}

/** The result of planning again after an apply. */
export interface Verification extends Verified {
  /** True if nothing is left to do. */
  isVerified: boolean;
  /** True if the user stopped the verification before the account showed every write. */
  isStopped: boolean;
}

/** The end of the wait for objects with `$wait`. */
export interface Readiness {
  /** The last event of each object that is not ready, in the order of the plan. */
  notReady: Exclude<WaitEvent, { type: 'ready' }>[];
  /** True if the user stopped the wait. */
  isStopped: boolean;
}

/** The result of carrying out a plan. */
export interface CarriedOut {
  outcome: Outcome;
  /** Absent if not all changes were done. */
  verification?: Verification;
  /** Absent if the objects were not waited for. */
  readiness?: Readiness;
  /** The ends of the actions with `wait`; empty if they were not waited for. */
  actionEnds: ActionEnd[];
}

/**
 * Carries out a confirmed plan of `apply`, `destroy` or `undo`: sends it, verifies it by planning again, then waits for objects with
 * `$wait` and for the work of `$then` actions. If not all is done, or verified, the result lacks the later steps. The session must hold its
 * lease (the right to write the ledger). `facts`: what the record of the run says about it. Throws `Problems` before the first request if
 * the plan cannot be applied.
 */
export async function carryOut(
  session: Session,
  planned: Planned,
  options: WritingOptions,
  observer: ApplyObserver,
  facts: Partial<RunFacts> = {},
): Promise<CarriedOut> {
  const outcome = await sendPlan(session, planned, options, observer, facts);
  const { failed, skipped, postponed } = outcome;
  if (failed.length + skipped.length + postponed.length > 0) return { outcome, actionEnds: [] };
  const isDestroy = facts.command === 'destroy';
  const verification = await verifyApplied(session, planned, options, observer, { isDestroy });
  await observer.onVerified?.(verification);
  if (!verification.isVerified && !observer.waitsUnverified) return { outcome, verification, actionEnds: [] };
  const readiness = await awaitReadyObjects(session, verification.planned, observer);
  const actionEnds = await awaitActions(session, planned, outcome, observer);
  return { outcome, verification, readiness, actionEnds };
}

/**
 * Sends the requests of a plan, the first step of an apply. `applyPlan` throws without a lease (the right to write the ledger). The first
 * signal (Ctrl-C) aborts `stop`: running requests may finish and no others start, so that the ledger is complete. The second one, or the
 * first one after the lease was lost, abandons the lease: it writes the ledger (`flush`), releases the lease and ends the process.
 * Afterwards nothing is left to flush. `facts`: what the record of the run (`trueup log`) says.
 */
async function sendPlan(
  session: Session,
  planned: Planned,
  options: WritingOptions,
  { onStart, onEvent, onAction, onEnd, stop: outerStop }: ApplyObserver,
  facts: Partial<RunFacts>,
): Promise<Outcome> {
  const { lease } = session;
  const stop = createStop(outerStop);
  try {
    return await applyPlan(session, planned, {
      ...createApplyOptions(session, planned, options, facts),
      onStart: (flush) => {
        onStart?.();
        lease!.onInterrupt = () =>
          stop.signal.aborted || lease!.lost.aborted ? lease!.abandon(flush) : stop.abort();
      },
      onEvent,
      onAction,
      actionsAtOnce: options.parallelism,
      onEnd,
      stop: stop.signal,
    });
  } finally {
    if (lease) lease.onInterrupt = () => lease.abandon();
  }
}

/**
 * Verifies an apply: plans again, because only an empty plan proves that it worked. The platform's lists may lag, so it repeats that until
 * they show every write or the time of `--settle` is over; a signal during these pauses ends only the verification. `isDestroy`: the
 * applied plan deletes everything that the stack owns.
 */
async function verifyApplied(
  session: Session,
  applied: Planned,
  options: WritingOptions,
  { onUnsettled, stop: outerStop }: ApplyObserver,
  { isDestroy }: { isDestroy: boolean },
): Promise<Verification> {
  const { lease, host } = session;
  const stop = createStop(outerStop);
  try {
    const verified = await verify(session, applied, {
      ...createPlanOptions(options, host, { destroy: isDestroy }),
      within: options.settle * 1000,
      onWait: () => {
        onUnsettled?.();
        if (lease) lease.onInterrupt = () => stop.abort();
      },
      stop: stop.signal,
    });
    const { plan } = verified.planned;
    const isVerified = isEmpty(plan) && !hasErrors(plan.diagnostics) && verified.remaining.length === 0;
    return { ...verified, isVerified, isStopped: stop.signal.aborted };
  } finally {
    if (lease) lease.onInterrupt = () => lease.abandon();
  }
}

/**
 * Waits after an apply, also one without changes, for the objects with `$wait` that are not ready, such as certificates. Returns the last
 * state of those that are still not ready in the end. Gives the lease (the right to write the ledger) back first, so that other runs need
 * not wait. A signal ends the wait, and the process too if a reading is under way then. `planned`: the last plan, with the objects that are
 * not ready.
 */
export async function awaitReadyObjects(
  session: Session,
  planned: Planned,
  { stop: outerStop, onWaitStart, onWait, onWaitEnd }: ApplyObserver,
): Promise<Readiness> {
  const waits = askedIn(planned.plan);
  if (waits.length === 0) return { notReady: [], isStopped: false };
  const { host } = session;
  const stop = createStop(outerStop);
  let isSignalled = false;
  const stopListening = listenToSignals(host, () => {
    isSignalled = true;
    stop.abort();
  });
  const look = lookerOf(session, planned);
  // True while a reading is under way. If it has to wait for a rate limit, it goes on after the signal.
  let isLooking = false;
  const lastEvents = new Map<Address, WaitEvent>(
    waits.map(({ failed: _, ...wait }) => [wait.address, { type: 'waiting', ...wait }]),
  );
  try {
    await unlockSession(session);
    await onWaitStart?.();
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
        lastEvents.set(event.address, event);
        onWait?.(event);
      },
    });
  } finally {
    stopListening();
  }
  const notReady = [...lastEvents.values()].filter((event) => event.type !== 'ready');
  const readiness = { notReady, isStopped: stop.signal.aborted };
  onWaitEnd?.(readiness);
  // Such a reading would keep the process alive.
  if (isSignalled && isLooking) host.exit(interruptedCode);
  return readiness;
}

/**
 * Waits, as the last step of an apply, for the work that `$then` actions with `wait` started, such as a deployment. The code for that is
 * loaded only if actions were sent.
 */
async function awaitActions(
  session: Session,
  planned: Planned,
  outcome: Outcome,
  { say, stop: outerStop }: ApplyObserver,
): Promise<ActionEnd[]> {
  if (!outcome.actions) return [];
  const { awaitStartedWork } = await import('../../run/await-actions.ts');
  const stop = createStop(outerStop);
  const stopListening = listenToSignals(session.host, () => stop.abort());
  try {
    return await awaitStartedWork(session, planned, outcome, {
      stop: stop.signal,
      say,
      unlock: () => unlockSession(session),
    });
  } finally {
    stopListening();
  }
}

/**
 * Creates the controller that ends one step of an apply, such as the wait for ready objects. The step aborts it when a signal (Ctrl-C)
 * comes. It is also aborted with `outerStop`, by which the caller ends all steps.
 */
function createStop(outerStop: AbortSignal | undefined): AbortController {
  const stop = new AbortController();
  if (outerStop?.aborted) stop.abort();
  else outerStop?.addEventListener('abort', () => stop.abort());
  return stop;
}
