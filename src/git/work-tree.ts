import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/**
 * The work tree that a folder (an absolute path) lies in: the nearest folder, from this one upwards, with a `.git` that is a repository,
 * or the file in place of it that a linked worktree and a submodule have. A bare repository on the way is no work tree.
 */
export function workTreeOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const place = join(at, '.git');
    const isFile = existsSync(place) && !existsSync(place + sep);
    if (isFile || existsSync(join(place, 'HEAD'))) return at;
    if (dirname(at) === at) return undefined;
  }
}
