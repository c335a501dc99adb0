import { describe, it } from 'vitest';
import { noteCounts } from '../support/cost.ts';
import { sampled } from '../support/sweep.ts';
import type { Scenario } from './crash.ts';
import { type Fault, type FaultPoint, faultPoints } from './fault-points.ts';
import { openStage, type Stage, type Trouble } from './faults.ts';
import { fieldScenarios } from './field-scenarios.ts';
import { secretScenarios } from './marked-secrets.ts';
import { togetherScenarios } from './renames.ts';
import { benchScenarios, documentScenarios, scenarios, secretVariableScenarios } from './scenarios.ts';

export const all: Scenario[] = [
  ...scenarios,
  ...fieldScenarios,
  ...secretScenarios,
  ...togetherScenarios,
  ...documentScenarios,
  ...secretVariableScenarios,
  ...benchScenarios,
];

/** Tests that every fault at every request of a run comes to nothing in the end: for every `of`th scenario, from this one on. */
export function sweepFaults(which: number, of: number): void {
  const counts = { scenarios: 0, requests: 0, points: 0 };
  const faults: Record<string, number> = {};
  noteCounts(`fault sweep ${which + 1} of ${of}`, () => ({ ...counts, faults }));

  // Some of them here; all of them with `npm run sweep`.
  const mine = sampled(
    all.filter((_, index) => index % of === which),
    3,
  );
  describe.each(mine.map((scenario) => [scenario.name, scenario] as const))('%s', (_, scenario) => {
    it('comes to the same with any fault at any request', async () => {
      const stage = await openStage(scenario);
      try {
        const points = sampled(faultPoints(stage.requests), 2);
        counts.scenarios += 1;
        counts.requests += stage.requests.length;
        const failures: string[] = [];
        for (const point of points) {
          counts.points += 1;
          faults[point.do.type] = (faults[point.do.type] ?? 0) + 1;
          await stage.play(troubleAt(point, stage)).catch((error: Error) => {
            failures.push(textOf(point, stage, error));
          });
        }
        if (failures.length > 0)
          throw new Error(
            `${failures.length} of ${points.length} points:\n${failures.slice(0, 3).join('\n')}`,
          );
      } finally {
        await stage.close();
      }
    });
  });
}

/** The trouble that a point is. */
export function troubleAt(point: FaultPoint, { foreign }: Pick<Stage, 'foreign'>): Trouble {
  const at = point.every ? { endpoint: point.every } : { request: point.request };
  const isForeign = point.do.type === 'neighbour';
  const action = point.do.type === 'neighbour' ? foreign : point.do;
  const lost: Fault[] = point.lost ? [{ at, do: { type: 'connectionReset', when: 'after' } }] : [];
  return { faults: [{ at, do: action }, ...lost], point, foreign: isForeign };
}

export function textOf(point: FaultPoint, { requests }: Stage, error: Error): string {
  const { method, path } = requests[point.request - 1]!;
  const { actual } = error as { actual?: unknown };
  const found = actual === undefined ? '' : ` (found ${JSON.stringify(actual)})`;
  return `${method} ${path.split('?')[0]} ${JSON.stringify(point)}: ${`${error.message}${found}`.slice(0, 900)}`;
}
