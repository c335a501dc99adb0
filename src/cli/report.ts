import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { pathOn } from '../app/host.ts';
import { shownStacks } from '../app/planning/plan-files.ts';
import { isSavedPlans, parseSavedPlans } from '../approval/saved-plans.ts';
import type { Provider } from '../kind/provider.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { asksForNothing } from '../model/plan.ts';
import { systemText } from '../model/system-error.ts';
import type { StackReport } from '../report/stacks/stack-report.ts';
import type { CommandRun } from './command-run.ts';
import { exitCodes, stacksCode } from './exit-codes.ts';
import { formatOption, jsonOption } from './formats.ts';
import { withColor } from './options.ts';
import type { ShowOptions } from './show.ts';
import { showStacks } from './show-stacks.ts';
import { terminalFor } from './terminal.ts';

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
    return failed(`cannot be read: ${systemText(error as Error)}`);
  }
  if (text.trim() === '') return failed('is empty');
  if (!isSavedPlans(text))
    throw new Problems('approval/not-a-plan', `${file}: this is not a saved plan`, {
      hint: 'pass files written by `trueup plan --out FILE`',
    });
  const saved = parseSavedPlans(text, file);
  const reports = shownStacks(saved);
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
