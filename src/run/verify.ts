import { hasErrors } from '../model/diagnostic.ts';
import { isEmpty } from '../model/plan.ts';
import type { SideEffect } from '../model/side-effect.ts';
import { sideEffects } from '../plan/side-effects.ts';
import { type OpenPlanOptions, openPlan, type Planned } from './open-plan.ts';
import type { Session } from './session.ts';
import { settle } from './settle.ts';

export interface VerifyOptions extends OpenPlanOptions {
  /** How many milliseconds to go on looking for; with 0 it looks once. */
  within: number;
  /** Told once, before it waits. */
  onWait(): void;
  /** Once aborted, it waits for nothing more. */
  stop: AbortSignal;
}

export interface Verified {
  /** The second plan, as it was seen last. */
  plan: Planned['plan'];
  /** Other differences since then, which the plan did not make. */
  beside: SideEffect[];
}

/**
 * Plans again after an apply: only an empty second plan proves that it worked. The platform may show a write late, so it looks
 * for a while, until nothing is left to do or something is wrong. `done`: the plan that was carried out.
 */
export async function verify(session: Session, done: Planned, options: VerifyOptions): Promise<Verified> {
  const { within, onWait, stop, ...given } = options;
  // It is not carried out: how much it would delete does not matter, and what is not shown yet would count.
  const looking = {
    ...given,
    sendUnverified: [],
    deletions: [],
    maxDeletions: Number.MAX_SAFE_INTEGER,
    sentBefore: session.sent(),
  };
  const { plan, live } = await settle(
    () => openPlan(session, looking),
    ({ plan }) => isEmpty(plan) || hasErrors(plan.diagnostics),
    { clock: session.clock, within, onWait, stop },
  );
  const { kinds, desired } = session;
  return { plan, beside: sideEffects(done.plan, done.live, live, { kinds, desired, ledger: done.ledger }) };
}
