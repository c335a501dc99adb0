import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { openRepository } from './repository.ts';
import { workTreeOf } from './work-tree.ts';

/** So many names go to git at once: a command line has its limits. */
const mostPathsPerCommand = 200;

/** Asks for changed, unknown and ignored files at once. It writes no index. */
const status = [
  ...[
    '--literal-pathspecs',
    '--no-optional-locks',
    'status',
    '--porcelain=v2',
    '--branch',
    '-z',
    '--no-renames',
  ],
  // A git of its own would look into a submodule, with the settings there.
  ...['--untracked-files=all', '--ignored=matching', '--no-ahead-behind', '--ignore-submodules=dirty'],
];

/** True for a path itself, and for what lies below one that is written as a folder: `data/`. */
const isAt = (name: string, path: string) => name === path || (path.endsWith('/') && name.startsWith(path));

/**
 * The commit that the work tree around a folder stands on. `dirty`: one of the files is not there as the commit has it, or one of the folders
 * has lost or gained something. Line endings are converted as git's attributes and settings say. No filter runs: a file that goes through one
 * is clean while git's index knows it unchanged by its size and time, and dirty once it was written again. Undefined where there is no
 * commit, or no git.
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
    const inTree = async (one: string) =>
      path
        .relative(top, await realpath(one).catch(() => one))
        .split(path.sep)
        .join('/') || '.';
    const names = await Promise.all(files.map(inTree));
    const places = await Promise.all(folders.map(inTree));
    const isOutside = (name: string) => name.startsWith('..') || path.isAbsolute(name);
    const all = [...names, ...places].filter((name) => !isOutside(name));
    let id: string | undefined;
    let dirty = all.length < names.length + places.length;
    for (let index = 0; index === 0 || index < all.length; index += mostPathsPerCommand) {
      const said = await git([...status, '--', ...all.slice(index, index + mostPathsPerCommand)]);
      for (const line of said.split('\0')) {
        if (line.startsWith('# branch.oid ')) id = line.slice('# branch.oid '.length);
        // Without a path git tells of the whole tree.
        else if (/^[12u] /.test(line)) dirty ||= all.length > 0;
        else if (/^[?!] /.test(line)) dirty ||= names.some((name) => isAt(name, line.slice(2)));
      }
    }
    return id === undefined || id === '(initial)' ? undefined : { id, dirty };
  } catch {
    // It is told as not known: the run itself does not depend on it.
    return undefined;
  }
}
