import { compareCpu, compareTime } from './compare-samples.ts';
import type { Comparison, Line } from './comparison.ts';
import { inTurn } from './measure.ts';
import { tenResources } from './stacks.ts';
import { startNode, withWorkplace } from './workplace.ts';

const targets = [
  { args: ['--version'], what: '--version', target: 1.5 },
  { args: ['--help'], what: '--help', target: 1.5 },
  { args: ['validate'], what: 'validate of ten resources', target: 3.5 },
  { args: ['plan'], what: 'plan of ten unchanged resources', target: 7 },
];

export const start: Comparison = {
  name: 'start',
  description: 'the start of the program and small commands, against `node -e 0`',
  measure: () =>
    withWorkplace(tenResources, async (place) => {
      await place.apply();
      const lines: Line[] = [];
      for (const { args, what, target } of targets) {
        const pairs = await inTurn(() => place.run(...args), startNode, 15);
        const compared = `${what}, against node -e 0`;
        lines.push(compareTime(compared, pairs, { target }), compareCpu(compared, pairs, { target }));
      }
      return lines;
    }),
};
