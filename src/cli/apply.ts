import type { Command } from 'commander';
import type { ApplyCommandOptions } from '../app/planning/plan-options.ts';
import { planStacks } from '../app/planning/plan-stacks.ts';
import { namesSeveralStacks } from '../app/stack-options.ts';
import { chooseApproved, refuseUnsealed } from '../approval/approved-stacks.ts';
import { readSavedFile, refuseShapingOptions, type SavedFile } from '../approval/plan-files.ts';
import { createReportPlaces } from '../ci/ci-job.ts';
import type { ChosenStacks } from '../config/workspace-stacks.ts';
import { prepareOutputFile, writeOutputFile } from '../files/write-files.ts';
import { resolvePath } from '../host.ts';
import type { Provider } from '../kind/provider.ts';
import { problemsOf } from '../model/describe-errors.ts';
import { raise } from '../model/diagnostic.ts';
import { type ApplyResult, applyCommentMarkdown } from '../report/markdown/applied-markdown.ts';
import { commentLimit } from '../report/markdown/forms.ts';
import { failureMarkdown } from '../report/markdown/stacks-markdown.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { sayDiagnostics, type Terminal, terminalFor } from '../terminal/terminal.ts';
import { applyPlans } from './apply-plans.ts';
import {
  type CommandStacks,
  closeOnlySession,
  readPace,
  refuseSingleStackOptions,
  sayLedgerLines,
  showPlans,
  withCommandStacks,
} from './command-stacks.ts';
import { streamOption } from './formats.ts';
import { canaryOption, reportOption, withStacks, withWriting } from './options.ts';

/** Declares `trueup apply`, which plans, asks for confirmation, and applies. With a saved plan it applies exactly that plan. */
export function applyCommand(command: Command, provider: Provider, run: CommandRun): void {
  withStacks(withWriting(command))
    .argument('[file]', 'a plan saved by `plan --out`: applied without asking if it still matches')
    .option('--auto-approve', 'skip the confirmation')
    .addOption(canaryOption())
    .addOption(streamOption())
    .addOption(reportOption())
    .action((file: string | undefined, options: ApplyCommandOptions) =>
      withReport(options.report, run, () => planAndApply(file, options, provider, run)),
    );
}

/** The bytes that a report leaves free for the last line of the comment, with the commit and the run. */
const footRoom = 400;

/**
 * Runs an apply and writes its result to the Markdown file of `apply --report`, which `trueup comment` puts on the pull request, also if the
 * apply fails. Without a file it only runs the apply. Throws `Problems` before the apply if the file cannot be written.
 */
async function withReport(
  file: string | undefined,
  run: CommandRun,
  work: () => Promise<void>,
): Promise<void> {
  if (file === undefined) return work();
  await prepareOutputFile(run.host, file);
  const result: ApplyResult = {};
  run.applyResult = result;
  try {
    await work();
  } catch (error) {
    result.failed = problemsOf(error);
    throw error;
  } finally {
    await writeOutputFile(run.host, file, formatReport(result, run));
  }
}

/**
 * Formats the file of `apply --report`, which `trueup comment` puts on a pull request: the result of the apply or, if nothing was applied,
 * the problems that prevented it.
 */
function formatReport(result: ApplyResult, { stack, host }: CommandRun): string {
  const places = createReportPlaces(host);
  const room = commentLimit - footRoom;
  const { failed = [], outcome, plan } = result;
  // The outcome already contains what failed.
  const shownResult = outcome ? { ...result, failed: undefined } : result;
  const text = applyCommentMarkdown(shownResult, room, places);
  if (text !== undefined) return text;
  const diagnostics = failed.length > 0 ? failed : (plan?.diagnostics ?? []);
  return failureMarkdown({ command: 'apply', done: 'applied', diagnostics, stack }, room, places);
}

/**
 * Runs `trueup apply`: plans the stacks of the command or of a file of saved plans, shows the plans, and applies them once the user
 * agrees. Throws `Problems` if the options do not fit together. Here only the seal of a file of several stacks is checked, because it
 * covers which stacks there are; the seal of each plan is checked when it is compared.
 */
async function planAndApply(
  fileName: string | undefined,
  givenOptions: ApplyCommandOptions,
  provider: Provider,
  run: CommandRun,
): Promise<void> {
  if (namesSeveralStacks(givenOptions) && fileName !== undefined)
    raise('approval/options', '--all cannot be combined with a saved plan', {
      hint: 'the file names its stacks',
    });
  const terminal = terminalFor(run, givenOptions);
  const savedFile = fileName === undefined ? undefined : await readSavedFile(fileName, run.host);
  const saved = savedFile?.saved;
  if (saved) refuseShapingOptions(givenOptions);
  if (namesSeveralStacks(givenOptions) || saved?.isOne === false) refuseSingleStackOptions(givenOptions, run);
  // The options are the same for all plans of a file, because one command made them.
  const options: ApplyCommandOptions = { ...givenOptions, ...saved?.parts[0]?.plan.options };
  const chooseSavedStacks = async (stacks: ChosenStacks) => {
    const chosen = chooseApproved(savedFile!.approved, stacks);
    await refuseUnsealed(saved!, fileName!, givenOptions, { ...run.host, cwd: stacks.folder });
    return chosen;
  };
  await withCommandStacks(
    provider,
    options,
    terminal,
    (commandStacks) => applyCommandStacks(provider, commandStacks, savedFile, options, terminal),
    saved && !saved.isOne ? chooseSavedStacks : undefined,
  );
}

/**
 * Plans the stacks of `apply`, shows the plans, and applies them. `savedFile`: the approved plans, which the new plans must match.
 * `unattended`: no person has seen the plan when it is applied.
 */
async function applyCommandStacks(
  provider: Provider,
  commandStacks: CommandStacks,
  savedFile: SavedFile | undefined,
  options: ApplyCommandOptions,
  terminal: Terminal,
): Promise<void> {
  const { run } = terminal;
  const { stacks, several } = commandStacks;
  const file = savedFile?.approved;
  const mode = { unattended: !file && options.autoApprove === true };
  const { planned, warnings } = await planStacks(provider, stacks, {
    accounts: several?.accounts,
    selection: options,
    writes: true,
    // If no question comes, a single stack is locked before it is planned, so that it need not be planned again.
    locks: !several && (file !== undefined || options.autoApprove === true),
    needsKey: several !== undefined,
    mode,
    files: file ? [resolvePath(run.host, file.name)] : [],
    approved: file,
  });
  try {
    sayDiagnostics(warnings, terminal);
    await sayLedgerLines(planned);
    if (!several && run.applyResult) run.applyResult.plan = planned[0]!.planned!.plan;
    const pace = await readPace(planned, commandStacks);
    const areApplicable = await showPlans(planned, options, terminal, pace);
    await applyPlans(planned, options, terminal, { several, areApplicable, file, mode });
  } finally {
    await closeOnlySession(planned, commandStacks);
  }
}
