import type { Command } from 'commander';
import type { ApplyCommandOptions } from '../app/planning/planning.ts';
import { refuseEphemeral } from '../app/session/ledger-choice.ts';
import type { StacksOptions } from '../app/stack-options.ts';
import { runNumber } from '../app/undoing/history-place.ts';
import type { Provider } from '../kind/provider.ts';
import { Problems } from '../model/diagnostic.ts';
import type { CommandHost, CommandRun } from './command-run.ts';
import { openUndo, requireCommit, type UndoSubject } from './open-undo.ts';
import { withWriting } from './planning-flags.ts';
import { terminalFor } from './terminal.ts';

interface Options extends ApplyCommandOptions, StacksOptions {
  commit?: string;
}

export function undoCommand(command: Command, provider: Provider, run: CommandRun): void {
  withWriting(command)
    .argument('[run]', 'the run number, as shown by `trueup log`')
    .option('--commit <sha>', 'undo what this commit or merge changed, instead of a whole run')
    .option('--all', 'with --commit: in all stacks of trueup.workspace.yaml that applied it')
    .option('--auto-approve', 'skip the confirmation')
    .action(async (runText: string | undefined, options: Options) => {
      refuseTargets(options);
      if (options.all) return undoEverywhere(runText, options, provider, run);
      const subject = await subjectOf(runText, options, run.host);
      refuseEphemeral(options, run.host);
      const undoing = await openUndo(subject, provider, options, terminalFor(run, options));
      try {
        await undoing.carryOut();
      } finally {
        await undoing.session.close();
      }
    });
}

/** Undoes a commit in all stacks. Throws `Problems`. */
async function undoEverywhere(
  runText: string | undefined,
  options: Options,
  provider: Provider,
  run: CommandRun,
): Promise<void> {
  const { commit } = options;
  if (runText !== undefined || commit === undefined)
    throw new Problems('cli/options', 'undo --all needs --commit, and takes no run number', {
      hint: 'each stack counts its own runs: `trueup undo --commit SHA --all`',
    });
  return (await import('./undo-all.ts')).undoAll(commit, provider, options, run);
}

/** Returns what the words of the command name. Throws `Problems`. */
async function subjectOf(
  runText: string | undefined,
  { commit }: Options,
  host: CommandHost,
): Promise<UndoSubject> {
  if ((runText === undefined) === (commit === undefined))
    throw new Problems('cli/options', 'undo takes either the number of a run or --commit', {
      hint: '`trueup undo 12` undoes a run (see `trueup log`), `trueup undo --commit SHA` what one commit or merge changed',
    });
  return runText === undefined ? { commit: await requireCommit(commit!, host) } : { run: runNumber(runText) };
}

function refuseTargets({ target, exclude }: ApplyCommandOptions): void {
  if (!target && !exclude) return;
  throw new Problems('cli/options', 'undo does not take --target or --exclude', {
    hint: 'it reverts everything the run changed; for part of it, use --commit, or edit the files and apply',
  });
}
