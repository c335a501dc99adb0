import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readCheckoutCommit } from '../git/checkout.ts';
import { workTreeOf } from '../git/work-tree.ts';
import type { Host } from '../host.ts';
import { standardInput } from '../model/resource.ts';
import type { Configuration } from './configuration.ts';

/**
 * Returns the git commit that is checked out where a configuration is, and whether its files differ from that
 * commit (`dirty`); undefined outside of a repository, without a commit, and if git fails. It is recorded
 * with a run, so that `undo` finds the configuration again, and named in the HTML report of a plan. Files
 * with secrets are not compared.
 */
export async function findConfigurationCommit(
  { fileDependencies, files, secrets, desired }: Configuration,
  { cwd, env }: Host,
) {
  const [mainFile] = files;
  const folder = mainFile === undefined ? cwd : resolve(cwd, mainFile, '..');
  const secretFiles = new Set(
    await Promise.all(
      [...secrets.values()].flatMap((source) =>
        'file' in source ? [realpath(resolve(cwd, source.folder, source.file)).catch(() => '')] : [],
      ),
    ),
  );
  const top = workTreeOf(await realpath(folder).catch(() => folder));
  const commit = await readCheckoutCommit(
    folder,
    {
      files: fileDependencies.filter((file) => !secretFiles.has(file)),
      // In a repository, the name of a folder is `/` and its path from the top.
      folders: desired.folders.flatMap((name) => (top && name.startsWith('/') ? [join(top, name)] : [])),
    },
    env,
  );
  // Text from standard input is in no commit.
  return commit && desired.inputs.includes(standardInput) ? { ...commit, dirty: true } : commit;
}
