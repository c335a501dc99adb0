import { ancestorsOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import type { LeaseClock } from '../ledger/keep-lease.ts';
import type { Address } from '../model/address.ts';
import type { Change, SideEffect } from '../model/change.ts';
import { hasErrors } from '../model/diagnostic.ts';
import { isEmpty, type Plan } from '../model/plan.ts';
import { type CollectionId, collectionId, type Live } from '../model/resource.ts';
import { pauseBeforeTurn, whenAborted } from '../model/wait.ts';
import { findSideEffects } from '../plan/side-effects.ts';
import { findUnkeptWrites, relabelUnkept, rememberUnkept } from '../plan/unkept-writes.ts';
import { type OpenPlanOptions, openSessionPlan, type Planned } from './open-plan.ts';
import type { RunSession } from './session.ts';

/** How long to repeat a reading. */
interface SettleOptions {
  clock: Pick<LeaseClock, 'now' | 'sleep'>;
  /** The time limit in milliseconds; 0 reads only once. */
  within: number;
  /** Called once, before the first wait. */
  onWait(): void;
  /** Once aborted, there is no further wait. */
  stop: AbortSignal;
}

type VerifyOptions = OpenPlanOptions & Omit<SettleOptions, 'clock'>;

/** The result of planning again after an apply. */
export interface Verified {
  /** The last second plan. */
  planned: Planned;
  /** Changes in the account since the first plan that it did not contain. */
  sideEffects: SideEffect[];
  /** For an undo or a destroy: the deleted objects that the account still shows. */
  remaining: Address[];
}

/**
 * Plans again after an apply, because only an empty second plan proves that it worked. The platform may show a write late, so this repeats
 * until nothing is left to do, the plan has errors, the time is over, or the user stops it. Also records in the ledger the writes that the
 * platform did not keep. `applied`: the plan that was applied. Its `after` is the state to expect if that is not the configuration, as for
 * an undo. `options`: those of the applied plan, also `destroy`. Returns the last plan, the changes that the applied plan did not contain,
 * and deleted objects that are still there.
 */
export async function verify(
  session: RunSession,
  applied: Planned,
  options: VerifyOptions,
): Promise<Verified> {
  const { within, onWait, stop, ...planOptions } = options;
  const { kinds, desired, clock } = session;
  // The second plan does not mention objects that were deleted, but an undo and a destroy promise that they are gone.
  const promisesDeletions = applied.after !== undefined || planOptions.destroy === true;
  const deleted = promisesDeletions ? deletedObjects(applied.plan, kinds) : undefined;
  const findRemaining = (live: Live): Address[] => deleted?.findShown(live) ?? [];
  const verifyOptions = {
    ...planOptions,
    ...optionsOfSecondPlan,
    // The plan counts only the requests from now on.
    sentBefore: session.sent(),
    // Reads the lists in which deleted objects would be, too.
    also: deleted?.canBeIn,
    ...applied.after?.options,
  };
  const sessionAfter = sessionAfterApply(session, applied);
  const expected = applied.after?.desired ?? desired;
  const planAgain = () => openSessionPlan({ ...sessionAfter, desired: expected }, verifyOptions);
  const isFinal = ({ plan, live }: Planned) =>
    hasErrors(plan.diagnostics) || (isEmpty(plan) && findRemaining(live).length === 0);
  const planned = await settle(planAgain, isFinal, { clock, within, onWait, stop });
  const { ledger } = applied;
  return {
    planned: await recordUnkept(session, applied, planned),
    sideEffects: findSideEffects(applied.plan, applied.live, planned.live, { kinds, desired, ledger }),
    remaining: findRemaining(planned.live),
  };
}

/** The options of the plan that checks an apply. They replace those of the applied plan. */
const optionsOfSecondPlan = {
  // Owed actions say nothing about the changes.
  noActions: true,
  // The first plan found what the options name. It may be in another stack of the same file of plans, or deleted by now.
  toleratesMissing: 'one-of-several' as const,
  // The second plan is not carried out, so it may contain any number of deletions.
  sendUnverified: [],
  maxDeletions: Number.MAX_SAFE_INTEGER,
};

/**
 * Returns a session for the plan that checks an apply. Its ledger lacks the records of values that the platform did not keep at earlier
 * applies, for the objects that this apply has written: they say nothing about the values that it has sent again.
 */
export const sessionAfterApply = (session: RunSession, applied: Planned): RunSession => ({
  ...session,
  ledger: rememberUnkept(session.ledger, applied.plan, new Map(), applied),
});

/**
 * Records in the ledger the writes that the platform did not keep, so that later plans do not report them as changes
 * outside. Without the lease or a key, records nothing. Returns the second plan with these differences labelled as not kept.
 */
async function recordUnkept(session: RunSession, applied: Planned, planned: Planned): Promise<Planned> {
  const { kinds, key, lease, store, ledger } = session;
  const { plan, live } = planned;
  const after = { plan, live, kinds, ledger, key };
  const writes = findUnkeptWrites(applied.plan, after);
  const nextLedger = rememberUnkept(ledger, applied.plan, writes, after);
  if (lease && key && nextLedger !== ledger) {
    await lease.confirm();
    session.ledger = await store.write(nextLedger);
    await store.close();
  }
  return writes.size === 0 ? planned : { ...planned, plan: relabelUnkept(plan, writes, after) };
}

/** The seconds between one reading and the next. The last pause repeats. */
const verifyPauses = [1, 2, 4, 8, 15, 30];

/**
 * Repeats a reading of the account until its result is settled, the time is over, or the run is stopped, with growing
 * pauses. Returns the last result. Used after an apply, because the platform may show a write late.
 */
export async function settle<T>(
  look: () => Promise<T>,
  isSettled: (result: T) => boolean,
  { clock, within, onWait, stop }: SettleOptions,
): Promise<T> {
  let result = await look();
  const end = clock.now() + within;
  const stopped = whenAborted(stop);
  for (let turn = 0; !isSettled(result) && !stop.aborted && clock.now() < end; turn++) {
    if (turn === 0) onWait();
    await pauseBeforeTurn(turn, verifyPauses, end, { clock, stop });
    // `stopped` resolves to undefined: then the last result stands.
    if (!stop.aborted) result = (await Promise.race([look(), stopped])) ?? result;
  }
  return result;
}

/** Finds the objects that a plan deletes in a later reading of the account. */
interface DeletedObjects {
  /** True for a collection that can contain deleted objects, or one of their parents, so that it has to be read. */
  canBeIn(kind: Kind, parent: Address | undefined): boolean;
  /** Returns the addresses of the deleted objects that the account still shows. */
  findShown(live: Live): Address[];
}

/**
 * Returns the finder of objects that an undo or a destroy deletes. These commands promise that the objects are gone, and the second plan
 * does not mention them, so the account is searched. `canBeIn`: true for a list that has to be read for that. `findShown`: returns the
 * addresses whose objects a reading still shows, by their ids.
 */
export function deletedObjects({ changes }: Plan, kinds: Kinds): DeletedObjects {
  const deletions = changes.filter(({ action, before }) => action === 'delete' && before);
  const collections = new Set<CollectionId>();
  for (const { kind: kindName, parent } of deletions) {
    const kind = kinds.get(kindName)!;
    const ancestors = ancestorsOf(kinds, kind, parent);
    // The collection of the object, then those of its ancestors. The parent of the outermost one is undefined.
    const lineage = [kind, ...ancestors.map((ancestor) => ancestor.kind)];
    const parents = [...ancestors.map(({ address }) => address), undefined];
    for (const [level, { name }] of lineage.entries()) collections.add(collectionId(name, parents[level]));
  }
  const isShown = ({ address, kind: kindName, before }: Change, live: Live) => {
    // A unit shares its rows with others, so their ids may remain: it is gone once nothing is at its address.
    const isUnit = kinds.get(kindName)!.shape.byAddress;
    const resources = isUnit ? [live.resources.get(address)] : [...live.resources.values()];
    return resources.some(
      (resource) => resource?.kind === kindName && resource.ids.some((id) => before!.ids.includes(id)),
    );
  };
  return {
    canBeIn: (kind, parent) => collections.has(collectionId(kind.name, parent)),
    findShown: (live) => deletions.filter((change) => isShown(change, live)).map(({ address }) => address),
  };
}
