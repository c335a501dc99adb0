import { relative } from 'node:path';
import type { Reporter, TestModule, TestResultSkipped } from 'vitest/node';
import { type FileCost, leftToSweep } from './cost.ts';
import { part } from './part.ts';

/** How many of the slowest files are named; `TRUEUP_COSTS=all` names each. */
const most = process.env.TRUEUP_COSTS === 'all' ? Number.POSITIVE_INFINITY : 10;

/** The last lines of a test run: what was sampled and how often, and what the slowest files cost. */
export class CostReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const notPlayed: string[] = [];
    const files = modules.flatMap((module) => {
      const { cost } = module.meta() as { cost?: FileCost };
      if (module.state() === 'skipped') notPlayed.push(relative('.', module.moduleId));
      return cost ? [{ name: relative('.', module.moduleId), left: leftOf(module), ...cost }] : [];
    });
    const sampling = files.filter(
      ({ tried, of, left, counted }) => tried < of || left.length > 0 || counted.length > 0,
    );
    const slowest = [...files].sort((a, b) => b.cpu - a.cpu).slice(0, most);
    const lines = [
      '',
      `What was tried of what there is (TRUEUP_PART=${part} repeats this sample)`,
      ...sampling
        .sort(byName)
        .flatMap(({ name, tried, of, left, counted }) => [
          `  ${name}${tried < of ? `: ${tried} of ${of} cases` : ''}`,
          ...left.map((text) => `    ${text}`),
          ...counted.map((text) => `    ${text}`),
        ]),
      ...notPlayed.sort().map((name) => `  ${name}: not played in this part`),
      '',
      `CPU seconds: ${sum(files).toFixed(0)} in ${files.length} files, of which`,
      ...slowest.map(({ name, cpu }) => `  ${cpu.toFixed(1).padStart(6)}  ${name}`),
    ];
    process.stdout.write(`${lines.join('\n')}\n\n`);
  }
}

/** The scenarios of a file that only the sweep plays, each with the reason. */
const leftOf = (module: TestModule): string[] =>
  [...module.children.allTests('skipped')].flatMap((test) => {
    const { note } = test.result() as TestResultSkipped;
    return note?.startsWith(leftToSweep)
      ? [`${leftToSweep}${test.name} (${note.slice(leftToSweep.length)})`]
      : [];
  });

const sum = (files: FileCost[]) => files.reduce((total, { cpu }) => total + cpu, 0);
const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
