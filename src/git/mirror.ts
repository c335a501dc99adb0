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
  // Git's list of work trees is from an earlier process. Git itself never removes entries of unfinished checkouts.
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

  let lastFetchAt = Number.NEGATIVE_INFINITY;
  let previousWork: Promise<unknown> = Promise.resolve();
  /** Runs one piece of work after the other. */
  const enqueue = <T>(work: () => Promise<T>): Promise<T> => {
    const result = previousWork.then(work);
    previousWork = result.catch(() => {});
    return result;
  };
  const flags = ['--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'];
  const fetchBranches = async () => {
    if (now() - lastFetchAt < fetchValidity) return;
    await git(['fetch', ...flags, '--prune', 'origin']);
    lastFetchAt = now();
  };
  const hasCommit = (commit: string) => doesSucceed(git(['cat-file', '-e', `${commit}^{commit}`]));
  const fetchCommit = async (commit: string) => {
    if (await hasCommit(commit)) return;
    lastFetchAt = Number.NEGATIVE_INFINITY;
    await fetchBranches();
    // The commit of a pull request, or of a deleted branch, is on no branch.
    if (!(await hasCommit(commit))) await git(['fetch', ...flags, '--refmap=', 'origin', commit]);
  };
  /** Clean checkouts that were given back. */
  let idleCheckouts: { commit: string; folder: string }[] = [];
  const addCheckout = (commit: string) =>
    enqueue(async () => {
      await fetchCommit(commit);
      // Always a new folder: in an old one, the git of a worker that was killed may still be writing.
      const folder = await mkdtemp(path.join(await realpath(checkouts), `${path.basename(mirrorFolder)}-`));
      // This command could run filters. One may have been installed since the worker started, so the names are asked for again.
      const checkoutGit = inMirror(await openGit(mirrorFolder, env, fetchTimeout));
      await checkoutGit(['worktree', 'add', '--quiet', '--detach', '--force', '--', folder, commit]);
      return { commit, folder };
    });
  const removeCheckout = (folder: string) =>
    enqueue(async () => {
      await rm(folder, { recursive: true, force: true });
      await git(['worktree', 'prune']);
    });
  const refOf = (branch: string) => `refs/remotes/origin/${branch}`;

  return {
    fetchHead: (branch) =>
      enqueue(async () => {
        lastFetchAt = Number.NEGATIVE_INFINITY;
        await fetchBranches();
        return readCommitId(git, refOf(branch));
      }),
    isOnBranch: (commit, branch) =>
      enqueue(async () => {
        await fetchBranches();
        await fetchCommit(commit).catch(() => {});
        if (!(await hasCommit(commit))) return false;
        try {
          await git(['merge-base', '--is-ancestor', commit, refOf(branch)]);
          return true;
        } catch (error) {
          // The answer "no" is exit code 1 without a message.
          if (error instanceof GitError && /exit code 1$/.test(error.message)) return false;
          throw error;
        }
      }),
    checkOut: async (commit) => {
      const index = idleCheckouts.findIndex((checkout) => checkout.commit === commit);
      const { folder } = index >= 0 ? idleCheckouts.splice(index, 1)[0]! : await addCheckout(commit);
      return {
        folder,
        giveBack: async () => {
          // Jobs go on to newer commits, so checkouts of other commits are no longer needed.
          const outdated = idleCheckouts.filter((checkout) => checkout.commit !== commit);
          if (outdated.length > 0)
            idleCheckouts = idleCheckouts.filter((checkout) => checkout.commit === commit);
          for (const checkout of outdated) await removeCheckout(checkout.folder);
          if (await isClean(folder, env)) idleCheckouts.push({ commit, folder });
          else await removeCheckout(folder);
        },
      };
    },
  };
}

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
