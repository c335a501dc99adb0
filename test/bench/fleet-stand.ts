import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startTwin, type Twin } from '../../providers/hosting/twin/index.ts';
import { findKey } from '../../src/ledger/key.ts';
import { isVerified, verifyText } from '../../src/ledger/proof.ts';
import { keyText } from '../support/keys.ts';
import { node22 } from '../support/node22.ts';
import type { PostgresServer } from '../support/postgres.ts';

const program = resolve('dist/trueup.cjs');

/** Returns the configuration of a stack with so many projects of so many variables each. No other stack has projects with these names. */
function stackYaml(name: string, projects: number, variables: number): string {
  const lines = [`stack: ${name}`, 'platform: { team: acme }', 'projects:'];
  for (let project = 0; project < projects; project++) {
    lines.push(`  ${name}-${project}:`, '    framework: nextjs');
    if (variables > 0) lines.push('    env:');
    for (let variable = 0; variable < variables; variable++)
      lines.push(
        `      VARIABLE_${variable}: { value: value ${variable}, type: plain, target: [production] }`,
      );
  }
  return `${lines.join('\n')}\n`;
}

/** How much a stand holds. */
export interface StandSize {
  stacks: number;
  /** The projects of each stack. */
  projects: number;
  /** The variables of each project. */
  variables: number;
}

/** What a process printed until its end, and how long it ran. */
interface ProcessResult {
  status: number | null;
  stdout: string;
  stderr: string;
  seconds: number;
}

/** The stands that this process has started. Each has database schemas of its own. */
let standCount = 0;

/**
 * Many stacks in a repository, an account on a twin, a database for queue and ledgers, and workers. The bench measures fleets with it, and the sweep
 * kills workers.
 */
export class FleetStand {
  readonly twin: Twin;
  readonly #folder: string;
  readonly #checkout: string;
  readonly #env: Record<string, string>;
  readonly #schema: string;
  readonly #server: PostgresServer;

