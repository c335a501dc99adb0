import { join } from 'node:path';
import { pathOn } from '../app/host.ts';
import type { PlanningOptions } from '../app/planning/planning.ts';
import { withAbsolutePaths, workspaceStacks } from '../app/planning/workspace-stacks.ts';
import { stackAccounts } from '../app/session/common-accounts.ts';
import { chosenLedger, isForOne } from '../app/session/ledger-choice.ts';
import type { StacksOptions } from '../app/stack-options.ts';
import type { Provider } from '../kind/provider.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { asksForNothing, hasDrift } from '../model/plan.ts';
import { cleanLine } from '../report/clean.ts';
import { count } from '../report/count.ts';
import { everyStack } from '../report/markdown/stacks-markdown.ts';
import type { CommandRun } from './command-run.ts';
import { exitCodes, stacksCode } from './exit-codes.ts';
import { type Format, isOfOne } from './formats.ts';
import { ledgerLineOf } from './ledger-line.ts';
import { flagOf, refuseOtherFile, saveStacks } from './plan-file.ts';
import { type PlannedStack, planStacks, terminalOf } from './plan-stacks.ts';
import { formatOfOne, showStacks } from './show-stacks.ts';
import { type Terminal, terminalFor } from './terminal.ts';

/** The options of `plan`, of one stack or of all. */
export interface PlanOptions extends PlanningOptions, StacksOptions {
  format?: Format;
  json?: boolean;
  jsonStream?: boolean;
  detailedExitcode?: boolean;
  driftExitcode?: boolean;
  out?: string;
}

/** Plans the stacks of the workspace: one report, one exit code. */
export async function planAll(provider: Provider, planOptions: PlanOptions, run: CommandRun): Promise<void> {
  refuseOneStacks(planOptions, run);
  const terminal = terminalFor(run, planOptions);
  // What a pull request is told of a failure stands where the plans did.
  run.stack = everyStack;
  const out = planOptions.out === undefined ? undefined : pathOn(run.host, planOptions.out);
  if (planOptions.out !== undefined) await refuseOtherFile(planOptions.out, run.host);
  const chosen = await workspaceStacks(provider, planOptions, run);
  const options = withAbsolutePaths(planOptions, run);
  for (const note of chosen.notes) terminal.say(cleanLine(note));
  const accounts = stackAccounts(provider, options, inWorkspace(terminal, chosen.folder));
  try {
    const planned = await planStacks(provider, options, terminal, chosen, {
      accounts,
      needsKey: out !== undefined,
      plans: out === undefined ? [] : [out],
    });
    const said = out === undefined ? [] : await saveStacks(planned, planOptions.out!, run.host);
    await sayLedgers(planned, terminal, chosen.folder);
    const reports = planned.map(({ report }) => report);
    const fine = showStacks(reports, planOptions, terminal, await accounts.paceNow(provider.pace));
    for (const line of said) terminal.say(line);
    terminal.say(`Read with ${count(accounts.sent(), 'request')}.`);
    const plans = reports.flatMap(({ plan }) => plan ?? []);
    const isNews =
      (planOptions.detailedExitcode && plans.some((plan) => !asksForNothing(plan))) ||
      (planOptions.driftExitcode && plans.some(hasDrift));
    run.exitCode = !fine ? stacksCode(reports) : isNews ? exitCodes.changes : exitCodes.done;
  } finally {
    await accounts.close();
  }
}

/** The same terminal, of a run in the folder of the workspace. */
export const inWorkspace = (terminal: Terminal, folder: string): Terminal => ({
  ...terminal,
  run: { ...terminal.run, host: { ...terminal.run.host, cwd: folder } },
});

export async function sayLedgers(planned: PlannedStack[], terminal: Terminal, folder: string): Promise<void> {
  for (const { session, stack } of planned)
    if (session) terminalOf(terminal, stack, folder).say(await ledgerLineOf(session));
}

const ofOneStack = ['file', 'stage'] as const;

/** Refuses what can only be meant for one stack. Throws `Problems`. */
export function refuseOneStacks(options: PlanOptions, { host }: CommandRun): void {
  const flags = ofOneStack.filter((name) => options[name] !== undefined).map(flagOf);
  const wrong = [
    ...(flags.length > 0
      ? [
          problem('all/one-stack', `${flags.join(', ')} cannot be combined with --all`, {
            hint: 'it applies to one stack: run that stack alone, with --file and --stage',
          }),
        ]
      : []),
    ...(isOfOne(options.format) ? [formatOfOne()] : []),
    ...(isForOne(options, host)
      ? [
          problem(
            'all/ledger',
            `one ${chosenLedger(options, host) === undefined ? 'address' : 'file'} cannot be the ledger of several stacks`,
            {
              hint: `leave out --ledger (the ledgers are in ${join('.trueup', 'ledger')} of the workspace), or use \`--ledger git\`; in a URL write {stack} for the name of the stack`,
            },
          ),
        ]
      : []),
  ];
  if (wrong.length > 0) throw new Problems(wrong);
}
