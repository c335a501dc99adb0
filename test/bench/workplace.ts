import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startTwin, type Twin, type TwinOptions } from '../../providers/hosting/twin/index.ts';
import { type Command, measured, type Sample } from './measure.ts';

export const program = resolve('dist/trueup.cjs');

/** A folder with a configuration, and a twin that it is about, served by this process. */
export class Workplace {
  readonly folder = mkdtempSync(join(tmpdir(), 'trueup-bench-'));
  #twin: Twin | undefined;
  #latencyMs = 0;

  constructor(yaml: string) {
    this.configure(yaml);
  }

  configure(yaml: string): void {
    writeFileSync(join(this.folder, 'trueup.yaml'), yaml);
  }

  async remove(): Promise<void> {
    await this.end();
    rmSync(this.folder, { recursive: true, force: true });
  }

  get twin(): Twin {
    return this.#twin!;
  }

  /** Starts with an empty account, and without a ledger and the secrets that an earlier run has received. */
  async begin(options: TwinOptions = {}): Promise<void> {
    await this.end();
    for (const leftover of ['.trueup', 'secrets'])
      rmSync(join(this.folder, leftover), { recursive: true, force: true });
    const latency = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
    this.#twin = await startTwin({
      rateLimits: 'off',
      latencyMs: 1,
      // Changed while it runs: the account stays the same.
      sleep: () => (this.#latencyMs > 0 ? latency(this.#latencyMs) : Promise.resolve()),
      ...options,
    });
  }

  /** From here on each answer comes so late. */
  set latencyMs(ms: number) {
    this.#latencyMs = ms;
  }

  async end(): Promise<void> {
    await this.#twin?.close();
    this.#twin = undefined;
  }

  /** Returns the command that runs the built program with these arguments in this folder, with the twin as its platform. */
  command(...args: string[]): Command {
    return this.nodeCommand(program, ...args);
  }

  /** Like `command`, for another build of the program or flags of Node.js before it. */
  nodeCommand(...args: string[]): Command {
    const env = { TRUEUP_BASE_URL: this.twin.url, TRUEUP_TOKEN: 'token' };
    return { argv: [process.execPath, ...args], cwd: this.folder, env };
  }

  /** A run, and the requests that it made. */
  async run(...args: string[]): Promise<Sample & { reads: number; writes: number }> {
    this.twin.clearRequests();
    const sample = await measured(this.command(...args));
    const reads = this.twin.requests.filter(({ method }) => method === 'GET').length;
    return { ...sample, reads, writes: this.twin.requests.length - reads };
  }

  apply = () => this.run('apply', '--auto-approve', '--settle', '0');
  plan = () => this.run('plan', '--detailed-exitcode');
}

/** Runs `use` in a folder with this configuration and an empty account, and removes both afterwards. */
export async function withWorkplace<T>(yaml: string, use: (place: Workplace) => Promise<T>): Promise<T> {
  const place = new Workplace(yaml);
  try {
    await place.begin();
    return await use(place);
  } finally {
    await place.remove();
  }
}

/** Starts Node.js for nothing: the least that a command can cost. */
export const startNode = (): Promise<Sample> => measured({ argv: [process.execPath, '-e', '0'] });
