import { expect } from 'vitest';
import { stringify } from 'yaml';
import type { Account } from '../../providers/hosting/twin/index.ts';
import type { Ledger } from '../../src/model/ledger.ts';
import type { Block } from '../support/samples.ts';
import { sampleSeed } from '../support/samples.ts';
import { describe, World } from '../support/world.ts';
import { accountShape } from './account-shape.ts';

/** Where a run ends: at its nth request, before the platform has done it or after (its answer is never heard). */
export interface CrashPoint {
  request: number;
  when: 'before' | 'after';
  /** Whether the ledger of the run is there afterwards, or one from before. */
  ledger: 'kept' | 'lost';
}

/** A change of an account: what was applied, and what is applied then. */
export interface Scenario {
  name: string;
  first?: Block;
  next: Block;
}

const limits = { maxDeletions: 10_000 };

/** Plays a scenario without trouble: what the account is like then, and how many requests that took. */
export async function smooth(scenario: Scenario): Promise<{ shape: unknown; requests: number }> {
  const world = await begin(scenario);
  try {
    const planned = await world.plan(stringify(scenario.next), limits);
    let requests = 0;
    const { send } = world.connection;
    await world.apply(planned, {
      send: (request) => {
        requests += 1;
        return send(request);
      },
      deliver: async () => {},
    });
    await expectDone(world, scenario);
    return { shape: accountShape(world.twin.account), requests };
  } finally {
    await world.stop();
  }
}

/** Plays it with a crash, then once more: nothing may be lost, doubled or left over. */
export async function crashed(scenario: Scenario, point: CrashPoint, expected: unknown): Promise<void> {
  const world = await begin(scenario);
  try {
    const before = world.ledger;
    let saved: Ledger = structuredClone(before);
    let sent = 0;
    let isDown = false;
    const { send } = world.connection;
    const planned = await world.plan(stringify(scenario.next), limits);
    await world
      .apply(planned, {
        send: async (request) => {
          sent += 1;
          if (isDown || (sent === point.request && point.when === 'before')) isDown = true;
          if (isDown) throw new Error('the process is gone');
          const answer = await send(request);
          if (sent >= point.request) isDown = true;
          if (isDown) throw new Error('the process is gone');
          return answer;
        },
        save: async (ledger) => {
          if (!isDown) saved = structuredClone(ledger);
        },
        deliver: async () => {
          if (isDown) throw new Error('the process is gone');
        },
      })
      .catch(() => {});
    world.ledger = point.ledger === 'kept' ? saved : before;
    await finish(world, scenario);
    await expectDone(world, scenario);
    const found = accountShape(world.twin.account);
    expect(differences(found, expected).join('\n')).toBe('');
  } finally {
    await world.stop();
  }
}

/** Where two values differ, in words: for a report that can be read. */
function differences(found: unknown, expected: unknown, at = ''): string[] {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a === b) return [];
  const isNode = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null;
  if (!isNode(found) || !isNode(expected)) return [`${at}: ${a?.slice(0, 200)}, not ${b?.slice(0, 200)}`];
  const names = [...new Set([...Object.keys(found), ...Object.keys(expected)])];
  return names.flatMap((name) => differences(found[name], expected[name], `${at}.${name}`));
}

async function begin({ first }: Scenario): Promise<World> {
  const world = await World.start({ seed: sampleSeed });
  world.parallelism = 1;
  if (first) {
    const planned = await world.plan(stringify(first), limits);
    const { outcome } = await world.apply(planned, { deliver: async () => {} });
    expect(outcome.failed).toEqual([]);
  }
  return world;
}

async function finish(world: World, { next }: Scenario): Promise<void> {
  const planned = await world.plan(stringify(next), limits);
  const errors = planned.plan.diagnostics.filter(({ severity }) => severity === 'error');
  expect(errors, describe(planned.plan)).toEqual([]);
  const { outcome } = await world.apply(planned, { deliver: async () => {} });
  expect(outcome.failed.map(({ address, error }) => `${address}: ${(error as Error).message}`)).toEqual([]);
}

async function expectDone(world: World, { next }: Scenario): Promise<void> {
  const { plan } = await world.plan(stringify(next), limits);
  expect(plan.changes.filter(({ action }) => action !== 'noop').length, describe(plan)).toBe(0);
  expect(plan.operations.length, describe(plan)).toBe(0);
}

export type { Account };
