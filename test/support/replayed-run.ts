import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { AccountSnapshot } from '../../src/snapshot/snapshot.ts';
import type { Ran, Running, RunOptions } from './cli.ts';
import { expectListedRefusal, isRefusalExpected } from './expected-refusals.ts';
import { firstDifference } from './replayed.ts';

/** Options of `plan` that cannot be combined with a snapshot, or that make another one. */
const excluded = ['--from', '--snapshot', '--anonymous', '--out', '--base-url', '--help', '-h'];

/**
 * Starts a command like `start`. A `plan` also writes a snapshot. Then it runs again from that, without token, network and secrets: standard output and
 * exit code must be equal, otherwise the run throws an error.
 */
export function replayedRun(
  args: string[],
  options: RunOptions,
  start: (args: string[], options: RunOptions) => Running,
): Running {
  const isExcluded = args.some((argument) => excluded.some((flag) => argument.split('=')[0] === flag));
  // At a terminal, a run may ask a question and remember the answer, so the next run is another one.
  if (args[0] !== 'plan' || isExcluded || options.isTerminal) return start(args, options);
  expectListedRefusal();
  const folder = mkdtempSync(join(tmpdir(), 'trueup-replay-'));
  const file = join(folder, 'account.snapshot');
  const running = start([...args, '--snapshot', file], options);
  const ended = running.ended.then(async (ran) => {
    try {
      return await compare(args, options, start, { file, ran });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
  return { ...running, ended };
}

async function compare(
  args: string[],
  options: RunOptions,
  start: (args: string[], options: RunOptions) => Running,
  { file, ran }: { file: string; ran: Ran },
): Promise<Ran> {
  if (/\[snapshot\/(?:unequal|clear-secret)\]/.test(ran.all) && !isRefusalExpected())
    throw new Error(`the snapshot of ${args.join(' ')} was refused: ${ran.all}`);
  if (!existsSync(file)) return start(args, options).ended;
  const { stacks }: AccountSnapshot = JSON.parse(gunzipSync(readFileSync(file)).toString());
  const sources = Object.values(stacks).flatMap(({ secrets }) => secrets.map(({ source }) => source));
  const hidden = new Set([
    ...sources.map((source) => source?.replace(/^env /, '')),
    'TRUEUP_TOKEN',
    'TRUEUP_BASE_URL',
  ]);
  const env = Object.fromEntries(Object.entries(options.env).filter(([name]) => !hidden.has(name)));
  const again = await start([...args, '--from', file], {
    ...options,
    env: { ...env, TRUEUP_BASE_URL: 'http://127.0.0.1:1' },
  }).ended;
  const [plannedText, replayedText] = [ran.stdout, again.stdout].map(comparableText) as [string, string];
  if (replayedText !== plannedText || again.status !== ran.status)
    throw new Error(
      `another plan from the snapshot: ${args.join(' ')} (${ran.status}, ${again.status})\n${firstDifference(plannedText, replayedText)}\n${again.stderr.slice(0, 2000)}`,
    );
  const [stdout, stderr, all] = [ran.stdout, ran.stderr, ran.all].map((text) =>
    text.replace(savedPattern, ''),
  );
  return { ...ran, stdout: stdout!, stderr: stderr!, all: all! };
}

/** The line about the new snapshot, also in a stream of JSON. */
const savedPattern = /^.*Saved what this plan was made from to .*\n/m;

/** Returns a standard output without the parts of a stream of JSON (`--json-stream`) that differ in each run: messages about the snapshot, and times. */
const comparableText = (text: string): string =>
  text
    .replace(savedPattern, '')
    .replace(/^\{.*"Planning from .*\n/m, '')
    .replace(/"@timestamp":"[^"]*",/g, '');
