import { applyStacks } from '../app/applying/apply-stacks.ts';
import type { ApplyCommandOptions } from '../app/planning/plan-options.ts';
import type { StackToPlan } from '../app/planning/plan-stacks.ts';
import type { Several } from '../app/planning/several-stacks.ts';
import { lockSession, type Session } from '../app/session/session.ts';
import { openUndo, type Undoing, type UndoSubject } from '../app/undoing/undoing.ts';
import { findPredecessors } from '../config/workspace-stacks.ts';
import type { MainlineCommit } from '../git/commits.ts';
import { noRunCode } from '../history/undo-target.ts';
import type { Provider } from '../kind/provider.ts';
import { problemsOf } from '../model/describe-errors.ts';
import { raise } from '../model/diagnostic.ts';
import { isEmpty } from '../model/plan.ts';
import { changesText } from '../report/plan-notes.ts';
import { isFailed, type StackReport } from '../report/stacks/stack-report.ts';
import { cleanLine, count } from '../report/text.ts';
import type { Planned } from '../run/open-plan.ts';
import { RunEffects } from '../run/run-effects.ts';
import { isYes, type Terminal } from '../terminal/terminal.ts';
import {
  type CommandStacks,
  closeOnlySession,
  readPace,
  sayRepeatedFailures,
  showPlans,
  withCommandStacks,
} from './command-stacks.ts';
import { exitCodes, stacksCode, worstCode } from './exit-codes.ts';
import { sayDoubts } from './log.ts';
import { createStackSteps } from './stack-steps.ts';
import { applyUndo, planUndo, sayLedger, sayReverts, unattendedUndoProblem } from './undo-steps.ts';

/**
 * The undo in one stack. `undoing` and `session` are absent if the undo could not be planned, and `report` then has the reason. `planned` and
 * `report` are absent if the stack owns nothing that was changed.
 */
interface StackUndo {
  stack: StackToPlan<Terminal>;
  report?: StackReport;
  undoing?: Undoing;
  session?: Session;
  planned?: Planned;
}

/**
 * Runs `trueup undo`: undoes a run or a commit in one stack, or with `--all` a commit in every stack of the workspace in which a run applied it. The user
 * sees one plan and answers one question. Throws `Problems` if there is nothing to undo.
 */
export async function undoStacks(
  subject: UndoSubject,
  provider: Provider,
  options: ApplyCommandOptions,
  terminal: Terminal,
): Promise<void> {
  const { run } = terminal;
  await withCommandStacks(provider, options, terminal, async (commandStacks) => {
    const undos = await planUndos(subject, provider, commandStacks, options);
    try {
      const shown = undos.flatMap((undo) => (undo.report ? { ...undo, report: undo.report } : []));
      const canApplyAll =
        shown.length === 0 ||
        (await showPlans(shown, options, terminal, await readPace(undos, commandStacks)));
      const possible = undos.filter((undo) => !hasFailedUndo(undo));
      const changing = possible.filter(({ report }) => report && !isEmpty(report.plan!));
      const isAgreed =
        changing.length === 0 ||
        options.autoApprove ||
        (await isYes(terminal, {
          question: questionAbout(changing, subject, commandStacks),
          unattended: unattendedUndoProblem,
        }));
      if (!isAgreed) return;
      if (possible.length > 0) await applyUndos(undos, subject, commandStacks, terminal);
      else if (commandStacks.several) terminal.say('Nothing was changed: no stack could be planned.');
      if (!canApplyAll)
        run.exitCode = worstCode([run.exitCode, stacksCode(shown.map(({ report }) => report))]);
    } finally {
      await closeOnlySession(undos, commandStacks);
    }
  });
}

/** Returns the question that `trueup undo` asks before it changes the account: `Undo run 12 with these 3 changes to team acme?` */
function questionAbout(
  changing: readonly StackUndo[],
  subject: UndoSubject,
  { several }: CommandStacks,
): string {
  if (several) return `Undo ${formatSubject(subject)} in ${count(changing.length, 'stack')}?`;
  const { undoing, report } = changing[0]!;
  return `Undo ${undoing!.name} with ${changesText(report!.plan!)}?`;
}

/** Formats the commit or run to undo in several stacks for messages: `commit 1a2b3c4d5e6f`. Each stack has another number for the run that applied a commit. */
const formatSubject = (subject: UndoSubject): string =>
  'run' in subject ? `run ${subject.run}` : `commit ${subject.commit.slice(0, 12)}`;

/** True if the undo of a stack has errors, so that it cannot be applied. */
const hasFailedUndo = ({ report }: StackUndo): boolean => report !== undefined && isFailed(report);

/**
 * Plans the undo in the only stack, or in each stack in which a run applied the commit, the last stack first, so that objects are undone before the
 * ones that they need. Throws `Problems` if no run applied it.
 */
async function planUndos(
  subject: UndoSubject,
  provider: Provider,
  { stacks, several }: CommandStacks,
  options: ApplyCommandOptions,
): Promise<StackUndo[]> {
  const undos: StackUndo[] = [];
  for (const stack of stacks.toReversed()) {
    const undo = await planStackUndo(subject, provider, stack, options, several);
    if (undo) undos.push(undo);
  }
  if (undos.length > 0) return undos;
  raise(noRunCode, `no recorded run of any stack changed something for the ${formatSubject(subject)}`, {
    hint: 'it planned to nothing, or was never applied; `trueup log` in a stack lists its runs',
  });
}

