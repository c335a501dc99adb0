import type { Command } from 'commander';
import type { Provider } from '../kind/provider.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { terminalFor } from '../terminal/terminal.ts';
import { testsText } from '../testing/report/tests-text.ts';
import { runTests } from '../testing/run-tests.ts';
import { countResults } from '../testing/test-result.ts';
import { exitCodes } from './exit-codes.ts';
import { withColor } from './options.ts';

interface TestCommandOptions {
  only?: string;
  color?: boolean;
}

/** Declares `trueup test`, which runs the test files beside the configuration against twins in this process. */
export function testCommand(command: Command, provider: Provider, run: CommandRun): void {
  withColor(command)
    .argument('[files...]', 'test files, or folders with test files (default: this folder and below it)')
    .option('--only <text>', 'only tests with this text in their name')
    .action(async (paths: string[], options: TestCommandOptions) => {
      const terminal = terminalFor(run, options);
      const files = await runTests(provider, { paths, only: options.only }, run.host);
      terminal.out(testsText(files, terminal.outStyle));
      if (countResults(files).failed > 0) run.exitCode = exitCodes.failed;
    });
}
