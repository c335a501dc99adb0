import { expect, it } from 'vitest';
import { createJointHost } from '../../src/app/session/leased-ledgers.ts';
import type { Host } from '../../src/host.ts';

/** A joint host whose process only records exits and listeners. */
function createStage() {
  const listeners = new Set<() => void>();
  const exits: number[] = [];
  const host = {
    onSignal: (_: unknown, listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    exit: (code: number) => void exits.push(code),
  } as unknown as Host;
  const signal = () => {
    for (const listener of [...listeners]) listener();
  };
  return { joint: createJointHost(host), signal, exits, listeners };
}

it('the process ends when the last member with a lease has exited, not the first', () => {
  const { joint, signal, exits } = createStage();
  const [first, second] = [joint.member(), joint.member()];
  first.onSignal(['SIGINT'], () => first.exit(130));
  second.onSignal(['SIGINT'], () => {});
  signal();
  expect(exits).toEqual([]);
  expect(joint.isEnding()).toBe(true);
  second.exit(130);
  expect(exits).toEqual([130]);
});

it('a member that has released its lease and stopped listening is not waited for', () => {
  const { joint, signal, exits } = createStage();
  const [first, second] = [joint.member(), joint.member()];
  first.onSignal(['SIGINT'], () => first.exit(130));
  const stopListening = second.onSignal(['SIGINT'], () => {});
  signal();
  stopListening();
  stopListening();
  expect(exits).toEqual([130]);
});

it('before `begin` a signal has its usual effect; after it, no new work starts', () => {
  const { joint, signal, listeners } = createStage();
  joint.member();
  expect(listeners.size).toBe(0);
  joint.begin();
  expect(joint.isEnding()).toBe(false);
  signal();
  expect(joint.isEnding()).toBe(true);
  joint.close();
  expect(listeners.size).toBe(0);
});
