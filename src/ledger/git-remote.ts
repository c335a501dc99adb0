/*
 * Reads and writes one ref of one git remote with git's own commands, without touching any branch, index or file of the checkout.
 *
 *   snapshot   the commit that a ref points to, and the files in it
 *   tip        the id of that commit
 *   blob       the content of a file, with an id that follows from the content. A tree is the same for a folder
 *   siblings   the other refs in the same folder: `refs/trueup/web` beside `refs/trueup/shop`
 *
 * A write is two git processes: one stores the new blobs, trees and the commit on top of a snapshot, the other pushes the commit on the
 * condition that the ref still has the tip of that snapshot.
 */

import { fetchRefs } from '../git/fetch-refs.ts';
import { type Git, GitError } from '../git/git.ts';
import {
  createBlob,
  createCommit,
  createTree,
  fileMode,
  folderMode,
  type NewObject,
  parseTree,
  readObjectContents,
  readObjects,
  storeObjects,
  type TreeEntries,
  type TreeEntry,
} from '../git/objects.ts';
import type { Repository } from '../git/repository.ts';
import { raise } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';

/** The state of a ref of a remote. */
export interface Snapshot {
  /** The commit; undefined if the ref does not exist. */
  tip: string | undefined;
  /** The files and folders at the top of that commit, by name. */
  files: TreeEntries;
}

const missingRef: Snapshot = { tip: undefined, files: new Map() };

/** How often the reading of a ref is repeated while another git process holds a lock. */
const maxRepeatsIfLocked = 5;
/** How often the reading of a ref is repeated because it changes meanwhile. */
const maxRepeats = 20;

interface GitRemoteOptions {
  /** Opens the repository of the checkout. Called before each git process. */
  open(): Promise<Repository>;
  /** The name of the remote. */
  name: string;
  ref: string;
  /** May name the author of the commits. */
  env: Record<string, string | undefined>;
  /** True if each commit replaces the one before instead of following it. */
  hasNoHistory?: true;
}

/**
 * One ref of one remote. Its objects are fetched into the checkout, but no local ref is made. Methods reject with a
 * `GitError`, or with `Problems` if the repository has no such remote.
 */
export class GitRemote {
  readonly #open: () => Promise<Repository>;
  readonly #name: string;
  readonly #ref: string;
  readonly #env: GitRemoteOptions['env'];
  readonly #hasNoHistory: boolean;
  /** The commit that was read or pushed last. */
  #lastSnapshot: Snapshot = missingRef;
  /** The folder that was read or made last. A tree never changes, so it is not read twice. */
  #lastFolder: { id: string; files: TreeEntries } | undefined;
  /** The document that was read last. A blob never changes, so it is not read twice. */
  #lastBlob: { id: string; text: string } | undefined;
  /** The tips of the siblings, by ref, from the last `readSnapshot`; undefined after they were taken. */
  #siblingTips: ReadonlyMap<string, string> | undefined;
  /** The tips of the siblings from the last `readSnapshot`, also after they were taken. */
  #lastSiblings: ReadonlyMap<string, string> | undefined;

  /**
   * Takes over the data for reaching the git ref in which a ledger is stored as commits. Opens nothing yet: `open` opens the repository at
   * the first git command. `name`: the name of the remote, such as `origin`. `hasNoHistory`: true if each commit replaces the one before
   * instead of following it, as for the ownership index.
   */
  constructor({ open, name, ref, env, hasNoHistory }: GitRemoteOptions) {
    this.#open = open;
    this.#name = name;
    this.#ref = ref;
    this.#env = env;
    this.#hasNoHistory = hasNoHistory === true;
  }

  readonly #git: Git = async (...call) => (await this.#open()).git(...call);

  /**
   * Reads the commit that the ref points to now, and the names of its files; fetches it if the checkout lacks it.
   * Called before each read of a document, so that a run sees the writes of others. Rejects if the remote does not
   * answer, or if the ref changes at each attempt to fetch.
   * @param file a file that the caller will load next. It is read by the same git process
   */
  async readSnapshot(file?: string): Promise<Snapshot> {
    for (let attempt = 1; ; attempt++) {
      const tip = await this.#readTip();
      if (tip === undefined) return missingRef;
      const localFiles = await this.#filesOf(tip, file);
      if (localFiles) return { tip, files: localFiles };
      // Another git process in this checkout may hold a lock for a moment. Then the fetch is tried again.
      const failure = await fetchRefs(await this.#open(), this.#name, [this.#ref]).then(
        () => undefined,
        (error: GitError) => error,
      );
      const fetchedFiles = await this.#filesOf(tip, file);
      if (fetchedFiles) return { tip, files: fetchedFiles };
      const isLocked = failure !== undefined && /\.lock/.test(failure.message);
      if (failure && (!isLocked || attempt > maxRepeatsIfLocked)) throw failure;
      if (attempt > maxRepeats)
        throw new GitError('failed', `${this.#ref} changes faster than it can be read`);
    }
  }

