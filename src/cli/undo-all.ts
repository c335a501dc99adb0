import type { ApplyCommandOptions } from '../app/planning/plan-options.ts';
import type { StackToPlan } from '../app/planning/plan-stacks.ts';
import { listsOf } from '../app/planning/run-effects.ts';
import { problemsOf } from '../app/problems-of.ts';
import type { JointHost } from '../app/session/joint-host.ts';
import { refuseEphemeral } from '../app/session/ledger-choice.ts';
import { unlockSession } from '../app/session/session.ts';
import type { StackAccounts } from '../app/session/stack-accounts.ts';
import { openUndo, requireCommit } from '../app/undoing/open-undo.ts';
import { noRunCode } from '../app/undoing/undo-target.ts';
import type { Undoing } from '../app/undoing/undoing.ts';
import type { MainlineCommit } from '../git/first-parents.ts';
import type { Provider } from '../kind/provider.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { isEmpty } from '../model/plan.ts';
import type { CollectionId } from '../model/resource.ts';
import { cleanLine } from '../report/clean.ts';
import { count } from '../report/count.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { isFailed, type StackReport } from '../report/stacks/stack-report.ts';
import type { Planned } from '../run/open-plan.ts';
import type { CommandRun } from './command-run.ts';
import { refuseSingleStackOptions, withCommandStacks } from './command-stacks.ts';
import { errorCode, exitCodes, stacksCode, worstCode } from './exit-codes.ts';
import { sayDoubts } from './log.ts';
import { showStacks } from './show-stacks.ts';
import { isYes, type Terminal, terminalFor } from './terminal.ts';
import { applyUndo, planUndo, sayLedger, sayReverts, unattended } from './undo-steps.ts';

/** The undo in one of the stacks. Without `undoing`, it could not be planned. If the stack owns nothing to undo, it has no plan and no report. */
interface StackUndo {
  stack: StackToPlan<Terminal>;
  member: Terminal;
  report?: StackReport;
  undoing?: Undoing;
  planned?: Planned;
}

/** Undoes a commit in every stack of the workspace in which a run applied it: one plan, one question. */
export async function undoAll(
  commit: string,
  provider: Provider,
  options: ApplyCommandOptions,
  run: CommandRun,
): Promise<void> {
  refuseSingleStackOptions(options, run);
  refuseEphemeral(options, run.host);
  const terminal = terminalFor(run, options);
  await withCommandStacks(provider, options, terminal, async ({ stacks, several }) => {
    const { chosen, accounts, joint } = several!;
    const id = await requireCommit(commit, { ...run.host, cwd: chosen.folder });
    const undos = await planUndos(id, provider, stacks, options, accounts);
    const pace = await accounts.paceNow(provider.pace);
    const reports = undos.flatMap(({ report }) => report ?? []);
    const areFine = reports.length === 0 || showStacks(reports, options, terminal, pace);
    const able = undos.filter(({ report }) => !report || !isFailed(report));
    const changed = able.filter(({ planned }) => planned && !isEmpty(planned.plan));
    const question = `Undo commit ${id.slice(0, 12)} in ${count(changed.length, 'stack')}?`;
    if (able.length === 0) terminal.say('Nothing was changed: no stack could be planned.');
    else if (changed.length === 0 || options.autoApprove || (await isYes(terminal, { question, unattended })))
      await applyUndos(undos, id, terminal, { accounts, joint });
    else return;
    if (!areFine) run.exitCode = worstCode([run.exitCode, stacksCode(reports)]);
  });
}

/** Plans the undo in each stack that a run applied the commit in. Throws `Problems` if there is none. */
async function planUndos(
  id: string,
  provider: Provider,
  stacks: readonly StackToPlan<Terminal>[],
  options: ApplyCommandOptions,
  accounts: StackAccounts,
): Promise<StackUndo[]> {
  const undos: StackUndo[] = [];
  // The last stack first: objects are undone before the ones that they need.
  for (const stack of stacks.toReversed()) {
    const { path, stage, needs, name, port: member } = stack;
    const about = { id: stack.id, path, needs: [], stack: name };
    const head: StackReport = stage === undefined ? about : { ...about, stage };
    const own = { ...options, ...stack.options, delete: [] as string[] };
    try {
      const undoing = await openUndo({ commit: id }, provider, own, member, {
        accounts,
        onHistory: (history) => sayDoubts(history, member),
      });
      const { entries } = undoing.session.ledger;
      own.delete.push(...(options.delete ?? []).filter((address) => entries[address]));
      const planned = await planUndo(undoing, member);
      sayLedger(undoing, member);
      const plan = planned && { planned, report: { ...head, plan: undoing.toShownPlan(planned).plan } };
      undos.push({ stack, member, undoing, ...plan });
    } catch (error) {
      const failed = problemsOf(error);
      if (failed.every(({ code }) => code === noRunCode))
        for (const { message } of failed) member.say(cleanLine(`Skipped: ${message}.`));
      else undos.push({ stack, member, report: { ...head, needs, failed } });
    }
  }
  refuseUnowned(options.delete ?? [], undos);
  if (undos.length > 0) return undos;
  throw new Problems(
    noRunCode,
    `no recorded run of any stack changed something for the commit ${id.slice(0, 12)}`,
    {
      hint: 'it planned to nothing, or was never applied; `trueup log` in a stack lists its runs',
    },
  );
}