/**
 * Plans the undo of a run or commit in one stack. The result has no plan if there is nothing to undo, and a report with errors if one of
 * several stacks cannot be planned. Returns undefined, and says so, if no run of this stack applied the commit. Throws `Problems` if the
 * only stack of the command cannot be planned.
 */
async function planStackUndo(
  subject: UndoSubject,
  provider: Provider,
  stack: StackToPlan<Terminal>,
  options: ApplyCommandOptions,
  several: Several | undefined,
): Promise<StackUndo | undefined> {
  const { path, stage, needs, name, port: terminal } = stack;
  const emptyReport: StackReport = {
    id: stack.id,
    path,
    // Reports say that a stack comes after those that it needs. In an undo it comes before them.
    needs: [],
    stack: name,
    stage,
  };
  const stackOptions = { ...options, ...stack.options };
  let session: Session | undefined;
  try {
    const undoing = await openUndo(subject, provider, stackOptions, terminal, {
      accounts: several?.accounts,
      onHistory: (history) => sayDoubts(history, terminal),
    });
    session = undoing.session;
    // If no question comes, a single stack is locked before it is planned, so that it need not be planned again.
    if (!several && options.autoApprove) await lockSession(session, options, terminal);
    const planned = await planUndo(undoing, terminal);
    if (several || planned) sayLedger(undoing, terminal);
    const undo: StackUndo = { stack, undoing, session };
    if (!planned) return undo;
    return { ...undo, planned, report: { ...emptyReport, plan: undoing.toShownPlan(planned).plan } };
  } catch (error) {
    if (!several) {
      await session?.close();
      throw error;
    }
    const failed = problemsOf(error);
    if (failed.some(({ code }) => code !== noRunCode))
      return { stack, report: { ...emptyReport, needs, failed } };
    for (const { message } of failed) terminal.say(cleanLine(`Skipped: ${message}.`));
    return undefined;
  }
}

/**
 * Applies the undos of several stacks, or of one, and sets the exit code. A stack is undone before the stacks that it needs, so if its undo
 * fails, these stay as they are: its objects still use theirs. If all are done, prints the commits that people still have to revert.
 * Throws `Problems` if the undo of the only stack fails.
 */
async function applyUndos(
  undos: readonly StackUndo[],
  subject: UndoSubject,
  { stacks, several }: CommandStacks,
  terminal: Terminal,
): Promise<void> {
  const { run } = terminal;
  const possible = addWaitsForDependents(undos, stacks).filter((undo) => !hasFailedUndo(undo));
  // If the undo of a stack could not be planned, the stacks that it needs are not undone either.
  const failed = new Map(
    undos
      .filter(hasFailedUndo)
      .map(({ stack, report }) => [stack.id, { code: stacksCode([report!]), isComplete: false }]),
  );
  const effects = new RunEffects(possible);
  const steps = createStackSteps<StackUndo>(several, {
    async apply({ stack: { port }, undoing, planned }) {
      if (!planned) return { code: exitCodes.done, isComplete: true };
      const isVerified = await applyUndo(
        undoing!,
        planned,
        port,
        effects.inAccountOf(undoing!.session).written,
      );
      const code = port.run.exitCode || (isVerified ? exitCodes.done : exitCodes.failed);
      return { code, isComplete: code === exitCodes.done };
    },
    skippedText: (ids) => `Not undone: first undo it in ${ids}, which needs it and failed.`,
  });
  const ends = await applyStacks(possible, several, effects, steps, failed);
  // `ends` has one entry for each of `possible`, in its order.
  run.exitCode = worstCode(ends.map(({ code }) => code));
  if (several) {
    const verified = possible.filter(({ planned }, index) => planned && ends[index]!.isComplete).length;
    // Stacks with nothing to undo do not count; those whose undo could not be prepared do.
    const total = undos.filter(({ planned, undoing }) => planned || !undoing).length;
    sayRepeatedFailures(possible, terminal);
    terminal.say(`Verified in ${verified} of ${count(total, 'stack')}.`);
  }
  if (run.exitCode !== exitCodes.done) return;
  const { session, name } = possible[0]!.undoing!;
  await sayReverts(commitsToRevert(possible), several ? formatSubject(subject) : name, session, terminal);
}

/**
 * Returns the undos, each with the stacks that it waits for (`waitsFor`). A stack is undone after all stacks that need it, because their objects use its
 * objects: the reverse of an apply. `stacks`: all stacks in the order of an apply, each after those that it needs.
 */
function addWaitsForDependents(undos: readonly StackUndo[], stacks: readonly StackToPlan[]): StackUndo[] {
  const stacksInUndoOrder = stacks.toReversed();
  // `findPredecessors` follows `needs`, so each stack is given the stacks that need it there.
  const dependents = findPredecessors(
    new Set(undos.map(({ stack }) => stack.id)),
    stacksInUndoOrder.map(({ id }) => ({
      id,
      needs: stacksInUndoOrder.filter(({ needs }) => needs.includes(id)).map((dependent) => dependent.id),
    })),
  );
  return undos.map((undo) => ({
    ...undo,
    stack: { ...undo.stack, waitsFor: dependents.get(undo.stack.id)! },
  }));
}

/**
 * Returns the commits that people have to revert by hand after an undo, of all stacks, each once and newest first, because `git revert`
 * needs this order. `distance`: the number of newer commits.
 */
function commitsToRevert(undos: readonly StackUndo[]): MainlineCommit[] {
  const commits = new Map(
    undos.flatMap(({ undoing }) => (undoing?.reverts ?? []).map((commit) => [commit.id, commit] as const)),
  );
  return [...commits.values()].sort((a, b) => a.distance - b.distance);
}
