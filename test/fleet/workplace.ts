import { execFileSync } from 'node:child_process';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Seed, Twin } from '../../providers/hosting/twin/index.ts';
import { atEnd } from '../support/at-end.ts';
import { Shell } from '../support/cli.ts';
import { initBareRepository, initRepository } from '../support/init-repository.ts';
import { headOf } from '../support/ledger-places.ts';

/** A stack with one project in its account. */
export const stackYaml = (name: string, level = 'info'): string => `stack: ${name}
platform: { team: acme }
projects: { ${name}: { framework: nextjs, env: { LEVEL: { value: ${level}, type: plain } } } }
`;

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
    initRepository(bench.checkout);
    initBareRepository(bench.origin);
    appendFileSync(
      join(bench.checkout, '.git/config'),
      `[remote "origin"]\n\turl = ${bench.origin}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`,
    );
    bench.commit('one');
    return bench;
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
    this.git('push', '-q', '--force', 'origin', `HEAD:refs/heads/${branch}`);
    return headOf(this.checkout);
  }

  /** Removes a folder after the test. */
  onEnd(folder: string): void {
    atEnd(() => rmSync(folder, { recursive: true, force: true }));
  }
}
