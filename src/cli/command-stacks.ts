/*
 * The stacks of a command: the one that its options name, or with `--all` and `--changed-since` those of the workspace. Code that only
 * several stacks need is loaded for them alone.
 */
import { join } from 'node:path';
import { ledgerLineOf } from '../app/ledger/ledger-line.ts';
import type { PlanningOptions } from '../app/planning/plan-options.ts';
import type { PlannedStack, StackToPlan } from '../app/planning/plan-stacks.ts';
import type { Several } from '../app/planning/several-stacks.ts';
import type { ChosenStacks } from '../app/planning/workspace-stacks.ts';
import { canOnlyHoldOneStack, chosenLedgerFile } from '../app/session/ledger-choice.ts';
import { flagOf, namesSeveralStacks, type StacksOptions } from '../app/stack-options.ts';
import type { Provider } from '../kind/provider.ts';
import type { Pace } from '../model/budget.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { asksForNothing, hasDrift, type Plan } from '../model/plan.ts';
import type { CommandRun } from './command-run.ts';
import { exitCodes } from './exit-codes.ts';
import {
  type Format,
  findCommitForPage,
  isSinglePlanFormat,
  type PrintOptions,
  showPlan,
  singlePlanFormatProblem,
} from './formats.ts';
import { stackTerminal, type Terminal } from './terminal.ts';

/** The stacks of a command, with what several of them have in common. */
export interface CommandStacks {
  stacks: StackToPlan<Terminal>[];
  /** Absent for one stack. */
  several?: Several;
}

type CommandStacksOptions = PlanningOptions & StacksOptions;

/**
 * Finds the stacks of a command and does something with them. What several have in common is closed afterwards. `narrow`: selects stacks
 * of the workspace in another way than by the options, as a file of saved plans does. Throws `Problems`.
 */
export async function withCommandStacks(
  provider: Provider,
  options: CommandStacksOptions,
  terminal: Terminal,
  use: (commandStacks: CommandStacks) => Promise<void>,
  narrow?: (chosen: ChosenStacks) => Promise<ChosenStacks>,
): Promise<void> {
  if (!narrow && !namesSeveralStacks(options))
    return use({ stacks: [{ id: '', path: '', needs: [], options, port: terminal }] });
  const { openSeveral } = await import('../app/planning/several-stacks.ts');
  const { stacks, several } = await openSeveral(provider, options, terminal, {
    portOf: (id, host) => stackTerminal(id, host, terminal),
    narrow,
  });
  try {
    await use({ stacks, several });
  } finally {
    several.joint.close();
    await several.accounts.close();
  }
}

/** Throws `Problems` for options that only one stack can have. */
export function refuseSingleStackOptions(
  options: CommandStacksOptions & { format?: Format },
  { host }: CommandRun,
): void {
  const flags = (['file', 'stage'] as const).filter((name) => options[name] !== undefined).map(flagOf);
  const wrong = [
    ...(flags.length > 0
      ? [
          problem('all/one-stack', `${flags.join(', ')} cannot be combined with --all`, {
            hint: 'it applies to one stack: run that stack alone, with --file and --stage',
          }),
        ]
      : []),
    ...(isSinglePlanFormat(options.format) ? [singlePlanFormatProblem()] : []),
    ...(canOnlyHoldOneStack(options, host)
      ? [
          problem(
            'all/ledger',
            `one ${chosenLedgerFile(options, host) === undefined ? 'address' : 'file'} cannot be the ledger of several stacks`,
            {
              hint: `leave out --ledger (the ledgers are in ${join('.trueup', 'ledger')} of the workspace), or use \`--ledger git\`; in a URL write {stack} for the name of the stack`,
            },
          ),
        ]
      : []),
  ];
  if (wrong.length > 0) throw new Problems(wrong);
}

/** Closes the session of the only stack. The sessions of several stacks are closed with their accounts. */
export async function closeOnlySession(
  planned: readonly PlannedStack[],
  { several }: CommandStacks,
): Promise<void> {
  if (!several) await planned[0]?.session?.close();
}

/** Says which ledger each plan was made on. */
export async function sayLedgerLines(planned: readonly PlannedStack[]): Promise<void> {
  for (const { session, stack } of planned) if (session) stack.port.say(await ledgerLineOf(session));
}

/** Returns the pace of the platform for the plans of a command. */
export const readPace = async (
  planned: readonly PlannedStack[],
  { several }: CommandStacks,
  { pace }: Provider,
): Promise<Pace> =>
  several ? several.accounts.paceNow(pace) : planned[0]!.session!.connection.paceNow(pace);

/** Shows plans that were made just now: the plan of the only stack, or one report about several. True if all may be applied. */
export async function showPlans(
  planned: readonly PlannedStack[],
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
  return showStacks(reports, options, terminal, pace);
}

/** Returns the exit code for plans without errors: changes count only if an option asks for them. */
export const changesCode = (
  plans: readonly Plan[],
  {
    detailedExitcode = false,
    driftExitcode = false,
  }: { detailedExitcode?: boolean | undefined; driftExitcode?: boolean | undefined },
): number => {
  const isNews =
    (detailedExitcode && plans.some((plan) => !asksForNothing(plan))) ||
    (driftExitcode && plans.some(hasDrift));
  return isNews ? exitCodes.changes : exitCodes.done;
};
