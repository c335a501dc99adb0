import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { httpProblem } from './http-error.ts';
import type { HttpPlace } from './http-place.ts';
import { type Lock, lockedBy, openProtocol, type Protocol } from './protocol.ts';

/** The work done under a LOCK. */
interface Locked {
  get(): Promise<string | undefined>;
  put(text: string): Promise<void>;
  /** Refuses a server that gives the same LOCK to two. */
  requireExclusive(): Promise<void>;
}

/** One document on a server that speaks the protocol of Terraform's backend "http". Each method throws `Problems`. */
export interface StateServer {
  /** The text of the document; undefined where the server says that there is none. */
  get(): Promise<string | undefined>;
  /** Does something while this run alone has the LOCK; waits a while for another one's. */
  locked<T>(work: (locked: Locked) => Promise<T>): Promise<T>;
  /** The LOCK that another one has, or left; undefined where there is none. */
  lockOfAnother(): Promise<Lock | undefined>;
  takeAway(lock: Lock): Promise<void>;
}

const patience = 15_000;
/** This process's work at an address, one piece after the other. */
const queues = new Map<string, Promise<unknown>>();
/** The LOCKs that this process asked for and may still have, since an answer got lost. */
const own = new Set<string>();

/** `who`: says for whom a LOCK is. `wait`: how many milliseconds another one's may take. */
export function stateServer(
  store: HttpPlace,
  {
    who,
    env,
    wait = patience,
  }: { who: string; env: Record<string, string | undefined>; wait?: number | undefined },
): StateServer {
  const protocol = openProtocol(store, env);
  const alone = <T>(work: () => Promise<T>) => inTurn(store.lock.url.href, work);
  const newLock = (): Lock => ({
    ID: randomUUID(),
    Operation: 'trueup',
    Info: '',
    Who: who,
    Version: '1',
    Created: new Date().toISOString(),
    Path: '',
  });

  const tryLock = async (lock: Lock): Promise<Lock | undefined> => {
    own.add(lock.ID);
    const holder = await protocol.lock(lock);
    if (holder) own.delete(lock.ID);
    return holder;
  };

  const takeLock = async (): Promise<Lock> => {
    const start = performance.now();
    for (let pause = 20; ; pause = Math.min(pause * 1.5, 500)) {
      const lock = newLock();
      const holder = await tryLock(lock);
      if (!holder) return lock;
      // Left by this very process, whose answer got lost.
      if (own.has(holder.ID)) return holder;
      if (performance.now() - start > wait) throw lockedBy(store, holder);
      await setTimeout(pause * (0.5 + Math.random()));
    }
  };

  const requireExclusive = async () => {
    const lock = newLock();
    if (await tryLock(lock)) return;
    await giveBack(protocol, lock);
    throw httpProblem(
      store,
      'ledger/http-lock',
      'the server gives its LOCK to two at once',
      'two runs could overwrite each other there, so it is no place for a ledger',
    );
  };

  return {
    get: protocol.get,
    locked: (work) =>
      alone(async () => {
        const lock = await takeLock();
        const put = (text: string) => protocol.put(text, lock.ID);
        const done = await work({ get: protocol.get, put, requireExclusive }).catch(
          async (error: unknown) => {
            await giveBack(protocol, lock).catch(() => {});
            throw error;
          },
        );
        await giveBack(protocol, lock);
        return done;
      }),
    lockOfAnother: () =>
      alone(async () => {
        const lock = newLock();
        const holder = await tryLock(lock);
        if (!holder) await giveBack(protocol, lock);
        return holder;
      }),
    takeAway: async (lock) => {
      if (await protocol.unlock(lock)) return;
      throw httpProblem(
        store,
        'ledger/http-locked',
        'the server did not release the lock: somebody else holds it by now, or the server needs more than its id',
        'run `trueup ledger unlock` again, or release the lock on the server itself',
      );
    },
  };
}

/** Tries again, since a failure may be transient, and a LOCK that stays blocks everybody. */
async function giveBack(protocol: Protocol, lock: Lock): Promise<void> {
  for (let tried = 1; ; tried++)
    try {
      // Where the server has it no more, an answer got lost, or a person took it away.
      await protocol.unlock(lock);
      own.delete(lock.ID);
      return;
    } catch (error) {
      if (tried === 3) throw error;
      await setTimeout(50 * tried);
    }
}

function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const result = (queues.get(name) ?? Promise.resolve()).then(work);
  const settled = result.then(
    () => {},
    () => {},
  );
  queues.set(name, settled);
  void settled.then(() => {
    if (queues.get(name) === settled) queues.delete(name);
  });
  return result;
}