/** Throws `Problems` for addresses of `--delete` that no stack owns, unless a stack could not be planned. */
function refuseUnowned(addresses: readonly string[], undos: readonly StackUndo[]): void {
  if (undos.some(({ undoing }) => !undoing)) return;
  const unowned = addresses.filter((address) =>
    undos.every(({ undoing }) => !undoing!.session.ledger.entries[address]),
  );
  if (unowned.length > 0)
    throw new Problems(
      unowned.map((address) =>
        problem('delete/not-owned', `--delete names ${address}, which none of these stacks owns`, {
          hint: '`trueup ledger list` shows what a stack owns',
        }),
      ),
    );
}

/** Carries out the undos one after the other. A stack that others need stays as it is if one of them fails. Sets the exit code. */
async function applyUndos(
  undos: StackUndo[],
  id: string,
  terminal: Terminal,
  { accounts, joint }: { accounts: StackAccounts; joint: JointHost },
): Promise<void> {
  accounts.endReading();
  joint.begin();
  const written = new Set<CollectionId>();
  const isUnplanned = ({ report }: StackUndo) => report !== undefined && isFailed(report);
  const able = undos.filter((undo) => !isUnplanned(undo));
  // The exit codes of the stacks that are not completely undone.
  const incomplete = new Map(
    undos.filter(isUnplanned).map(({ stack, report }) => [stack, stacksCode([report!])]),
  );
  const codes: number[] = [];
  for (const { stack, member, undoing, planned } of able) {
    const dependents = [...incomplete].filter(([{ needs }]) => needs.includes(stack.id));
    if (dependents.length > 0 || joint.isEnding()) {
      member.say(
        joint.isEnding()
          ? 'Not started: the run was stopped by a signal.'
          : `Not undone: first undo it in ${dependents.map(([{ id }]) => id).join(', ')}, which needs it and failed.`,
      );
      member.run.exitCode = joint.isEnding()
        ? exitCodes.interrupted
        : worstCode(dependents.map(([, code]) => code));
    } else if (planned) member.run.exitCode = await applyInStack(undoing!, planned, member, written);
    codes.push(member.run.exitCode);
    if (member.run.exitCode !== exitCodes.done) incomplete.set(stack, member.run.exitCode);
    else if (planned) for (const list of listsOf({ session: undoing!.session, planned })) written.add(list);
  }
  terminal.run.exitCode = worstCode(codes);
  const verified = able.filter(({ planned }, index) => planned && codes[index] === exitCodes.done).length;
  const total = undos.filter(({ planned, undoing }) => planned || !undoing).length;
  terminal.say(`Verified in ${verified} of ${count(total, 'stack')}.`);
  if (terminal.run.exitCode === exitCodes.done)
    await sayReverts(sortByHistory(able), `commit ${id.slice(0, 12)}`, able[0]!.undoing!.session, terminal);
}

/** Applies the undo of one stack under its lease. Returns its exit code. */
async function applyInStack(
  undoing: Undoing,
  planned: Planned,
  member: Terminal,
  written: ReadonlySet<CollectionId>,
): Promise<number> {
  try {
    const isVerified = await applyUndo(undoing, planned, member, written);
    return member.run.exitCode || (isVerified ? exitCodes.done : exitCodes.failed);
  } catch (error) {
    member.say(diagnosticsText(problemsOf(error), { style: member.errStyle }));
    return errorCode(error);
  } finally {
    await unlockSession(undoing.session);
  }
}

/** Returns the commits to revert of all stacks, each once, newest first. */
function sortByHistory(undos: StackUndo[]): MainlineCommit[] {
  const commits = new Map(
    undos.flatMap(({ undoing }) => (undoing?.reverts ?? []).map((commit) => [commit.id, commit] as const)),
  );
  return [...commits.values()].sort((a, b) => a.distance - b.distance);
}
