import type { Address } from '../model/address.ts';
import type { Wait, WaitEvent } from '../model/event.ts';
import type { Plan } from '../model/plan.ts';
import { readOnly } from '../model/request.ts';
import { collectionId, describePending, type Live, objectsAt, type Pending } from '../model/resource.ts';
import { pauseBeforeTurn, whenAborted } from '../model/wait.ts';
import { checkReadiness } from '../observe/check-readiness.ts';
import { ancestorIds } from '../observe/collection-objects.ts';
import type { Planned } from './open-plan.ts';
import { createPlanRefresh } from './open-plan.ts';
import type { RunSession } from './session.ts';

/** The readiness of an object: `ready`, `gone`, or the reason why it is not ready or could not be read. */
export type LookResult = 'ready' | 'gone' | Pending;

interface AwaitOptions {
  /** Reads these objects again, and returns their readiness. */
  look(addresses: readonly Address[]): Promise<ReadonlyMap<Address, LookResult>>;
  clock: Pick<RunSession['clock'], 'now' | 'sleep'>;
  /** Once aborted, nothing is waited for any more. */
  stop: AbortSignal;
  onEvent(event: WaitEvent): void;
}

/**
 * Returns the objects of a plan that are not ready yet and for which the configuration asks apply to wait (`$wait`).
 * Used after an apply to know what to wait for. Objects without `$wait` are left out.
 */
export const askedIn = ({ waiting = [] }: Plan): (Wait & Pick<Pending, 'failed'>)[] =>
  waiting.flatMap(({ minutes, ...wait }) => (minutes === undefined ? [] : [{ ...wait, minutes }]));

/**
 * Waits after an apply for the objects with a `$wait`, such as a certificate, and reports their progress. Objects that have failed already
 * are reported at once and not waited for.
 */
export async function awaitAsked(asked: ReturnType<typeof askedIn>, options: AwaitOptions): Promise<void> {
  for (const { address, why, failed } of asked) if (failed) options.onEvent({ type: 'failed', address, why });
  await awaitReady(
    asked.flatMap(({ failed, ...wait }) => (failed ? [] : [wait])),
    options,
  );
}

/** The seconds between one reading and the next. The last pause repeats. */
const readyPauses = [5, 7, 10, 15, 20, 30];

/** The milliseconds that a reading may always take, because it may have to wait for a rate limit. */
const minimumReadTime = 60_000;

/**
 * Waits until several objects are ready, each for its minutes (a reading then may still take `minimumReadTime`), and
 * reports each change with `onEvent`. Ends when every object is ready, gone, failed or out of time, or when `stop` is
 * aborted. Writes nothing. Used after an apply, for objects such as certificates that the platform finishes later.
 */
export async function awaitReady(waiting: readonly Wait[], options: AwaitOptions): Promise<void> {
  const { look, clock, stop, onEvent } = options;
  const start = clock.now();
  let pending = waiting.map((wait) => ({ ...wait, end: start + wait.minutes * 60_000 }));
  for (const { end: _, ...wait } of pending) onEvent({ type: 'waiting', ...wait });
  const stopped = whenAborted(stop);
  for (let turn = 0; pending.length > 0 && !stop.aborted; turn++) {
    const firstEnd = Math.min(...pending.map(({ end }) => end));
    await pauseBeforeTurn(turn, readyPauses, firstEnd, { clock, stop });
    if (stop.aborted) return;
    const readTime = Math.max(firstEnd - clock.now(), minimumReadTime);
    const reading = look(pending.map(({ address }) => address));
    const results = await resultInTime(reading, readTime, { clock, stopped });
    if (stop.aborted) return;
    pending = pending.flatMap((wait) => {
      const event = waitEventOf(wait, results?.get(wait.address), start, clock.now());
      if (!event) return [wait];
      onEvent(event);
      return event.type === 'waiting' ? [{ ...wait, why: event.why }] : [];
    });
  }
}

/**
 * Returns the event to report after a look at an object that an apply waits for; undefined if nothing has changed. All events but `waiting`
 * end the wait. `why`: the reason that was reported last. `end`: the time limit. `result`: undefined if the look took too long.
 */
function waitEventOf(
  { address, why, minutes, end }: Wait & { end: number },
  result: LookResult = { reason: why },
  start: number,
  now: number,
): WaitEvent | undefined {
  if (result === 'ready') return { type: 'ready', address, milliseconds: now - start };
  if (result === 'gone') return { type: 'gone', address };
  const { reason, failed } = result;
  if (failed) return { type: 'failed', address, why: reason };
  if (now >= end) return { type: 'over', address, why: reason, minutes };
  return reason === why ? undefined : { type: 'waiting', address, why: reason, minutes };
}

