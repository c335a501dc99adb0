import { type ApplyCommandOptions, planningOf, type WritingOptions } from '../app/planning/planning.ts';
import {
  type ChosenStacks,
  inTurn,
  withAbsolutePaths,
  workspaceStacks,
} from '../app/planning/workspace-stacks.ts';
import { type StackAccounts, stackAccounts } from '../app/session/common-accounts.ts';
import { type JointHost, jointHost } from '../app/session/leased-ledgers.ts';
import { refuseEphemeral } from '../app/session/ledger-choice.ts';
import { lockSession, unlockSession } from '../app/session/session.ts';
import type { StacksOptions } from '../app/stack-options.ts';
import { type ApprovedPlan, planAgain } from '../approval/plan-again.ts';
import type { Provider } from '../kind/provider.ts';
import { problem } from '../model/diagnostic.ts';
import { asksForNothing, isEmpty } from '../model/plan.ts';
import { cleanLine } from '../report/clean.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import type { Deed } from '../report/markdown/applied-markdown.ts';
import { everyStack } from '../report/markdown/stacks-markdown.ts';
import { comparedPart, noChangesText, notComparedState, notSetState } from '../report/not-compared-text.ts';
import { isFailed } from '../report/stacks/stack-report.ts';
import { nothingLines } from '../report/terraform/apply-lines.ts';
import { diagnosticLine } from '../report/terraform/ui-line.ts';
import { refuseMissingSecrets } from '../run/fill-request.ts';
import { createPartnersReader } from '../run/session.ts';
import { waitUntilReady } from './after-apply.ts';
import { carryOut } from './carry-out.ts';
import type { CommandRun } from './command-run.ts';
import { errorCode, exitCodes, stacksCode, worstOf } from './exit-codes.ts';
import { keepLedgerCurrent } from './keep-ledger-current.ts';
import { inWorkspace, refuseOneStacks, sayLedgers } from './plan-all.ts';
import { type PlannedStack, planStacks, terminalOf } from './plan-stacks.ts';
import { problemsOf } from './report-error.ts';
import { RunEffects } from './run-effects.ts';
import { showStacks } from './show-stacks.ts';
import { isYes, type Terminal, terminalFor } from './terminal.ts';

/** Plans the stacks of the workspace, asks once, and applies them in the order of what they need. */
export async function applyAll(
  provider: Provider,
  given: ApplyCommandOptions & StacksOptions,
  run: CommandRun,
): Promise<void> {
  refuseOneStacks(given, run);
  refuseEphemeral(given, run.host);
  const terminal = terminalFor(run, given);
  // What a pull request is told of a failure stands where the plans did.
  run.stack = everyStack;
  const chosen = await workspaceStacks(provider, given, run);
  for (const note of chosen.notes) terminal.say(cleanLine(note));
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
    const reports = planned.map(({ report }) => report);
    const fine = showStacks(reports, given, terminal, await accounts.paceNow(provider.pace));
    const able = planned.filter(({ report }) => !isFailed(report));
    if (able.length === 0) {
      terminal.say('Nothing was changed: no stack could be planned.');
      noteUnbegun(run, planned);
      run.exitCode = stacksCode(reports);
      return;
    }
    for (const text of leftOut(planned)) terminal.say(cleanLine(text));
    if (able.some(({ planned: one }) => !asksForNothing(one!.plan)) && !given.autoApprove) {
      const unattended = problem(
        'apply/unattended',
        'apply needs a terminal or --auto-approve; nothing was changed',
        {
          hint: 'pass --auto-approve if the plans have already been approved',
        },
      );
      if (!(await isYes(terminal, { question: 'Apply these changes to all of these stacks?', unattended })))
        return;
    }
    const around = { terminal, chosen: narrowed(chosen, able), accounts, joint, mode };
    await applyStacks(able, options, around, ({ planned: one }) => ({ shown: one!.plan }));
    if (!fine && run.exitCode === exitCodes.done) run.exitCode = stacksCode(reports);
  });
}

/** Keeps for the report of a run that nothing was begun, and why. */
export function noteUnbegun({ deed }: CommandRun, planned: PlannedStack[]): void {
  if (deed)
    deed.parts = planned.map(({ report }) => {
      const { id, failed, plan } = report;
      const wrong = failed ?? (plan?.diagnostics ?? []).filter(({ severity }) => severity === 'error');
      return wrong.length > 0
        ? { id, failed: wrong }
        : { id, skipped: 'Not started: not every stack could be planned.' };
    });
}

/** The stacks that are not applied: those without a plan, and those that need one of them. */
function leftOut(planned: PlannedStack[]): string[] {
  const idsOf = (test: (report: PlannedStack['report']) => boolean) =>
    planned.filter(({ report }) => isFailed(report) && test(report)).map(({ stack }) => stack.id);
  const broken = idsOf(({ skipped }) => skipped === undefined);
  const waiting = idsOf(({ skipped }) => skipped !== undefined);
  const [it, its] = broken.length === 1 ? ['it', 'that'] : ['they', 'these'];
  return [
    ...(broken.length > 0 ? [`Skipped, since ${it} cannot be planned: ${broken.join(', ')}.`] : []),
    ...(waiting.length > 0
      ? [`Skipped, since ${waiting.length === 1 ? 'it needs' : 'they need'} ${its}: ${waiting.join(', ')}.`]
      : []),
  ];
}

