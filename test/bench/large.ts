import type { Comparison, Line } from './comparison.ts';
import { growthBetween, mostGrowth, type SizedTime } from './growth-ratios.ts';
import { cpuSecondsOf, type Sample, spread } from './measure.ts';
import { mixedAccount } from './stacks.ts';
import { withWorkplace } from './workplace.ts';

const [few, many] = [10_000, 100_000];

const commands = [
  { name: 'plan', what: 'plan of 100,000 new resources', memoryTarget: 900 },
  { name: 'apply', what: 'apply of 100,000 new resources', memoryTarget: 1.2 * 1024 },
  { name: 'planAgain', what: 'plan of 100,000 unchanged resources', memoryTarget: 900 },
] as const;

/** Runs the commands on an account of this size. Says when each has ended, because all of them take minutes. */
async function measureCommands(resources: number): Promise<Record<string, Sample>> {
  return withWorkplace(mixedAccount(resources), async (place) => {
    const ended = (name: string, sample: Sample) => {
      console.error(
        `    ${name} of ${resources}: ${cpuSecondsOf(sample).toFixed(1)} s of CPU, ${sample.memory?.toFixed(0)} MiB`,
      );
      return sample;
    };
    return {
      plan: ended('plan', await place.run('plan')),
      apply: ended('apply', await place.apply()),
      planAgain: ended('second plan', await place.plan()),
    };
  });
}

export const large: Comparison = {
  name: 'large',
  description:
    'plan and apply of 100,000 resources of kinds of all forms: memory, and CPU against linear from 10,000',
  measure: async () => {
    const [atFew, atMany] = [await measureCommands(few), await measureCommands(many)];
    const timeOf = (resources: number, sample: Sample): SizedTime => ({
      resources,
      cpuSeconds: cpuSecondsOf(sample),
    });
    return commands.flatMap(({ name, what, memoryTarget }): Line[] => {
      const [from, to] = [timeOf(few, atFew[name]!), timeOf(many, atMany[name]!)];
      const { memory } = atMany[name]!;
      const cpuLine: Line = {
        what: `${what}: CPU, against linear from 10,000`,
        figure: growthBetween(from, to).ratio,
        unit: 'times',
        target: mostGrowth,
        samples: { '10,000': spread([from.cpuSeconds]), '100,000': spread([to.cpuSeconds]) },
      };
      if (memory === undefined) return [cpuLine];
      return [cpuLine, { what: `${what}: memory`, figure: memory, unit: 'MiB', target: memoryTarget }];
    });
  },
};
