import { describe, it } from 'vitest';
import { noteCounts } from '../support/cost.ts';
import { sampled } from '../support/sweep.ts';
import { type CrashPoint, crashed, smooth } from './crash.ts';
import { fieldScenarios } from './field-scenarios.ts';
import { togetherScenarios } from './renames.ts';
import { benchScenarios, scenarios, secretVariableScenarios } from './scenarios.ts';

/** Tests that a run may be stopped anywhere: for every `of`th scenario, from this one on. */
export function sweepCrashes(which: number, of: number): void {
  const counts = { scenarios: 0, points: 0 };
  noteCounts(`crash sweep ${which + 1} of ${of}`, () => counts);

  // Some of them here, one point of each; all of them with `npm run sweep`.
  const mine = sampled(
    [
      ...scenarios,
      ...fieldScenarios,
      ...togetherScenarios,
      ...secretVariableScenarios,
      ...benchScenarios,
    ].filter((_, index) => index % of === which),
    4,
  );
  describe.each(mine.map((scenario) => [scenario.name, scenario] as const))('%s', (_, scenario) => {
    it('can be stopped anywhere', async () => {
      const expected = await smooth(scenario);
      counts.scenarios += 1;
      const points = expected.steps.flatMap((step, index): CrashPoint[] => [
        { steps: index + 1, folder: 'kept' },
        { steps: index + 1, folder: 'lost' },
        ...(step === 'journal' ? [{ steps: index + 1, folder: 'kept' as const, torn: true as const }] : []),
      ]);
      // One of them here; all of them with `npm run sweep`.
      const chosen = sampled(points, 1);
      const failures: string[] = [];
      for (const point of chosen) {
        counts.points += 1;
        await crashed(scenario, point, expected).catch((error: Error) => {
          failures.push(`${JSON.stringify(point)}: ${error.message.slice(0, 600)}`);
        });
      }
      if (failures.length > 0)
        throw new Error(`${failures.length} of ${chosen.length} points:\n${failures.slice(0, 3).join('\n')}`);
    });
  });
}
