import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { openRepository, workTreeOf } from './repository.ts';

/** So many names go to git at once: a command line has its limits. */
const atOnce = 200;

/**
 * The commit that the work tree around a folder stands on. `dirty`: one of the files is not there as the commit has it, or one of the folders
 * has lost or gained something. Undefined where there is no commit, or no git.
 * @param files absolute paths
 * @param folders absolute paths
 */
export async function commitOf(
  folder: string,
  { files, folders }: { files: readonly string[]; folders: readonly string[] },
  env: Record<string, string | undefined>,
): Promise<{ id: string; dirty: boolean } | undefined> {
  const top = workTreeOf(await realpath(folder).catch(() => folder));
  if (top === undefined) return undefined;
  try {
    const { git } = await openRepository(folder, env);
    const id = (await git(['rev-parse', '--verify', 'HEAD^{commit}'])).trim();
    const inTree = async (one: string) =>
      path
        .relative(top, await realpath(one).catch(() => one))
        .split(path.sep)
        .join('/') || '.';
    const names = await Promise.all(files.map(inTree));
    const places = await Promise.all(folders.map(inTree));
    if ([...names, ...places].some((name) => name.startsWith('..') || path.isAbsolute(name)))
      return { id, dirty: true };
    const listed = async (args: string[], all: readonly string[]) => {
      const found: string[] = [];
      for (let at = 0; at < all.length; at += atOnce) {
        const said = await git(['--literal-pathspecs', ...args, '--', ...all.slice(at, at + atOnce)]);
        found.push(...said.split('\0').filter((name) => name !== ''));
      }
      return found;
    };
    const diff = ['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-textconv', 'HEAD'];
    const changed = await listed(diff, [...names, ...places]);
    const tracked = new Set(await listed(['ls-files', '-z'], names));
    return { id, dirty: changed.length > 0 || names.some((name) => !tracked.has(name)) };
  } catch {
    // It is told as not known: the run itself does not depend on it.
    return undefined;
  }
}
