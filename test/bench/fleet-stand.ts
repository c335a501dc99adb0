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

/** A stack with so many projects, each with so many variables; no two stacks have one of the same name. */
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

interface Extent {
  stacks: number;
  projects: number;
  variables: number;
}

interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
  seconds: number;
}

let stands = 0;

/** Many stacks in a repository, an account on a twin, a database for queue and ledgers, and workers: for figures, and for the sweep. */
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
    this.#schema = `stand_${process.pid}_${stands++}`;
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

  static async start(server: PostgresServer, { stacks, projects, variables }: Extent): Promise<FleetStand> {
    const twin = await startTwin({ rateLimits: 'off', latencyMs: 1 });
    const stand = new FleetStand(server, twin);
    const names = Array.from({ length: stacks }, (_, n) => `s${String(n).padStart(4, '0')}`);
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
    git('commit', '-qm', 'one');
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

  #start(args: string[], cwd: string) {
    const begun = performance.now();
    const child = spawn(node22()!, [program, ...args], {
      cwd,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text));
    const ended = new Promise<Ended>((done) => {
      child.once('close', (status) =>
        done({
          status,
          stdout: out.join(''),
          stderr: err.join(''),
          seconds: (performance.now() - begun) / 1000,
        }),
      );
    });
    return { child, ended };
  }

  /** Runs a command in the checkout to its end; throws unless it ends well. */
  async run(...args: string[]): Promise<Ended> {
    const ended = await this.#start(args, this.#checkout).ended;
    if (ended.status !== 0)
      throw new Error(`${args.join(' ')} ended with ${ended.status}:\n${ended.stderr.slice(-2000)}`);
    return ended;
  }

  fleet = (...args: string[]): Promise<Ended> => this.run('fleet', ...args);
  enqueue = (...args: string[]): Promise<Ended> =>
    this.fleet('enqueue', ...args, '--all', '--repository', 'acme/shop');

  /** A worker that ends once nothing is left to be done, or as `end` says; of one number there is one at a time, in the same folder. */
  work(number: number, concurrency = 1, end = ['--exit-when-idle']) {
    const folder = join(this.#folder, `worker${number}`);
    return this.#start(
      [
        ...['fleet', 'work', '--file', 'fleet.yaml', '--folder', folder],
        ...['--concurrency', String(concurrency), ...end],
      ],
      this.#folder,
    );
  }

  /** Has so many workers do what is in the queue; how long that takes, in seconds. */
  async workAll(processes: number, concurrency = 1): Promise<number> {
    const begun = performance.now();
    const ended = await Promise.all(
      Array.from({ length: processes }, (_, number) => this.work(number, concurrency).ended),
    );
    const bad = ended.find(({ status }) => status !== 0);
    if (bad) throw new Error(bad.stderr.slice(-2000));
    return (performance.now() - begun) / 1000;
  }

  /** Does what is in the queue with workers of which one is killed every so often; how many were. */
  async workKilled(processes: number, everyMs: number, random: () => number): Promise<number> {
    let kills = 0;
    const workers = new Set<ReturnType<FleetStand['work']>>();
    let isOver = false;
    const keepUp = async (number: number) => {
      while (!isOver) {
        const worker = this.work(number);
        workers.add(worker);
        const { status, stderr } = await worker.ended;
        workers.delete(worker);
        if (status === 0) isOver = true;
        else if (status !== null) throw new Error(stderr.slice(-2000));
      }
    };
    const killing = async () => {
      while (!isOver) {
        await new Promise((done) => setTimeout(done, everyMs * (0.5 + random())));
        const all = [...workers];
        const one = all[Math.floor(random() * all.length)];
        if (!isOver && one?.child.kill('SIGKILL')) kills++;
      }
    };
    await Promise.all([killing(), ...Array.from({ length: processes }, (_, number) => keepUp(number))]);
    return kills;
  }

  async #jobs(): Promise<{ name: string; state: string; seconds?: number }[]> {
    const { batches } = JSON.parse((await this.fleet('status', '--json')).stdout);
    return batches.flatMap(({ jobs }: { jobs: unknown[] }) => jobs);
  }

  /** How many jobs there are in each state. */
  async states(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { state } of await this.#jobs()) counts[state] = (counts[state] ?? 0) + 1;
    return counts;
  }

  /** Has cron begin a round, which a worker does; how long that took it. */
  async round(): Promise<{ seconds: number }> {
    const about = ['--repository', 'acme/shop'];
    await this.fleet('schedule', '* * * * *', 'drift', '--all', ...about);
    const worker = this.work(0, 1, []);
    for (;;) {
      const round = (await this.#jobs()).find(
        ({ name, state }) => name.startsWith('round') && state === 'done',
      );
      if (!round) continue;
      await this.fleet('schedule', '--remove', ...about);
      worker.child.kill('SIGTERM');
      await worker.ended;
      return { seconds: round.seconds! };
    }
  }

  /** What is in the account, without what another run would make anew: ids and times. */
  account(): string[] {
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

  /** The ledgers that no key of this stand signed, by their stacks; and how many there are. */
  async ledgers(): Promise<{ all: number; unsigned: string[] }> {
    const key = await findKey('', this.#env);
    const { rows } = await this.#server.query(
      `select stack, text from "${this.#schema}".documents where name = 'ledger'`,
    );
    const unsigned = rows.filter(({ text }) => !isVerified(verifyText(text, key, 'a ledger')));
    return { all: rows.length, unsigned: unsigned.map(({ stack }) => stack) };
  }
}
