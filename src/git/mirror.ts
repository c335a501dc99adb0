import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Git, GitError } from './git.ts';
import { openGit } from './repository.ts';

/** A bare copy of a repository, from which commits are checked out into folders of their own. */
export interface Mirror {
  /** The newest commit of a branch. */
  fetchHead(branch: string): Promise<string>;
  /** True if a commit is on a branch. */
  isOnBranch(commit: string, branch: string): Promise<boolean>;
  /** A commit in a clean folder; of `done` it may be given out again, if it is clean still. */
  checkOut(commit: string): Promise<Checkout>;
}

/** A commit in a folder of its own: nobody else works in it until it is given back. */
interface Checkout {
  folder: string;
  giveBack(): Promise<void>;
}

interface MirrorOptions {
  /** The folder of the checkouts. */
  checkouts: string;
  /** The folder of the copy, which is made if it is not there. */
  folder: string;
  /** The URL that git fetches from. */
  url: string;
  env: Record<string, string | undefined>;
  now(): number;
}

/** A repository may be large, and the first fetch has all of it. In milliseconds. */
const fetchTimeout = 30 * 60_000;
/** For so long a branch is as it was fetched last, in milliseconds. */
const fresh = 30_000;

/**
 * Opens the mirror of a repository, which is made at the first call. No hook runs, and git is the machine's. What several ask at once is
 * fetched one after the other. Rejects with a `GitError`.
 */
export async function openMirror({ folder, checkouts, url, env, now }: MirrorOptions): Promise<Mirror> {
  await mkdir(folder, { recursive: true });
  const place = await realpath(folder);
  const plain = await openGit(place, env, fetchTimeout);
  // Of checkouts that are gone; those that were not finished git would keep for ever.
  await removeInUse(path.join(place, 'worktrees'));
  if (!existsSync(path.join(place, 'HEAD'))) await plain(['init', '--quiet', '--template=', '--bare', place]);
  const git: Git = (args, ...more) => plain([`--git-dir=${place}`, ...args], ...more);
  await git(['config', 'remote.origin.url', url]);
  await git(['config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*']);

  let fetched = Number.NEGATIVE_INFINITY;
  let ready: Promise<unknown> = Promise.resolve();
  /** One at a time: two fetches, and two that add work trees, get into each other's way. */
  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const result = ready.then(work);
    ready = result.catch(() => {});
    return result;
  };
  const flags = ['--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'];
  const fetchBranches = async () => {
    if (now() - fetched < fresh) return;
    await git(['fetch', ...flags, '--prune', 'origin']);
    fetched = now();
  };
  const isHere = (commit: string) =>
    git(['cat-file', '-e', `${commit}^{commit}`]).then(
      () => true,
      () => false,
    );
  const bring = async (commit: string) => {
    if (await isHere(commit)) return;
    fetched = Number.NEGATIVE_INFINITY;
    await fetchBranches();
    // Of a pull request, or of a branch that is gone.
    if (!(await isHere(commit))) await git(['fetch', ...flags, '--refmap=', 'origin', commit]);
  };
  let idle: { commit: string; folder: string }[] = [];
  const added = (commit: string) =>
    alone(async () => {
      await bring(commit);
      // Never one of before: if the worker was killed, its git may still be writing there.
      const folder = await mkdtemp(path.join(await realpath(checkouts), `${path.basename(place)}-`));
      await git(['worktree', 'add', '--quiet', '--detach', '--force', '--', folder, commit]);
      return { commit, folder };
    });
  const removed = (folder: string) =>
    alone(async () => {
      await rm(folder, { recursive: true, force: true });
      await git(['worktree', 'prune']);
    });
  const refOf = (branch: string) => `refs/remotes/origin/${branch}`;

  return {
    fetchHead: (branch) =>
      alone(async () => {
        fetched = Number.NEGATIVE_INFINITY;
        await fetchBranches();
        return (await git(['rev-parse', '--verify', '--end-of-options', `${refOf(branch)}^{commit}`])).trim();
      }),
    isOnBranch: (commit, branch) =>
      alone(async () => {
        await fetchBranches();
        await bring(commit).catch(() => {});
        if (!(await isHere(commit))) return false;
        try {
          await git(['merge-base', '--is-ancestor', commit, refOf(branch)]);
          return true;
        } catch (error) {
          // It says nothing where the answer is no.
          if (error instanceof GitError && /exit code 1$/.test(error.message)) return false;
          throw error;
        }
      }),
    checkOut: async (commit) => {
      const index = idle.findIndex((one) => one.commit === commit);
      const { folder } = index >= 0 ? idle.splice(index, 1)[0]! : await added(commit);
      return {
        folder,
        giveBack: async () => {
          // Of another commit none is wanted any more.
          const old = idle.filter((one) => one.commit !== commit);
          if (old.length > 0) idle = idle.filter((one) => one.commit === commit);
          for (const one of old) await removed(one.folder);
          if (await isClean(folder, env)) idle.push({ commit, folder });
          else await removed(folder);
        },
      };
    },
  };
}

/** Removes a folder in which a git may still be writing whose worker was killed. */
export const removeInUse = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });

/** True if a checkout is as git made it: nothing was changed, and nothing lies in it beside that, ignored or not. */
async function isClean(folder: string, env: MirrorOptions['env']): Promise<boolean> {
  const git = await openGit(folder, env);
  const said = await git([
    'status',
    '--porcelain',
    '--ignored',
    '--untracked-files=all',
    '--ignore-submodules=dirty',
  ]).catch(() => 'unknown');
  return said === '';
}
