import type { Command } from 'commander';
import type { PlanningOptions } from '../app/planning/plan-options.ts';
import { examine } from '../doctor/command/examining.ts';
import { healthOf } from '../doctor/doctor-report.ts';
import { doctorText } from '../doctor/doctor-text.ts';
import { prepareOutputFile, writeOutputFile } from '../files/write-files.ts';
import type { Provider } from '../kind/provider.ts';
import { problem, raise } from '../model/diagnostic.ts';
import { jsonText } from '../report/show.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { isYes, terminalFor } from '../terminal/terminal.ts';
import { exitCodes } from './exit-codes.ts';
import { withPlanning } from './options.ts';

const healthCodes = {
  healthy: exitCodes.done,
  later: exitCodes.tryAgainLater,
  unhealthy: exitCodes.failed,
};

interface DoctorOptions extends PlanningOptions {
  bug?: string;
  autoApprove?: boolean;
  report?: string;
  json?: boolean;
}

const unattended = problem('cli/unattended', 'a bug report needs a terminal or --auto-approve', {
  hint: 'it shows what it would write, and asks: pass --auto-approve to write without asking',
});

/** Declares `trueup doctor`: it reads an account, and reports where token and answers differ from the expected ones. It writes nothing to the account. */
export function doctorCommand(command: Command, provider: Provider, run: CommandRun): void {
  withPlanning(command)
    .option('--report <file>', 'write the report as JSON, without values, names and ids of the account')
    .option('--json', 'print one JSON document')
    .option('--bug <file>', 'plan, and write a bug report without names and values of the account')
    .option('--auto-approve', 'with --bug: write without asking')
    .action(async ({ report: file, json, bug, autoApprove, ...options }: DoctorOptions) => {
      const terminal = terminalFor(run, options);
      const bugs = await import('../doctor/command/bug-report.ts');
      if (bug !== undefined) {
        if (!autoApprove && !terminal.canAsk) raise(unattended);
        const confirm = async () =>
          autoApprove || isYes(terminal, { question: 'Write it?', no: 'Nothing was written.', unattended });
        await bugs.writeBugReport(provider, bug, options, terminal, confirm);
        return;
      }
      bugs.refusePlanningOptions(options);
      // A report that cannot be written fails before the account is read.
      if (file !== undefined) await prepareOutputFile(run.host, file);
      const report = await examine(provider, options, terminal);
      const text = jsonText(report);
      terminal.out(json ? text : doctorText(report, terminal.outStyle));
      if (file !== undefined) await writeOutputFile(run.host, file, `${text}\n`);
      run.exitCode = healthCodes[healthOf(report)];
    });
}
