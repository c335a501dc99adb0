import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Git, GitError } from './git.ts';
import { doesSucceed, openGit, readCommitId } from './repository.ts';

/** A bare copy of a repository. The worker of a fleet checks out the commits of its jobs from it, because clones would take too long. */
export interface Mirror {
  /** Fetches, and returns the newest commit of a branch. */
  fetchHead(branch: string): Promise<string>;
  /** True if a commit is in the history of a branch. */
  isOnBranch(commit: string, branch: string): Promise<boolean>;
  /** Checks out a commit into a clean folder that nothing else uses until it is given back. */
  checkOut(commit: string): Promise<Checkout>;
}

/** A commit in a folder that only its caller uses. */
interface Checkout {
  folder: string;
  /** Ends the use of the folder. It is used again for the same commit if it is still clean, else removed. */
  giveBack(): Promise<void>;
}

interface MirrorOptions {
  /** The folder of the checkouts. */
  checkouts: string;
  /** The folder of the copy. Created if it does not exist. */
  folder: string;
  /** The URL that git fetches from. */
  url: string;
  env: Record<string, string | undefined>;
  now(): number;
}

/** The time limit for one git command, in milliseconds. The first fetch transfers everything, and a repository may be large. */
const fetchTimeout = 30 * 60_000;
/** The time in milliseconds for which fetched branches count as current. */
const fetchValidity = 30_000;
/** The flags of each fetch. It leaves no tags and no `FETCH_HEAD` behind. */
const fetchFlags = ['--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'];

/**
 * Opens the mirror of a repository for the workers of a fleet: a bare copy, from which a checkout of any commit is
 * made quickly. Creates the mirror at the first call. No hook runs. Git commands run one after the other, because
 * concurrent fetches, and concurrent changes of the list of work trees, fail. Rejects with a `GitError`. `now`: the
 * time in milliseconds.
 */
export async function openMirror({ folder, checkouts, url, env, now }: MirrorOptions): Promise<Mirror> {
  await mkdir(folder, { recursive: true });
  const mirrorFolder = await realpath(folder);
  const gitInFolder = await openGit(mirrorFolder, env, fetchTimeout);
  // Git's list of work trees is from an earlier process. If that was killed, its git may still write there. Git itself never removes
  // entries of unfinished checkouts.
  await removeInUse(path.join(mirrorFolder, 'worktrees'));
  if (!existsSync(path.join(mirrorFolder, 'HEAD')))
    await gitInFolder(['init', '--quiet', '--template=', '--bare', mirrorFolder]);
  const inMirror =
    (run: Git): Git =>
    (args, ...input) =>
      run([`--git-dir=${mirrorFolder}`, ...args], ...input);
  const git = inMirror(gitInFolder);
  await git(['config', 'remote.origin.url', url]);
  await git(['config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*']);
  return new GitMirror({
    git,
    // Opened again for each checkout: it could run filters, and one may have been installed since the worker started.
    openGitForCheckout: async () => inMirror(await openGit(mirrorFolder, env, fetchTimeout)),
    addFolder: async () => mkdtemp(path.join(await realpath(checkouts), `${path.basename(mirrorFolder)}-`)),
    env,
    now,
  });
}

interface GitMirrorOptions extends Pick<MirrorOptions, 'env' | 'now'> {
  /** Runs git in the mirror. */
  git: Git;
  /** Returns git for a command that writes files. */
  openGitForCheckout(): Promise<Git>;
  /** Creates an empty folder for a checkout, and returns its path. */
  addFolder(): Promise<string>;
}

/** The mirror of a repository. Its git commands run one after the other. */
class GitMirror implements Mirror {
  readonly #options: GitMirrorOptions;
  /** When the branches were last fetched, in milliseconds. */
  #lastFetchAt = Number.NEGATIVE_INFINITY;
  #previousWork: Promise<unknown> = Promise.resolve();
  /** The commits that are known to be in the mirror. Forgotten after a failure. */
  readonly #presentCommits = new Set<string>();
  /** Clean checkouts that were given back. */
  #idleCheckouts: { commit: string; folder: string }[] = [];

  constructor(options: GitMirrorOptions) {
    this.#options = options;
  }

