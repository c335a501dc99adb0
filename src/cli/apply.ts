import type { Command } from 'commander';
import { placesOn } from '../app/ci-job.ts';
import type { Host } from '../app/host.ts';
import { outputFile, writeOutput } from '../app/output-file.ts';
import { type ApplyCommandOptions, planningOf } from '../app/planning/planning.ts';
import { refuseEphemeral } from '../app/session/ledger-choice.ts';
import { lockSession, openSession, requireWritable, type Session } from '../app/session/session.ts';
import { isOfStacks, type StacksOptions } from '../app/stack-options.ts';
import { planAsApproved, planAsShown } from '../approval/plan-as-approved.ts';
import { isSavedStacks } from '../approval/saved-stacks.ts';
import type { Provider } from '../kind/provider.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { asksForNothing, isEmpty, type Plan } from '../model/plan.ts';
import { type Deed, deedMarkdown } from '../report/markdown/applied-markdown.ts';
import { failureMarkdown } from '../report/markdown/failure-markdown.ts';
import { commentLimit } from '../report/markdown/forms.ts';
import { notSetState } from '../report/not-compared-text.ts';
import { changesText } from '../report/plan-notes.ts';
import { nothingLines } from '../report/terraform/apply-lines.ts';
import { refuseMissingSecrets } from '../run/fill-request.ts';
import { openSettledPlan } from '../run/open-plan.ts';
import { createPartnersReader } from '../run/session.ts';
import { waitUntilReady } from './after-apply.ts';
import { carryOut } from './carry-out.ts';
import type { CommandRun } from './command-run.ts';
import { problemsCode } from './exit-codes.ts';
import { showPlan, streamOption } from './formats.ts';
import { keepLedgerCurrent } from './keep-ledger-current.ts';
import { ledgerLineOf } from './ledger-line.ts';
import { withStacks } from './options.ts';
import { approvedPlan, readText } from './plan-file.ts';
import { canaryOption, reportOption, withWriting } from './planning-flags.ts';
import { problemsOf } from './report-error.ts';
import { isYes, type Terminal, terminalFor } from './terminal.ts';

export function applyCommand(command: Command, provider: Provider, run: CommandRun): void {
  withStacks(withWriting(command))
    .argument('[file]', 'a plan saved by `plan --out`: applied without asking if it still matches')
    .option('--auto-approve', 'skip the confirmation')
    .addOption(canaryOption())
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
  run: CommandRun,
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
    if (host.partners) await meetPartners(session, host.partners);
    const planned = approved
      ? await planAsApproved(session, file!, approved, planningOf(options, host), host.partners?.deleted)
      : await openSettledPlan(
          session,
          planningOf(options, host, { unattended: options.autoApprove ?? false }),
        );
    terminal.say(await ledgerLineOf(session));
    if (run.deed) run.deed.plan = planned.plan;
    const pace = await session.connection.paceNow(provider.pace);
    const fine = await showPlan(planned.plan, options, terminal, pace);
    if (!fine) run.exitCode = problemsCode(planned.plan.diagnostics);
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
      if (terminal.stream) terminal.stream(nothingLines(planned.plan));
      else terminal.out(notSetState(planned.plan).join('\n'));
      await keepLedgerCurrent(session, planned, options, terminal);
      await waitUntilReady(session, planned, terminal);
    }
  } finally {
    await session.close();
  }
}

/** Lets a session tell what its partners created, changed and deleted from what somebody else did. */
async function meetPartners(session: Session, { names, deleted }: NonNullable<Host['partners']>) {
  const readPartners = createPartnersReader(session, await names());
  session.readPartners = readPartners;
  session.findChangedByPartners = async () => {
    const ledgers = await readPartners();
    const addresses = ledgers.flatMap(({ entries, begun }) => Object.keys({ ...entries, ...begun }));
    return new Set([...addresses, ...(await deleted())]);
  };
}

const fileOfStacks = () =>
  new Problems('approval/options', '--all cannot be combined with a saved plan', {
    hint: 'the file names its stacks',
  });

async function agreed(
  { autoApprove }: ApplyCommandOptions,
  plan: Plan,
  terminal: Terminal,
): Promise<boolean> {
  if (autoApprove) return true;
  return isYes(terminal, {
    question: `Apply ${changesText(plan)}?`,
    unattended: problem('apply/unattended', 'apply needs a terminal or --auto-approve; nothing was changed', {
      hint: 'pass --auto-approve if the plan has already been approved',
    }),
  });
}

/** Bytes for the line at the end that names the commit and the run. */
const footRoom = 400;

/**
 * Does this, and writes what came of it as Markdown for the comment of a pull request: also where it fails, and before that whether the
 * file can be written at all. Without a file it only does it.
 */
async function reported(file: string | undefined, run: CommandRun, work: () => Promise<void>): Promise<void> {
  if (file === undefined) return work();
  await outputFile(run.host, file);
  const deed: Deed = {};
  run.deed = deed;
  try {
    await work();
  } catch (error) {
    deed.failed = problemsOf(error);
    throw error;
  } finally {
    await writeOutput(run.host, file, reportOf(deed, run));
  }
}

function reportOf(deed: Deed, { stack, host }: CommandRun): string {
  const places = placesOn(host);
  const { failed = [], outcome, plan } = deed;
  const text = deedMarkdown(outcome ? { ...deed, failed: undefined } : deed, commentLimit - footRoom, places);
  if (text !== undefined) return text;
  const errors = failed.length > 0 ? failed : (plan?.diagnostics ?? []);
  const failure = {
    command: 'apply',
    done: 'applied',
    diagnostics: errors,
    ...(stack === undefined ? {} : { stack }),
  };
  return failureMarkdown(failure, commentLimit - footRoom, places);
}