/**
 * Returns the result of `work`; undefined if it takes longer than `milliseconds` or the run is stopped. Keeps one slow reading of the
 * account from holding up the wait for objects with `$wait`. `stopped`: resolves when the run is stopped.
 */
async function resultInTime<T>(
  work: Promise<T>,
  milliseconds: number,
  { clock, stopped }: { clock: AwaitOptions['clock']; stopped: Promise<undefined> },
): Promise<T | undefined> {
  const ended = new AbortController();
  const timeout = clock.sleep(milliseconds, ended.signal).then(
    () => undefined,
    () => undefined,
  );
  // After the timeout, an error of the work must not be an unhandled rejection.
  work.catch(() => {});
  return Promise.race([work, timeout, stopped]).finally(() => ended.abort());
}

/**
 * Returns a function to read objects of a plan again, and only their collections, to see if they are ready. Used while an apply waits for
 * them (`$wait`). Before the reading, it asks the platform to check the objects whose kind has an endpoint for that, such as verifying a
 * domain. This request is the only one that is no read.
 */
export function lookerOf(session: RunSession, planned: Planned): AwaitOptions['look'] {
  const { kinds, connection } = session;
  const { desired } = planned;
  const send = readOnly(connection.send);
  const refresh = createPlanRefresh(session, planned, send);
  return async (addresses) => {
    await Promise.all(addresses.map((address) => requestCheck(address, session, planned)));
    const refreshed = await refresh(addresses.map((address) => plannedCollectionOf(address, planned)));
    const awaited = addresses.map((address) => desired.resources.get(address)!);
    const live = await checkReadiness(refreshed, awaited, { kinds, send });
    return new Map(addresses.map((address) => [address, readinessAt(address, live, session, planned)]));
  };
}

/**
 * Asks the platform to check an object, such as verifying a domain, if its kind has an endpoint for that. Without the
 * request, the platform may not notice for long that the object could be ready.
 */
async function requestCheck(
  address: Address,
  { kinds, connection }: RunSession,
  { desired, live }: Planned,
): Promise<void> {
  const endpoint = kinds.get(desired.resources.get(address)!.kind)!.read.later?.ask;
  const object = live.resources.get(address);
  // The platform has checked it already, and says what somebody has to do first, such as to add a DNS record.
  if (endpoint === undefined || object?.pending?.needs) return;
  const params = {
    id: object?.id ?? null,
    ...ancestorIds(live.resources.get(object?.parent ?? ''), live),
  };
  // The endpoint answers with an error if the object is not ready, which the reading shows anyway.
  await connection.send({ endpoint, params }).catch(() => {});
}

/**
 * Returns whether a reading (`live`) shows an object of a plan as ready, or why not. Reasons may quote the platform, so secrets
 * in them are masked. A missing object is gone; for kinds that declare `read.later.ended`, that means that it failed.
 */
function readinessAt(
  address: Address,
  live: Live,
  { kinds, masking }: RunSession,
  planned: Planned,
): LookResult {
  const failure = live.unreadable.get(plannedCollectionOf(address, planned));
  if (failure !== undefined) return { reason: masking.mask(`it could not be read: ${failure.why}`) };
  const resource = live.resources.get(address);
  if (!resource) {
    const reasonIfGone = kinds.get(planned.desired.resources.get(address)!.kind)!.read.later?.ended;
    return reasonIfGone === undefined ? 'gone' : { reason: reasonIfGone, failed: true };
  }
  // Several objects may have the name. The one with the planned id counts.
  const plannedId = planned.plan.changes.findLast((change) => change.address === address)?.id;
  const plannedObject = objectsAt(live, address).find(({ id }) => id === plannedId);
  const { pending, unchecked } = plannedObject ?? resource;
  if (unchecked !== undefined) return { reason: masking.mask(`it could not be checked: ${unchecked}`) };
  return pending ? { ...pending, reason: masking.mask(describePending(pending)) } : 'ready';
}

/**
 * Returns the collection (all objects of one kind in one parent) in which the configuration has an object. Only these
 * collections are read again while an apply waits.
 */
function plannedCollectionOf(address: Address, { desired }: Planned) {
  const { kind, parent } = desired.resources.get(address)!;
  return collectionId(kind, parent);
}
