import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { git, gitEnv, temporary } from '../support/ledger-places.ts';

export type StoreName = 'file' | 'git';

/** What is kept of a ledger. */
export interface KeptLedger {
  entries: Record<string, { ids: string[]; tainted?: true }>;
  begun?: unknown;
  staged?: unknown;
}

/** The folder that runs work in, and where they keep their ledger: beside the configuration, or in a repository that the folder is a clone of. */
export class Workplace {
  readonly store: StoreName;
  readonly root = temporary();
  readonly #bare = join(this.root, 'remote.git');
  #clones = 0;
  folder = join(this.root, 'work');

  constructor(store: StoreName) {
    this.store = store;
    if (store === 'file') mkdirSync(this.folder);
    else {
      git(this.root, 'init', '--quiet', '--bare', '--initial-branch=main', this.#bare);
      git(this.root, 'clone', '--quiet', this.#bare, this.folder);
      writeFileSync(join(this.folder, '.gitignore'), 'kept/\n');
      git(this.folder, 'add', '.');
      git(this.folder, 'commit', '--quiet', '-m', 'one');
      git(this.folder, 'push', '--quiet', 'origin', 'HEAD:main');
    }
  }

  /** The words that make a command use this ledger. */
  get flags(): string[] {
    return ['--ledger', this.store === 'file' ? 'ledger/demo.json' : 'git'];
  }

  /** Another folder, as another machine would have it; only with git. */
  clone(): string {
    this.#clones += 1;
    const folder = join(this.root, `clone${this.#clones}`);
    git(this.root, 'clone', '--quiet', '--depth=1', `file://${this.#bare}`, folder);
    return folder;
  }

  /** The folder is lost, and the next run works in a new clone; these files come along, as far as they are there. */
  moveOn(files: string[]): void {
    const [lost, folder] = [this.folder, this.clone()];
    for (const file of files.filter((name) => existsSync(join(lost, name))))
      cpSync(join(lost, file), join(folder, file));
    rmSync(lost, { recursive: true });
    this.folder = folder;
  }

  /** Copies all of it; gives back how to make it so again. */
  remember(): () => void {
    const copy = join(temporary(), 'copy');
    cpSync(this.root, copy, { recursive: true });
    const { folder } = this;
    return () => {
      rmSync(this.root, { recursive: true });
      cpSync(copy, this.root, { recursive: true });
      this.folder = folder;
    };
  }

  ledger(): KeptLedger {
    const text =
      this.store === 'file'
        ? readFileSync(join(this.folder, 'ledger/demo.json'), 'utf8')
        : git(this.#bare, 'cat-file', 'blob', 'refs/trueup/demo:ledger.json');
    return JSON.parse(text);
  }

  /** The files of the history. */
  historyFiles(): string[] {
    if (this.store === 'git')
      return git(this.#bare, 'ls-tree', '--name-only', 'refs/trueup/demo:history').split('\n');
    return readdirSync(join(this.folder, 'ledger/demo.history'));
  }

  /** All that is kept where the ledger is but for its history, and where the journal would be. */
  ledgerFiles(): string[] {
    const beside = this.store === 'file' ? 'ledger' : '.git/trueup';
    const local = existsSync(join(this.folder, beside))
      ? readdirSync(join(this.folder, beside)).filter((name) => !name.endsWith('.history'))
      : [];
    const refs =
      this.store === 'file' ? [] : git(this.#bare, 'for-each-ref', '--format=%(refname)', 'refs/trueup');
    if (refs.length === 0) return local;
    return [
      ...local,
      ...git(this.#bare, 'ls-tree', '--name-only', 'refs/trueup/demo')
        .split('\n')
        .filter((name) => name !== 'history'),
    ];
  }

  /** What is in a folder, but for the configuration and what was delivered, and in every object of git's. */
  texts(folder = this.folder): string {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.endsWith('trueup.yaml') && !path.startsWith(join(folder, 'kept') + sep));
    const repositories = this.store === 'file' ? [] : [folder, this.#bare];
    return [
      ...files.map((path) => readFileSync(path, 'utf8')),
      ...repositories.map((cwd) =>
        execFileSync('git', ['cat-file', '--batch-all-objects', '--batch'], {
          cwd,
          env: gitEnv,
          encoding: 'latin1',
          maxBuffer: 1e9,
        }),
      ),
    ].join('\n');
  }
}
