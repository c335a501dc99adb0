import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { raise } from '../../model/diagnostic.ts';
import type { HttpPlace } from './http-place.ts';
import { httpProblem, type Lock, lockedProblem, openProtocol, type Protocol } from './protocol.ts';

/** The operations that are allowed while this run holds the lock. */
interface LockedDocument {
  get(): Promise<string | undefined>;
  put(text: string): Promise<void>;
  /** Throws `Problems` if the server grants a second lock while the first is held. Called before the first write of a document. */
  requireExclusive(): Promise<void>;
}

/** One document on a server that speaks the protocol of Terraform's backend "http". Each method throws `Problems`. */
export interface StateServer {
  /** Returns the text of the document, or undefined if the server says that there is none. */
  get(): Promise<string | undefined>;
  getTagged: Protocol['getTagged'];
  findTag: Protocol['findTag'];
  /** Runs `work` while this run holds the lock. Waits up to 15 s for a lock of another run. */
  locked<T>(work: (locked: LockedDocument) => Promise<T>): Promise<T>;
  /** Returns the lock that another run holds or left behind, or undefined if there is none. */
  findForeignLock(): Promise<Lock | undefined>;
  /** Releases a lock that another run left behind. */
  breakLock(lock: Lock): Promise<void>;
}

const standardWait = 15_000;
/** The pending work of this process by address of the lock. It is done one piece after the other. */
const queues = new Map<string, Promise<unknown>>();
/** The ids of the locks that this process holds, or may still hold because the answer to a request was lost. */
const ownLockIds = new Set<string>();

/**
 * Opens one document on a server that speaks Terraform's protocol. The server has no conditional writes, only a
 * lock, so each change is made while its lock is held (`locked`). Locks left behind by killed runs can be found and
 * broken, for `trueup ledger unlock`. Before the first write of a document, `requireExclusive` checks that the server
 * refuses a second lock. `who`: names this run to others. `wait`: the longest time to wait for another run's lock, in
 * milliseconds.
 */
export function stateServer(
  store: HttpPlace,
  {
    who,
    env,
    wait = standardWait,
  }: { who: string; env: Record<string, string | undefined>; wait?: number | undefined },
): StateServer {
  const protocol = openProtocol(store, env);
  const lockTaker = createLockTaker(store, protocol, { who, wait });
  const inOrder = <T>(work: () => Promise<T>) => runInOrder(store.lock.url.href, work);
  return {
    get: protocol.get,
    getTagged: protocol.getTagged,
    findTag: protocol.findTag,
    locked: (work) =>
      inOrder(async () => {
        const lock = await lockTaker.take();
        const put = (text: string) => protocol.put(text, lock.ID);
        const { requireExclusive } = lockTaker;
        const result = await work({ get: protocol.get, put, requireExclusive }).catch(
          async (error: unknown) => {
            await releaseLock(protocol, lock).catch(() => {});
            throw error;
          },
        );
        await releaseLock(protocol, lock);
        return result;
      }),
    findForeignLock: () => inOrder(lockTaker.findHolder),
    breakLock: async (lock) => {
      if (await protocol.unlock(lock)) return;
      raise(
        httpProblem(
          store,
          'ledger/http-locked',
          'the server did not release the lock: somebody else holds it by now, or the server needs more than its id',
          'run `trueup ledger unlock` again, or release the lock on the server itself',
        ),
      );
    },
  };
}

/** Takes the lock of a document on the server, and finds out about it. */
interface LockTaker {
  /** Takes the lock. Waits for another run that holds it, and throws `Problems` if that takes too long. */
  take(): Promise<Lock>;
  /** Returns the lock that another run holds; undefined if the lock is free. */
  findHolder(): Promise<Lock | undefined>;
  /** Throws `Problems` if the server grants a second lock, while the caller holds the first. */
  requireExclusive(): Promise<void>;
}

/**
 * Creates the part that takes and tests the server's lock of one document, because a ledger on a server with Terraform's protocol may only
 * be written under its lock. `requireExclusive` is called while the lock is held: then the server must refuse a second one. `who`: names
 * this run in the lock. `wait`: the longest time to wait, in milliseconds.
 */
function createLockTaker(
  store: HttpPlace,
  protocol: Protocol,
  { who, wait }: { who: string; wait: number },
): LockTaker {
  const newLock = (): Lock => ({
    ID: randomUUID(),
    Operation: 'trueup',
    Info: '',
    Who: who,
    Version: '1',
    Created: new Date().toISOString(),
    Path: '',
  });

  /** Tries to take the lock once. Returns the lock of another holder; undefined if it was taken. */
  const tryLock = async (lock: Lock): Promise<Lock | undefined> => {
    ownLockIds.add(lock.ID);
    const holder = await protocol.lock(lock);
    if (holder) ownLockIds.delete(lock.ID);
    return holder;
  };

  return {
    take: async () => {
      const start = performance.now();
      for (let pause = 20; ; pause = Math.min(pause * 1.5, 500)) {
        const lock = newLock();
        const holder = await tryLock(lock);
        if (!holder) return lock;
        // This process left the lock behind, because the answer to its request was lost.
        if (ownLockIds.has(holder.ID)) return holder;
        if (performance.now() - start > wait) raise(lockedProblem(store, holder));
        await setTimeout(pause * (0.5 + Math.random()));
      }
    },
    // The protocol has no request for this, so it takes the lock and releases it again.
    findHolder: async () => {
      const lock = newLock();
      const holder = await tryLock(lock);
      if (!holder) await releaseLock(protocol, lock);
      return holder;
    },
    requireExclusive: async () => {
      const lock = newLock();
      const firstHolder = await tryLock(lock);
      if (firstHolder) return;
      await releaseLock(protocol, lock);
      raise(
        httpProblem(
          store,
          'ledger/http-lock',
          'the server grants its lock to two runs at the same time',
          'two runs could overwrite each other there, so no ledger can be kept there',
        ),
      );
    },
  };
}

/**
 * Releases a lock on the server. Tries three times, because a failure may be transient and a lock that stays would
 * block every other run that writes the ledger.
 */
async function releaseLock(protocol: Protocol, lock: Lock): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      // The result is ignored. It is false if the server names another lock, or none: an earlier answer was lost, a
      // person released ours, or the server refuses without saying which lock it holds.
      await protocol.unlock(lock);
      ownLockIds.delete(lock.ID);
      return;
    } catch (error) {
      if (attempt === 3) throw error;
      await setTimeout(50 * attempt);
    }
}

/**
 * Runs `work` after all earlier work with the same `name` (the address of a lock) has ended, and returns its
 * result. Otherwise two pieces of work of this process would wait for each other's lock on the server.
 */
function runInOrder<T>(name: string, work: () => Promise<T>): Promise<T> {
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
