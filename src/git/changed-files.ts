import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { pathFrom } from '../paths.ts';
import { GitError } from './git.ts';
import { openRepository } from './repository.ts';
import { workTreeOf } from './work-tree.ts';

/** The files that changed since a branch left another one. */
export interface ChangedFiles {
  /** Absolute paths, including those of deleted files. */
  files: ReadonlySet<string>;
  /** Returns the text of a file before the changes; undefined if it did not exist. */
  before(file: string): Promise<string | undefined>;
}

/**
 * Finds the files that changed since the merge base of `ref` and HEAD, so that only the stacks that use them need a plan. Includes uncommitted
 * changes and new files, except ignored ones. Returns undefined if the clone is too shallow to tell. Rejects with a `GitError` if there is no
 * such commit.
 */
export async function findChangedFiles(
  ref: string,
  cwd: string,
  env: Record<string, string | undefined>,
): Promise<ChangedFiles | undefined> {
  const { git, isShallow } = await openRepository(cwd, env);
  const top = workTreeOf(await realpath(cwd))!;
  let base: string;
  try {
    const commit = await git(['rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`]);
    base = (await git(['merge-base', commit.trim(), 'HEAD'])).trim();
  } catch (error) {
    if (isShallow && error instanceof GitError && error.reason === 'failed') return undefined;
    throw error;
  }
  const diff = ['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-textconv'];
  const changed = await git([...diff, '--ignore-submodules=dirty', base, '--']);
  const untracked = await git(['ls-files', '-z', '--others', '--exclude-standard']);
  const names = `${changed}${untracked}`.split('\0').filter((name) => name !== '');
  return {
    files: new Set(names.map((name) => path.join(top, name))),
    before: (file) => {
      const name = pathFrom(top, file);
      return git(['cat-file', 'blob', `${base}:${name}`]).catch(() => undefined);
    },
  };
}
