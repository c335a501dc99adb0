import type { Address } from '../model/address.ts';
import type { Wait, WaitEvent } from '../model/event.ts';
import type { Plan } from '../model/plan.ts';
import { readOnly } from '../model/request.ts';
import { collectionId, type Live, type Pending, withAlternatives } from '../model/resource.ts';
import { refresher } from '../observe/refresh.ts';
import type { Planned } from './open-plan.ts';
import type { Session } from './session.ts';

/** A look at an object: `ready`, `gone`, why it is not ready, or why nobody knows. */
export type LookResult = 'ready' | 'gone' | Pending;

interface AwaitOptions {
  /** Looks at these objects once more. */
  look(addresses: readonly Address[]): Promise<ReadonlyMap<Address, LookResult>>;
  clock: Pick<Session['clock'], 'now' | 'sleep'>;
  /** Once aborted, nothing is waited for any more. */
  stop: AbortSignal;
  onEvent(event: WaitEvent): void;
}

/** The objects that are not ready, or are being made, and have a `$wait`. */
export const askedIn = ({ waiting = [] }: Plan): (Wait & Pick<Pending, 'failed'>)[] =>
  waiting.flatMap(({ minutes, ...one }) => (minutes === undefined ? [] : [{ ...one, minutes }]));

/** Waits for the objects that were asked for; those that have failed already are only reported. */
export async function awaitAsked(asked: ReturnType<typeof askedIn>, options: AwaitOptions): Promise<void> {
  for (const { address, why, failed } of asked) if (failed) options.onEvent({ type: 'failed', address, why });
  await awaitReady(
    asked.flatMap(({ failed, ...one }) => (failed ? [] : [one])),
    options,
  );
}

/** Seconds between one look and the next; after them the last one repeats. */
const pauses = [5, 7, 10, 15, 20, 30];

/** The extra time of a look, in milliseconds: it may have to wait for a rate limit. */
const grace = 60_000;

/** Waits for several objects at once, each for its minutes at most. Ends when none is left or when stopped. Writes nothing. */
export async function awaitReady(waiting: readonly Wait[], options: AwaitOptions): Promise<void> {
  const { look, clock, stop, onEvent } = options;
  const start = clock.now();
  let left = waiting.map((wait) => ({ ...wait, end: start + wait.minutes * 60_000 }));
  for (const { end: _, ...one } of left) onEvent({ type: 'waiting', ...one });
  const stopped = new Promise<undefined>((done) => stop.addEventListener('abort', () => done(undefined)));
  for (let turn = 0; left.length > 0 && !stop.aborted; turn++) {
    const first = Math.min(...left.map(({ end }) => end)) - clock.now();
    const pause = (pauses[turn] ?? pauses.at(-1)!) * 1000;
    // It rejects where it is called off.
    await clock.sleep(Math.max(0, Math.min(pause, first)), stop).catch(() => {});
    if (stop.aborted) return;
    const room = Math.max(Math.min(...left.map(({ end }) => end)) - clock.now(), grace);
    const found = await within(look(left.map(({ address }) => address)), room, { clock, stopped });
    if (stop.aborted) return;
    left = left.flatMap((one) => {
      const { address, why, minutes } = one;
      const lookResult = found?.get(address) ?? { reason: why };
      if (lookResult === 'ready') onEvent({ type: 'ready', address, milliseconds: clock.now() - start });
      else if (lookResult === 'gone') onEvent({ type: 'gone', address });
      else if (lookResult.failed) onEvent({ type: 'failed', address, why: lookResult.reason });
      else if (clock.now() >= one.end) onEvent({ type: 'over', address, why: lookResult.reason, minutes });
      else {
        if (lookResult.reason !== why) onEvent({ type: 'waiting', address, why: lookResult.reason, minutes });
        return [{ ...one, why: lookResult.reason }];
      }
      return [];
    });
  }
}

/** The result of `work`, unless it takes too long or is stopped. */
async function within<T>(
  work: Promise<T>,
  milliseconds: number,
  { clock, stopped }: { clock: AwaitOptions['clock']; stopped: Promise<undefined> },
): Promise<T | undefined> {
  const ended = new AbortController();
  const late = clock.sleep(milliseconds, ended.signal).then(
    () => undefined,
    () => undefined,
  );
  // Nobody listens to it once it is late.
  work.catch(() => {});
  return Promise.race([work, late, stopped]).finally(() => ended.abort());
}

/** Looks at objects of a plan by reading only their collections. If the kind can ask the platform to check them, that is done first. */
export function lookerOf(session: Session, planned: Planned): AwaitOptions['look'] {
  const { kinds, key, masking, connection, owner } = session;
  const { desired, ledger, aliases, live: before, plan } = planned;
  const refresh = refresher({
    desired,
    ledger,
    kinds,
    send: readOnly(connection.send),
    facts: owner.facts,
    key,
    aliases,
    before,
  });
  const ids = new Map(plan.changes.map(({ address, id }) => [address, id]));
  const ask = async (address: Address): Promise<void> => {
    const endpoint = kinds.get(desired.resources.get(address)!.kind)!.read.later?.ask;
    if (endpoint === undefined) return;
    // Not ready is an error, too: the look tells.
    await connection.send({ endpoint, params: paramsOf(address, before) }).catch(() => {});
  };
  const endOf = (address: Address): LookResult => {
    const why = kinds.get(desired.resources.get(address)!.kind)!.read.later?.ended;
    return why === undefined ? 'gone' : { reason: why, failed: true };
  };
  return async (addresses) => {
    await Promise.all(addresses.map(ask));
    const live = await refresh(addresses.map((address) => collectionOf(address, planned)));
    return new Map(
      addresses.map((address): [Address, LookResult] => {
        const frozen = live.unreadable.get(collectionOf(address, planned));
        if (frozen !== undefined)
          return [address, { reason: masking.mask(`it could not be read: ${frozen.why}`) }];
        const resource = live.resources.get(address);
        if (!resource) return [address, endOf(address)];
        const one = withAlternatives([resource]).find(({ id }) => id === ids.get(address)) ?? resource;
        const { pending } = one;
        return [address, pending ? { ...pending, reason: masking.mask(pending.reason) } : 'ready'];
      }),
    );
  };
}

function collectionOf(address: Address, { desired }: Planned) {
  const { kind, parent } = desired.resources.get(address)!;
  return collectionId(kind, parent);
}

/** The ids of an object and its parents, by kind. */
function paramsOf(address: Address, { resources }: Live): Record<string, string> {
  const params: Record<string, string> = {};
  const self = resources.get(address);
  if (self) params.id = self.id;
  for (let above = resources.get(self?.parent ?? ''); above; above = resources.get(above.parent ?? ''))
    params[above.kind] = above.id;
  return params;
}