  /**
   * Returns the current commit of each sibling ref (refs in the same folder, with the ledgers of other stacks), by
   * ref. `readSnapshot` lists them anyway, so the first call after it sends no request. This list is used only once:
   * each further call asks the remote again, because other stacks may have written meanwhile.
   */
  async takeSiblingTips(): Promise<ReadonlyMap<string, string>> {
    if (!this.#siblingTips) await this.#readTip();
    const tips = this.#siblingTips!;
    this.#siblingTips = undefined;
    return tips;
  }

  /** True if the last answer of the remote did not contain this sibling. False before the first answer. */
  isKnownMissing = (ref: string): boolean => this.#lastSiblings !== undefined && !this.#lastSiblings.has(ref);

  /**
   * Asks the remote for the tip (the current commit) of the ref; undefined if the ref does not exist. The same
   * answer contains the tips of the siblings, which are the refs with the ledgers of other stacks. They are kept
   * for `takeSiblingTips`, which saves a request, and for `isKnownMissing`.
   */
  async #readTip(): Promise<string | undefined> {
    requireRemote(await this.#open(), this.#name, this.#ref);
    const folder = this.#ref.replace(/[^/]*$/, '');
    const listed = await this.#git(['ls-remote', this.#name, `${folder}*`]);
    const lines = listed.split('\n').map((line) => line.split('\t') as [tip: string, ref?: string]);
    // git's pattern also matches refs that only end like this one.
    const tips = new Map(lines.flatMap(([tip, ref]) => (ref?.startsWith(folder) ? [[ref, tip]] : [])));
    const tip = tips.get(this.#ref);
    tips.delete(this.#ref);
    this.#siblingTips = tips;
    this.#lastSiblings = tips;
    return tip;
  }

  /**
   * Returns the files in the commit `tip` by name; undefined if the commit, or `file` in it, was not fetched into this checkout yet.
   * Remembers the last commit, because a commit never changes. `file`: a file of the commit that the caller will
   * load next. It is read here too, so that `load` does not start another git process.
   */
  async #filesOf(tip: string, file?: string): Promise<TreeEntries | undefined> {
    if (this.#lastSnapshot.tip === tip) return this.#lastSnapshot.files;
    const tree = `${tip}^{tree}`;
    const names = [tree, ...(file === undefined ? [] : [`${tip}:${file}`])];
    const objects = await readObjects(names, this.#git).catch((error: GitError) => {
      if (error.reason === 'failed') return undefined;
      throw error;
    });
    const treeObject = objects?.get(tree);
    if (!treeObject) return undefined;
    const blob = objects!.get(`${tip}:${file}`);
    const files = parseTree(treeObject.content, (await this.#open()).objectFormat);
    // The file may be missing after a fetch that was killed. `readSnapshot` then fetches again, and copes with a ref that moves meanwhile.
    if (file !== undefined && files.has(file) && !blob) return undefined;
    if (blob) this.#lastBlob = { id: blob.id, text: blob.content.toString('utf8') };
    this.#lastSnapshot = { tip, files };
    return files;
  }

  /** Creates the blob of a text. `commit` stores it. */
  createBlob = async (text: string): Promise<NewObject> =>
    createBlob(text, (await this.#open()).objectFormat);

  /**
   * Returns the contents of git objects of the ref, by id. Fetches the ref if the checkout lacks one: a fetch by another process, which may
   * have been killed, stores a commit before its files. Rejects with a `GitError`.
   */
  async #readContents(type: 'blob' | 'tree', ids: string[]): Promise<Map<string, Buffer>> {
    const repository = await this.#open();
    try {
      return await readObjectContents(type, ids, repository.git);
    } catch (error) {
      if (!(error instanceof GitError) || error.reason !== 'failed') throw error;
      await fetchRefs(repository, this.#name, [this.#ref]);
      return readObjectContents(type, ids, repository.git);
    }
  }

  /** Returns the text of a blob in a commit of the ref. */
  async load(id: string): Promise<string> {
    if (this.#lastBlob?.id !== id) this.#lastBlob = { id, text: (await this.loadAll([id])).get(id)! };
    return this.#lastBlob.text;
  }

  /** Returns the texts of several blobs by id, with one git process. */
  async loadAll(ids: string[]): Promise<Map<string, string>> {
    const contents = await this.#readContents('blob', [...new Set(ids)]);
    return new Map([...contents].map(([id, bytes]) => [id, bytes.toString('utf8')]));
  }

  /**
   * Stores a commit on top of a snapshot (a commit and its files) in this checkout, and returns it as the new
   * snapshot. Others see it only after `push`.
   * @param edits the new content (blob) of each changed file, undefined to remove it. A file in a folder is
   * `folder/file`; there is one level
   */
  async commit(
    base: Snapshot,
    edits: ReadonlyMap<string, NewObject | undefined>,
    message: string,
  ): Promise<Snapshot> {
    const { git, objectFormat } = await this.#open();
    const files = new Map(base.files);
    const folderTrees: NewObject[] = [];
    const editsByFolder = groupBy(edits, ([path]) => path.slice(0, Math.max(0, path.lastIndexOf('/'))));
    for (const [folder, folderEdits] of editsByFolder) {
      const namedEdits = folderEdits.map(
        ([path, blob]) => [path.slice(path.lastIndexOf('/') + 1), blob] as const,
      );
      if (folder === '') applyEdits(files, namedEdits);
      else {
        const folderTree = await this.#createFolderTree(base, folder, namedEdits);
        if (folderTree) {
          folderTrees.push(folderTree);
          files.set(folder, { mode: folderMode, id: folderTree.id });
        } else files.delete(folder);
      }
    }
    const blobs = [...edits.values()].filter((blob) => blob !== undefined);
    const tree = createTree(files, objectFormat);
    const parent = this.#hasNoHistory ? undefined : base.tip;
    const commit = createCommit({ tree: tree.id, parent, message, env: this.#env }, objectFormat);
    await storeObjects([...blobs, ...folderTrees, tree, commit], objectFormat, git);
    return { tip: commit.id, files };
  }

  /**
   * Creates the tree of a folder with edited files; undefined if no file remains, because git has no empty folders. `commit` stores it.
   * Remembers the files, so that `filesIn` does not read the new folder again.
   */
  async #createFolderTree(
    base: Snapshot,
    folder: string,
    edits: Iterable<readonly [name: string, blob: NewObject | undefined]>,
  ): Promise<NewObject | undefined> {
    const files = new Map(await this.filesIn(base, folder));
    applyEdits(files, edits);
    if (files.size === 0) return undefined;
    const tree = createTree(files, (await this.#open()).objectFormat);
    this.#lastFolder = { id: tree.id, files };
    return tree;
  }

  /**
   * Returns the files in a folder of a commit, by name; none if there is no such folder. Used for the history
   * records of a ledger in git. Remembers the last folder, because the content behind an id never changes.
   */
  async filesIn({ files }: Snapshot, folder: string): Promise<TreeEntries> {
    const entry = files.get(folder);
    if (entry?.mode !== folderMode) return new Map();
    if (this.#lastFolder?.id === entry.id) return this.#lastFolder.files;
    const { objectFormat } = await this.#open();
    const contents = await this.#readContents('tree', [entry.id]);
    this.#lastFolder = { id: entry.id, files: parseTree(contents.get(entry.id)!, objectFormat) };
    return this.#lastFolder.files;
  }

  /**
   * Pushes a commit with a changed ledger to the ref (`--force-with-lease`). Rejects if the ref does not point to
   * the commit `from` any more or, if `from` is undefined, if the ref exists. So two runs never overwrite each
   * other's write.
   */
  async push(snapshot: Snapshot, from: string | undefined): Promise<void> {
    await this.#git([
      'push',
      '--quiet',
      '--no-verify',
      '--no-signed',
      '--no-follow-tags',
      '--recurse-submodules=no',
      `--force-with-lease=${this.#ref}:${from ?? ''}`,
      this.#name,
      `${snapshot.tip}:${this.#ref}`,
    ]);
    this.#lastSnapshot = snapshot;
  }
}

/**
 * Changes `files`, the content of one folder in the next commit of a ledger: sets the new content (`blob`, git's
 * name for a file's content) of each edited file, or removes the file if its blob is undefined.
 */
function applyEdits(
  files: Map<string, TreeEntry>,
  edits: Iterable<readonly [name: string, blob: NewObject | undefined]>,
): void {
  for (const [name, blob] of edits)
    if (blob === undefined) files.delete(name);
    else files.set(name, { mode: fileMode, id: blob.id });
}

/**
 * Throws `Problems` with the existing remotes if the repository has no remote of this name. Called before git is asked
 * for the remote, because git would take the name for a path, and a branch could put a repository there.
 */
function requireRemote({ remotes }: Repository, name: string, ref: string): void {
  if (remotes.includes(name)) return;
  const existing = remotes.length > 0 ? `; there is ${remotes.join(', ')}` : '';
  raise(
    'ledger/git-remote',
    `the ledger ${ref} cannot be stored: this repository has no remote ${name}${existing}`,
    {
      hint: 'name another remote with `--ledger git:REMOTE`, or add one with `git remote add`',
    },
  );
}
