import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Seed, TwinOptions } from '../../providers/hosting/twin/index.ts';
import { Shell } from './cli.ts';
import { keyText } from './keys.ts';
import { below, git, headOf, repository } from './ledger-places.ts';

/** A folder below the top of a checkout, an account on a twin, and a configuration that is committed again and again. */
export class RecordedSite extends Shell {
  readonly checkout: string;
  twin!: Awaited<ReturnType<Shell['withTwin']>>;

  /** The names of the files in the last commit. */
  #committedNames: string | undefined;

  private constructor(checkout: string) {
    super(below(checkout));
    this.checkout = checkout;
  }

  /** `ledger`: a file, `git`, or the variables that name a store and reach it. */
  static async open(
    ledger: 'git' | 'file' | Record<string, string>,
    seed?: Seed,
    options?: Omit<TwinOptions, 'seed'>,
  ): Promise<RecordedSite> {
    const site = new RecordedSite(repository().clone());
    site.twin = await site.withTwin(seed, options);
    site.env = { ...site.env, TRUEUP_LEDGER_KEY: keyText(), USER: 'ada' };
    if (ledger === 'git') site.env.TRUEUP_LEDGER = 'git';
    else if (ledger !== 'file') site.env = { ...site.env, ...ledger };
    return site;
  }

  /** Writes the configuration, without committing it. `body`: all but the header. */
  edit(body: string, header = 'stack: shop\nplatform: { team: acme }\n'): void {
    writeFileSync(join(this.folder, 'trueup.yaml'), header + body);
  }

  /** Commits it, and what else is there but the ledger, and gives back the commit. */
  commit(body: string, header?: string): string {
    this.edit(body, header);
    // A commit of changed files needs no `add`, and each git costs.
    const names = this.#filesBesideLedger();
    if (names !== this.#committedNames)
      git(this.checkout, 'add', '--all', '.', ':(exclude,glob)**/.trueup/**');
    this.#committedNames = names;
    git(this.checkout, 'commit', '--quiet', '--allow-empty', '--all', '-m', 'Change');
    return headOf(this.checkout);
  }

  /** The names of the files of the checkout, without those of git and of the ledger. */
  #filesBesideLedger(): string {
    const entries = readdirSync(this.checkout, { recursive: true, withFileTypes: true });
    const names = entries.map((entry) => `${entry.isDirectory()} ${join(entry.parentPath, entry.name)}`);
    return names.filter((name) => !/\/\.(git|trueup)(\/|$)/.test(name)).join('\n');
  }

  /** Applies, and expects that it works. */
  async apply(...args: string[]): Promise<string> {
    const ran = await this.run(['apply', '--auto-approve', '--settle', '0', ...args]);
    if (ran.status !== 0) throw new Error(`apply failed:\n${ran.all}`);
    return ran.all;
  }
}
