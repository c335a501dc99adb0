import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Comparison, Line } from './comparison.ts';
import { mostGrowth, type SizedTime, strongestGrowth } from './growth-ratios.ts';
import { cpuSecondsOf, spread } from './measure.ts';
import { mixedAccount } from './stacks.ts';
import { Workplace } from './workplace.ts';

const sizes = [2500, 5000, 10_000, 20_000];
/** Every variable with this value is changed by somebody, or differs between stages: one of each project. */
const oneValue = 'value: value 0 ';

interface GrowingCommand {
  name: string;
  args: string[];
  /** Puts the account and the files into the state that the command needs. Is not measured. */
  prepare?(place: Workplace, yaml: string): unknown;
  /** How often it is measured, as it changes nothing; the least counts, since other programs can only make it slower. Default: 1. */
  runs?: number;
}

const apply = ['apply', '--auto-approve', '--settle', '0'];

/** In this order, each on what the ones before it left. */
const commands: GrowingCommand[] = [
  { name: 'validate', args: ['validate'], runs: 3 },
  { name: 'render', args: ['render'], runs: 3 },
  {
    name: 'diff of two stages',
    args: ['diff', '-f', 'stages.yaml', 'staging', 'production'],
    prepare: (place, yaml) => {
      const staged = yaml.replaceAll(oneValue, `${oneValue}in \${stage} `);
      writeFileSync(
        join(place.folder, 'stages.yaml'),
        staged.replace('projects:', 'stages: { staging: {}, production: {} }\nprojects:'),
      );
    },
    runs: 2,
  },
  { name: 'plan of new resources', args: ['plan'], runs: 2 },
  { name: 'apply of new resources', args: apply },
  { name: 'plan of unchanged resources', args: ['plan'], runs: 2 },
  { name: 'plan as a page', args: ['plan', '--format', 'html'], runs: 2 },
  { name: 'graph', args: ['graph'], runs: 2 },
  { name: 'log', args: ['log'], runs: 2 },
  { name: 'blame of a project', args: ['blame', 'projects/project-0'], runs: 2 },
  { name: 'export', args: ['export'], runs: 2 },
  {
    name: 'plan of drift in each project',
    args: ['plan'],
    prepare: async (place, yaml) => {
      place.configure(yaml.replaceAll(oneValue, 'value: another value 0 '));
      await place.run(...apply, '--ledger', 'other.json');
      place.configure(yaml);
    },
    runs: 2,
  },
  { name: 'accept of that drift', args: ['accept', '--all', '--auto-approve'] },
  {
    name: 'apply of a change in each project',
    args: apply,
    prepare: (place, yaml) => place.configure(yaml),
  },
  { name: 'fmt', args: ['fmt'], runs: 2 },
  {
    name: 'destroy without projects',
    args: ['destroy', '--confirm', 'bench', '--max-deletions', '1000000', '--settle', '0'],
  },
];

/** Returns the CPU seconds of each command on an account of this size. Says when each has ended, because all of them take minutes. */
async function measureCommands(resources: number): Promise<Map<string, number>> {
  const yaml = mixedAccount(resources);
  const place = new Workplace(yaml);
  const secondsOfCommands = new Map<string, number>();
  try {
    await place.begin();
    for (const { name, args, prepare, runs = 1 } of commands) {
      await prepare?.(place, yaml);
      const seconds: number[] = [];
      for (let run = 0; run < runs; run++) seconds.push(cpuSecondsOf(await place.run(...args)));
      secondsOfCommands.set(name, Math.min(...seconds));
      console.error(`    ${name} with ${resources} resources: ${Math.min(...seconds).toFixed(2)} s of CPU`);
    }
    return secondsOfCommands;
  } finally {
    await place.remove();
  }
}

const formatSize = (resources: number) => resources.toLocaleString('en');

function lineOf(name: string, times: SizedTime[]): Line {
  const { ratio, from, to } = strongestGrowth(times);
  return {
    what: `${name}: CPU, against linear, most from ${formatSize(from.resources)} to ${formatSize(to.resources)}`,
    figure: ratio,
    unit: 'times',
    target: mostGrowth,
    samples: Object.fromEntries(
      times.map(({ resources, cpuSeconds }) => [formatSize(resources), spread([cpuSeconds])]),
    ),
  };
}

/**
 * How the CPU time of each command grows. `apply` was quadratic once in the number of lists that are staged, and in that of the secrets that
 * are delivered, so the account has both.
 */
export const growth: Comparison = {
  name: 'growth',
  description: 'how the CPU time of each command grows with the resources, of kinds of all forms',
  measure: async () => {
    const measurements = new Map<number, Map<string, number>>();
    for (const resources of sizes) measurements.set(resources, await measureCommands(resources));
    return commands.map(({ name }) =>
      lineOf(
        name,
        sizes.map((resources) => ({ resources, cpuSeconds: measurements.get(resources)!.get(name)! })),
      ),
    );
  },
};
