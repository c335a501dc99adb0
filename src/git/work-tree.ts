import { existsSync, readlinkSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/**
 * Returns the top folder of the work tree around a folder (an absolute path): the nearest one, itself included, with a
 * `.git` that is a repository, or a file as in linked work trees and submodules. Undefined if there is none. Runs no
 * git, because a bare repository that a branch brings along must not be mistaken for the repository.
 */
export function workTreeOf(folder: string): string | undefined {
  for (let parent = folder; ; parent = dirname(parent)) {
    const dotGit = join(parent, '.git');
    // A folder has to be a repository. Most folders have no `.git`, so that is asked first.
    if (existsSync(dotGit) && (!existsSync(dotGit + sep) || existsSync(join(dotGit, 'HEAD')))) return parent;
    if (dirname(parent) === parent) return undefined;
  }
}

/** Returns the target of a symbolic link; undefined for anything else, also if nothing is there. */
export function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
