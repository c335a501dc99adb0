import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

interface FindOptions {
  env: Record<string, string | undefined>;
  /** Folders, by their real paths, whose files nobody vouches for: a program in them is passed over. */
  outside: string[];
}

const isWindows = path.sep === '\\';
// Without a shell nothing else can be started there.
const endings = isWindows ? ['.exe', '.com', ''] : [''];

/**
 * The real path of a program: on the PATH by its name, or by its whole path. Folders of the PATH that are not absolute, and what lies
 * in one of the folders `outside` or is a link into it, are passed over; undefined if nothing is left.
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
      const place = path.join(folder, name + ending);
      const real = await programAt(place);
      const isOurs = (one: string) => outside.some((root) => isInside(one, root));
      if (real !== undefined && !isOurs(real) && !isOurs(await realParentOf(place)))
        return { path: place, real };
    }
  return undefined;
}

/** True if a path is the folder or lies in it. Both must be real paths. */
export const isInside = (file: string, folder: string): boolean =>
  file === folder || file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);

async function programAt(place: string): Promise<string | undefined> {
  try {
    await access(place, constants.X_OK);
    const real = await realpath(place);
    return (await stat(real)).isFile() ? real : undefined;
  } catch {
    return undefined;
  }
}

/** A link out of a folder is no better than what it leads to: whoever owns the folder decides. */
const realParentOf = (place: string) => realpath(path.dirname(place)).catch(() => place);
