import { realpath } from 'node:fs/promises';
import { pathFrom } from '../paths.ts';
import { configurationEndings } from './extract-files.ts';
import { openRepository } from './repository.ts';
import { workTreeOf } from './work-tree.ts';

type GitEnv = Record<string, string | undefined>;

/** A commit on the main line of a branch. The main line follows only the first parents. A merge commit there stands for the branch that it merged. */
export interface MainlineCommit {
  id: string;
  /** The first parent. Absent for a root commit. */
  parent?: string;
  isMerge: boolean;
  /** The number of newer commits on the main line. */
  distance: number;
  /** True if a file that can belong to a configuration differs from the first parent. */
  changesFiles: boolean;
}

/**
 * Returns the first of these commits that is not in the history of HEAD. Used by an undo: the clone is then too shallow, or a rebase replaced
 * the commit.
 */
export async function findMissingCommit(
  ids: string[],
  cwd: string,
  env: GitEnv,
): Promise<string | undefined> {
  for (const id of ids) if (!(await isAncestor(id, 'HEAD', cwd, env))) return id;
  return undefined;
}

/** True if a commit is the same as its descendant or is in its history. */
export async function isAncestor(
  commit: string,
  descendant: string,
  cwd: string,
  env: GitEnv,
): Promise<boolean> {
  const { git } = await openRepository(cwd, env);
  return git(['merge-base', '--is-ancestor', commit, descendant]).then(
    () => true,
    () => false,
  );
}

/**
 * Returns a commit and those of its descendants that are in the history of HEAD. Empty if HEAD does not contain the commit. Used to find the
 * runs that applied a commit.
 */
export async function listCommitsSince(id: string, cwd: string, env: GitEnv): Promise<Set<string>> {
  if (!(await isAncestor(id, 'HEAD', cwd, env))) return new Set();
  const { git } = await openRepository(cwd, env);
  return new Set([id, ...outputLines(await git(['rev-list', '--ancestry-path', `${id}..HEAD`]))]);
}

/** Returns the full id of a commit that a user named by a branch, tag or short id; undefined if there is none. */
export async function resolveCommit(name: string, cwd: string, env: GitEnv): Promise<string | undefined> {
  const { git } = await openRepository(cwd, env);
  const resolved = git(['rev-parse', '--verify', '--end-of-options', `${name}^{commit}`]);
  return resolved.then(
    (text) => text.trim(),
    () => undefined,
  );
}

/**
 * Lists the commits on the main line from `to` back to `from`, newest first, without `from` and its history. Without `from` the list ends
 * with the root commit. Used by an undo to find the commit before a change. Rejects with a `GitError`.
 * @returns `cutAt`: the parent of the last commit, if the clone is too shallow to contain it
 */
export async function listFirstParents(
  from: string | undefined,
  to: string,
  cwd: string,
  env: GitEnv,
): Promise<{ commits: MainlineCommit[]; cutAt?: string }> {
  const { git, isShallow } = await openRepository(cwd, env);
  const range = [to, ...(from === undefined ? [] : [`^${from}`])];
  const listed = outputLines(await git(['rev-list', '--first-parent', '--parents', ...range]));
  const patterns = configurationEndings.map((ending) => `:(top,icase)*.${ending}`);
  const changingIds = new Set(
    outputLines(await git(['rev-list', '--first-parent', ...range, '--', ...patterns])),
  );
  const commits = listed.map((line, distance): MainlineCommit => {
    const [id, parent, ...otherParents] = line.split(' ') as [string, ...string[]];
    return {
      id,
      ...(parent === undefined ? {} : { parent }),
      isMerge: otherParents.length > 0,
      distance,
      changesFiles: changingIds.has(id),
    };
  });
  const last = commits.at(-1);
  if (from !== undefined || !isShallow || !last) return { commits };
  const [, cutAt] = /^parent ([0-9a-f]+)$/m.exec(await git(['cat-file', 'commit', last.id])) ?? [];
  return cutAt === undefined ? { commits } : { commits, cutAt };
}

/**
 * True if one of these commits differs from its first parent in a folder (an absolute path). Used by an undo: if the folder of the
 * ledger is among the changes, a plain `git revert` would take back the ledger, too.
 */
export async function someChangeFolder(
  commits: readonly Pick<MainlineCommit, 'id' | 'parent'>[],
  folder: string,
  cwd: string,
  env: GitEnv,
): Promise<boolean> {
  const { git } = await openRepository(cwd, env);
  const top = workTreeOf(await realpath(cwd))!;
  const folderInTree = pathFrom(top, await realpath(folder)) || '.';
  const diff = ['--literal-pathspecs', 'diff', '--name-only', '--no-ext-diff', '--no-textconv'];
  for (const { id, parent } of commits)
    if (parent !== undefined && (await git([...diff, parent, id, '--', folderInTree])).trim() !== '')
      return true;
  return false;
}

const outputLines = (text: string): string[] => text.split('\n').filter((line) => line !== '');
