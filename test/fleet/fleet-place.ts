import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Seed, Twin } from '../../providers/hosting/twin/index.ts';
import { type Ran, Shell } from '../support/cli.ts';
import { keyText } from '../support/keys.ts';
import { node22, withoutNode22 } from '../support/node22.ts';
import { type PostgresServer, postgresPrograms, withoutPostgres } from '../support/postgres.ts';
import { program } from '../support/process.ts';

/** Why nothing of a fleet can be tried here; undefined where it can. */
export const withoutFleet: string | undefined =
  postgresPrograms() === undefined ? withoutPostgres : node22() === undefined ? withoutNode22 : undefined;

/** A stack of the workspace, with one project in its account. */
export const stackYaml = (name: string, level = 'info'): string => `stack: ${name}
platform: { team: acme }
projects: { ${name}: { framework: nextjs, env: { LEVEL: { value: ${level}, type: plain } } } }
`;

/** A repository on a server, a database with queue and ledgers, an account, and the machines of a fleet around them. */
export class FleetPlace {
  readonly server: PostgresServer;
  readonly shell: Shell;
  readonly twin: Twin;
  /** A checkout, as the job of CI has it; `origin` is the repository on the server. */
  readonly checkout: string;
  readonly origin: string;
  /** What every process of the fleet has in its environment, but for the key. */
  readonly env: Record<string, string>;
  #workers = 0;

  private constructor(server: PostgresServer, shell: Shell, twin: Twin, schema: string) {
    this.server = server;
    this.shell = shell;
    this.twin = twin;
    this.checkout = join(shell.folder, 'checkout');
    this.origin = join(shell.folder, 'origin.git');
    this.env = {
      ...server.env,
      ...{ TRUEUP_BASE_URL: twin.url, TRUEUP_TOKEN: 'token-for-tests' },
      TRUEUP_FLEET: `postgres:///postgres?schema=fleet_${schema}`,
      TRUEUP_LEDGER: `postgres:///postgres?schema=ledgers_${schema}`,
    };
  }

  static async start(
    server: PostgresServer,
    files: Record<string, string>,
    seed?: Seed,
  ): Promise<FleetPlace> {
    const shell = new Shell(mkdtempSync(join(realpathSync(tmpdir()), 'trueup-fleet-')));
    const twin = await shell.withTwin(seed);
    const place = new FleetPlace(server, shell, twin, `${Date.now().toString(36)}${shells++}`);
    await shell.write({
      ...Object.fromEntries(Object.entries(files).map(([name, text]) => [join('checkout', name), text])),
      'fleet.yaml': `repositories:\n  acme/shop: { url: ${place.origin}, branch: main }\n`,
    });
    execFileSync('git', ['init', '-q', '--bare', '-b', 'main', place.origin]);
    place.git('init', '-q', '-b', 'main');
    place.git('remote', 'add', 'origin', place.origin);
    place.commit('one');
    return place;
  }

  git(...args: string[]): string {
    return execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: this.checkout,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: this.shell.folder },
    }).trim();
  }

  /** Commits what is in the checkout, pushes it, and gives back the commit. */
  commit(message: string, branch = 'main'): string {
    this.git('add', '-A');
    this.git('commit', '-qm', message);
    this.git('push', '-q', 'origin', `HEAD:${branch}`);
    return this.git('rev-parse', 'HEAD');
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.checkout, name), text);
  }

  /** Runs the built program with a Node.js that the fleet runs on. `key`: false without one. */
  start(
    args: string[],
    {
      cwd = this.checkout,
      key = true,
      env = {},
    }: { cwd?: string; key?: boolean; env?: Record<string, string> } = {},
  ) {
    const { PATH, HOME } = process.env;
    const child = spawn(node22()!, [program, ...args], {
      cwd,
      env: { PATH, HOME, ...this.env, ...(key ? { TRUEUP_LEDGER_KEY: keyText() } : {}), ...env },
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

  run(args: string[], how: { key?: boolean; env?: Record<string, string> } = {}): Promise<Ran> {
    return this.start(args, { ...how, env: { CI: 'true', ...how.env } }).ended;
  }

  /** A worker on a machine of its own. */
  work(args: string[] = ['--exit-when-idle'], how: { key?: boolean; env?: Record<string, string> } = {}) {
    const folder = join(this.shell.folder, `worker${this.#workers++}`);
    return this.start(
      ['fleet', 'work', '--file', join(this.shell.folder, 'fleet.yaml'), '--folder', folder, ...args],
      { ...how, cwd: this.shell.folder },
    );
  }

  /** All that the fleet says of itself. */
  async status(): Promise<Status> {
    const { stdout, stderr, status } = await this.run(['fleet', 'status', '--json']);
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  }

  stop(): void {
    rmSync(this.shell.folder, { recursive: true, force: true });
  }
}

let shells = 0;

interface Status {
  batches: {
    id: string;
    digest?: string;
    jobs: { id: string; name: string; state: string; said?: string; retries: number; isDrift?: boolean }[];
  }[];
  workers: unknown[];
  schedules: unknown[];
}
