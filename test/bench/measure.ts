import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What one run of a whole process took, its start included. */
export interface Sample {
  /** From start to exit. */
  seconds: number;
  /** User and system time, its children included; undefined without bash. */
  cpu?: number;
  /** The most memory it had, in MiB; undefined without GNU time. */
  memory?: number;
}

export interface Command {
  /** The program and its arguments. */
  argv: [string, ...string[]];
  cwd?: string;
  env?: Record<string, string>;
}

/** `time` of bash reports milliseconds, GNU time only hundredths of a second: the start of Node.js takes four of those. */
const timing = 'TIMEFORMAT="%3U %3S"; { time "$@" 2>&3; } 3>&2 2>"$0"';
const gnuTime = '/usr/bin/time';

function hasProgram(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
const hasBash = hasProgram('bash', '-c', 'true');
const hasGnuTime = hasProgram(gnuTime, '-f', '%M', 'true');

/** Runs a command to its end, without input; what it prints is read and thrown away. Throws with that if it fails. */
export async function measured({ argv, cwd, env = {} }: Command): Promise<Sample> {
  const folder = mkdtempSync(join(tmpdir(), 'trueup-bench-'));
  const [cpuFile, memoryFile] = [join(folder, 'cpu'), join(folder, 'memory')];
  const [program, ...args] = [
    ...(hasBash ? ['bash', '-c', timing, cpuFile] : []),
    ...(hasGnuTime ? [gnuTime, '-f', '%M', '-o', memoryFile] : []),
    ...argv,
  ];
  try {
    const start = performance.now();
    const { PATH, HOME } = process.env;
    const child = spawn(program!, args, {
      cwd,
      env: { PATH, HOME, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => output.push(chunk));
    const status = await new Promise((resolve) => child.once('close', resolve));
    const seconds = (performance.now() - start) / 1000;
    if (status !== 0)
      throw new Error(
        `${argv.join(' ')} ended with ${status}:\n${Buffer.concat(output).toString().slice(-2000)}`,
      );
    const numbersIn = (file: string) => readFileSync(file, 'utf8').trim().split(/\s+/).map(Number);
    return {
      seconds,
      cpu: hasBash ? sumOf(numbersIn(cpuFile)) : undefined,
      memory: hasGnuTime ? numbersIn(memoryFile).at(-1)! / 1024 : undefined,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Returns the CPU seconds of a run; its elapsed seconds where CPU time cannot be measured. */
export function cpuSecondsOf({ cpu, seconds }: Sample): number {
  return cpu ?? seconds;
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

/** Runs two commands in turn, after one run of each that does not count, so that a change of the machine's speed affects both. */
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
