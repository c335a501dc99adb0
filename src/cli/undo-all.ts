import { applyStacks, type StackSteps } from '../app/applying/apply-stacks.ts';
import type { ApplyCommandOptions } from '../app/planning/plan-options.ts';
import type { StackToPlan } from '../app/planning/plan-stacks.ts';
import type { JointHost } from '../app/session/joint-host.ts';
import type { Session } from '../app/session/session.ts';
import type { StackAccounts } from '../app/session/stack-accounts.ts';
import { openUndo } from '../app/undoing/open-undo.ts';
import type { Undoing } from '../app/undoing/undoing.ts';
import { findPredecessors } from '../config/workspace-stacks.ts';
import type { MainlineCommit } from '../git/commits.ts';
import { noRunCode, requireCommit } from '../history/undo-target.ts';
import type { Provider } from '../kind/provider.ts';
import { problem, raise } from '../model/diagnostic.ts';
import { isEmpty } from '../model/plan.ts';
import { problemsOf } from '../model/problems-of.ts';
import { isFailed, type StackReport } from '../report/stacks/stack-report.ts';
import { cleanLine, count } from '../report/text.ts';
import type { Planned } from '../run/open-plan.ts';
import { RunEffects } from '../run/run-effects.ts';
import { refuseEphemeral } from '../stores/ledger-choice.ts';
import type { CommandRun } from './command-run.ts';
import { refuseSingleStackOptions, withCommandStacks } from './command-stacks.ts';
import { errorCode, exitCodes, stacksCode, worstCode } from './exit-codes.ts';
import { sayDoubts } from './log.ts';
import { showStacks } from './show-stacks.ts';
import { isYes, sayDiagnostics, type Terminal, terminalFor } from './terminal.ts';
import { applyUndo, planUndo, sayLedger, sayReverts, unattendedUndoProblem } from './undo-steps.ts';

/**
 * The undo in one stack. `undoing` and `session` are absent if the undo could not be planned, and `report` then has the reason. `planned` and
 * `report` are absent if the stack owns nothing that the commit changed.
 */
interface StackUndo {
  stack: StackToPlan<Terminal>;
  report?: StackReport;
  undoing?: Undoing;
  session?: Session;
  planned?: Planned;
}

/**
 * Runs `undo --commit SHA --all`: undoes a commit in every stack of the workspace in which a run applied it. The user sees one plan and answers
 * one question.
 */
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
    const pace = await accounts.paceNow();
    const reports = undos.flatMap(({ report }) => report ?? []);
    const canApplyAll = reports.length === 0 || showStacks(reports, options, terminal, pace);
    const possible = undos.filter((undo) => !hasFailedUndo(undo));
    const changing = possible.filter(({ planned }) => planned && !isEmpty(planned.plan));
    const confirmation = {
      question: `Undo commit ${id.slice(0, 12)} in ${count(changing.length, 'stack')}?`,
      unattended: unattendedUndoProblem,
    };
    if (possible.length === 0) terminal.say('Nothing was changed: no stack could be planned.');
    else if (changing.length === 0 || options.autoApprove || (await isYes(terminal, confirmation)))
      await applyUndos(undos, id, terminal, { stacks, accounts, joint });
    else return;
    if (!canApplyAll) run.exitCode = worstCode([run.exitCode, stacksCode(reports)]);
  });
}

/** True if the undo of a stack has errors, so that it cannot be applied. */
const hasFailedUndo = ({ report }: StackUndo): boolean => report !== undefined && isFailed(report);

/**
 * Plans the undo in each stack in which a run applied the commit, the last stack first, so that objects are undone before the ones that
 * they need. Throws `Problems` if no run of any stack applied it.
 */
async function planUndos(
  id: string,
  provider: Provider,
  stacks: readonly StackToPlan<Terminal>[],
  options: ApplyCommandOptions,
  accounts: StackAccounts,
): Promise<StackUndo[]> {
  const undos: StackUndo[] = [];
  for (const stack of stacks.toReversed()) {
    const undo = await planStackUndo(id, provider, stack, options, accounts);
    if (undo) undos.push(undo);
  }
  refuseUnowned(options.delete ?? [], undos);
  if (undos.length > 0) return undos;
  raise(noRunCode, `no recorded run of any stack changed something for the commit ${id.slice(0, 12)}`, {
    hint: 'it planned to nothing, or was never applied; `trueup log` in a stack lists its runs',
  });
}

