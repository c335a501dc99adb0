import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Ran } from './cli.ts';

/** The built program. */
export const program = resolve('dist/trueup.cjs');

/**
 * Runs it as a process of its own, for what only a process shows: signals, pipes, a terminal, the end by force. It is killed if it
 * outlives its test.
 */
export function startProcess(
  args: string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
) {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const out: string[] = [];
  const err: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text));
  const ended = new Promise<Ran>((done) => {
    child.once('close', (status) => {
      const [stdout, stderr] = [out.join(''), err.join('')];
      done({ status, stdout, stderr, all: stdout + stderr });
    });
  });
  return { child, said: () => out.join('') + err.join(''), ended };
}
