import { type Agreed, planAnew } from '../approval/plan-anew.ts';
import type { Provider } from '../kind/provider.ts';
import { problem } from '../model/diagnostic.ts';
import { asksForNothing, isEmpty } from '../model/plan.ts';
import { cleanLine } from '../report/clean.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import type { Deed } from '../report/markdown/applied-markdown.ts';
import { everyStack } from '../report/markdown/stacks-markdown.ts';
import { isFailed } from '../report/stacks/stack-report.ts';
import { nothingLines } from '../report/terraform/apply-lines.ts';
import { diagnosticLine } from '../report/terraform/ui-line.ts';
import { refuseMissingSecrets } from '../run/fill.ts';
import { carryOut } from './carry-out.ts';
import { type StackAccounts, stackAccounts } from './common-accounts.ts';
import { exitCodes } from './exit-codes.ts';
import type { Run } from './host.ts';
import { type JointHost, jointHost } from './joint-host.ts';
import { keepLedgerCurrent } from './keep-ledger-current.ts';
import { refuseEphemeral } from './ledger-place.ts';
import type { ApplyCommandOptions, StacksOptions, WritingOptions } from './options.ts';
import { inWorkspace, refuseOneStacks, sayLedgers } from './plan-all.ts';
import { type PlannedStack, planStacks, terminalOf } from './plan-stacks.ts';
import { planningOf } from './planning.ts';
import { problemsOf } from './report-error.ts';
import { lockSession, unlockSession } from './session.ts';
import { showStacks } from './show-stacks.ts';
import { isYes, type Terminal, terminalFor } from './terminal.ts';
import { waitUntilReady } from './wait-until-ready.ts';
import { type ChosenStacks, inTurn, withAbsolutePaths, workspaceStacks } from './workspace-stacks.ts';

/** Plans the stacks of the workspace, asks once, and applies them in the order of what they need. */
export async function applyAll(
  provider: Provider,
  given: ApplyCommandOptions & StacksOptions,
  run: Run,
): Promise<void> {
  refuseOneStacks(given, run);
  refuseEphemeral(given, run.host);
  const terminal = terminalFor(run, given);
  // What a pull request is told of a failure stands where the plans did.
  run.stack = everyStack;
  const chosen = await workspaceStacks(provider, given, run);
  for (const note of chosen.notes) terminal.err(cleanLine(note));
  const options = withAbsolutePaths(given, run);
  const mode = { unattended: given.autoApprove ?? false };
  await withStacks(provider, options, terminal, chosen, async (accounts, joint) => {
    const planned = await planStacks(provider, options, terminal, chosen, {
      accounts,
      writes: true,
      mode,
      host: joint.member,
    });
    await sayLedgers(planned, terminal, chosen.folder);
    const fine = showStacks(
      planned.map(({ report }) => report),
      given,
      terminal,
      await accounts.paceNow(provider.pace),
    );
    const able = planned.filter(({ report }) => !isFailed(report));
    if (able.length === 0) {
      terminal.err('Nothing was changed: no stack could be planned.');
      noteUnbegun(run, planned);
      run.exitCode = exitCodes.failed;
      return;
    }
    for (const text of leftOut(planned)) terminal.err(cleanLine(text));
    if (able.some(({ planned: one }) => !asksForNothing(one!.plan)) && !given.autoApprove) {
      const unattended = problem(
        'apply/unattended',
        'apply needs a terminal or --auto-approve; nothing was changed',
        {
          hint: 'pass --auto-approve where a person has already agreed to the plans',
        },
      );
      if (!(await isYes(terminal, { question: 'Apply these changes to all of these stacks?', unattended })))
        return;
    }
    const around = { terminal, chosen: narrowed(chosen, able), accounts, joint, mode };
    await applyStacks(able, options, around, ({ planned: one }) => ({ shown: one!.plan }));
    if (!fine && run.exitCode === exitCodes.done) run.exitCode = exitCodes.failed;
  });
}

/** Keeps for the report of a run that nothing was begun, and why. */
export function noteUnbegun({ deed }: Run, planned: PlannedStack[]): void {
  if (deed)
    deed.parts = planned.map(({ report }) => {
      const { id, failed, plan } = report;
      const wrong = failed ?? (plan?.diagnostics ?? []).filter(({ severity }) => severity === 'error');
      return wrong.length > 0
        ? { id, failed: wrong }
        : { id, skipped: 'Not begun, since not every stack could be planned.' };
    });
}

/** What is not applied: what cannot be planned, and what only needs such a stack. */
function leftOut(planned: PlannedStack[]): string[] {
  const idsOf = (test: (report: PlannedStack['report']) => boolean) =>
    planned.filter(({ report }) => isFailed(report) && test(report)).map(({ stack }) => stack.id);
  const broken = idsOf(({ skipped }) => skipped === undefined);
  const waiting = idsOf(({ skipped }) => skipped !== undefined);
  const [it, its] = broken.length === 1 ? ['it', 'that'] : ['they', 'these'];
  return [
    ...(broken.length > 0 ? [`Left out, since ${it} cannot be planned: ${broken.join(', ')}.`] : []),
    ...(waiting.length > 0
      ? [`Left out, since ${waiting.length === 1 ? 'it needs' : 'they need'} ${its}: ${waiting.join(', ')}.`]
      : []),
  ];
}

