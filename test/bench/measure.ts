import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One run of a whole process, its start included. */
export interface Sample {
  /** From start to exit. */
  seconds: number;
  /** User and system time, its children included; undefined where GNU time is not there. */
  cpu?: number;
  /** The most memory it had, in MiB. */
  memory?: number;
}

export interface Command {
  /** The program and its arguments. */
  argv: [string, ...string[]];
  cwd?: string;
  env?: Record<string, string>;
}

const gnuTime = '/usr/bin/time';
const hasGnuTime = (() => {
  try {
    execFileSync(gnuTime, ['-f', '%e', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** Runs a command to its end, without input; what it prints is read and thrown away. Throws with that if it fails. */
export async function measured({ argv, cwd, env = {} }: Command): Promise<Sample> {
  const folder = mkdtempSync(join(tmpdir(), 'trueup-bench-'));
  const figures = join(folder, 'time');
  const [program, ...args] = hasGnuTime ? [gnuTime, '-f', '%U %S %M', '-o', figures, ...argv] : argv;
  try {
    const start = performance.now();
    const { PATH, HOME } = process.env;
    const child = spawn(program!, args, {
      cwd,
      env: { PATH, HOME, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk));
    const status = await new Promise((done) => child.once('close', done));
    const seconds = (performance.now() - start) / 1000;
    if (status !== 0)
      throw new Error(
        `${argv.join(' ')} ended with ${status}:\n${Buffer.concat(said).toString().slice(-2000)}`,
      );
    if (!hasGnuTime) return { seconds };
    const [user, system, kilobytes] = readFileSync(figures, 'utf8')
      .trim()
      .split('\n')
      .at(-1)!
      .split(' ')
      .map(Number);
    return { seconds, cpu: user! + system!, memory: kilobytes! / 1024 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface Spread {
  median: number;
  least: number;
  most: number;
}

export function spread(values: number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
  return { median, least: sorted[0]!, most: sorted.at(-1)! };
}

/** Two commands in turn, after one run of each that does not count: what changes with the machine changes both. */
export async function inTurn(
  ours: () => Promise<Sample>,
  theirs: () => Promise<Sample>,
  runs: number,
): Promise<{ ours: Sample[]; theirs: Sample[] }> {
  await ours();
  await theirs();
  const samples = { ours: [] as Sample[], theirs: [] as Sample[] };
  for (let run = 0; run < runs; run++) {
    samples.ours.push(await ours());
    samples.theirs.push(await theirs());
  }
  return samples;
}
