import { expect, it } from 'vitest';
import type { Host } from '../../src/app/host.ts';
import { createJointHost } from '../../src/app/session/joint-host.ts';

/** A host that notes when the process would end, and the listeners to signals. */
function standing() {
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

it('the process ends when the last one that holds a lease has left, not the first', () => {
  const { joint, signal, exits } = standing();
  const [one, other] = [joint.member(), joint.member()];
  one.onSignal(['SIGINT'], () => one.exit(130));
  other.onSignal(['SIGINT'], () => {});
  signal();
  expect(exits).toEqual([]);
  expect(joint.isEnding()).toBe(true);
  other.exit(130);
  expect(exits).toEqual([130]);
});

it('one that ends by itself, its lease given back, is not waited for', () => {
  const { joint, signal, exits } = standing();
  const [one, other] = [joint.member(), joint.member()];
  one.onSignal(['SIGINT'], () => one.exit(130));
  const end = other.onSignal(['SIGINT'], () => {});
  signal();
  end();
  end();
  expect(exits).toEqual([130]);
});

it('before anything is applied a signal does what it always does; after, nothing new is begun', () => {
  const { joint, signal, listeners } = standing();
  joint.member();
  expect(listeners.size).toBe(0);
  joint.begin();
  expect(joint.isEnding()).toBe(false);
  signal();
  expect(joint.isEnding()).toBe(true);
  joint.close();
  expect(listeners.size).toBe(0);
});
