import type { Command } from 'commander';
import { savedPlanReports } from '../approval/parse-saved-plan.ts';
import { readSavedPlans } from '../approval/plan-files.ts';
import { formatPlanOrigin, formatSeals } from '../approval/plan-origin-text.ts';
import { readReportParts } from '../approval/report-parts.ts';
import type { Provider } from '../kind/provider.ts';
import { asksForNothing } from '../model/plan.ts';
import { findLedgerKey } from '../stores/open-ledger.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { terminalFor } from '../terminal/terminal.ts';
import { changesCode } from './command-stacks.ts';
import { exitCodes, stacksCode } from './exit-codes.ts';
import {
  changesOnlyOption,
  type Format,
  formatOption,
  jsonOption,
  printPlan,
  refuseChangesOnly,
} from './formats.ts';
import { withColor } from './options.ts';
import { printStacks, showStacks } from './show-stacks.ts';

/** The options of commands that show saved plans. */
interface ShowOptions {
  format?: Format;
  json?: boolean;
  changesOnly?: boolean;
  requests?: boolean;
  verbose?: boolean;
  color?: boolean;
  detailedExitcode?: boolean;
}

/** Adds the options that `show` and `report merge` share. `verboseHelp`: the description of `--verbose`. */
const withShowing = (command: Command, verboseHelp: string): Command =>
  command
    .addOption(formatOption())
    .addOption(jsonOption())
    .addOption(changesOnlyOption())
    .option('--requests', 'show the HTTP requests of each change')
    .option('--verbose', verboseHelp)
    .option('--detailed-exitcode', 'exit with 2 if there are changes');

/** Declares `trueup show`, which shows a saved plan before somebody approves it. */
export function showCommand(command: Command, provider: Provider, run: CommandRun): void {
  withShowing(
    withColor(command).argument('<file>', 'a plan saved by `plan --out`'),
    'do not truncate',
  ).action((file: string, options: ShowOptions) => showFile(provider, file, options, run));
}

/**
 * Shows the plans of a file for `trueup show`, before somebody approves them, with the options that made them. Says what the seals
 * (signatures) prove: that of the file and those of its plans. A broken one makes the command fail.
 */
async function showFile(
  provider: Provider,
  file: string,
  options: ShowOptions,
  run: CommandRun,
): Promise<void> {
  refuseChangesOnly(options);
  const terminal = terminalFor(run, options);
  const saved = await readSavedPlans(file, run.host);
  const reports = savedPlanReports(saved);
  const plans = reports.map(({ plan }) => plan!);
  const pace = await provider.pace();
  const canApply = await (saved.isOne
    ? printPlan(plans[0]!, options, terminal, pace)
    : printStacks(reports, options, terminal, pace));
  const isTwin = saved.parts[0]!.plan.baseUrl === 'twin:';
  const seals = saved.checkSeals(await findLedgerKey({ twin: isTwin }, run.host));
  for (const { plan } of saved.parts) terminal.say(formatPlanOrigin(plan));
  for (const line of formatSeals(saved.parts, seals)) terminal.say(line);
  const isUsable = canApply && seals.every(({ state }) => state !== 'broken');
  run.exitCode = isUsable ? changesCode(plans, options) : stacksCode(reports);
}

/** Declares `trueup report merge`, for CI workflows that plan each stack in a job of its own and post one comment. */
export function reportCommand(report: Command, provider: Provider, run: CommandRun): void {
  const merge = withColor(report.command('merge'))
    .description('show the plans of several stacks, each saved by `plan --out`, as one report')
    .argument(
      '<files...>',
      'saved plans; one that is missing or empty stands for a stack that could not be planned',
    );
  withShowing(merge, 'cut nothing').action(async (files: string[], options: ShowOptions) => {
    refuseChangesOnly(options);
    const terminal = terminalFor(run, options);
    const reports = await readReportParts(files, run.host);
    const canApply = await showStacks(reports, options, terminal, await provider.pace());
    const hasChanges = reports.some(({ plan }) => plan && !asksForNothing(plan));
    const successCode = options.detailedExitcode && hasChanges ? exitCodes.changes : exitCodes.done;
    run.exitCode = canApply ? successCode : stacksCode(reports);
  });
}