/** Plans the undo of a commit in one stack, for `undo --commit SHA --all`. Returns undefined, and says so, if no run of the stack applied the commit. */
async function planStackUndo(
  id: string,
  provider: Provider,
  stack: StackToPlan<Terminal>,
  options: ApplyCommandOptions,
  accounts: StackAccounts,
): Promise<StackUndo | undefined> {
  const { path, stage, needs, name, port: terminal } = stack;
  const head: StackReport = {
    id: stack.id,
    path,
    needs: [],
    stack: name,
    stage,
  };
  // `--delete` gets its addresses once the ledger is open, because each stack may delete only its own objects.
  const stackOptions = { ...options, ...stack.options, delete: [] as string[] };
  try {
    const undoing = await openUndo({ commit: id }, provider, stackOptions, terminal, {
      accounts,
      onHistory: (history) => sayDoubts(history, terminal),
    });
    const { entries } = undoing.session.ledger;
    stackOptions.delete.push(...(options.delete ?? []).filter((address) => entries[address]));
    const planned = await planUndo(undoing, terminal);
    sayLedger(undoing, terminal);
    const undo: StackUndo = { stack, undoing, session: undoing.session };
    if (!planned) return undo;
    return { ...undo, planned, report: { ...head, plan: undoing.toShownPlan(planned).plan } };
  } catch (error) {
    const failed = problemsOf(error);
    if (failed.some(({ code }) => code !== noRunCode)) return { stack, report: { ...head, needs, failed } };
    for (const { message } of failed) terminal.say(cleanLine(`Skipped: ${message}.`));
    return undefined;
  }
}

/** Throws `Problems` for addresses of `undo --all --delete` that no stack owns, unless a stack could not be planned, since that one may own them. */
function refuseUnowned(addresses: readonly string[], undos: readonly StackUndo[]): void {
  if (undos.some(({ undoing }) => !undoing)) return;
  const unowned = addresses.filter((address) =>
    undos.every(({ undoing }) => !undoing!.session.ledger.entries[address]),
  );
  if (unowned.length > 0)
    raise(
      unowned.map((address) =>
        problem('delete/not-owned', `--delete names ${address}, which none of these stacks owns`, {
          hint: '`trueup ledger list` shows what a stack owns',
        }),
      ),
    );
}

/**
 * Applies the undos, each after those of the stacks that need it, and sets the exit code. If the undo of a stack fails, the stacks that it needs
 * stay as they are, because its objects still use theirs.
 */
async function applyUndos(
  undos: StackUndo[],
  id: string,
  terminal: Terminal,
  several: { stacks: readonly StackToPlan<Terminal>[]; accounts: StackAccounts; joint: JointHost },
): Promise<void> {
  const lastFirst = several.stacks.toReversed();
  const dependents = findPredecessors(
    new Set(undos.map(({ stack }) => stack.id)),
    lastFirst.map(({ id }) => ({
      id,
      needs: lastFirst.filter(({ needs }) => needs.includes(id)).map((dependent) => dependent.id),
    })),
  );
  const possible = undos
    .filter((undo) => !hasFailedUndo(undo))
    .map((undo) => ({ ...undo, stack: { ...undo.stack, waitsFor: dependents.get(undo.stack.id)! } }));
  const failed = new Map(
    undos
      .filter(hasFailedUndo)
      .map(({ stack, report }) => [stack.id, { code: stacksCode([report!]), isComplete: false }]),
  );
  const effects = new RunEffects(possible);
  const ends = await applyStacks(possible, several, effects, createUndoSteps(effects), failed);
  terminal.run.exitCode = worstCode(ends.map(({ code }) => code));
  const verified = possible.filter(({ planned }, index) => planned && ends[index]!.isComplete).length;
  const total = undos.filter(({ planned, undoing }) => planned || !undoing).length;
  terminal.say(`Verified in ${verified} of ${count(total, 'stack')}.`);
  if (terminal.run.exitCode === exitCodes.done) {
    const { session } = possible[0]!.undoing!;
    await sayReverts(commitsToRevert(possible), `commit ${id.slice(0, 12)}`, session, terminal);
  }
}

/** Returns the steps of undoing one stack, for `applyStacks`. Each step reports on the terminal of the stack. */
const createUndoSteps = (effects: RunEffects): StackSteps<StackUndo> => ({
  async apply({ stack: { port: member }, undoing, planned }) {
    if (!planned) return { code: exitCodes.done, isComplete: true };
    const isVerified = await applyUndo(undoing!, planned, member, effects.on(undoing!.session).written);
    const code = member.run.exitCode || (isVerified ? exitCodes.done : exitCodes.failed);
    return { code, isComplete: code === exitCodes.done };
  },
  stop({ stack }) {
    stack.port.say('Not started: the run was stopped by a signal.');
    return { code: exitCodes.interrupted, isComplete: false };
  },
  skip({ stack }, unfinished) {
    const ids = [...unfinished.keys()].join(', ');
    stack.port.say(`Not undone: first undo it in ${ids}, which needs it and failed.`);
    return { code: worstCode([...unfinished.values()].map(({ code }) => code)), isComplete: false };
  },
  fail({ stack }, error) {
    sayDiagnostics(problemsOf(error), stack.port);
    return { code: errorCode(error), isComplete: false };
  },
});

/** Returns the commits to revert by hand in any stack, each once and newest first, because `git revert` needs this order. */
function commitsToRevert(undos: StackUndo[]): MainlineCommit[] {
  const commits = new Map(
    undos.flatMap(({ undoing }) => (undoing?.reverts ?? []).map((commit) => [commit.id, commit] as const)),
  );
  return [...commits.values()].sort((a, b) => a.distance - b.distance);
}
