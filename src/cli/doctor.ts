import type { Command } from 'commander';
import { namesSeveralStacks } from '../app/stack-options.ts';
import { type BugOptions, writeBugReport } from '../doctor/command/bug-report.ts';
import { examine } from '../doctor/command/examining.ts';
import { healthOf } from '../doctor/doctor-report.ts';
import { doctorText } from '../doctor/doctor-text.ts';
import { prepareOutputFile, writeOutputFile } from '../files/write-files.ts';
import type { Provider } from '../kind/provider.ts';
import { jsonText } from '../report/show.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { isYes, terminalFor } from '../terminal/terminal.ts';
import { refuseSingleStackOptions, withCommandStacks } from './command-stacks.ts';
import { exitCodes } from './exit-codes.ts';
import { withPlanning, withStacks } from './options.ts';

const healthCodes = {
  healthy: exitCodes.done,
  later: exitCodes.tryAgainLater,
  unhealthy: exitCodes.failed,
};

/** Declares `trueup doctor`: it reads an account, and reports where token and answers differ from the expected ones. It writes nothing to the account. */
export function doctorCommand(command: Command, provider: Provider, run: CommandRun): void {
  withStacks(withPlanning(command))
    .option('--report <file>', 'write the report as JSON, without values, names and ids of the account')
    .option('--calibrate <har>', "compare a recording (HAR) of answers with the twin's; needs no token")
    .option('--json', 'print one JSON document')
    .option('--bug <file>', 'plan, and write a bug report without names and values of the account')
    .option('--auto-approve', 'with --bug: write without asking')
    .action(async (options: BugOptions) => {
      const { report: file, json } = options;
      if (namesSeveralStacks(options)) refuseSingleStackOptions(options, run);
      const terminal = terminalFor(run, options);
      const hasBugReport = await writeBugReport(provider, options, terminal, {
        withStacks: (use) => withCommandStacks(provider, options, terminal, use),
        confirm: (question) => isYes(terminal, question),
      });
      if (hasBugReport) return;
      // A report that cannot be written fails before the account is read.
      if (file !== undefined) await prepareOutputFile(run.host, file);
      const report = await examine(provider, options, terminal);
      const text = jsonText(report);
      terminal.out(json ? text : doctorText(report, terminal.outStyle));
      if (file !== undefined) await writeOutputFile(run.host, file, `${text}\n`);
      run.exitCode = healthCodes[healthOf(report)];
    });
}
