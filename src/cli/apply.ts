import type { Command } from 'commander';
import { chooseApproved, refuseUnsealed } from '../app/applying/approved-stacks.ts';
import { pathOn } from '../app/host.ts';
import { readSavedPlans, refuseShapingOptions } from '../app/planning/plan-files.ts';
import { type ApplyCommandOptions, createPlanOptions } from '../app/planning/plan-options.ts';
import { type ApprovedFile, type PlannedStack, planStacks } from '../app/planning/plan-stacks.ts';
import { refuseEphemeral } from '../app/session/ledger-choice.ts';
import { lockSession } from '../app/session/session.ts';
import { namesSeveralStacks } from '../app/stack-options.ts';
import { planAgain } from '../approval/plan-again.ts';
import type { Provider } from '../kind/provider.ts';
import { Problems } from '../model/diagnostic.ts';
import { asksForNothing, isEmpty } from '../model/plan.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { changesText } from '../report/plan-notes.ts';
import { refuseMissingSecrets } from '../run/fill-request.ts';
import { withReport } from './apply-report.ts';
import { applyCurrent, unattendedApplyProblem } from './carry-out.ts';
import type { CommandRun } from './command-run.ts';
import {
  closeOnlySession,
  readPace,
  refuseSingleStackOptions,
  sayLedgerLines,
  showPlans,
  withCommandStacks,
} from './command-stacks.ts';
import { problemsCode } from './exit-codes.ts';
import { streamOption } from './formats.ts';
import { withStacks } from './options.ts';
import { canaryOption, reportOption, withWriting } from './planning-flags.ts';
import { isYes, type Terminal, terminalFor } from './terminal.ts';

export function applyCommand(command: Command, provider: Provider, run: CommandRun): void {
  withStacks(withWriting(command))
    .argument('[file]', 'a plan saved by `plan --out`: applied without asking if it still matches')
    .option('--auto-approve', 'skip the confirmation')
    .addOption(canaryOption())
    .addOption(streamOption())
    .addOption(reportOption())
    .action((file: string | undefined, given: ApplyCommandOptions) =>
      withReport(given.report, run, () => applyGiven(file, given, provider, run)),
    );
}

/** Plans the stacks of the command, or of a file of approved plans, shows their plans, and applies them once they are agreed to. */
async function applyGiven(
  fileName: string | undefined,
  given: ApplyCommandOptions,
  provider: Provider,
  run: CommandRun,
): Promise<void> {
  const { host } = run;
  if (namesSeveralStacks(given) && fileName !== undefined) throw fileOfStacks();
  const terminal = terminalFor(run, given);
  const saved = fileName === undefined ? undefined : await readSavedPlans(fileName, host);
  if (saved) refuseShapingOptions(given);
  const isOfSeveral = namesSeveralStacks(given) || saved?.isOne === false;
  if (isOfSeveral) refuseSingleStackOptions(given, run);
  // The options are the same for all plans of a file, because one command made them.
  const options: ApplyCommandOptions = { ...given, ...saved?.parts[0]?.plan.options };
  refuseEphemeral(options, host);
  const file: ApprovedFile | undefined = saved && {
    name: fileName!,
    parts: new Map(saved.parts.map((part) => [part.id, part])),
  };
  const mode = { unattended: !file && given.autoApprove === true };
  await withCommandStacks(
    provider,
    options,
    terminal,
    async (commandStacks) => {
      const { several } = commandStacks;
      const { planned, warnings } = await planStacks(provider, commandStacks.stacks, {
        accounts: several?.accounts,
        selection: options,
        writes: true,
        // Nobody is asked, so the only stack can be locked before it is planned: then it need not be planned again.
        locks: !several && (file !== undefined || options.autoApprove === true),
        needsKey: several !== undefined,
        mode,
        files: fileName === undefined ? [] : [pathOn(host, fileName)],
        approved: file,
      });
      try {
        terminal.say(diagnosticsText(warnings, { style: terminal.errStyle }));
        await sayLedgerLines(planned);
        if (!several && run.deed) run.deed.plan = planned[0]!.planned!.plan;
        const pace = await readPace(planned, commandStacks, provider);
        const areFine = await showPlans(planned, options, terminal, pace);
        if (!several) return await applyOnly(planned[0]!, areFine, options, terminal, file !== undefined);
        const { applySeveral } = await import('./apply-several.ts');
        await applySeveral(planned, several, options, terminal, { areFine, file, mode });
      } finally {
        await closeOnlySession(planned, commandStacks);
      }
    },
    saved && !saved.isOne
      ? async (stacks) => {
          const chosen = chooseApproved(file!, stacks);
          await refuseUnsealed(saved, fileName!, given, { ...host, cwd: stacks.folder });
          return chosen;
        }
      : undefined,
  );
}

const fileOfStacks = () =>
  new Problems('approval/options', '--all cannot be combined with a saved plan', {
    hint: 'the file names its stacks',
  });

/** Asks whether to apply the plan of the only stack, and applies it. `isApproved`: a saved plan, which was approved before. */
async function applyOnly(
  { session, planned }: PlannedStack<Terminal>,
  isFine: boolean,
  options: ApplyCommandOptions,
  terminal: Terminal,
  isApproved: boolean,
): Promise<void> {
  const { plan } = planned!;
  const own = session!;
  if (!isFine) {
    terminal.run.exitCode = problemsCode(plan.diagnostics);
    return;
  }
  const approval = options.autoApprove ? 'flag' : 'asked';
  const how = { approval, isShown: true } as const;
  if (isEmpty(plan)) return void (await applyCurrent(own, planned!, options, terminal, how));
  refuseMissingSecrets(plan.operations, own.secrets);
  const isToAsk = !isApproved && !options.autoApprove && !asksForNothing(plan);
  const question = `Apply ${changesText(plan)}?`;
  if (isToAsk && !(await isYes(terminal, { question, unattended: unattendedApplyProblem('the plan has') })))
    return;
  const isLocked = own.lease !== undefined;
  // Not before the answer: while somebody thinks, nobody else has to wait.
  if (!isLocked) await lockSession(own, options, terminal);
  const current = isLocked
    ? planned!
    : await planAgain(own, { shown: plan }, createPlanOptions(options, own.host));
  await applyCurrent(own, current, options, terminal, how);
}
