import { stat } from 'node:fs/promises';
import path from 'node:path';
import { workTreeOf } from '../git/work-tree.ts';

export const workspaceFileName = 'trueup.workspace.yaml';

/** Returns the folder of the workspace that a folder belongs to: itself, or one above it in the same repository. */
export async function findWorkspaceFolder(cwd: string): Promise<string | undefined> {
  const top = workTreeOf(cwd) ?? cwd;
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    if (await isFile(path.join(folder, workspaceFileName))) return folder;
    if (folder === top || folder === path.dirname(folder)) return undefined;
  }
}

const workspaceNames = ['trueup.yaml', 'trueup.yml', 'trueup'];

/** Returns the configuration in a folder (`name`, relative to `folder`): a file, or the folder `trueup`. Undefined if there is none. */
export async function findDefaultConfiguration(folder: string, name: string): Promise<string | undefined> {
  for (const candidate of workspaceNames) {
    const status = await stat(path.join(folder, name, candidate)).catch(() => undefined);
    if (status && status.isDirectory() === (candidate === 'trueup')) return path.posix.join(name, candidate);
  }
  return undefined;
}

/** True if there is a file at this path. */
export const isFile = (file: string): Promise<boolean> =>
  stat(file).then(
    (status) => status.isFile(),
    () => false,
  );
