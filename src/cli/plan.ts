import type { Command } from 'commander';
import { planningOf } from '../app/planning/planning.ts';
import { ephemeral } from '../app/session/ledger-choice.ts';
import { openSession } from '../app/session/session.ts';
import { isOfStacks } from '../app/stack-options.ts';
import type { Provider } from '../kind/provider.ts';
import { driftCount, type Plan } from '../model/plan.ts';
import { isOpenAction } from '../model/planned-action.ts';
import { notComparedState } from '../report/not-compared-text.ts';
import { openPlan } from '../run/open-plan.ts';
import type { CommandRun } from './command-run.ts';
import { commitForPage, formatOption, jsonOption, showPlan, streamOption } from './formats.ts';
import { ledgerLineOf } from './ledger-line.ts';
import { withStacks } from './options.ts';
import type { PlanOptions } from './plan-all.ts';
import { planExitCode } from './plan-exit-code.ts';
import { canaryOption, withPlanning } from './planning-flags.ts';
import { terminalFor } from './terminal.ts';

/** Loads the code that saves plans only if one is saved. */
const planFileAt = async (path: string, { host }: CommandRun) =>
  (await import('./plan-file.ts')).newPlanFile(path, host);

export function planCommand(command: Command, provider: Provider, run: CommandRun): void {
  withStacks(withPlanning(command))
    .addOption(canaryOption())
    .addOption(formatOption('sarif'))
    .addOption(jsonOption())
    .addOption(streamOption())
    .option('--detailed-exitcode', 'exit with 2 if there are changes')
    .option(
      '--drift-exitcode',
      'exit with 2 if the account was changed outside, regardless of the configuration',
    )
    .option('--out <file>', 'save the plan, for `trueup apply FILE`')
    .action(async (options: PlanOptions) => {
      if (isOfStacks(options)) return (await import('./plan-all.ts')).planAll(provider, options, run);
      const terminal = terminalFor(run, options);
      const file = options.out === undefined ? undefined : await planFileAt(options.out, run);
      await file?.refuseOther();
      const plans = options.out === undefined ? [] : [options.out];
      const session = await openSession(provider, options, terminal, { plans, guards: 'plan' });
      try {
        await file?.keyToApprove(session, options);
        const unkept = ephemeral(options, run.host);
        if (unkept) session.diagnostics.push({ ...unkept, severity: 'warning' });
        const { plan } = await openPlan(session, planningOf(options, run.host));
        if (unkept && plan.actions?.some(isOpenAction)) tellForgotten(plan);
        // Before it is shown: of what cannot be saved only the error is told, not a plan and then an error.
        const said = file ? await file.save(session, plan, options) : [];
        terminal.say(await ledgerLineOf(session));
        const shown = { ...options, ...(await commitForPage(session, options)) };
        const pace = await session.connection.paceNow(provider.pace);
        const fine = await showPlan(plan, shown, terminal, pace);
        for (const line of said) terminal.say(line);
        if (options.driftExitcode) terminal.say(driftText(plan));
        run.exitCode = planExitCode(plan, {
          fine,
          detailed: options.detailedExitcode,
          drift: options.driftExitcode,
        });
      } finally {
        await session.close();
      }
    });
}

function driftText(plan: Plan): string {
  const drifted = driftCount(plan);
  const what = drifted === 0 ? 'Nothing was' : drifted === 1 ? '1 object was' : `${drifted} objects were`;
  return [`${what} changed outside since the last apply.`, ...notComparedState(plan)].join(' ');
}

/** With the ledger goes what is owed: an action that cannot be sent is forgotten. */
function tellForgotten(plan: Plan): void {
  plan.diagnostics = plan.diagnostics.map((diagnostic) =>
    diagnostic.code === 'ledger/ephemeral'
      ? { ...diagnostic, message: `${diagnostic.message}, along with any pending \`$then\` action` }
      : diagnostic,
  );
}
