import { createApplyOptions } from '../app/applying/apply-options.ts';
import { awaitStartedWork } from '../app/applying/await-actions.ts';
import type { Port } from '../app/host.ts';
import { createPlanOptions, type WritingOptions } from '../app/planning/plan-options.ts';
import { refuseEphemeral } from '../app/session/ledger-choice.ts';
import { lockSession, requireWritable, type Session, unlockSession } from '../app/session/session.ts';
import type { Address } from '../model/address.ts';
import { hasErrors, Problems } from '../model/diagnostic.ts';
import type { Outcome } from '../model/event.ts';
import { apply } from '../run/apply.ts';
import { askedIn, awaitAsked, lookerOf } from '../run/await-ready.ts';
import { refuseMissingSecrets } from '../run/fill-request.ts';
import type { Planned } from '../run/open-plan.ts';
import { verify } from '../run/verify.ts';
import type { Applied, ApplyOptions } from './surface.ts';

/** The members of an open plan that users of the library do not see. */
export interface Opened {
  session: Session;
  planned: Planned;
  options: WritingOptions;
  port: Port;
  /** Present once an apply of the plan has started. A plan can be applied only once. */
  isBegun?: true;
}

/**
 * Applies an open plan, verifies the result, and waits for objects with `$wait` and actions with `wait`: the implementation of `apply` in the library.
 * Throws `Problems` if the plan cannot be applied. Then nothing was changed.
 */
export async function applyOpened(opened: Opened, applyOptions: ApplyOptions): Promise<Applied> {
  const { session, planned, options, port } = opened;
  const { host } = session;
  if (opened.isBegun)
    throw new Problems(
      'apply/again',
      'this plan is being applied or was applied already: a plan can be applied only once',
      {
        hint: 'close it and open a new one with `openPlan`: that shows the remaining changes',
      },
    );
  const { diagnostics, operations } = planned.plan;
  if (hasErrors(diagnostics)) throw new Problems(diagnostics.filter(({ severity }) => severity === 'error'));
  refuseEphemeral(options, host);
  requireWritable(session, options);
  refuseMissingSecrets(operations, session.secrets);
  opened.isBegun = true;
  await lockSession(session, options, port).catch((error) => {
    // Nothing was changed, so the caller may try again.
    delete opened.isBegun;
    throw error;
  });
  const { parallelism = options.parallelism } = applyOptions;
  const outcome = await apply(session, planned, {
    ...createApplyOptions(session, planned, { ...options, parallelism }),
    onEvent: applyOptions.onEvent,
    stop: applyOptions.signal,
  });
  if (outcome.failed.length + outcome.skipped.length + outcome.left.length > 0) return { outcome };
  const verified = await verify(session, planned, {
    ...createPlanOptions(options, host),
    within: options.settle * 1000,
    onWait: () => {},
    stop: applyOptions.signal ?? new AbortController().signal,
  });
  const notReady = await awaitReadyObjects(session, verified.planned, applyOptions);
  const unfinished = await awaitUnfinishedActions(opened, outcome, applyOptions);
  return {
    outcome,
    after: verified.planned.plan,
    notReady: notReady.length > 0 ? notReady : undefined,
    unfinished: unfinished.length > 0 ? unfinished : undefined,
  };
}

/** Waits for the work that the actions with `wait` started. Returns the actions whose work did not succeed, with reasons. */
async function awaitUnfinishedActions(
  { session, planned, port }: Opened,
  outcome: Outcome,
  { signal: stop = new AbortController().signal }: ApplyOptions,
): Promise<NonNullable<Applied['unfinished']>> {
  const ends = await awaitStartedWork(session, planned, outcome, { stop, say: port.say });
  return ends.flatMap(({ action, minutes, end, state }) => {
    const reasons = {
      ended: `it ended as ${state}`,
      'under way': `it is still running after ${minutes} min`,
      stopped: 'the wait was called off',
    };
    return end === 'reached' ? [] : [{ id: action.id, why: reasons[end] }];
  });
}

/** Waits until the objects with `$wait` are ready. Releases the lease before. Returns the objects that did not become ready, with reasons. */
async function awaitReadyObjects(
  session: Session,
  planned: Planned,
  { signal, onWait }: ApplyOptions,
): Promise<NonNullable<Applied['notReady']>> {
  const asked = askedIn(planned.plan);
  if (asked.length === 0) return [];
  await unlockSession(session);
  const notReady = new Map<Address, string>(asked.map(({ address, why }) => [address, why]));
  await awaitAsked(asked, {
    look: lookerOf(session, planned),
    clock: session.clock,
    stop: signal ?? new AbortController().signal,
    onEvent(event) {
      if (event.type === 'ready') notReady.delete(event.address);
      else notReady.set(event.address, event.type === 'gone' ? 'it no longer exists' : event.why);
      onWait?.(event);
    },
  });
  return [...notReady].map(([address, why]) => ({ address, why }));
}
