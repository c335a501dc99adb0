import { statSync } from 'node:fs';
import path from 'node:path';
import { workTreeOf } from '../git/work-tree.ts';
import { findDefaultPaths } from './find-files.ts';

export const workspaceFileName = 'trueup.workspace.yaml';

/**
 * Returns the folder with the workspace file, which lists all stacks of a repository: `cwd` or the nearest
 * folder above it in the same repository. Undefined if there is none. `plan --all` plans these stacks, and
 * the plan of one stack looks up the others.
 */
export function findWorkspaceFolder(cwd: string): string | undefined {
  const top = workTreeOf(cwd) ?? cwd;
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    if (isFile(path.join(folder, workspaceFileName))) return folder;
    if (folder === top || folder === path.dirname(folder)) return undefined;
  }
}

/**
 * Returns the configuration that is read by default in the folder `name`: a file such as `trueup.yaml`, or
 * the folder `trueup`. Undefined if there is none. Used to find the stacks of a repository. With more than
 * one, returns the first, because reading the stack reports that. `name` and the result are relative to
 * `folder`.
 */
export function findDefaultConfiguration(folder: string, name: string): string | undefined {
  const [defaultPath] = findDefaultPaths(path.join(folder, name));
  return defaultPath === undefined ? undefined : path.posix.join(name, defaultPath);
}

/**
 * True if there is a file at this path. False for folders, and if that cannot be determined. Used to find the
 * workspace file of a repository.
 */
export function isFile(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false;
  }
}