/** The chosen stacks that have a plan: those that need one without are left out, too. */
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
  /** Given if an earlier run may have begun the same plans. */
  effects?: RunEffects;
}

/** Carries out what was agreed to, each stack after those that it needs. One that fails leaves out those that need it. Sets the exit code. */
export async function applyStacks(
  planned: PlannedStack[],
  options: WritingOptions,
  { terminal, chosen, accounts, joint, mode, effects = new RunEffects(planned) }: Around,
  agreedTo: (one: PlannedStack) => ApprovedPlan,
): Promise<void> {
  accounts.endReading();
  if (terminal.run.deed) terminal.run.deed.parts = [];
  joint.begin();
  const names = new Set(planned.map(({ session }) => session!.desired.stack));
  for (const { session } of planned) {
    const partners = planned.filter((plannedStack) => plannedStack.session !== session);
    const changed = partners.flatMap((partner) => partner.planned!.plan.changes);
    const changedAddresses = new Set(changed.map(({ address }) => address));
    session!.findChangedByPartners = async () => changedAddresses;
    session!.readPartners = createPartnersReader(session!, names);
  }
  const byId = new Map(planned.map((plannedStack) => [plannedStack.stack.id, plannedStack]));
  const ends = await inTurn<StackEnd>(chosen.chosen, async (stack, needed) => {
    const plannedStack = byId.get(stack.id)!;
    const member = terminalOf(terminal, stack, chosen.folder, plannedStack.session!.host);
    const deed = deedOf(stack.id, terminal, member);
    const unfinished = [...needed].filter(([, { isWhole }]) => !isWhole);
    if (unfinished.length > 0) {
      const ids = unfinished.map(([id]) => id);
      deed.skipped = `Not applied: it needs ${ids.join(', ')}, which was not fully applied.`;
      member.say(deed.skipped);
      return { code: worstOf(unfinished.map(([, { code }]) => code)), isWhole: false };
    }
    const work = (free: () => void) => {
      if (joint.isEnding()) return stopped(member);
      plannedStack.session!.onUnlock = free;
      return applyOne(plannedStack, { ...plannedStack.options, settle: options.settle }, member, {
        agreed: agreedTo(plannedStack),
        joint,
        mode,
        effects,
      });
    };
    try {
      return await effects.inTurn(plannedStack, work);
    } catch (error) {
      const wrong = problemsOf(error);
      deed.failed = wrong;
      if (member.stream) member.stream(wrong.map(diagnosticLine));
      else member.say(diagnosticsText(wrong, { style: member.errStyle }));
      return { code: errorCode(error), isWhole: false };
    }
  });
  const codes = [...ends.values()].map(({ code }) => code);
  terminal.run.exitCode = worstOf(codes);
  const done = codes.filter((code) => code === exitCodes.done).length;
  const limit = planned.map(({ planned: its }) => comparedPart(its!.plan)).find((text) => text !== '') ?? '';
  terminal.say(`${done} of ${ends.size} ${ends.size === 1 ? 'stack is' : 'stacks are'} up to date${limit}.`);
}

/** The outcome of one stack. `isWhole`: others may build on it; what only follows its changes may still be owed. */
interface StackEnd {
  code: number;
  isWhole: boolean;
}

/** Applies one stack under its lease. */
async function applyOne(
  { session, awaited = new Map() }: PlannedStack,
  options: WritingOptions,
  member: Terminal,
  {
    agreed,
    joint,
    mode,
    effects,
  }: { agreed: ApprovedPlan; effects: RunEffects } & Pick<Around, 'joint' | 'mode'>,
): Promise<StackEnd> {
  const own = session!;
  try {
    await lockSession(own, options, member);
    const current = await planAgain(
      own,
      agreed,
      planningOf(options, own.host, { ...mode, toleratesMissing: 'one' }),
      {
        awaited,
        ...effects.on(own),
      },
    );
    if (joint.isEnding()) return stopped(member);
    if (member.run.deed) member.run.deed.plan = current.plan;
    if (isEmpty(current.plan)) {
      if (member.stream) member.stream(nothingLines(current.plan));
      else {
        const { plan } = current;
        member.out([noChangesText(plan), ...notComparedState(plan), ...notSetState(plan)].join(' '));
      }
      await keepLedgerCurrent(own, current, options, member);
      await waitUntilReady(own, current, member);
      return { code: member.run.exitCode, isWhole: member.run.exitCode === exitCodes.done };
    }
    refuseMissingSecrets(current.plan.operations, own.secrets);
    const approval = mode.unattended ? 'flag' : 'asked';
    effects.begin(own, current.plan);
    const isWhole = await carryOut(own, current, options, member, { approval });
    return { code: member.run.exitCode, isWhole };
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

function stopped(member: Terminal): StackEnd {
  const text = 'Not started: the run was stopped by a signal.';
  if (member.run.deed) member.run.deed.skipped = text;
  member.say(text);
  return { code: exitCodes.interrupted, isWhole: false };
}
