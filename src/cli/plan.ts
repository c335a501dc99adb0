import type { Command } from 'commander';
import type { PlanningOptions } from '../app/planning/plan-options.ts';
import { type PlannedStack, planStacks } from '../app/planning/plan-stacks.ts';
import { namesSeveralStacks, type StacksOptions } from '../app/stack-options.ts';
import { resolvePath } from '../host.ts';
import type { Provider } from '../kind/provider.ts';
import type { Pace } from '../model/budget.ts';
import type { RehearsalSettings } from '../rehearse/command/rehearse-stacks.ts';
import { driftText } from '../report/not-compared-text.ts';
import { count } from '../report/text.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { sayDiagnostics, type Terminal, terminalFor } from '../terminal/terminal.ts';
import {
  changesCode,
  closeOnlySession,
  readPace,
  refuseSingleStackOptions,
  sayLedgerLines,
  showPlans,
  withCommandStacks,
} from './command-stacks.ts';
import { exitCodes, rehearsalCode, stacksCode } from './exit-codes.ts';
import {
  changesOnlyOption,
  type Format,
  formatOption,
  jsonOption,
  refuseChangesOnly,
  streamOption,
} from './formats.ts';
import { canaryOption, rehearseOption, withPlanning, withRehearsal, withStacks } from './options.ts';

/** The options of `plan`. */
interface PlanCommandOptions extends PlanningOptions, StacksOptions, RehearsalSettings {
  format?: Format;
  json?: boolean;
  changesOnly?: boolean;
  jsonStream?: boolean;
  detailedExitcode?: boolean;
  driftExitcode?: boolean;
  out?: string;
  rehearse?: boolean;
  snapshot?: string;
  anonymous?: boolean;
  from?: string;
}

/** Declares `trueup plan`, which shows the changes that `apply` would make, and may save them for an approval. */
export function planCommand(command: Command, provider: Provider, run: CommandRun): void {
  withRehearsal(withStacks(withPlanning(command)).addOption(rehearseOption()))
    .addOption(canaryOption())
    .addOption(formatOption('sarif'))
    .addOption(jsonOption())
    .addOption(changesOnlyOption())
    .addOption(streamOption())
    .option('--detailed-exitcode', 'exit with 2 if there are changes')
    .option(
      '--drift-exitcode',
      'exit with 2 if the account was changed outside, regardless of the configuration',
    )
    .option('--out <file>', 'save the plan, for `trueup apply FILE`')
    .option('--snapshot <file>', 'save what the plan was made from, for `trueup plan --from FILE`')
    .option('--anonymous', 'with --snapshot: pseudonyms for all names and values')
    .option('--from <file>', 'plan from a snapshot, without token, network and secrets')
    .action((options: PlanCommandOptions) => planCommandStacks(provider, options, run));
}

/**
 * Carries out `trueup plan`: plans the stack, or the stacks of the workspace, that the options name, writes a snapshot (`--snapshot`), rehearses
 * (`--rehearse`) and saves the plans (`--out`), shows them, and sets the exit code. Several stacks end with the number of requests, and
 * `--drift-exitcode` of one stack with a sentence about drift.
 */
async function planCommandStacks(
  provider: Provider,
  options: PlanCommandOptions,
  run: CommandRun,
): Promise<void> {
  refuseChangesOnly(options);
  if (namesSeveralStacks(options)) refuseSingleStackOptions(options, run);
  const terminal = terminalFor(run, options);
  const { out, snapshot, from, anonymous } = options;
  const usesSnapshots = snapshot !== undefined || from !== undefined || anonymous;
  const snapshots = usesSnapshots
    ? await (await loadSnapshots()).openSnapshots(provider, options, run.host)
    : undefined;
  if (snapshots?.origin !== undefined) terminal.say(snapshots.origin);
  await withCommandStacks(provider, options, terminal, async (commandStacks) => {
    if (out !== undefined) await (await loadSaving()).refuseOverwriting(out, run.host);
    const { accounts } = commandStacks.several ?? {};
    const { planned, warnings } = await planStacks(provider, commandStacks.stacks, {
      accounts,
      selection: options,
      needsKey: out !== undefined,
      files: [out ?? [], snapshot ?? []].flat().map((file) => resolvePath(run.host, file)),
      records: snapshot !== undefined,
      source: snapshots?.source,
    });
    try {
      const pace = snapshots?.pace ?? (await readPace(planned, commandStacks));
      // Before the rehearsal, because that also records digests of values in its twin, which a plan from the snapshot does not need.
      const snapshotProblems = (await snapshots?.save(planned, terminal, { accounts, pace })) ?? [];
      const shown = options.rehearse
        ? await (await loadRehearsal()).rehearseStacks(provider, planned, options)
        : planned;
      sayDiagnostics(warnings, terminal);
      const planCode = await saveAndShowPlans(shown, options, terminal, pace);
      if (accounts) terminal.say(`Read with ${count(accounts.sent(), 'request')}.`);
      else if (options.driftExitcode) terminal.say(driftText(shown[0]!.report.plan!));
      sayDiagnostics(snapshotProblems, terminal);
      run.exitCode = snapshotProblems.length > 0 ? exitCodes.failed : planCode;
    } finally {
      await closeOnlySession(planned, commandStacks);
    }
  });
}

/**
 * Saves the plans of `trueup plan` if `--out` is given, shows them, and returns the exit code: that of problems if a plan cannot be
 * applied, else that of the rehearsals, else that of changes. They are saved first, because only the error matters if they cannot be
 * saved.
 */
async function saveAndShowPlans(
  planned: readonly PlannedStack<Terminal>[],
  options: PlanCommandOptions,
  terminal: Terminal,
  pace: Pace,
): Promise<number> {
  const { out } = options;
  const savingMessages =
    out === undefined ? [] : await (await loadSaving()).savePlanned(planned, out, options, terminal.run.host);
  await sayLedgerLines(planned);
  const canApply = await showPlans(planned, options, terminal, pace);
  for (const message of savingMessages) terminal.say(message);
  const reports = planned.map(({ report }) => report);
  if (!canApply) return stacksCode(reports);
  const plans = reports.flatMap(({ plan }) => plan ?? []);
  return rehearsalCode(plans) || changesCode(plans, options);
}

/* Code that only some runs need. */
const loadRehearsal = () => import('../rehearse/command/rehearse-stacks.ts');
const loadSnapshots = () => import('../snapshot/command/open-snapshots.ts');
const loadSaving = () => import('../app/planning/save-planned.ts');
