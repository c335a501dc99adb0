import { type Command, Option } from 'commander';
import { type CommentReportOptions, commentReport } from '../ci/comment-report.ts';
import type { Provider } from '../kind/provider.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { terminalFor } from '../terminal/terminal.ts';
import { number, withColor } from './options.ts';

/** Declares `trueup comment`, which CI jobs call to write the report of a plan or an apply on a pull request. */
export function commentCommand(command: Command, provider: Provider, run: CommandRun): void {
  withColor(command)
    .argument(
      '<file>',
      'the output of `plan --format markdown` or `apply --report`, or a plan saved by `plan --out`',
    )
    .addOption(
      new Option(
        '--pull-request <n>',
        'the number of the pull request (default: the one that the workflow runs for, or that its commit merged)',
      ).argParser(number(1)),
    )
    .option('--author <login>', "update this author's comment (default: the owner of GITHUB_TOKEN)")
    .action(async (file: string, options: CommentReportOptions & { color?: boolean }) =>
      // The report of a saved plan forecasts from the rate limits (`pace`) how long an apply takes.
      commentReport(file, options, await provider.pace(), terminalFor(run, options)),
    );
}
