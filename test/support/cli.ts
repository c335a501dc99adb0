import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Seed, startTwin, type Twin, type TwinOptions } from '../../providers/hosting/twin/index.ts';

export const program = resolve('dist/trueup.cjs');

export interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
  /** Both, as a person sees them. */
  all: string;
}

/** A folder, one of its own if none is given, and the built tool in it. Removed after the test. */
export class Shell {
  readonly folder: string;
  env: Record<string, string> = {};

  constructor(folder = mkdtempSync(join(tmpdir(), 'trueup-cli-'))) {
    this.folder = folder;
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  async write(files: Record<string, string | Buffer>): Promise<this> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(this.folder, name)), { recursive: true });
      writeFileSync(join(this.folder, name), text);
    }
    return this;
  }

  /** Runs `trueup ...args`; standard input is what is given, and no terminal. */
  run(args: string[], { input = '' }: { input?: string } = {}): Promise<Ran> {
    return this.start(args, { input }).ended;
  }

  /** The same in the background. */
  start(args: string[], { input = '' }: { input?: string } = {}) {
    const { PATH, HOME } = process.env;
    const child = spawn(process.execPath, [program, ...args], {
      cwd: this.folder,
      env: { PATH, HOME, ...this.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.end(input);
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

  /** A twin of its own, which the tool in this folder talks to. */
  async withTwin(seed?: Seed, options: Omit<TwinOptions, 'seed'> = {}): Promise<Twin> {
    const twin = await startTwin({ ...options, ...(seed ? { seed } : {}) });
    onTestFinished(() => twin.close());
    this.env = { ...this.env, TRUEUP_BASE_URL: twin.url, TRUEUP_TOKEN: 'token-for-tests' };
    return twin;
  }
}
