/*
 * Reads and writes one ref of one git remote with git's own commands, without touching any branch, index or file of the checkout.
 *
 *   snapshot   the commit that a ref points to, and the files in it
 *   tip        the id of that commit
 *   sha        the id of a blob (the content of a file) or of a tree (the content of a folder)
 *   siblings   the other refs in the same folder: `refs/trueup/web` beside `refs/trueup/shop`
 *
 * A write is three steps: store the new texts as blobs, make a commit with them on top of a snapshot, and push it on the condition that
 * the ref still has the tip of that snapshot.
 */
import { type Git, GitError } from '../git/git.ts';
import { contentsOf } from '../git/objects.ts';
import type { Repository } from '../git/repository.ts';
import { Problems } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';

/** An entry of a git tree. `sha`: the blob or tree with its content. */
interface TreeEntry {
  mode: string;
  type: string;
  sha: string;
}

/** The state of a ref of a remote. */
export interface Snapshot {
  /** The commit; undefined if the ref does not exist. */
  tip: string | undefined;
  /** The files and folders at the top of that commit, by name. */
  files: ReadonlyMap<string, TreeEntry>;
}

const missingRef: Snapshot = { tip: undefined, files: new Map() };

/** One ref of one remote. Its objects are fetched into the checkout, but no local ref is made. Methods reject with a `GitError`. */
export class GitRemote {
  readonly #open: () => Promise<Repository>;
  readonly #name: string;
  readonly #ref: string;
  /** The commit whose files were read last. */
  #lastRead: Snapshot = missingRef;
  /** The folder that was read or made last. A tree never changes, so it is not read twice. */
  #lastFolder: { sha: string; files: Snapshot['files'] } | undefined;
  /** The tips of the siblings, by ref, from the last `readSnapshot`; undefined after they were taken. */
  #siblingTips: ReadonlyMap<string, string> | undefined;

  constructor(open: () => Promise<Repository>, name: string, ref: string) {
    this.#open = open;
    this.#name = name;
    this.#ref = ref;
  }

  readonly #git: Git = async (...call) => (await this.#open()).git(...call);

