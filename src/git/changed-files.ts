import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { GitError } from './git.ts';
import { openRepository, workTreeOf } from './repository.ts';

/** The files that differ from where a branch left another one. */
export interface ChangedFiles {
  /** Absolute paths, those of deleted files too. */
  files: ReadonlySet<string>;
  /** The text of a file where the branch began; undefined where it was not there. */
  before(file: string): Promise<string | undefined>;
}

/**
 * The files that changed since the merge base of `ref` and HEAD: committed, or in the work tree, or there and not known to git (but for what it
 * ignores). Undefined where the history is cut off, so that nobody can tell. Rejects with a `GitError` where there is no such commit.
 */
export async function changedSince(
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
  const unknown = await git(['ls-files', '-z', '--others', '--exclude-standard']);
  const names = `${changed}${unknown}`.split('\0').filter((name) => name !== '');
  return {
    files: new Set(names.map((name) => path.join(top, name))),
    before: (file) => {
      const name = path.relative(top, file).split(path.sep).join('/');
      return git(['cat-file', 'blob', `${base}:${name}`]).catch(() => undefined);
    },
  };
}