  private constructor(server: PostgresServer, twin: Twin) {
    this.#server = server;
    this.twin = twin;
    this.#folder = mkdtempSync(join(tmpdir(), 'trueup-fleet-'));
    this.#checkout = join(this.#folder, 'checkout');
    this.#schema = `stand_${process.pid}_${standCount++}`;
    const { PATH = '', HOME = '' } = process.env;
    this.#env = {
      ...{
        PATH,
        HOME,
        CI: 'true',
        TRUEUP_BASE_URL: twin.url,
        TRUEUP_TOKEN: 'token',
        TRUEUP_LEDGER_KEY: keyText(),
      },
      ...server.env,
      TRUEUP_FLEET: `postgres:///postgres?schema=queue_${this.#schema}`,
      TRUEUP_LEDGER: `postgres:///postgres?schema=${this.#schema}`,
    };
  }

  static async start(
    server: PostgresServer,
    { stacks, projects, variables }: StandSize,
  ): Promise<FleetStand> {
    const twin = await startTwin({ rateLimits: 'off', latencyMs: 1 });
    const stand = new FleetStand(server, twin);
    const names = Array.from({ length: stacks }, (_, number) => `s${String(number).padStart(4, '0')}`);
    for (const name of names) {
      mkdirSync(join(stand.#checkout, 'stacks', name), { recursive: true });
      writeFileSync(
        join(stand.#checkout, 'stacks', name, 'trueup.yaml'),
        stackYaml(name, projects, variables),
      );
    }
    writeFileSync(join(stand.#checkout, 'trueup.workspace.yaml'), "stacks: ['stacks/*']\n");
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: stand.#checkout });
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-qm', 'Declare the stacks');
    writeFileSync(
      join(stand.#folder, 'fleet.yaml'),
      `repositories: { acme/shop: { url: ${stand.#checkout}, branch: main } }\n`,
    );
    return stand;
  }

  async remove(): Promise<void> {
    await this.twin.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Starts a command in a folder. Returns its process, and its result when it ends. */
  #start(args: string[], cwd: string) {
    const startTime = performance.now();
    const child = spawn(node22()!, [program, ...args], {
      cwd,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr]: [string[], string[]] = [[], []];
    child.stdout.setEncoding('utf8').on('data', (text: string) => stdout.push(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => stderr.push(text));
    const result = new Promise<ProcessResult>((done) => {
      child.once('close', (status) =>
        done({
          status,
          stdout: stdout.join(''),
          stderr: stderr.join(''),
          seconds: (performance.now() - startTime) / 1000,
        }),
      );
    });
    return { child, result };
  }

  /** Runs a command in the checkout to its end. Throws if its exit code is not 0. */
  async run(...args: string[]): Promise<ProcessResult> {
    const result = await this.#start(args, this.#checkout).result;
    if (result.status !== 0)
      throw new Error(`${args.join(' ')} ended with ${result.status}:\n${result.stderr.slice(-2000)}`);
    return result;
  }

  fleet = (...args: string[]): Promise<ProcessResult> => this.run('fleet', ...args);
  enqueue = (...args: string[]): Promise<ProcessResult> =>
    this.fleet('enqueue', ...args, '--all', '--repository', 'acme/shop');

  /**
   * Starts a worker, which ends when the queue is empty unless other options say when. Workers with the same number share a folder, so the first must
   * have ended before the second starts.
   */
  startWorker(number: number, options = ['--exit-when-idle']) {
    const folder = join(this.#folder, `worker${number}`);
    return this.#start(
      [
        ...['fleet', 'work', '--file', 'fleet.yaml', '--folder', folder],
        ...['--concurrency', '1', ...options],
      ],
      this.#folder,
    );
  }

  /** Returns how many seconds so many workers take to empty the queue. */
  async emptyQueue(workers: number): Promise<number> {
    const startTime = performance.now();
    const results = await Promise.all(
      Array.from({ length: workers }, (_, number) => this.startWorker(number).result),
    );
    const failure = results.find(({ status }) => status !== 0);
    if (failure) throw new Error(failure.stderr.slice(-2000));
    return (performance.now() - startTime) / 1000;
  }

  /**
   * Empties the queue with so many workers, kills one of them about every `everyMs` milliseconds, and starts another for it. Returns the number of
   * killed workers. `random` chooses the moments and the workers.
   */
  async emptyQueueWithKills(workerCount: number, everyMs: number, random: () => number): Promise<number> {
    let kills = 0;
    const running = new Set<ReturnType<FleetStand['startWorker']>>();
    let isEmpty = false;
    const replaceKilled = async (number: number) => {
      while (!isEmpty) {
        const worker = this.startWorker(number);
        running.add(worker);
        const { status, stderr } = await worker.result;
        running.delete(worker);
        if (status === 0) isEmpty = true;
        else if (status !== null) throw new Error(stderr.slice(-2000));
      }
    };
    const killWorkers = async () => {
      while (!isEmpty) {
        await new Promise((done) => setTimeout(done, everyMs * (0.5 + random())));
        const worker = [...running][Math.floor(random() * running.size)];
        if (!isEmpty && worker?.child.kill('SIGKILL')) kills++;
      }
    };
    await Promise.all([
      killWorkers(),
      ...Array.from({ length: workerCount }, (_, number) => replaceKilled(number)),
    ]);
    return kills;
  }

  async #readJobs(): Promise<{ name: string; state: string; seconds?: number }[]> {
    const { batches } = JSON.parse((await this.fleet('status', '--json')).stdout);
    return batches.flatMap(({ jobs }: { jobs: unknown[] }) => jobs);
  }

  /** Returns how many jobs there are in each state. */
  async countStates(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { state } of await this.#readJobs()) counts[state] = (counts[state] ?? 0) + 1;
    return counts;
  }

  /** Lets cron start a round, and returns how long a worker took for it. */
  async measureRound(): Promise<{ seconds: number }> {
    const repository = ['--repository', 'acme/shop'];
    await this.fleet('schedule', '* * * * *', 'drift', '--all', ...repository);
    const worker = this.startWorker(0, []);
    for (;;) {
      const round = (await this.#readJobs()).find(
        ({ name, state }) => name.startsWith('round') && state === 'done',
      );
      if (!round) continue;
      await this.fleet('schedule', '--remove', ...repository);
      worker.child.kill('SIGTERM');
      await worker.result;
      return { seconds: round.seconds! };
    }
  }

  /** Returns the contents of the account as sorted lines, without ids and times, because these differ between two runs. */
  describeAccount(): string[] {
    const { projects } = this.twin.account;
    return projects
      .map(({ name, framework, env }) => {
        const variables = (env ?? []).map(
          ({ key, value }: { key: string; value?: unknown }) => `${key}=${String(value)}`,
        );
        return [name, framework, ...variables.sort()].join(' ');
      })
      .sort();
  }

  /** Returns the number of ledgers, and the stacks of those that the key of this stand did not sign. */
  async checkLedgers(): Promise<{ all: number; unsigned: string[] }> {
    const key = await findKey('', this.#env);
    const { rows } = await this.#server.query(
      `select stack, text from "${this.#schema}".documents where name = 'ledger'`,
    );
    const unsigned = rows.filter(({ text }) => !isVerified(verifyText(text, key, 'a ledger')));
    return { all: rows.length, unsigned: unsigned.map(({ stack }) => stack) };
  }
}