  /** Reads the ref as it is now. Rejects if the remote does not answer, or if the ref keeps changing while it is fetched. */
  async readSnapshot(): Promise<Snapshot> {
    for (let attempt = 1; ; attempt++) {
      const tip = await this.#readTip();
      if (tip === undefined) return missingRef;
      const localFiles = await this.#filesOf(tip);
      if (localFiles) return { tip, files: localFiles };
      // Another git process in this checkout may hold a lock for a moment. Then the fetch is tried again.
      const failure = await this.#fetch().then(
        () => undefined,
        (error: GitError) => error,
      );
      const fetchedFiles = await this.#filesOf(tip);
      if (fetchedFiles) return { tip, files: fetchedFiles };
      if (failure && (attempt > 5 || !/\.lock/.test(failure.message))) throw failure;
      if (attempt > 20) throw new GitError('failed', `${this.#ref} changes faster than it can be read`);
    }
  }

  /**
   * Returns the tips of the sibling refs. `readSnapshot` lists them anyway, so the first call after it asks the remote nothing; each
   * further call asks again.
   */
  async takeSiblingTips(): Promise<ReadonlyMap<string, string>> {
    if (!this.#siblingTips) await this.#readTip();
    const tips = this.#siblingTips!;
    this.#siblingTips = undefined;
    return tips;
  }

  /** Asks the remote for the tip of the ref, and records the tips of its siblings. */
  async #readTip(): Promise<string | undefined> {
    await requireRemote(await this.#open(), this.#name, this.#ref);
    const folder = this.#ref.replace(/[^/]*$/, '');
    const listed = await this.#git(['ls-remote', this.#name, `${folder}*`]);
    const lines = listed.split('\n').map((line) => line.split('\t') as [tip: string, ref?: string]);
    // git's pattern also matches refs that only end like this one.
    const tips = new Map(lines.flatMap(([tip, ref]) => (ref?.startsWith(folder) ? [[ref, tip]] : [])));
    const tip = tips.get(this.#ref);
    tips.delete(this.#ref);
    this.#siblingTips = tips;
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
      // In a full clone, `--depth` would make the clone shallow.
      ...(isShallow ? ['--depth=1'] : []),
      this.#name,
      this.#ref,
    ]);
  }

  /** Returns the files of a commit; undefined if the checkout does not have it. Read once, because a commit never changes. */
  async #filesOf(tip: string): Promise<Snapshot['files'] | undefined> {
    if (this.#lastRead.tip === tip) return this.#lastRead.files;
    const listed = await this.#git(['ls-tree', '--full-tree', '-z', tip]).catch((error: GitError) => {
      if (error.reason === 'failed') return undefined;
      throw error;
    });
    if (listed === undefined) return undefined;
    const files = parseTree(listed);
    this.#lastRead = { tip, files };
    return files;
  }

  /** Stores a text as a blob in the checkout, and returns its sha. */
  async store(text: string): Promise<string> {
    return (await this.#git(['hash-object', '-w', '--no-filters', '--stdin'], text)).trim();
  }

  /** Returns the text of a blob that the checkout has. */
  load(sha: string): Promise<string> {
    return this.#git(['cat-file', 'blob', sha]);
  }

  /** Returns the texts of several blobs by sha, with one git process. */
  async loadAll(shas: string[]): Promise<Map<string, string>> {
    const contents = await contentsOf([...new Set(shas)], this.#git);
    return new Map([...contents].map(([sha, bytes]) => [sha, bytes.toString('utf8')]));
  }

  /**
   * Makes a commit on top of a snapshot, and returns it as a snapshot that is not pushed yet.
   * @param edits the new blob of each changed file, undefined to remove it. A file in a folder is `folder/file`; there is one level
   */
  async commit(
    base: Snapshot,
    edits: ReadonlyMap<string, string | undefined>,
    message: string,
  ): Promise<Snapshot> {
    const files = new Map(base.files);
    const editsByFolder = groupBy(edits, ([path]) => path.slice(0, path.lastIndexOf('/') + 1));
    for (const [prefix, folderEdits] of editsByFolder) {
      const namedEdits = folderEdits.map(([path, sha]) => [path.slice(prefix.length), sha] as const);
      if (prefix === '') {
        applyEdits(files, namedEdits);
        continue;
      }
      const folder = prefix.slice(0, -1);
      const folderFiles = new Map(await this.filesIn(base, folder));
      applyEdits(folderFiles, namedEdits);
      if (folderFiles.size === 0) {
        files.delete(folder);
        continue;
      }
      const sha = await this.#makeTree(folderFiles);
      this.#lastFolder = { sha, files: folderFiles };
      files.set(folder, { mode: '040000', type: 'tree', sha });
    }
    const parent = base.tip === undefined ? [] : ['-p', base.tip];
    const tree = await this.#makeTree(files);
    const tip = await this.#git(['commit-tree', '--no-gpg-sign', ...parent, '-F', '-', tree], message);
    return { tip: tip.trim(), files };
  }

  /** Returns the files in a folder of a snapshot, by name; none if there is no such folder. */
  async filesIn({ files }: Snapshot, folder: string): Promise<Snapshot['files']> {
    const entry = files.get(folder);
    if (entry?.type !== 'tree') return new Map();
    if (this.#lastFolder?.sha !== entry.sha)
      this.#lastFolder = { sha: entry.sha, files: parseTree(await this.#git(['ls-tree', '-z', entry.sha])) };
    return this.#lastFolder.files;
  }

  async #makeTree(files: Snapshot['files']): Promise<string> {
    const lines = [...files].map(([path, { mode, type, sha }]) => `${mode} ${type} ${sha}\t${path}\0`);
    return (await this.#git(['mktree', '--missing', '-z'], lines.join(''))).trim();
  }

  /** Pushes a commit to the ref. Rejects if the ref does not have the tip `from` any more (undefined: if it exists). */
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

/** Parses the output of `git ls-tree -z`. */
function parseTree(listed: string): Snapshot['files'] {
  const lines = listed.split('\0').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const [attributes, name] = line.split('\t') as [string, string];
      const [mode, type, sha] = attributes.split(' ') as [string, string, string];
      return [name, { mode, type, sha }];
    }),
  );
}

/** Changes `files`: sets the blob of each file, or removes the file if its blob is undefined. */
function applyEdits(
  files: Map<string, TreeEntry>,
  edits: Iterable<readonly [name: string, sha: string | undefined]>,
): void {
  for (const [name, sha] of edits)
    if (sha === undefined) files.delete(name);
    else files.set(name, { mode: '100644', type: 'blob', sha });
}

/** The names of the remotes of each repository. git is asked once, because the ledgers of a workspace share a repository. */
const remotesByRepository = new WeakMap<Repository, string[]>();

/** Throws `Problems` with the existing remotes if the repository has no remote of this name, before git fails with a vague message. */
async function requireRemote(repository: Repository, name: string, ref: string): Promise<void> {
  const remotes =
    remotesByRepository.get(repository) ??
    (await repository.git(['remote'])).split('\n').filter((line) => line !== '');
  remotesByRepository.set(repository, remotes);
  if (remotes.includes(name)) return;
  const existing = remotes.length > 0 ? `; there is ${remotes.join(', ')}` : '';
  throw new Problems(
    'ledger/git-remote',
    `the ledger ${ref} cannot be stored: this repository has no remote ${name}${existing}`,
    {
      hint: 'name another remote with `--ledger git:REMOTE`, or add one with `git remote add`',
    },
  );
}
