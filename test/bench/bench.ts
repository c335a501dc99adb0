import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import type { Line } from './comparison.ts';
import { comparisons } from './comparisons.ts';
import { formatLine, formatSummary } from './format-line.ts';
import { profileWorks } from './profile/profile.ts';
import { terraformVersion } from './terraform.ts';

/** Makes the comparisons of these names, or all, and writes their figures to `bench.json`. Ends the process with 1 if there is no such comparison. */
async function makeComparisons(names: string[]): Promise<void> {
  const unknownNames = names.filter((name) => !comparisons.some((comparison) => comparison.name === name));
  if (unknownNames.length > 0) {
    const known = comparisons.map(({ name, description }) => `  ${name.padEnd(12)} ${description}`);
    console.error(`There is no comparison ${unknownNames.join(', ')}; there are:\n${known.join('\n')}`);
    process.exit(1);
  }
  const machine = {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    threads: availableParallelism(),
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    node: process.version,
    terraform: terraformVersion() ?? null,
  };
  console.log(
    `${machine.processor}, ${machine.threads} threads, ${machine.memory}; Node.js ${machine.node}, Terraform ${machine.terraform ?? 'not here'}`,
  );
  const lines: Line[] = [];
  for (const { name, description, missing, measure } of comparisons) {
    if (names.length > 0 && !names.includes(name)) continue;
    const reason = missing?.();
    if (reason !== undefined) {
      console.log(`\n${name} skipped: ${reason}`);
      continue;
    }
    console.log(`\n${name}: ${description}`);
    try {
      for (const line of await measure()) {
        lines.push(line);
        console.log(formatLine(line));
      }
    } catch (error) {
      // The others took minutes: their figures are not lost because one comparison failed.
      console.error(`! ${name} failed: ${(error as Error).stack}`);
      process.exitCode = 1;
    }
  }
  writeFileSync('bench.json', `${JSON.stringify({ machine, lines }, null, 2)}\n`);
  console.log(`\n${formatSummary(lines)}\nWritten to bench.json.`);
}

/**
 * `npm run bench [-- NAME...]`: what trueup costs, against what people use today, all in one run on one machine.
 * `npm run bench -- profile [WORK...]`: where its time and allocations go.
 */
const [first, ...names] = process.argv.slice(2);
if (first === 'profile') await profileWorks(names);
else await makeComparisons(first === undefined ? [] : [first, ...names]);
