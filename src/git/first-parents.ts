import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { configurationEndings } from './read-objects.ts';
import { openRepository } from './repository.ts';
import { workTreeOf } from './work-tree.ts';

type GitEnv = Record<string, string | undefined>;

/** A commit on the line of first parents: a merge stands for the branch that it merged. */
export interface MainlineCommit {
  id: string;
  /** The first parent; absent for a root commit. */
  parent?: string;
  isMerge: boolean;
  /** The number of commits after it, up to the end of the line. */
  distance: number;
  /** True if a file that a configuration can consist of differs from the first parent. */
  changesFiles: boolean;
}

/** Returns the first of these commits that is not in the history of HEAD: it is not here, or was replaced by a rebase. */
export async function findMissingCommit(
  ids: string[],
  cwd: string,
  env: GitEnv,
): Promise<string | undefined> {
  for (const id of ids) if (!(await isAncestor(id, 'HEAD', cwd, env))) return id;
  return undefined;
}

/** True if a commit is the other one, or one of those that it was made from. */
export async function isAncestor(commit: string, of: string, cwd: string, env: GitEnv): Promise<boolean> {
  const { git } = await openRepository(cwd, env);
  return git(['merge-base', '--is-ancestor', commit, of]).then(
    () => true,
    () => false,
  );
}

/** Returns the commits of HEAD's history that contain a commit, itself included; none if HEAD does not contain it. */
export async function listCommitsSince(id: string, cwd: string, env: GitEnv): Promise<Set<string>> {
  if (!(await isAncestor(id, 'HEAD', cwd, env))) return new Set();
  const { git } = await openRepository(cwd, env);
  return new Set([id, ...outputLines(await git(['rev-list', '--ancestry-path', `${id}..HEAD`]))]);
}

/** Returns the full id of a commit; undefined if there is none of that name here. */
export async function resolveCommit(name: string, cwd: string, env: GitEnv): Promise<string | undefined> {
  const { git } = await openRepository(cwd, env);
  const resolving = git(['rev-parse', '--verify', '--end-of-options', `${name}^{commit}`]);
  return resolving.then(
    (text) => text.trim(),
    () => undefined,
  );
}

/**
 * Lists the commits on the line of first parents from `to` down to `from`, newest first, without `from` and its history. Without `from` the
 * list ends with the root commit; `cutAt`: the parent of the last commit, if the clone is too shallow to have it. Rejects with a `GitError`.
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
  const changing = new Set(
    outputLines(await git(['rev-list', '--first-parent', ...range, '--', ...patterns])),
  );
  const commits = listed.map((line, distance): MainlineCommit => {
    const [id, parent, ...others] = line.split(' ') as [string, ...string[]];
    return {
      id,
      ...(parent === undefined ? {} : { parent }),
      isMerge: others.length > 0,
      distance,
      changesFiles: changing.has(id),
    };
  });
  const last = commits.at(-1);
  if (from !== undefined || !isShallow || !last) return { commits };
  const [, cutAt] = /^parent ([0-9a-f]+)$/m.exec(await git(['cat-file', 'commit', last.id])) ?? [];
  return cutAt === undefined ? { commits } : { commits, cutAt };
}

/** True if one of these commits differs from its first parent in a folder (an absolute path). */
export async function someChangeFolder(
  commits: readonly Pick<MainlineCommit, 'id' | 'parent'>[],
  folder: string,
  cwd: string,
  env: GitEnv,
): Promise<boolean> {
  const { git } = await openRepository(cwd, env);
  const top = workTreeOf(await realpath(cwd))!;
  const inside =
    path
      .relative(top, await realpath(folder))
      .split(path.sep)
      .join('/') || '.';
  const diff = ['--literal-pathspecs', 'diff', '--name-only', '--no-ext-diff', '--no-textconv'];
  for (const { id, parent } of commits)
    if (parent !== undefined && (await git([...diff, parent, id, '--', inside])).trim() !== '') return true;
  return false;
}

const outputLines = (text: string): string[] => text.split('\n').filter((line) => line !== '');
