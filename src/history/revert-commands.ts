import { dirname, relative } from 'node:path';
import { type MainlineCommit, someChangeFolder } from '../git/commits.ts';
import type { Host } from '../host.ts';
import type { Documents } from '../ledger/documents.ts';

/**
 * Lists the git commands that revert commits after an undo, because their files still declare the undone values. `isWithLedger`: the
 * commits also change the ledger, so the commands use `--no-commit`, and the last one restores the current ledger.
 */
export async function listRevertCommands(
  commits: readonly MainlineCommit[],
  { documents, host }: { documents: Documents; host: Host },
): Promise<{ commands: string[]; isWithLedger: boolean }> {
  const { leasePath } = documents;
  const ledgerFolder = leasePath === undefined ? undefined : dirname(leasePath);
  const isWithLedger =
    ledgerFolder !== undefined &&
    (await someChangeFolder(commits, ledgerFolder, host.cwd, host.env).catch(() => false));
  const mode = isWithLedger ? '--no-commit' : '--no-edit';
  const commands = commits.map(({ id, isMerge }) => `git revert ${mode} ${isMerge ? '-m 1 ' : ''}${id}`);
  if (isWithLedger)
    commands.push(`git restore --staged --worktree ${relative(host.cwd, ledgerFolder) || '.'}`);
  return { commands, isWithLedger };
}
