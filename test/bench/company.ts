import { compareCpu } from './compare-samples.ts';
import type { Comparison } from './comparison.ts';
import { inTurn, spread } from './measure.ts';
import { companyStack } from './stacks.ts';
import { startNode, withWorkplace } from './workplace.ts';

/** The most of several runs: a run may save a request by chance, such as one that waits for another. */
const most = (counts: number[]) => spread(counts).most;

export const company: Comparison = {
  name: 'company',
  description: 'the account of a company, 875 objects: requests, and CPU against `node -e 0`',
  measure: () =>
    withWorkplace(companyStack(), async (place) => {
      const creationRequests: number[] = [];
      const create = async () => {
        await place.begin();
        const sample = await place.apply();
        creationRequests.push(sample.reads + sample.writes);
        return sample;
      };
      const creations = await inTurn(create, startNode, 5);
      const planRequests: number[] = [];
      const plan = async () => {
        const sample = await place.plan();
        planRequests.push(sample.reads + sample.writes);
        return sample;
      };
      const plans = await inTurn(plan, startNode, 9);
      return [
        {
          what: 'requests of a plan of 875 unchanged objects',
          figure: most(planRequests),
          unit: 'requests',
          target: 38,
        },
        {
          what: 'requests of a creation of 875 objects',
          figure: most(creationRequests),
          unit: 'requests',
          target: 200,
        },
        compareCpu('plan of 875 unchanged objects, against node -e 0', plans, { target: 12 }),
        compareCpu('creation of 875 objects, against node -e 0', creations, { target: 25 }),
      ];
    }),
};
