import { type Git, GitError } from '../git/git.ts';
import { contentsOf } from '../git/objects.ts';
import type { Repository } from '../git/repository.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';

/** A ref of a remote and the files of its commit; without a tip there is no such ref. */
export interface Snapshot {
  tip: string | undefined;
  files: ReadonlyMap<string, { mode: string; type: string; sha: string }>;
}

const empty: Snapshot = { tip: undefined, files: new Map() };

/**
 * One ref of one remote, by git's own plumbing. What it takes is in the object store of the checkout; no local ref is made. Its methods
 * reject with a `GitError`.
 */
export class GitRemote {
  readonly #open: () => Promise<Repository>;
  readonly #name: string;
  readonly #ref: string;
  /** The commit that was read last. */
  #known: Snapshot = empty;
  /** The folder that was read or made last: a tree never changes. */
  #inside: { sha: string; files: Snapshot['files'] } | undefined;
  /** The refs beside this one, by name, as the last look found them; undefined once somebody has asked for them. */
  #beside: ReadonlyMap<string, string> | undefined;

  constructor(open: () => Promise<Repository>, name: string, ref: string) {
    this.#open = open;
    this.#name = name;
    this.#ref = ref;
  }

  readonly #git: Git = async (...call) => (await this.#open()).git(...call);

  /** Reads the ref as it is now. Rejects if that cannot be said. */
  async look(): Promise<Snapshot> {
    for (let tried = 1; ; tried++) {
      const tip = await this.#tip();
      if (tip === undefined) return empty;
      const there = await this.#filesOf(tip);
      if (there) return { tip, files: there };
      // Another git in this checkout may be at the same thing: what it locks is free again soon.
      const failure = await this.#fetch().then(
        () => undefined,
        (error: GitError) => error,
      );
      const fetched = await this.#filesOf(tip);
      if (fetched) return { tip, files: fetched };
      if (failure && (tried > 5 || !/\.lock/.test(failure.message))) throw failure;
      if (tried > 20) throw new GitError('failed', `${this.#ref} changes faster than it can be read`);
    }
  }

  /** The tips of the refs beside this one: what the last look found, if nobody has taken it yet, so that one question answers both. */
  async beside(): Promise<ReadonlyMap<string, string>> {
    if (!this.#beside) await this.#tip();
    const found = this.#beside!;
    this.#beside = undefined;
    return found;
  }

  async #tip(): Promise<string | undefined> {
    await requireRemote(await this.#open(), this.#name, this.#ref);
    const folder = this.#ref.replace(/[^/]*$/, '');
    const listed = await this.#git(['ls-remote', this.#name, `${folder}*`]);
    const lines = listed.split('\n').map((line) => line.split('\t') as [tip: string, name?: string]);
    // The pattern also fits refs that only end like these.
    const tips = new Map(lines.flatMap(([tip, name]) => (name?.startsWith(folder) ? [[name, tip]] : [])));
    const tip = tips.get(this.#ref);
    tips.delete(this.#ref);
    this.#beside = tips;
    return tip;
  }

  async #fetch(): Promise<void> {
    const { isShallow } = await this.#open();
    await this.#git([
      'fetch',
      '--quiet',
      '--no-tags',
      '--no-prune',
      '--no-recurse-submodules',
      '--no-write-fetch-head',
      '--refmap=',
      // Only where it makes no whole clone a shallow one.
      ...(isShallow ? ['--depth=1'] : []),
      this.#name,
      this.#ref,
    ]);
  }

  /** The files of a commit; undefined if the checkout does not have it. A commit never changes, so its files are read once. */
  async #filesOf(tip: string): Promise<Snapshot['files'] | undefined> {
    if (this.#known.tip === tip) return this.#known.files;
    const listed = await this.#git(['ls-tree', '--full-tree', '-z', tip]).catch((error: GitError) => {
      if (error.reason === 'failed') return undefined;
      throw error;
    });
    if (listed === undefined) return undefined;
    const files = treeOf(listed);
    this.#known = { tip, files };
    return files;
  }

  /** Keeps a text among the objects of the checkout, and gives back its name there. */
  async store(text: string): Promise<string> {
    return (await this.#git(['hash-object', '-w', '--no-filters', '--stdin'], text)).trim();
  }

  load(sha: string): Promise<string> {
    return this.#git(['cat-file', 'blob', sha]);
  }

  /** The same of many, at once. */
  async loadAll(shas: string[]): Promise<Map<string, string>> {
    const contents = await contentsOf([...new Set(shas)], this.#git);
    return new Map([...contents].map(([sha, bytes]) => [sha, bytes.toString('utf8')]));
  }

  /**
   * Makes a commit on top of a snapshot in which these files are others, or gone. A file of a folder, one level deep, is written
   * `folder/file`.
   */
  async commit(
    base: Snapshot,
    edits: ReadonlyMap<string, string | undefined>,
    message: string,
  ): Promise<Snapshot> {
    const files = new Map(base.files);
    for (const [folder, inside] of groupBy(edits, ([path]) => path.slice(0, path.lastIndexOf('/') + 1))) {
      const names = inside.map(([path, sha]) => [path.slice(folder.length), sha] as const);
      if (folder === '') edit(files, names);
      else {
        const name = folder.slice(0, -1);
        const below = new Map(await this.filesIn(base, name));
        edit(below, names);
        if (below.size === 0) files.delete(name);
        else {
          const sha = await this.#makeTree(below);
          this.#inside = { sha, files: below };
          files.set(name, { mode: '040000', type: 'tree', sha });
        }
      }
    }
    const parent = base.tip === undefined ? [] : ['-p', base.tip];
    const tree = await this.#makeTree(files);
    const made = await this.#git(['commit-tree', '--no-gpg-sign', ...parent, '-F', '-', tree], message);
    return { tip: made.trim(), files };
  }

  /** The files in a folder of a snapshot. */
  async filesIn({ files }: Snapshot, folder: string): Promise<Snapshot['files']> {
    const file = files.get(folder);
    if (file?.type !== 'tree') return new Map();
    if (this.#inside?.sha !== file.sha)
      this.#inside = { sha: file.sha, files: treeOf(await this.#git(['ls-tree', '-z', file.sha])) };
    return this.#inside.files;
  }

  async #makeTree(files: Snapshot['files']): Promise<string> {
    const lines = [...files].map(([path, { mode, type, sha }]) => `${mode} ${type} ${sha}\t${path}\0`);
    return (await this.#git(['mktree', '--missing', '-z'], lines.join(''))).trim();
  }

  /** Moves the ref, if it is still where it was. */
  async push({ tip }: Snapshot, from: string | undefined): Promise<void> {
    await this.#git([
      'push',
      '--quiet',
      '--no-verify',
      '--no-signed',
      '--no-follow-tags',
      '--recurse-submodules=no',
      `--force-with-lease=${this.#ref}:${from ?? ''}`,
      this.#name,
      `${tip}:${this.#ref}`,
    ]);
  }
}

