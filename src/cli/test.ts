import type { Command } from 'commander';
import { writeOutputFile } from '../files/write-files.ts';
import type { Provider } from '../kind/provider.ts';
import { annotateOnGithub } from '../terminal/actions-run.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { terminalFor } from '../terminal/terminal.ts';
import { failureDiagnostics } from '../testing/report/failure-diagnostics.ts';
import { testsJson } from '../testing/report/tests-json.ts';
import { testsJunit } from '../testing/report/tests-junit.ts';
import { testsText } from '../testing/report/tests-text.ts';
import { runTests } from '../testing/run-tests.ts';
import { exitCodes } from './exit-codes.ts';
import { withColor } from './options.ts';

type TestCommandOptions = { only?: string; json?: boolean; junit?: string; color?: boolean };

/** Declares `trueup test`, which runs the test files beside the configuration against twins (simulated accounts in this process). */
export function testCommand(command: Command, provider: Provider, run: CommandRun): void {
  withColor(command)
    .argument('[files...]', 'test files, or folders with test files (default: this folder and below it)')
    .option('--only <text>', 'only tests with this text in their name')
    .option('--json', 'print the results as JSON')
    .option('--junit <file>', 'also write the results to a file in the JUnit format, for CI systems')
    .action(async (paths: string[], { only, json, junit, ...options }: TestCommandOptions) => {
      const terminal = terminalFor(run, options);
      const files = await runTests(provider, { paths, only }, run.host);
      if (junit !== undefined) await writeOutputFile(run.host, junit, testsJunit(files));
      terminal.out(json ? testsJson(files) : testsText(files, terminal.outStyle));
      const failures = failureDiagnostics(files);
      annotateOnGithub(failures, terminal);
      if (failures.length > 0) run.exitCode = exitCodes.failed;
    });
}
