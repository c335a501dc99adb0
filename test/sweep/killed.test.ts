import fc from 'fast-check';
import { describe, it } from 'vitest';
import { noteCounts } from '../support/cost.ts';
import { all, first, sampled } from '../support/sweep.ts';
import { type Kill, type KillPoint, killedAndResumed } from './killed.ts';
import { type Expected, Stand } from './stand.ts';
import type { Stage } from './whole-stack.ts';
import type { StoreName } from './workplace.ts';

const counts = { scenarios: 0, points: 0, killed: 0 };
noteCounts('killed processes', () => counts);

const scenarios: { name: string; from?: Stage; to: Stage }[] = [
  { name: 'comes', to: 'first' },
  { name: 'changes', from: 'first', to: 'second' },
  { name: 'goes', from: 'first', to: 'last' },
];

const stores: [StoreName, KillPoint['folder'][]][] = [
  ['file', ['kept']],
  ['git', ['kept', 'lost']],
];

describe.each(first(stores, 1))('with the ledger in %s', (store, folders) => {
  it('a stack comes, changes and goes, whenever the process is killed', async () => {
    const stand = await Stand.open(store);
    const before: Partial<Record<Stage | 'nothing', () => Promise<void>>> = { nothing: stand.remember() };
    const points: { scenario: (typeof scenarios)[number]; point: KillPoint; expected: Expected }[] = [];
    for (const scenario of scenarios) {
      await before[scenario.from ?? 'nothing']!();
      const expected = await stand.smooth(scenario.to);
      before[scenario.to] = stand.remember();
      counts.scenarios += 1;
      points.push(...pointsOf(expected, folders).map((point) => ({ scenario, point, expected })));
    }
    const failures: string[] = [];
    // Each takes three runs of the real program: a sample here, a larger one in the sweep; of aborts all are tried.
    const chosen = sampled(points, 1, 60);
    for (const { scenario, point, expected } of chosen) {
      await before[scenario.from ?? 'nothing']!();
      counts.points += 1;
      try {
        if (await killedAndResumed(stand, scenario.to, point, expected)) counts.killed += 1;
      } catch (error) {
        failures.push(
          `${scenario.name} ${JSON.stringify(point)}: ${(error as Error).message.slice(0, 2000)}`,
        );
      }
    }
    if (failures.length > 0)
      throw new Error(`${failures.length} of ${chosen.length} points:\n${failures.slice(0, 5).join('\n')}`);
  });
});

/** Each request of a run, before and after it; and some times. */
function pointsOf({ requests, ms }: Expected, folders: KillPoint['folder'][]): KillPoint[] {
  const numbers = Array.from({ length: requests }, (_, index) => index + 1);
  const before = numbers.map((request): Kill => ({ request, when: 'before' }));
  const after = numbers.map((request): Kill => ({ request, when: 'after' }));
  const times = fc.integer({ min: 0, max: Math.ceil(ms) });
  const atTimes = fc.sample(times, all ? 20 : 2).map((ms): Kill => ({ ms }));
  return folders.flatMap((folder) => [
    ...[...before, ...after, ...atTimes].map((kill): KillPoint => ({ kill, what: 'plan', folder })),
    ...after.map((kill): KillPoint => ({ kill, what: 'plan file', folder })),
  ]);
}
