/*
 * Commands about one stack, or about several stacks of the workspace (`--all`, `--changed-since`): `plan`, `apply`, `undo` and `show`. The code for
 * several stacks is loaded only for these.
 */
import { join } from 'node:path';
import type { PlanningOptions } from '../app/planning/plan-options.ts';
import type { PlannedStack, StackToPlan } from '../app/planning/plan-stacks.ts';
import type { Several } from '../app/planning/several-stacks.ts';
import { namesSeveralStacks, type StacksOptions } from '../app/stack-options.ts';
import type { ChosenStacks } from '../config/workspace-stacks.ts';
import { ledgerLineOf } from '../history/ledger-line.ts';
import type { Provider } from '../kind/provider.ts';
import type { Pace } from '../model/budget.ts';
import { flagOf, Reporter, raiseErrors } from '../model/diagnostic.ts';
import { asksForNothing, hasDrift, type Plan } from '../model/plan.ts';
import { createCommandFailures, repeatedFailuresText } from '../report/stacks/stack-failures.ts';
import { canOnlyHoldOneStack, chosenLedgerFile } from '../stores/ledger-choice.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { stackTerminal, type Terminal } from '../terminal/terminal.ts';
import { exitCodes } from './exit-codes.ts';
import {
  type Format,
  findCommitForPage,
  isSinglePlanFormat,
  type PrintOptions,
  showPlan,
  singlePlanFormatProblem,
} from './formats.ts';

/** The stacks that a command is about. */
export interface CommandStacks {
  stacks: StackToPlan<Terminal>[];
  /** The chosen stacks of a workspace, with their accounts and the joint handling of signals; absent for one stack. */
  several?: Several;
}

/** The options of a command about stacks. `from`: plans are made from this snapshot. */
type CommandStacksOptions = PlanningOptions & StacksOptions & { from?: string | undefined };

/**
 * Finds the stacks of `plan`, `apply` or `undo`, passes them to `use`, and then closes what several stacks share: their accounts and the
 * handling of signals (`joint`). `narrow`: selects stacks of the workspace for a file of saved plans, instead of by the options. Throws
 * `Problems`, for example if the workspace file is wrong.
 */
export async function withCommandStacks(
  provider: Provider,
  options: CommandStacksOptions,
  terminal: Terminal,
  use: (commandStacks: CommandStacks) => Promise<void>,
  narrow?: (chosen: ChosenStacks) => Promise<ChosenStacks>,
): Promise<void> {
  if (!narrow && !namesSeveralStacks(options))
    return use({ stacks: [{ id: '', path: '', needs: [], waitsFor: [], options, port: terminal }] });
  const failures = createCommandFailures();
  const { openSeveral } = await import('../app/planning/several-stacks.ts');
  const { stacks, several } = await openSeveral(provider, options, terminal, {
    portOf: (id, host) => ({
      ...stackTerminal(id, host, terminal),
      failures: { command: failures, stack: id },
    }),
    narrow,
    readsSecrets: options.from === undefined,
  });
  try {
    await use({ stacks, several });
  } finally {
    several.joint.close();
    await several.accounts.close();
  }
}

/** Says at the end of `apply --all` or `undo --all` which failures several stacks had in common, each with its error once. */
export const sayRepeatedFailures = (
  [firstStack]: readonly { stack: { port: Terminal } }[],
  { say, errStyle }: Terminal,
): void => say(repeatedFailuresText(firstStack?.stack.port.failures?.command.outcomes ?? [], errStyle));

/**
 * Throws `Problems` for options that a command about several stacks (`plan --all`, `undo --all`) cannot have, such as `--file` or a ledger for
 * one stack.
 */
export function refuseSingleStackOptions(
  options: CommandStacksOptions & { format?: Format },
  { host }: CommandRun,
): void {
  const report = new Reporter();
  const flags = (['file', 'stage'] as const).filter((name) => options[name] !== undefined).map(flagOf);
  if (flags.length > 0)
    report.error('cli/options', `${flags.join(', ')} cannot be combined with --all`, {
      hint: 'it applies to one stack: run that stack alone, with --file and --stage',
    });
  if (isSinglePlanFormat(options.format)) report.add(singlePlanFormatProblem());
  if (canOnlyHoldOneStack(options, host)) {
    const noun = chosenLedgerFile(options, host) === undefined ? 'address' : 'file';
    report.error('cli/options', `one ${noun} cannot be the ledger of several stacks`, {
      hint: `leave out --ledger (the ledgers are in ${join('.trueup', 'ledger')} of the workspace), or use \`--ledger git\`; in a URL write {stack} for the name of the stack`,
    });
  }
  raiseErrors(report.diagnostics);
}

/**
 * Closes the session (the configuration, account and ledger of a stack) at the end of `plan`, `apply` or `undo` about one stack. With
 * `--all`, the sessions share accounts and are closed together with these, so this does nothing.
 */
export async function closeOnlySession(
  planned: readonly Pick<PlannedStack, 'session'>[],
  { several }: CommandStacks,
): Promise<void> {
  if (!several) await planned[0]?.session?.close();
}

/** Says for each plan which ledger it was made on, so that a user notices a wrong or old ledger. */
export async function sayLedgerLines(planned: readonly PlannedStack[]): Promise<void> {
  for (const { session, stack } of planned) if (session) stack.port.say(await ledgerLineOf(session));
}

/** Reads how fast the platform takes requests now, so that the plans can say how long an apply takes. */
export const readPace = async (
  planned: readonly Pick<PlannedStack, 'session'>[],
  { several }: CommandStacks,
): Promise<Pace> => (several ? several.accounts.paceNow() : planned[0]!.session!.connection.paceNow());

/**
 * Shows the plans that `plan`, `apply`, `undo` or `rehearse` just made: the plan of the only stack, or one report about several stacks (`--all`). Returns true if all
 * may be applied.
 */
export async function showPlans(
  planned: readonly Pick<PlannedStack, 'stack' | 'session' | 'report'>[],
  options: PrintOptions,
  terminal: Terminal,
  pace: Pace,
): Promise<boolean> {
  const [first] = planned;
  // The only stack of a command has no id.
  if (first?.stack.id === '') {
    const commit = await findCommitForPage(first.session!, options);
    return showPlan(first.report.plan!, { ...options, ...commit }, terminal, pace);
  }
  const { showStacks } = await import('./show-stacks.ts');
  const reports = planned.map(({ report }) => report);
  return showStacks(reports, { ...options, time: first?.session?.clock.now() }, terminal, pace);
}

/** The options that make changes or drift a reason for an exit code. */
interface ExitCodeOptions {
  detailedExitcode?: boolean | undefined;
  driftExitcode?: boolean | undefined;
}

/**
 * Returns the exit code of `plan` and `show` for plans without errors. Scripts ask with `--detailed-exitcode` for a code for changes, and
 * with `--drift-exitcode` for drift (changes made outside).
 */
export function changesCode(plans: readonly Plan[], options: ExitCodeOptions): number {
  const hasChanges = options.detailedExitcode === true && plans.some((plan) => !asksForNothing(plan));
  const isDrifted = options.driftExitcode === true && plans.some(hasDrift);
  return hasChanges || isDrifted ? exitCodes.changes : exitCodes.done;
}
