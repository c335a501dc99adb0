import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { shellWord } from '../model/diagnostic.ts';
import { pathFrom } from '../paths.ts';
import type { GitEnv, MainlineCommit } from './commits.ts';
import { openRepository } from './repository.ts';
import { workTreeOf } from './work-tree.ts';

/**
 * Lists the git commands that revert commits after an undo, because their files still declare the undone values. `ledgerFolder`: the folder
 * of the ledger, if it is in this repository. If the commits also change it (`isWithLedger`), the commands use `--no-commit`, and the last
 * one restores the current ledger.
 */
export async function listRevertCommands(
  commits: readonly MainlineCommit[],
  ledgerFolder: string | undefined,
  cwd: string,
  env: GitEnv,
): Promise<{ commands: string[]; isWithLedger: boolean }> {
  const isWithLedger =
    ledgerFolder !== undefined &&
    (await someChangeFolder(commits, ledgerFolder, cwd, env).catch(() => false));
  const mode = isWithLedger ? '--no-commit' : '--no-edit';
  // `-m 1` reverts a merge to the main line.
  const commands = commits.map(({ id, isMerge }) => `git revert ${mode} ${isMerge ? '-m 1 ' : ''}${id}`);
  if (isWithLedger)
    commands.push(`git restore --staged --worktree ${shellWord(path.relative(cwd, ledgerFolder) || '.')}`);
  return { commands, isWithLedger };
}

/**
 * True if one of these commits differs from its first parent in a folder (an absolute path). Used by an undo: if the folder of the
 * ledger is among the changes, a plain `git revert` would take back the ledger, too.
 */
export async function someChangeFolder(
  commits: readonly Pick<MainlineCommit, 'id' | 'parent'>[],
  folder: string,
  cwd: string,
  env: GitEnv,
): Promise<boolean> {
  const { git } = await openRepository(cwd, env);
  const top = workTreeOf(await realpath(cwd))!;
  const folderInTree = pathFrom(top, await realpath(folder)) || '.';
  const diff = ['--literal-pathspecs', 'diff', '--name-only', '--no-ext-diff', '--no-textconv'];
  for (const { id, parent } of commits)
    if (parent !== undefined && (await git([...diff, parent, id, '--', folderInTree])).trim() !== '')
      return true;
  return false;
}
