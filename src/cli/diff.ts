import type { Command } from 'commander';
import type { StackOptions } from '../app/stack-options.ts';
import { groupComparison, hasDifferences, summarizeComparison } from '../compare/comparison-entries.ts';
import { comparisonText } from '../compare/comparison-text.ts';
import { compareNamedSides } from '../compare/open-sides.ts';
import type { Provider } from '../kind/provider.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { terminalFor } from '../terminal/terminal.ts';
import { exitCodes } from './exit-codes.ts';
import { withAccount } from './options.ts';

interface DiffOptions extends StackOptions {
  detailedExitcode?: boolean;
}

/** Declares `trueup diff`, which compares two stages, stacks, commits or accounts. */
export function diffCommand(command: Command, provider: Provider, run: CommandRun): void {
  withAccount(command)
    .argument('<a>', 'a stage, stack, stack@stage or commit; its account with `live:` before it')
    .argument('[b]', 'what to compare it with (default: the configuration as it is now)')
    .option('--detailed-exitcode', 'exit with 2 if there is a difference')
    .action(async (a: string, b: string | undefined, options: DiffOptions) => {
      const terminal = terminalFor(run, options);
      const comparison = await compareNamedSides(provider, { a, b }, options, terminal);
      const { verbose = false, detailedExitcode } = options;
      terminal.out(comparisonText(comparison, { style: terminal.outStyle, verbose }));
      const isDifferent = hasDifferences(summarizeComparison(groupComparison(comparison)));
      if (detailedExitcode && isDifferent) run.exitCode = exitCodes.changes;
    });
}
