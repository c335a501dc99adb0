import type { Command } from 'commander';
import { planAsApproved, planAsShown } from '../approval/plan-as-approved.ts';
import { isSavedStacks } from '../approval/saved-stacks.ts';
import type { Provider } from '../kind/provider.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { asksForNothing, isEmpty, type Plan } from '../model/plan.ts';
import { changesText } from '../report/plan-notes.ts';
import { nothingLines } from '../report/terraform/apply-lines.ts';
import { refuseMissingSecrets } from '../run/fill.ts';
import { openSettledPlan } from '../run/open-plan.ts';
import { reported } from './apply-report.ts';
import { carryOut } from './carry-out.ts';
import { showPlan, streamOption } from './formats.ts';
import type { Run } from './host.ts';
import { keepLedgerCurrent } from './keep-ledger-current.ts';
import { ledgerLineOf } from './ledger-line.ts';
import { refuseEphemeral } from './ledger-place.ts';
import {
  type ApplyCommandOptions,
  isOfStacks,
  reportOption,
  type StacksOptions,
  withStacks,
  withWriting,
} from './options.ts';
import { approvedPlan, readText } from './plan-file.ts';
import { planningOf } from './planning.ts';
import { lockSession, openSession, requireWritable } from './session.ts';
import { isYes, type Terminal, terminalFor } from './terminal.ts';
import { waitUntilReady } from './wait-until-ready.ts';

export function applyCommand(command: Command, provider: Provider, run: Run): void {
  withStacks(withWriting(command))
    .argument('[file]', 'a plan that `plan --out` saved: it is done without asking, if it still is the plan')
    .option('--auto-approve', 'do not ask')
    .addOption(streamOption())
    .addOption(reportOption())
    .action((file: string | undefined, given: ApplyCommandOptions & StacksOptions) =>
      reported(given.report, run, () => applyGiven(file, given, provider, run)),
    );
}

async function applyGiven(
  file: string | undefined,
  given: ApplyCommandOptions & StacksOptions,
  provider: Provider,
  run: Run,
): Promise<void> {
  const { host } = run;
  if (isOfStacks(given)) {
    if (file !== undefined) throw fileOfStacks();
    return (await import('./apply-all.ts')).applyAll(provider, given, run);
  }
  if (file !== undefined && isSavedStacks(await readText(file, host)))
    return (await import('./apply-stacks-file.ts')).applyStacksFile(provider, file, given, run);
  const terminal = terminalFor(run, given);
  const approved = file === undefined ? undefined : await approvedPlan(file, given, host);
  const options = { ...given, ...approved?.options };
  refuseEphemeral(options, host);
  const plans = file === undefined ? [] : [file];
  const session = await openSession(provider, options, terminal, {
    plans,
    writes: true,
    guards: 'apply',
  });
  try {
    requireWritable(session, options);
    // Before anything is planned; but nobody else waits while a person thinks.
    if (approved || options.autoApprove) await lockSession(session, options, terminal);
    const planned = approved
      ? await planAsApproved(session, file!, approved, planningOf(options, host))
      : await openSettledPlan(
          session,
          planningOf(options, host, { unattended: options.autoApprove ?? false }),
        );
    terminal.err(await ledgerLineOf(session));
    if (run.deed) run.deed.plan = planned.plan;
    const pace = await session.connection.paceNow(provider.pace);
    const fine = showPlan(planned.plan, options, terminal, pace);
    if (!fine) run.exitCode = 1;
    else if (!isEmpty(planned.plan)) {
      refuseMissingSecrets(planned.plan.operations, session.secrets);
      const isToAgree = !approved && !asksForNothing(planned.plan);
      if (isToAgree && !(await agreed(options, planned.plan, terminal))) return;
      if (!approved && !options.autoApprove) await lockSession(session, options, terminal);
      const current =
        approved || options.autoApprove
          ? planned
          : await planAsShown(session, planned, planningOf(options, host));
      await carryOut(session, current, options, terminal, {
        approval: options.autoApprove ? 'flag' : 'asked',
      });
    } else {
      terminal.stream?.(nothingLines(planned.plan));
      await keepLedgerCurrent(session, planned, options, terminal);
      await waitUntilReady(session, planned, terminal);
    }
  } finally {
    await session.close();
  }
}

const fileOfStacks = () =>
  new Problems([
    problem('approval/options', '--all cannot be given with a saved plan', {
      hint: 'the file says which stacks it is for',
    }),
  ]);

async function agreed(
  { autoApprove }: ApplyCommandOptions,
  plan: Plan,
  terminal: Terminal,
): Promise<boolean> {
  if (autoApprove) return true;
  return isYes(terminal, {
    question: `Apply ${changesText(plan)}?`,
    unattended: problem('apply/unattended', 'apply needs a terminal or --auto-approve; nothing was changed', {
      hint: 'pass --auto-approve where a person has already agreed to the plan',
    }),
  });
}
