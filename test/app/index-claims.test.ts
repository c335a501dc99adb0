import { expect, it } from 'vitest';
import { indexClaims } from '../../src/app/session/index-claims.ts';
import { type Session, unlockSession } from '../../src/app/session/session.ts';
import type { Host } from '../../src/host.ts';
import { ledgerKeyFrom } from '../../src/model/digest.ts';
import { knownStacks } from '../../src/run/other-stacks.ts';
import { keyText } from '../support/keys.ts';
import { tinyKinds } from '../support/tiny.ts';

/** A session whose store never answers questions about its ownership index. `signal` sends a signal to the run. */
function sessionWithSilentStore() {
  const listeners = new Set<() => void>();
  const order: string[] = [];
  const host = {
    onSignal: (_, listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as Partial<Host>;
  const silent = async () => {
    order.push('index asked');
    await new Promise(() => {});
  };
  const session = {
    host,
    key: ledgerKeyFrom(keyText()),
    kinds: tinyKinds,
    otherStacks: knownStacks([]),
    documents: { ownership: { ownName: 'shop', mayBegin: true, readShards: silent } },
    store: { close: async () => {} },
    lease: { lost: new AbortController().signal, release: async () => void order.push('lease released') },
    onUnlock: () => order.push('others go on'),
  } as unknown as Session;
  return { session, order, listeners, signal: () => [...listeners].map((listener) => listener()) };
}

it('a run returns its lease, and waits, without the ownership index', async () => {
  const { session, order } = sessionWithSilentStore();
  await unlockSession(session);
  expect(order).toEqual(['lease released', 'others go on']);
});

it('a signal ends the update of the ownership index, and not the run', async () => {
  const { session, order, listeners, signal } = sessionWithSilentStore();
  await unlockSession(session);
  const indexing = indexClaims(session);
  await expect.poll(() => order).toContain('index asked');
  signal();
  await indexing;
  expect(listeners.size).toBe(0);
  // Nothing is outdated until the session has a lease again.
  await indexClaims(session);
  expect(order.filter((step) => step === 'index asked')).toHaveLength(1);
});
