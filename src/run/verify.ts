import type { LeaseClock } from '../ledger/lease.ts';
import type { Address } from '../model/address.ts';
import { canonical } from '../model/canonical.ts';
import type { SideEffect } from '../model/change.ts';
import { hasErrors } from '../model/diagnostic.ts';
import { isEmpty } from '../model/plan.ts';
import { findSideEffects } from '../plan/side-effects.ts';
import { findUnkeptWrites, recordUnkept, relabelUnkept } from '../plan/unkept-writes.ts';
import { deletedObjects } from './deleted-objects.ts';
import { type OpenPlanOptions, openPlan, type Planned } from './open-plan.ts';
import type { Session } from './session.ts';

interface SettleOptions {
  clock: Pick<LeaseClock, 'now' | 'sleep'>;
  /** The time limit in milliseconds; 0 looks once. */
  within: number;
  /** Called once, before the first wait. */
  onWait(): void;
  /** Once aborted, nothing is waited for any more. */
  stop: AbortSignal;
}

type VerifyOptions = OpenPlanOptions & Omit<SettleOptions, 'clock'>;

export interface Verified {
  /** The last second plan, with all that it was made of. */
  planned: Planned;
  /** Other differences since the first plan that it did not make. */
  beside: SideEffect[];
  /** For an undo: the deleted objects that the account still shows. */
  remaining: Address[];
}

/**
 * Plans again after an apply: only an empty second plan proves that it worked. The platform may show a write late, so this repeats for a
 * while, until nothing is left to do or something is wrong. `done`: the plan that was applied.
 */
export async function verify(session: Session, done: Planned, options: VerifyOptions): Promise<Verified> {
  const { within, onWait, stop, ...given } = options;
  // The next plan of a configuration does not mention an object that was deleted, but an undo promises that it is gone.
  const deleted = done.after && deletedObjects(done.plan, session.kinds);
  // It is not carried out: how much it would delete does not matter, and what is not shown yet would count.
  const looking = {
    ...given,
    // What is owed says nothing about the changes.
    noActions: true,
    sendUnverified: [],
    containersToDelete: [],
    maxDeletions: Number.MAX_SAFE_INTEGER,
    sentBefore: session.sent(),
    ...(deleted ? { also: deleted.areIn } : {}),
  };
  const planned = await settle(
    () =>
      done.after
        ? openPlan({ ...session, desired: done.after.desired }, { ...looking, ...done.after.options })
        : openPlan(session, looking),
    ({ plan, live }) => hasErrors(plan.diagnostics) || (isEmpty(plan) && !deleted?.stillIn(live).length),
    { clock: session.clock, within, onWait, stop },
  );
  const known = await rememberUnkept(session, done, planned);
  const { kinds, desired } = session;
  const beside = findSideEffects(done.plan, done.live, planned.live, { kinds, desired, ledger: done.ledger });
  return { planned: known, beside, remaining: deleted?.stillIn(planned.live) ?? [] };
}

/**
 * Keeps in the ledger which writes the platform did not keep, so that later plans do not call them changes outside. Returns the plan that
 * says so.
 */
async function rememberUnkept(session: Session, done: Planned, planned: Planned): Promise<Planned> {
  const { kinds, key, lease, store, ledger } = session;
  const { plan, live } = planned;
  const after = { plan, live, kinds, ledger, key };
  const writes = findUnkeptWrites(done.plan, after);
  const next = recordUnkept(ledger, done.plan, writes, after);
  const isChanged = canonical([next.entries, next.orders]) !== canonical([ledger.entries, ledger.orders]);
  if (lease && key && isChanged) {
    await lease.confirm();
    session.ledger = await store.write(next);
    await store.close();
  }
  return writes.size === 0 ? planned : { ...planned, plan: relabelUnkept(plan, writes, after) };
}

/** Seconds between one look and the next; after them the last one repeats. */
const pauses = [1, 2, 4, 8, 15, 30];

/** Looks until the result is settled, the time is over, or it is stopped. Returns the last result. */
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
