import { dirname, relative } from 'node:path';
import type { Session } from '../app/session/session.ts';
import { type MainlineCommit, someChangeFolder } from '../git/first-parents.ts';
import { cleanLine } from '../report/clean.ts';
import type { Terminal } from './terminal.ts';

/** The number of commits that are named; further ones are only counted. */
const mostNamed = 10;

/** Says which commits to revert by hand after an undo, because the files still declare the undone values. `subject`: `run 12`. */
export async function sayReverts(
  reverts: readonly MainlineCommit[],
  subject: string,
  session: Pick<Session, 'documents' | 'host'>,
  terminal: Terminal,
): Promise<void> {
  if (reverts.length === 0)
    return terminal.out(
      `The files at HEAD declare the same as before ${subject}: there is no commit to revert.`,
    );
  const commands = await revertCommands(reverts, session, terminal);
  const lines = commands.slice(0, mostNamed).map((line) => `  ${cleanLine(line)}`);
  if (commands.length > mostNamed) lines.push(`  ... and ${commands.length - mostNamed} more`);
  terminal.out(
    `\nThe files still contain what ${subject} applied. Revert them as well, or the next apply does it again:\n\n${lines.join('\n')}`,
  );
}

/** Returns the commands that revert commits; they keep the current ledger even if it was committed with the configuration. */
async function revertCommands(
  reverts: readonly MainlineCommit[],
  { documents, host }: Pick<Session, 'documents' | 'host'>,
  terminal: Terminal,
): Promise<string[]> {
  const { leasePath } = documents;
  const folder = leasePath === undefined ? undefined : dirname(leasePath);
  const holdsLedger =
    folder !== undefined && (await someChangeFolder(reverts, folder, host.cwd, host.env).catch(() => false));
  const how = holdsLedger ? '--no-commit' : '--no-edit';
  const commands = reverts.map(({ id, isMerge }) => `git revert ${how} ${isMerge ? '-m 1 ' : ''}${id}`);
  if (!holdsLedger) return commands;
  terminal.out(
    '\nThe ledger is committed with the configuration. Commit its current state first; if git then reports a conflict in it, the last command resolves it.',
  );
  return [...commands, `git restore --staged --worktree ${relative(host.cwd, folder) || '.'}`];
}
