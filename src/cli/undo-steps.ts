import { dirname } from 'node:path';
import type { Session } from '../app/session/session.ts';
import type { Undoing } from '../app/undoing/undoing.ts';
import type { MainlineCommit } from '../git/commits.ts';
import { listRevertCommands } from '../git/revert-commands.ts';
import { problem } from '../model/diagnostic.ts';
import { isEmpty } from '../model/plan.ts';
import type { CollectionId } from '../model/resource.ts';
import { cleanLine, firstLines } from '../report/text.ts';
import { verifiedText } from '../report/verified-text.ts';
import type { Planned } from '../run/open-plan.ts';
import { sayDiagnostics, type Terminal } from '../terminal/terminal.ts';
import { carryOutOnTerminal } from './carry-out.ts';

/** The problem with an undo that has neither a terminal to ask on nor `--auto-approve`. */
export const unattendedUndoProblem = problem(
  'cli/unattended',
  'undo needs a terminal or --auto-approve; nothing was changed',
  { hint: 'pass --auto-approve if the plan has already been approved' },
);

/**
 * Plans the undo of a run or a commit in one stack, for `trueup undo`, so that the user can agree to it. If the stack owns none of the
 * objects that the run or commit changed, or only created containers, such as projects, which an undo never deletes, prints that and
 * returns undefined.
 */
export async function planUndo(undoing: Undoing, terminal: Terminal): Promise<Planned | undefined> {
  const planned = await undoing.plan();
  if (planned) return planned;
  sayDiagnostics(undoing.notes, terminal);
  const isAnyKept = undoing.notes.some(({ code }) => code === 'undo/container');
  const reason = isAnyKept
    ? `An undo reverts nothing that ${undoing.name} changed`
    : `This stack owns nothing that ${undoing.name} changed, so there is nothing to revert`;
  terminal.out(`${reason}. The account was not read.`);
  return undefined;
}

/**
 * Applies the undo of one stack after the user has agreed to the plan `shown`, for `trueup undo`, and prints the result. `planUnderLease`
 * plans again, and throws `Problems` if the account needs other changes by now, except for positions and requests in the lists `written`:
 * other stacks of this command have just changed their order. True if all is done and ready, or if there was nothing to change.
 */
export async function applyUndo(
  undoing: Undoing,
  shown: Planned,
  terminal: Terminal,
  written?: ReadonlySet<CollectionId>,
): Promise<boolean> {
  const { plan, after } = undoing.toShownPlan(shown);
  if (isEmpty(plan)) {
    // Some objects may stay different, because the undo cannot restore them completely: the text counts them.
    const unrestored = after?.unrestored ?? 0;
    terminal.out(`No changes. ${verifiedText(plan, { goal: 'undone', sideEffects: [], unrestored })}`);
    return true;
  }
  const current = await undoing.planUnderLease(shown, written);
  return carryOutOnTerminal(undoing.session, current, undoing.options, terminal, undoing.facts);
}

/** The largest number of commands that are printed. Further ones are only counted. */
const maxNamedReverts = 10;

/**
 * Prints the git commands that revert commits, after `trueup undo` has restored the account: the files still declare the undone values, and the next apply
 * would write them again. `reverts`: the commits, newest first. `subject`: the run or commit that was undone, such as `run 12`.
 */
export async function sayReverts(
  reverts: readonly MainlineCommit[],
  subject: string,
  { documents, host }: Pick<Session, 'documents' | 'host'>,
  terminal: Terminal,
): Promise<void> {
  if (reverts.length === 0)
    return terminal.out(
      `The files at HEAD declare the same as before ${subject}: there is no commit to revert.`,
    );
  const { leasePath } = documents;
  const ledgerFolder = leasePath === undefined ? undefined : dirname(leasePath);
  const { commands, isWithLedger } = await listRevertCommands(reverts, ledgerFolder, host.cwd, host.env);
  if (isWithLedger)
    terminal.out(
      '\nThe ledger is committed with the configuration. Commit its current state first; if git then reports a conflict in it, the last command resolves it.',
    );
  const lines = firstLines(commands, maxNamedReverts).map((line) => `  ${cleanLine(line)}`);
  terminal.out(
    `\nThe files still contain what ${subject} applied. Revert them as well, or the next apply does it again:\n\n${lines.join('\n')}`,
  );
}
