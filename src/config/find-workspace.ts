import { stat } from 'node:fs/promises';
import path from 'node:path';
import { workTreeOf } from '../git/work-tree.ts';

export const workspaceFileName = 'trueup.workspace.yaml';

/**
 * Returns the folder with the workspace file, which lists all stacks of a repository: `cwd` or the nearest folder above it in the same
 * repository. Undefined if there is none. Used by `plan --all`, and to find the other stacks of one stack.
 */
export async function findWorkspaceFolder(cwd: string): Promise<string | undefined> {
  const top = workTreeOf(cwd) ?? cwd;
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    if (await isFile(path.join(folder, workspaceFileName))) return folder;
    if (folder === top || folder === path.dirname(folder)) return undefined;
  }
}

/** The names of the default configuration of a stack. The last one is a folder. */
const stackConfigurationNames = ['trueup.yaml', 'trueup.yml', 'trueup'];

/**
 * Returns the default configuration in the folder `name`: the path of a file, or of the folder `trueup`. Undefined if there is none. Used
 * to find the stacks of a repository. Both `name` and the result are relative to `folder`.
 */
export async function findDefaultConfiguration(folder: string, name: string): Promise<string | undefined> {
  for (const candidate of stackConfigurationNames) {
    const status = await stat(path.join(folder, name, candidate)).catch(() => undefined);
    if (status && status.isDirectory() === (candidate === 'trueup')) return path.posix.join(name, candidate);
  }
  return undefined;
}

/**
 * True if there is a file at this path. Used to find the workspace file of a repository. False for folders, and if it
 * cannot be determined.
 */
export const isFile = (file: string): Promise<boolean> =>
  stat(file).then(
    (status) => status.isFile(),
    () => false,
  );