/** What was chosen, without the stacks that could not be planned: those that need one of them could not either. */
const narrowed = (chosen: ChosenStacks, able: PlannedStack[]): ChosenStacks => {
  const ids = new Set(able.map(({ stack }) => stack.id));
  return { ...chosen, chosen: chosen.chosen.filter(({ id }) => ids.has(id)) };
};

/** Opens what several stacks have in common, and closes it whatever happens. */
export async function withStacks(
  provider: Provider,
  options: WritingOptions,
  terminal: Terminal,
  { folder }: ChosenStacks,
  use: (accounts: StackAccounts, joint: JointHost) => Promise<void>,
): Promise<void> {
  const accounts = stackAccounts(provider, options, inWorkspace(terminal, folder));
  const joint = jointHost(terminal.run.host);
  try {
    await use(accounts, joint);
  } finally {
    joint.close();
    await accounts.close();
  }
}

interface Around {
  terminal: Terminal;
  chosen: ChosenStacks;
  accounts: StackAccounts;
  joint: JointHost;
  mode: { unattended?: boolean };
}

/** Carries out what was agreed to, each stack after those that it needs. One that fails leaves out those that need it. Sets the exit code. */
export async function applyStacks(
  planned: PlannedStack[],
  options: WritingOptions,
  { terminal, chosen, accounts, joint, mode }: Around,
  agreedTo: (one: PlannedStack) => Agreed,
): Promise<void> {
  accounts.endReading();
  if (terminal.run.deed) terminal.run.deed.parts = [];
  joint.begin();
  for (const one of planned) {
    const others = planned.filter((other) => other !== one);
    one.session!.changedBeside = new Set(
      others.flatMap(({ planned: its }) => its!.plan.changes.map(({ address }) => address)),
    );
  }
  const byId = new Map(planned.map((one) => [one.stack.id, one]));
  const codes = await inTurn<number>(chosen.chosen, async (stack, needed) => {
    const one = byId.get(stack.id)!;
    const member = terminalOf(terminal, stack, chosen.folder, one.session!.host);
    const deed = deedOf(stack.id, terminal, member);
    const failed = [...needed].filter(([, code]) => code !== exitCodes.done).map(([id]) => id);
    if (failed.length > 0) {
      deed.skipped = `Not applied: it needs ${failed.join(', ')}, and that was not applied whole.`;
      member.err(deed.skipped);
      return exitCodes.failed;
    }
    if (joint.isEnding()) return stopped(member);
    try {
      return await applyOne(one, { ...one.options, settle: options.settle }, member, {
        agreed: agreedTo(one),
        joint,
        mode,
      });
    } catch (error) {
      const wrong = problemsOf(error);
      deed.failed = wrong;
      if (member.stream) member.stream(wrong.map(diagnosticLine));
      else member.err(diagnosticsText(wrong, { style: member.errStyle }));
      return exitCodes.failed;
    }
  });
  const worst = [exitCodes.interrupted, exitCodes.failed, exitCodes.tryAgainLater];
  terminal.run.exitCode = worst.find((code) => [...codes.values()].includes(code)) ?? exitCodes.done;
  const done = [...codes.values()].filter((code) => code === exitCodes.done).length;
  terminal.err(`${done} of ${codes.size} ${codes.size === 1 ? 'stack is' : 'stacks are'} as they should be.`);
}

/** Applies one stack under its lease, and gives its exit code. */
async function applyOne(
  { session, awaited = new Map() }: PlannedStack,
  options: WritingOptions,
  member: Terminal,
  { agreed, joint, mode }: { agreed: Agreed } & Pick<Around, 'joint' | 'mode'>,
): Promise<number> {
  const own = session!;
  try {
    await lockSession(own, options, member);
    const current = await planAnew(
      own,
      agreed,
      planningOf(options, own.host, { ...mode, ofSeveral: true }),
      awaited,
    );
    if (joint.isEnding()) return stopped(member);
    if (member.run.deed) member.run.deed.plan = current.plan;
    if (isEmpty(current.plan)) {
      if (member.stream) member.stream(nothingLines(current.plan));
      else member.out('No changes.');
      await keepLedgerCurrent(own, current, options, member);
      await waitUntilReady(own, current, member);
    } else {
      refuseMissingSecrets(current.plan.operations, own.secrets);
      await carryOut(own, current, options, member, { approval: mode.unattended ? 'flag' : 'asked' });
    }
    return member.run.exitCode;
  } finally {
    await unlockSession(own);
  }
}

/** The record of one stack among those of the run. */
function deedOf(id: string, { run }: Terminal, member: Terminal): Deed {
  const deed: Deed = { id };
  member.run.deed = deed;
  run.deed?.parts?.push(deed);
  return deed;
}

function stopped(member: Terminal): number {
  const text = 'Not begun: a signal ended the run.';
  if (member.run.deed) member.run.deed.skipped = text;
  member.err(text);
  return exitCodes.interrupted;
}
