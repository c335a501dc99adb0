import { compareCpu } from './compare-samples.ts';
import type { Comparison } from './comparison.ts';
import { inTurn } from './measure.ts';
import { mixedAccount } from './stacks.ts';
import { withWorkplace } from './workplace.ts';

const resources = 10_000;

export const singleVariable: Comparison = {
  name: 'target',
  description: `\`plan --target\` of one changed variable of ${resources} resources, against the whole plan`,
  measure: () => {
    const yaml = mixedAccount(resources);
    return withWorkplace(yaml, async (place) => {
      await place.apply();
      place.configure(yaml.replace('value: value 0 of project 0', 'value: another value'));
      const targeted = () => place.run('plan', '--target', 'projects/project-0/env/VARIABLE_0');
      const pairs = await inTurn(targeted, () => place.run('plan'), 5);
      return [
        compareCpu(`plan --target of one variable of ${resources} resources, against the whole plan`, pairs, {
          target: 0.15,
        }),
      ];
    });
  },
};
