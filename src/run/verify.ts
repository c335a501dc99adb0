import type { LeaseClock } from '../ledger/lease.ts';
import type { SideEffect } from '../model/change.ts';
import { hasErrors } from '../model/diagnostic.ts';
import { isEmpty } from '../model/plan.ts';
import { sideEffects } from '../plan/side-effects.ts';
import { type OpenPlanOptions, openPlan, type Planned } from './open-plan.ts';
import type { Session } from './session.ts';

interface SettleOptions {
  clock: Pick<LeaseClock, 'now' | 'sleep'>;
  /** The time limit in milliseconds; with 0 it looks once. */
  within: number;
  /** Told once, before it waits. */
  onWait(): void;
  /** Once aborted, it waits for nothing more. */
  stop: AbortSignal;
}

type VerifyOptions = OpenPlanOptions & Omit<SettleOptions, 'clock'>;

export interface Verified {
  /** The second plan, as it was seen last, with all that it was made of. */
  planned: Planned;
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
    // What is owed says nothing about the changes.
    noActions: true,
    sendUnverified: [],
    deletions: [],
    maxDeletions: Number.MAX_SAFE_INTEGER,
    sentBefore: session.sent(),
  };
  const planned = await settle(
    () =>
      done.after
        ? openPlan({ ...session, desired: done.after.desired }, { ...looking, ...done.after.options })
        : openPlan(session, looking),
    ({ plan }) => isEmpty(plan) || hasErrors(plan.diagnostics),
    { clock: session.clock, within, onWait, stop },
  );
  const { kinds, desired } = session;
  const beside = sideEffects(done.plan, done.live, planned.live, { kinds, desired, ledger: done.ledger });
  return { planned, beside };
}

/** Seconds between one look and the next; after them the last one repeats. */
const pauses = [1, 2, 4, 8, 15, 30];

/** Looks until what is seen is settled, the time is over, or it is stopped. Gives back what was seen last. */
export async function settle<T>(
  look: () => Promise<T>,
  isSettled: (seen: T) => boolean,
  { clock, within, onWait, stop }: SettleOptions,
): Promise<T> {
  let seen = await look();
  const end = clock.now() + within;
  const stopped = new Promise<void>((done) => stop.addEventListener('abort', () => done()));
  for (let turn = 0; !isSettled(seen) && !stop.aborted && clock.now() < end; turn++) {
    if (turn === 0) onWait();
    const pause = (pauses[turn] ?? pauses.at(-1)!) * 1000;
    // It rejects where it is called off.
    await clock.sleep(Math.min(pause, end - clock.now()), stop).catch(() => {});
    if (!stop.aborted) seen = (await Promise.race([look(), stopped])) ?? seen;
  }
  return seen;
}
