import type { Command } from 'commander';
import type { ApplyCommandOptions } from '../app/planning/plan-options.ts';
import type { UndoSubject } from '../app/undoing/undoing.ts';
import { parseRunNumber } from '../history/read-history.ts';
import { requireCommit } from '../history/undo-target.ts';
import type { Provider } from '../kind/provider.ts';
import { raise } from '../model/diagnostic.ts';
import type { CommandHost, CommandRun } from '../terminal/command-run.ts';
import { terminalFor } from '../terminal/terminal.ts';
import { refuseSingleStackOptions } from './command-stacks.ts';
import { withWriting } from './options.ts';
import { undoStacks } from './undo-stacks.ts';

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
      const subject = await undoSubjectOf(runText, options, run.host);
      if (options.all) refuseSingleStackOptions(options, run);
      await undoStacks(subject, provider, options, terminalFor(run, options));
    });
}

/**
 * Returns the run or the commit that the command line of `trueup undo` names. Throws `Problems` if it names neither or both, or a run with `--all`,
 * because each stack counts its own.
 */
async function undoSubjectOf(
  runText: string | undefined,
  { commit, all }: UndoOptions,
  host: CommandHost,
): Promise<UndoSubject> {
  if (all && (runText !== undefined || commit === undefined))
    raise('cli/options', 'undo --all needs --commit, and takes no run number', {
      hint: 'each stack counts its own runs: `trueup undo --commit SHA --all`',
    });
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
