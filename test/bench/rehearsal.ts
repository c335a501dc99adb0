import { compareCpu } from './compare-samples.ts';
import type { Comparison } from './comparison.ts';
import { inTurn } from './measure.ts';
import { mixedAccount } from './stacks.ts';
import { withWorkplace } from './workplace.ts';

const resources = 1000;

export const rehearsal: Comparison = {
  name: 'rehearsal',
  description: `\`plan --rehearse\` of ${resources} new resources without crashes, against the plan alone`,
  measure: () =>
    withWorkplace(mixedAccount(resources), async (place) => {
      const rehearse = () => place.run('plan', '--rehearse', '--crash-points', '0');
      const pairs = await inTurn(rehearse, () => place.run('plan'), 3);
      return [
        compareCpu(
          `plan --rehearse of ${resources} changes, with the work of its twin, against the plan`,
          pairs,
          {
            // Three plans, and the twin, which takes about as long as one.
            target: 4,
          },
        ),
      ];
    }),
};
