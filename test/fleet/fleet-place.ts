import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Ran } from '../support/cli.ts';
import { keyText } from '../support/keys.ts';
import { node22 } from '../support/node22.ts';
import type { PostgresServer } from '../support/postgres.ts';
import { program } from '../support/process.ts';
import { Workplace } from './workplace.ts';

interface How {
  /** False: without the key. */
  key?: boolean;
  env?: Record<string, string>;
}

let made = 0;

/** A fleet on a workplace: a database with its queue and the ledgers, and workers that are processes. */
export class FleetPlace {
  readonly workplace: Workplace;
  /** The schema of its queue. */
  readonly queue: string;
  #workers = 0;

  private constructor(workplace: Workplace, queue: string) {
    this.workplace = workplace;
    this.queue = queue;
  }

  static async start(
    server: PostgresServer,
    ...about: Parameters<typeof Workplace.start>
  ): Promise<FleetPlace> {
    const workplace = await Workplace.start(...about);
    const name = `${process.pid}_${made++}`;
    const queue = `fleet_${name}`;
    workplace.env = {
      ...workplace.env,
      ...server.env,
      TRUEUP_FLEET: `postgres:///postgres?schema=${queue}`,
      TRUEUP_LEDGER: `postgres:///postgres?schema=ledgers_${name}`,
    };
    await workplace.shell.write({ 'fleet.yaml': workplace.fleetFile });
    return new FleetPlace(workplace, queue);
  }

  /** Starts the built program with a Node.js that the fleet runs on; it is killed if it outlives its test. */
  start(
    args: string[],
    { cwd = this.workplace.checkout, key = true, env = {} }: How & { cwd?: string } = {},
  ) {
    const { PATH, HOME } = process.env;
    const child = spawn(node22()!, [program, ...args], {
      cwd,
      env: {
        ...{ PATH, HOME, ...this.workplace.env },
        ...(key ? { TRUEUP_LEDGER_KEY: keyText() } : {}),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [out, err]: [string[], string[]] = [[], []];
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

  /** Runs it in the checkout, as a job of CI does. */
  run(args: string[], how: How = {}): Promise<Ran> {
    return this.start(args, { ...how, env: { CI: 'true', ...how.env } }).ended;
  }

  /** Enqueues jobs, whatever comes of it. */
  tryEnqueue(args: string[], how: How = {}): Promise<Ran> {
    return this.run(['fleet', 'enqueue', ...args, '--repository', 'acme/shop'], how);
  }

  async enqueue(args: string[], how: How = {}): Promise<Ran> {
    const ran = await this.tryEnqueue(args, how);
    if (ran.status !== 0) throw new Error(ran.stderr);
    return ran;
  }

  /** The folder of the worker that is started next. */
  get nextFolder(): string {
    return join(this.workplace.shell.folder, `worker${this.#workers}`);
  }

  /** A worker on a machine of its own. */
  work(args: string[] = ['--exit-when-idle'], how: How = {}) {
    const { folder } = this.workplace.shell;
    const own = this.nextFolder;
    this.#workers++;
    return this.start(['fleet', 'work', '--file', join(folder, 'fleet.yaml'), '--folder', own, ...args], {
      ...how,
      cwd: folder,
    });
  }

  /** All that the fleet says of itself. */
  async status(): Promise<Status> {
    const { stdout, stderr, status } = await this.run(['fleet', 'status', '--json']);
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  }
}

interface Status {
  batches: {
    id: string;
    digest?: string;
    jobs: {
      id: string;
      name: string;
      state: string;
      result?: string;
      retries: number;
      isDrift?: boolean;
      worker?: string;
    }[];
  }[];
  workers: { name: string; isAlive: boolean }[];
  schedules: unknown[];
}
