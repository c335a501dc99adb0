import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../paths.ts';

/** Where programs are looked for. */
interface FindOptions {
  env: Record<string, string | undefined>;
  /** Folders, by their real paths, whose programs are ignored, because a branch can put any file there. */
  outside: string[];
}

const isWindows = path.sep === '\\';
// On Windows, other files cannot be started without a shell.
const endings = isWindows ? ['.exe', '.com', ''] : [''];

/**
 * Finds a program that a configuration or an option names, by its name on the PATH or by its absolute path. Ignores
 * relative folders of the PATH, and programs in one of the folders `outside` or with a link into one, so that a
 * checkout cannot supply the program. Returns undefined if there is no other.
 * @returns `path`: as found. `real`: without links
 */
export async function findProgram(
  name: string,
  { env, outside }: FindOptions,
): Promise<{ path: string; real: string } | undefined> {
  const isPath = /[/\\]/.test(name);
  if (name === '' || (isPath && !path.isAbsolute(name))) return undefined;
  const key = Object.keys(env).find((name) => (isWindows ? name.toUpperCase() : name) === 'PATH');
  const folders = isPath ? [''] : ((key && env[key]) || '').split(path.delimiter).filter(path.isAbsolute);
  for (const folder of folders)
    for (const ending of endings) {
      const candidate = path.join(folder, name + ending);
      const real = await realProgramPath(candidate);
      const isIgnored = (file: string) => outside.some((root) => isInside(file, root));
      if (real !== undefined && !isIgnored(real) && !isIgnored(await realParentOf(candidate)))
        return { path: candidate, real };
    }
  return undefined;
}

/**
 * Returns the path of a program without links; undefined if it is no file that this process may execute. Without
 * links, because a link could lead into the checkout, from which no program is run.
 */
async function realProgramPath(file: string): Promise<string | undefined> {
  try {
    await access(file, constants.X_OK);
    const real = await realpath(file);
    return (await stat(real)).isFile() ? real : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the real path of the folder that contains a program or a link to it. If it is in the checkout, the program is not run, because
 * the owner of that folder decides where a link in it leads.
 */
const realParentOf = (file: string) => realpath(path.dirname(file)).catch(() => file);
