import type { Command } from 'commander';
import type { ApplyCommandOptions } from '../app/planning/plan-options.ts';
import { lockSession } from '../app/session/session.ts';
import { openUndo, type UndoSubject } from '../app/undoing/open-undo.ts';
import { parseRunNumber } from '../history/open-history.ts';
import { requireCommit } from '../history/undo-target.ts';
import type { Provider } from '../kind/provider.ts';
import { raise } from '../model/diagnostic.ts';
import { isEmpty } from '../model/plan.ts';
import { changesText } from '../report/plan-notes.ts';
import { refuseEphemeral } from '../stores/ledger-choice.ts';
import type { CommandHost, CommandRun } from './command-run.ts';
import { exitCodes, problemsCode } from './exit-codes.ts';
import { showPlan } from './formats.ts';
import { sayDoubts } from './log.ts';
import { withWriting } from './planning-flags.ts';
import { isYes, type Terminal, terminalFor } from './terminal.ts';
import { applyUndo, planUndo, sayLedger, sayReverts, unattendedUndoProblem } from './undo-steps.ts';

interface UndoOptions extends ApplyCommandOptions {
  commit?: string;
}

/** Declares `trueup undo`, which reverts what a recorded run or a commit changed in the account. */
export function undoCommand(command: Command, provider: Provider, run: CommandRun): void {
  withWriting(command)
    .argument('[run]', 'the run number, as shown by `trueup log`')
    .option('--commit <sha>', 'undo what this commit or merge changed, instead of a whole run')
    .option('--all', 'with --commit: in all stacks of trueup.workspace.yaml that applied it')
    .option('--auto-approve', 'skip the confirmation')
    .action(async (runText: string | undefined, options: UndoOptions) => {
      refuseTargets(options);
      if (options.all) return undoEverywhere(runText, options, provider, run);
      const subject = await undoSubjectOf(runText, options, run.host);
      refuseEphemeral(options, run.host);
      await undoOne(subject, provider, options, terminalFor(run, options));
    });
}

/** Runs `trueup undo` in one stack: plans the undo of a run or a commit, asks, applies, and names the commits to revert by hand. */
async function undoOne(
  subject: UndoSubject,
  provider: Provider,
  options: ApplyCommandOptions,
  terminal: Terminal,
): Promise<void> {
  const undoing = await openUndo(subject, provider, options, terminal, {
    onHistory: (history) => sayDoubts(history, terminal),
  });
  const { session, name, reverts } = undoing;
  try {
    if (options.autoApprove) await lockSession(session, options, terminal);
    const shown = await planUndo(undoing, terminal);
    if (shown) {
      sayLedger(undoing, terminal);
      const { plan } = undoing.toShownPlan(shown);
      const pace = await session.connection.paceNow();
      if (!(await showPlan(plan, options, terminal, pace))) {
        terminal.run.exitCode = problemsCode(plan.diagnostics) || exitCodes.failed;
        return;
      }
      const confirmation = {
        question: `Undo ${name} with ${changesText(plan)}?`,
        unattended: unattendedUndoProblem,
      };
      if (!isEmpty(plan) && !options.autoApprove && !(await isYes(terminal, confirmation))) return;
      await applyUndo(undoing, shown, terminal);
    }
    if (terminal.run.exitCode === exitCodes.done) await sayReverts(reverts, name, session, terminal);
  } finally {
    await session.close();
  }
}

/** Undoes a commit in all stacks of the workspace. The code for that is loaded only here. Throws `Problems` for a run, because each stack counts its own. */
async function undoEverywhere(
  runText: string | undefined,
  options: UndoOptions,
  provider: Provider,
  run: CommandRun,
): Promise<void> {
  const { commit } = options;
  if (runText !== undefined || commit === undefined)
    raise('cli/options', 'undo --all needs --commit, and takes no run number', {
      hint: 'each stack counts its own runs: `trueup undo --commit SHA --all`',
    });
  return (await import('./undo-all.ts')).undoAll(commit, provider, options, run);
}

/** Returns the run or the commit that the command line of `trueup undo` names. Throws `Problems` if it names neither or both. */
async function undoSubjectOf(
  runText: string | undefined,
  { commit }: UndoOptions,
  host: CommandHost,
): Promise<UndoSubject> {
  if ((runText === undefined) === (commit === undefined))
    raise('cli/options', 'undo takes either the number of a run or --commit', {
      hint: '`trueup undo 12` undoes a run (see `trueup log`), `trueup undo --commit SHA` what one commit or merge changed',
    });
  return runText === undefined
    ? { commit: await requireCommit(commit!, host) }
    : { run: parseRunNumber(runText) };
}

/**
 * Throws `Problems` for `--target` or `--exclude` of `trueup undo`, which inherits them from `apply`: an undo reverts all changes of its run or
 * commit.
 */
function refuseTargets({ target, exclude }: ApplyCommandOptions): void {
  if (!target && !exclude) return;
  raise('cli/options', 'undo does not take --target or --exclude', {
    hint: 'it reverts everything the run changed; for part of it, use --commit, or edit the files and apply',
  });
}
