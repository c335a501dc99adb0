import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { pathOn } from '../app/host.ts';
import { readSavedPlans, savedPlanReports } from '../app/planning/plan-files.ts';
import { findLedgerKey } from '../app/session/open-ledger.ts';
import { flagOf } from '../app/stack-options.ts';
import type { Sealing } from '../approval/parse-saved-plan.ts';
import type { SavedPlan } from '../approval/saved-plan.ts';
import { isSavedPlans, parseSavedPlans } from '../approval/saved-plans.ts';
import type { Provider } from '../kind/provider.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { asksForNothing } from '../model/plan.ts';
import { shellQuoted, shellWord } from '../model/shell-word.ts';
import { describeSystemError } from '../model/system-error.ts';
import { cleanLine } from '../report/clean.ts';
import type { StackReport } from '../report/stacks/stack-report.ts';
import type { CommandRun } from './command-run.ts';
import { changesCode } from './command-stacks.ts';
import { exitCodes, stacksCode } from './exit-codes.ts';
import { type Format, formatOption, jsonOption, printPlan } from './formats.ts';
import { withColor } from './options.ts';
import { printStacks, showStacks } from './show-stacks.ts';
import { terminalFor } from './terminal.ts';

/** The options for showing a saved plan. */
export interface ShowOptions {
  format?: Format;
  json?: boolean;
  requests?: boolean;
  verbose?: boolean;
  color?: boolean;
  detailedExitcode?: boolean;
}

export function showCommand(command: Command, provider: Provider, run: CommandRun): void {
  withColor(command)
    .argument('<file>', 'a plan saved by `plan --out`')
    .addOption(formatOption())
    .addOption(jsonOption())
    .option('--requests', 'show the HTTP requests of each change')
    .option('--verbose', 'do not truncate')
    .option('--detailed-exitcode', 'exit with 2 if there are changes')
    .action((file: string, options: ShowOptions) => showFile(provider, file, options, run));
}

/** Shows the plans of a file, and what their seals prove. */
async function showFile(
  { pace }: Provider,
  file: string,
  options: ShowOptions,
  run: CommandRun,
): Promise<void> {
  const terminal = terminalFor(run, options);
  const saved = await readSavedPlans(file, run.host);
  const reports = savedPlanReports(saved);
  const plans = reports.map(({ plan }) => plan!);
  const areFine = saved.isOne
    ? await printPlan(plans[0]!, options, terminal, pace)
    : printStacks(reports, options, terminal, pace);
  const isTwin = saved.parts[0]!.plan.baseUrl === 'twin:';
  const seals = saved.checkSeals(await findLedgerKey({ twin: isTwin }, run.host));
  for (const { plan } of saved.parts) terminal.say(aboutText(plan));
  const worst = seals.find(({ state }) => state !== 'sealed') ?? seals[0]!;
  terminal.say(cleanLine(sealText(worst)));
  run.exitCode = areFine && worst.state !== 'broken' ? changesCode(plans, options) : stacksCode(reports);
}

/** Tells who made the plan, as far as the key here can say, and what follows from it. */
function sealText(seal: Sealing): string {
  switch (seal.state) {
    case 'sealed':
      return `Sealed with the key ${seal.key}, which is available here: a run with that key made this plan and it is unchanged. The account may have changed: apply plans again and applies exactly this, or nothing.`;
    case 'none':
      return 'Not sealed: anyone who could write the file may have made or changed it. It can be read but not applied.';
    case 'unknown':
      return `Origin unknown: it claims to be sealed with the key ${seal.key}, which is not available here. Anyone could claim that; apply verifies it.`;
    case 'broken':
      return `Not trustworthy: the key ${seal.key} did not seal it in this form. It was changed after it was made and cannot be applied.`;
  }
}

/** Tells what the plan is for and which options made it, which the plan itself does not show. */
function aboutText({ stack, owner, baseUrl, generation, options }: SavedPlan): string {
  const flags = Object.entries(options).flatMap(([name, value]) => {
    const flag = flagOf(name);
    if (Array.isArray(value)) return value.map((one) => `${flag} ${shellQuoted(String(one))}`);
    return value === true ? [flag] : [`${flag} ${shellWord(String(value))}`];
  });
  const made = flags.length > 0 ? `, made with ${flags.join(' ')}` : '';
  return cleanLine(
    `A saved plan for the stack ${stack} of ${owner} at ${baseUrl}, on generation ${generation} of its ledger${made}.`,
  );
}

/** Reports of what was made in parts. */
export function reportCommand(report: Command, provider: Provider, run: CommandRun): void {
  withColor(report.command('merge'))
    .description('show the plans of several stacks, each saved by `plan --out`, as one report')
    .argument(
      '<files...>',
      'saved plans; one that is missing or empty stands for a stack that could not be planned',
    )
    .addOption(formatOption())
    .addOption(jsonOption())
    .option('--requests', 'show the HTTP requests of each change')
    .option('--verbose', 'cut nothing')
    .option('--detailed-exitcode', 'exit with 2 if there are changes')
    .action((files: string[], options) => mergeReports(provider, files, options, run));
}

/** Shows the parts of a CI matrix as one report. A part that is not there failed, and the exit code says so. */
async function mergeReports(
  { pace }: Provider,
  files: string[],
  options: ShowOptions,
  run: CommandRun,
): Promise<void> {
  const terminal = terminalFor(run, options);
  const reports = (await Promise.all(files.map((file) => reportsIn(file, run)))).flat();
  refuseTwice(reports);
  const fine = showStacks(reports, options, terminal, pace);
  const isChanged = reports.some(({ plan }) => plan && !asksForNothing(plan));
  run.exitCode = !fine
    ? stacksCode(reports)
    : options.detailedExitcode && isChanged
      ? exitCodes.changes
      : exitCodes.done;
}

async function reportsIn(file: string, { host }: CommandRun): Promise<StackReport[]> {
  const failed = (why: string): StackReport[] => {
    const id = basename(file).replace(/\.[^.]*$/, '');
    const wrong = problem('report/part', `${file} ${why}, so this part was not planned`, {
      hint: 'see the log of its job',
    });
    return [{ id, path: id, needs: [], failed: [wrong] }];
  };
  let text: string;
  try {
    text = await readFile(pathOn(host, file), 'utf8');
  } catch (error) {
    return failed(`cannot be read: ${describeSystemError(error as Error)}`);
  }
  if (text.trim() === '') return failed('is empty');
  if (!isSavedPlans(text))
    throw new Problems('approval/not-a-plan', `${file}: this is not a saved plan`, {
      hint: 'pass files written by `trueup plan --out FILE`',
    });
  const saved = parseSavedPlans(text, file);
  const reports = savedPlanReports(saved);
  // The only plan of a file has no id.
  return saved.isOne
    ? reports.map((report) => ({ ...report, id: report.stack!, path: report.stack! }))
    : reports;
}

/** Two parts of one stack are no report: one of them is old. */
function refuseTwice(reports: StackReport[]): void {
  const ids = reports.map(({ id }) => id);
  const twice = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
  if (twice.length === 0) return;
  throw new Problems('report/twice', `several files are about ${twice.join(', ')}`, {
    hint: 'pass each part once, and no files of earlier runs',
  });
}
