import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import type { Line } from './comparison.ts';
import { comparisons } from './comparisons.ts';
import type { Spread } from './measure.ts';
import { profileWorks } from './profile/profile.ts';
import { terraformVersion } from './terraform.ts';

/**
 * `npm run bench [-- NAME...]`: what trueup costs, against what people use today, all in one run on one machine.
 * `npm run bench -- profile [WORK...]`: where its time and allocations go.
 */
const asked = process.argv.slice(2);
if (asked[0] === 'profile') {
  await profileWorks(asked.slice(1));
  process.exit();
}
const unknown = asked.filter((name) => !comparisons.some((one) => one.name === name));
if (unknown.length > 0) {
  const names = comparisons.map(({ name, does }) => `  ${name.padEnd(12)} ${does}`);
  console.error(`There is no comparison ${unknown.join(', ')}; there are:\n${names.join('\n')}`);
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
  `${machine.processor}, ${machine.threads} threads, ${machine.memory}; Node.js ${machine.node}, Terraform ${machine.terraform ?? 'not here'}\n`,
);

const lines: Line[] = [];
for (const { name, does, missing, lines: measure } of comparisons) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const why = missing?.();
  if (why !== undefined) {
    console.log(`${name} skipped: ${why}`);
    continue;
  }
  console.log(`${name}: ${does}`);
  for (const line of await measure()) {
    lines.push(line);
    console.log(text(line));
  }
}
writeFileSync('bench.json', `${JSON.stringify({ machine, lines }, null, 2)}\n`);
console.log('\nWritten to bench.json.');

/** `  0.42 times  target 0.50 reached, moonshot 0.25 not  (ours 1.20 s, 1.15-1.31; theirs ...)  what`. */
function text({ what, figure, unit, target, moonshot, samples = {} }: Line): string {
  const goal = (name: string, value: number | undefined) =>
    value === undefined ? [] : [`${name} ${number(value)} ${figure <= value ? 'reached' : 'not reached'}`];
  const goals = [...goal('target', target), ...goal('moonshot', moonshot)].join(', ');
  const made = Object.entries(samples).map(([name, spread]) => `${name} ${spreadText(spread)}`);
  return [
    `  ${what}: ${number(figure)}${unit === 'exponent' ? '' : ` ${unit}`}${goals ? ` (${goals})` : ''}`,
    ...(made.length > 0 ? [`    ${made.join('; ')}`] : []),
  ].join('\n');
}

function number(value: number): string {
  return Number.isInteger(value) || value >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}

/** Seconds, unless the name says otherwise. */
function spreadText({ median, least, most }: Spread): string {
  return least === most ? number(median) : `${number(median)} (${number(least)} to ${number(most)})`;
}
