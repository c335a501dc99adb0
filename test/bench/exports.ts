import { compareCpu } from './compare-samples.ts';
import type { Comparison } from './comparison.ts';
import { inTurn } from './measure.ts';
import { mixedAccount } from './stacks.ts';
import { startNode, withWorkplace } from './workplace.ts';

const objects = 5000;

export const exports: Comparison = {
  name: 'export',
  description: `an export of ${objects} objects, against \`node -e 0\``,
  measure: () =>
    withWorkplace(mixedAccount(objects), async (place) => {
      await place.apply();
      const pairs = await inTurn(() => place.run('export'), startNode, 5);
      // Half of 345 times: before this was looked at, an export took three times as long as a plan.
      return [compareCpu(`export of ${objects} objects, against node -e 0`, pairs, { target: 172 })];
    }),
};
