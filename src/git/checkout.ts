import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { pathFrom } from '../paths.ts';
import { GitError } from './git.ts';
import { openRepository, readCommitId } from './repository.ts';
import { workTreeOf } from './work-tree.ts';

/** The number of paths in one git command, because the length of a command line is limited. */
const mostPathsPerCommand = 200;

/** Lists changed, untracked and ignored files with one command that does not write the index. */
const statusCommand = [
  ...[
    '--literal-pathspecs',
    '--no-optional-locks',
    'status',
    '--porcelain=v2',
    '--branch',
    '-z',
    '--no-renames',
  ],
  // For the content of a submodule git would start another git, which obeys the settings of the submodule.
  ...['--untracked-files=all', '--ignored=matching', '--no-ahead-behind', '--ignore-submodules=dirty'],
];

/** True if a file is an entry of git's status, or is inside of one that is a folder, such as `data/`. */
const isInEntry = (file: string, entry: string) =>
  file === entry || (entry.endsWith('/') && file.startsWith(entry));

/**
 * Returns the commit that is checked out around a folder, so that the record of a run can say which configuration was applied. Undefined if
 * there is no commit, or if git is missing or fails: no run depends on it.
 *
 * No filter runs. So a file with a filter is clean if its size and time are as in the index, and dirty once it was written again. Line endings
 * are converted as git's attributes and settings say.
 * @returns `dirty`: true if one of the files differs from the commit, or if a tracked file in one of the folders was changed or removed
 * @param files absolute paths
 * @param folders absolute paths
 */
export async function readCheckoutCommit(
  folder: string,
  { files, folders }: { files: readonly string[]; folders: readonly string[] },
  env: Record<string, string | undefined>,
): Promise<{ id: string; dirty: boolean } | undefined> {
  const top = workTreeOf(await realpath(folder).catch(() => folder));
  if (top === undefined) return undefined;
  try {
    const { git } = await openRepository(folder, env);
    const pathInTree = async (file: string) => pathFrom(top, await realpath(file).catch(() => file)) || '.';
    const filesInTree = await Promise.all(files.map(pathInTree));
    const foldersInTree = await Promise.all(folders.map(pathInTree));
    const isOutside = (name: string) => name.startsWith('..') || path.isAbsolute(name);
    const paths = [...filesInTree, ...foldersInTree].filter((name) => !isOutside(name));
    let id: string | undefined;
    let dirty = paths.length < filesInTree.length + foldersInTree.length;
    for (let index = 0; index === 0 || index < paths.length; index += mostPathsPerCommand) {
      const output = await git([...statusCommand, '--', ...paths.slice(index, index + mostPathsPerCommand)]);
      for (const line of output.split('\0')) {
        if (line.startsWith('# branch.oid ')) id = line.slice('# branch.oid '.length);
        // Without paths git lists the changes of the whole tree, but these do not count.
        else if (/^[12u] /.test(line)) dirty ||= paths.length > 0;
        else if (/^[?!] /.test(line)) dirty ||= filesInTree.some((file) => isInEntry(file, line.slice(2)));
      }
    }
    return id === undefined || id === '(initial)' ? undefined : { id, dirty };
  } catch {
    return undefined;
  }
}

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
    base = (await git(['merge-base', await readCommitId(git, ref), 'HEAD'])).trim();
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
    before: (file) => git(['cat-file', 'blob', `${base}:${pathFrom(top, file)}`]).catch(() => undefined),
  };
}