  /**
   * Fetches all branches of the repository, and returns the newest commit of one, for which a fleet worker enqueues
   * a round of jobs. Rejects with a `GitError` if there is no such branch.
   */
  fetchHead(branch: string): Promise<string> {
    return this.#enqueue(async () => {
      // So that branches are fetched even if that was done a moment ago.
      this.#lastFetchAt = Number.NEGATIVE_INFINITY;
      await this.#fetchBranches();
      return readCommitId(this.#options.git, remoteRefOf(branch));
    });
  }

  /**
   * True if a commit is in the history of a branch, so that a fleet worker may apply it. A commit that does not
   * exist is not.
   */
  isOnBranch(commit: string, branch: string): Promise<boolean> {
    const { git } = this.#options;
    return this.#enqueue(async () => {
      await this.#fetchBranches();
      await this.#fetchCommit(commit).catch(() => {});
      if (!(await this.#hasCommit(commit))) return false;
      try {
        await git(['merge-base', '--is-ancestor', commit, remoteRefOf(branch)]);
        return true;
      } catch (error) {
        // The answer "no" is exit code 1 without a message.
        if (error instanceof GitError && /exit code 1$/.test(error.message)) return false;
        throw error;
      }
    });
  }

  /**
   * Returns a clean checkout of a commit for a job of a fleet worker: one that an earlier job left unchanged, or a
   * new one. The caller gives it back after its job.
   */
  async checkOut(commit: string): Promise<Checkout> {
    const index = this.#idleCheckouts.findIndex((checkout) => checkout.commit === commit);
    const folder =
      index >= 0 ? this.#idleCheckouts.splice(index, 1)[0]!.folder : await this.#addCheckout(commit);
    return { folder, giveBack: () => this.#giveBack(commit, folder) };
  }

  /**
   * Keeps a checkout for the next job at the same commit if the job left it clean, else removes it. Jobs go on to
   * newer commits, so kept checkouts of other commits are removed, too.
   */
  async #giveBack(commit: string, folder: string): Promise<void> {
    const outdated = this.#idleCheckouts.filter((checkout) => checkout.commit !== commit);
    if (outdated.length > 0)
      this.#idleCheckouts = this.#idleCheckouts.filter((checkout) => checkout.commit === commit);
    for (const checkout of outdated) await this.#removeCheckout(checkout.folder);
    if (await isClean(folder, this.#options.env)) this.#idleCheckouts.push({ commit, folder });
    else await this.#removeCheckout(folder);
  }

  /**
   * Checks out a commit into a new folder, and returns the folder, for a job of a fleet worker. The folder is always new, because the git
   * of a killed worker could still write into one that was used before.
   */
  #addCheckout(commit: string): Promise<string> {
    const { addFolder, openGitForCheckout } = this.#options;
    return this.#enqueue(async () => {
      await this.#fetchCommit(commit);
      const folder = await addFolder();
      const git = await openGitForCheckout();
      await git(['worktree', 'add', '--quiet', '--detach', '--force', '--', folder, commit]);
      return folder;
    });
  }

  /** Removes a checkout of a fleet worker that no job needs any more, and its entry in git's list of work trees. */
  #removeCheckout(folder: string): Promise<void> {
    return this.#enqueue(async () => {
      await rm(folder, { recursive: true, force: true });
      await this.#options.git(['worktree', 'prune']);
    });
  }

  /**
   * Fetches a commit for a checkout, unless the mirror (a fleet worker's copy of a repository) has it. The commit of a pull request, or of
   * a deleted branch, is on no branch, and is fetched by its id.
   */
  async #fetchCommit(commit: string): Promise<void> {
    if (await this.#hasCommit(commit)) return;
    // So that branches are fetched even if that was done a moment ago.
    this.#lastFetchAt = Number.NEGATIVE_INFINITY;
    await this.#fetchBranches();
    if (!(await this.#hasCommit(commit)))
      await this.#options.git(['fetch', ...fetchFlags, '--refmap=', 'origin', commit]);
  }

  /** Fetches all branches of the repository into the mirror (a fleet worker's copy of it), unless that was done a moment ago. */
  async #fetchBranches(): Promise<void> {
    const { git, now } = this.#options;
    if (now() - this.#lastFetchAt < fetchValidity) return;
    await git(['fetch', ...fetchFlags, '--prune', 'origin']);
    this.#lastFetchAt = now();
  }

  /**
   * True if the mirror (a fleet worker's copy of a repository) has a commit. Git is asked until it has, because each job asks several times
   * and no command here removes objects.
   */
  async #hasCommit(commit: string): Promise<boolean> {
    if (this.#presentCommits.has(commit)) return true;
    const isPresent = await doesSucceed(this.#options.git(['cat-file', '-e', `${commit}^{commit}`]));
    if (isPresent) this.#presentCommits.add(commit);
    return isPresent;
  }

  /**
   * Runs one piece of work after the other, and returns its result. Concurrent fetches, and concurrent changes of
   * git's list of work trees, fail.
   */
  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#previousWork.then(work);
    // It may have failed because somebody has pruned the mirror. So the commits that were found in it are looked up again.
    this.#previousWork = result.catch(() => this.#presentCommits.clear());
    return result;
  }
}

/** Returns the ref in which the mirror has a branch of the repository. */
const remoteRefOf = (branch: string): string => `refs/remotes/origin/${branch}`;

/** Removes a folder although the git of a worker that was killed may still be writing there. */
export const removeInUse = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });

/**
 * True if a checkout is as git created it: no file was changed, and there is no new file, not even an ignored one.
 * A fleet worker uses a checkout again for the next job only if it is clean, so that no job sees files of another.
 */
async function isClean(folder: string, env: MirrorOptions['env']): Promise<boolean> {
  const git = await openGit(folder, env);
  const output = await git([
    'status',
    '--porcelain',
    '--ignored',
    '--untracked-files=all',
    '--ignore-submodules=dirty',
  ]).catch(() => 'unknown');
  return output === '';
}
