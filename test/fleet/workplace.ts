import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Seed, Twin } from '../../providers/hosting/twin/index.ts';
import { atEnd } from '../support/at-end.ts';
import { Shell } from '../support/cli.ts';
import { initBareRepository, initRepository } from '../support/init-repository.ts';
import { pushHead } from '../support/push-head.ts';
import { startStateServer } from '../support/state-server.ts';

/** A stack with one project in its account. */
export const stackYaml = (name: string, level = 'info'): string => `stack: ${name}
platform: { team: acme }
projects: { ${name}: { framework: nextjs, env: { LEVEL: { value: ${level}, type: plain } } } }
`;

/**
 * By the files in them: folders with the `.git` of a checkout that has one commit, and with the repository that it was pushed to. Made once for all
 * tests of a process, because a commit and a push start many processes.
 */
const templates = new Map<string, string>();
let templatesFolder: string | undefined;

/** Returns the path of a new folder for a template. All of them are removed when the process ends. */
function newTemplate(): string {
  if (templatesFolder === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'trueup-pushed-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    templatesFolder = folder;
  }
  return join(templatesFolder, `${templates.size}`);
}

/** A repository on a server, a checkout of it as CI has one, and an account. */
export class Workplace {
  readonly shell: Shell;
  readonly twin: Twin;
  readonly checkout: string;
  readonly origin: string;
  /** What all that work here have in their environment. */
  env: Record<string, string>;

  protected constructor(shell: Shell, twin: Twin, checkout: string, origin: string) {
    this.shell = shell;
    this.twin = twin;
    this.checkout = checkout;
    this.origin = origin;
    this.env = { TRUEUP_BASE_URL: twin.url, TRUEUP_TOKEN: 'token-for-tests', TRUEUP_LEDGER: 'git' };
  }

  static async start(files: Record<string, string>, seed?: Seed): Promise<Workplace> {
    const shell = new Shell();
    const twin = await shell.withTwin(seed);
    const bench = new Workplace(
      shell,
      twin,
      join(shell.folder, 'checkout'),
      join(shell.folder, 'origin.git'),
    );
    await shell.write(
      Object.fromEntries(Object.entries(files).map(([name, text]) => [`checkout/${name}`, text])),
    );
    bench.#startHistory(JSON.stringify(files));
    return bench;
  }

  /** Commits and pushes the files of the checkout. Copies what an earlier workplace made of the same files, if there was one. */
  #startHistory(key: string): void {
    const gitFolder = join(this.checkout, '.git');
    const config = join(gitFolder, 'config');
    const template = templates.get(key);
    if (template === undefined) {
      initRepository(this.checkout);
      initBareRepository(this.origin);
      appendFileSync(
        config,
        `[remote "origin"]\n\turl = ${this.origin}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`,
      );
      this.commit('one');
      const folder = newTemplate();
      cpSync(gitFolder, join(folder, 'git'), { recursive: true });
      cpSync(this.origin, join(folder, 'origin.git'), { recursive: true });
      templates.set(key, folder);
    } else {
      cpSync(join(template, 'git'), gitFolder, { recursive: true });
      cpSync(join(template, 'origin.git'), this.origin, { recursive: true });
      const text = readFileSync(config, 'utf8');
      writeFileSync(
        config,
        text.replace(/url = .*/, () => `url = ${this.origin}`),
      );
    }
  }

  /** Keeps the ledgers on a server in this process. For tests that are not about ledgers in git, where each write takes ten processes. */
  async useLedgerServer(): Promise<this> {
    const server = await startStateServer();
    atEnd(() => server.close());
    const folder = `${server.url}/ledgers`;
    Object.assign(this.env, { TRUEUP_LEDGER: `${folder}/{stack}`, TRUEUP_LEDGER_INDEX: `${folder}/index` });
    return this;
  }

  get fleetFile(): string {
    return `repositories:\n  acme/shop: { url: ${this.origin}, branch: main }\n`;
  }

  git(...args: string[]): string {
    return execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: this.checkout,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: this.shell.folder },
    }).trim();
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.checkout, name), text);
  }

  /** Commits what is in the checkout, pushes it to a branch, and gives back the commit. */
  commit(message: string, branch = 'main'): string {
    this.git('add', '-A');
    this.git('commit', '-qm', message);
    return pushHead(this.checkout, this.origin, branch);
  }

  /** Removes a folder after the test. */
  onEnd(folder: string): void {
    atEnd(() => rmSync(folder, { recursive: true, force: true }));
  }
}