function treeOf(listed: string): Snapshot['files'] {
  const entries = listed.split('\0').filter((entry) => entry !== '');
  return new Map(
    entries.map((entry) => {
      const [about, file] = entry.split('\t') as [string, string];
      const [mode, type, sha] = about.split(' ') as [string, string, string];
      return [file, { mode, type, sha }];
    }),
  );
}

function edit(
  files: Map<string, { mode: string; type: string; sha: string }>,
  edits: Iterable<readonly [string, string | undefined]>,
): void {
  for (const [name, sha] of edits)
    if (sha === undefined) files.delete(name);
    else files.set(name, { mode: '100644', type: 'blob', sha });
}

/** The remotes of each repository, asked for once: the ledgers of a workspace share one. */
const known = new WeakMap<Repository, string[]>();

async function requireRemote(repository: Repository, name: string, ref: string): Promise<void> {
  const remotes =
    known.get(repository) ?? (await repository.git(['remote'])).split('\n').filter((line) => line !== '');
  known.set(repository, remotes);
  if (remotes.includes(name)) return;
  const there = remotes.length > 0 ? `; there is ${remotes.join(', ')}` : '';
  throw new Problems([
    problem(
      'ledger/git-remote',
      `the ledger ${ref} cannot be stored: this repository has no remote ${name}${there}`,
      {
        hint: 'name another remote with `--ledger git:REMOTE`, or add one with `git remote add`',
      },
    ),
  ]);
}
