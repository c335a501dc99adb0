import { describe, it } from 'vitest';
import { noteCounts } from '../support/cost.ts';
import { sampled } from '../support/sweep.ts';
import { type CrashPoint, playUndisturbed, playWithCrash } from './crash.ts';
import { fieldScenarios } from './field-scenarios.ts';
import { togetherScenarios } from './renames.ts';
import { benchScenarios, scenarios, secretVariableScenarios } from './scenarios.ts';

/** Tests that a run may be stopped anywhere, with a share of the scenarios: `part` 0 of 4 has every fourth, from the first one on. */
export function sweepCrashes(part: number, partCount: number): void {
  const counts = { scenarios: 0, points: 0 };
  noteCounts(`crash sweep ${part + 1} of ${partCount}`, () => counts);

  // A sample, with one crash point of each; `npm run sweep` has all scenarios and all points.
  const chosenScenarios = sampled(
    [
      ...scenarios,
      ...fieldScenarios,
      ...togetherScenarios,
      ...secretVariableScenarios,
      ...benchScenarios,
    ].filter((_, index) => index % partCount === part),
    4,
  );
  describe.each(chosenScenarios.map((scenario) => [scenario.name, scenario] as const))(
    '%s',
    (_, scenario) => {
      it('can be stopped anywhere', async () => {
        const expected = await playUndisturbed(scenario);
        counts.scenarios += 1;
        const points = expected.steps.flatMap((step, index): CrashPoint[] => [
          { steps: index + 1, folder: 'kept' },
          { steps: index + 1, folder: 'lost' },
          ...(step === 'journal' ? [{ steps: index + 1, folder: 'kept' as const, torn: true as const }] : []),
        ]);
        const chosen = sampled(points, 1);
        const failures: string[] = [];
        for (const point of chosen) {
          counts.points += 1;
          await playWithCrash(scenario, point, expected).catch((error: Error) => {
            failures.push(`${JSON.stringify(point)}: ${error.message.slice(0, 600)}`);
          });
        }
        if (failures.length > 0)
          throw new Error(
            `${failures.length} of ${chosen.length} points:\n${failures.slice(0, 3).join('\n')}`,
          );
      });
    },
  );
}
