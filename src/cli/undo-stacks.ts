import { applyStacks, type StackEnd } from '../app/applying/apply-stacks.ts';
import type { ApplyCommandOptions } from '../app/planning/plan-options.ts';
import type { StackToPlan } from '../app/planning/plan-stacks.ts';
import type { Several } from '../app/planning/several-stacks.ts';
import { lockSession, type Session } from '../app/session/session.ts';
import { openUndo, type Undoing, type UndoSubject } from '../app/undoing/undoing.ts';
import { findPredecessors } from '../config/workspace-stacks.ts';
import type { MainlineCommit } from '../git/commits.ts';
import { ledgerLine } from '../history/ledger-line.ts';
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
import { applyUndo, planUndo, sayReverts, unattendedUndoProblem } from './undo-steps.ts';

/** What `trueup undo` was asked to undo, with its options. */
interface UndoRequest {
  subject: UndoSubject;
  provider: Provider;
  options: ApplyCommandOptions;
}

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
  const request = { subject, provider, options };
  await withCommandStacks(provider, options, terminal, async (commandStacks) => {
    const undos = await planUndos(request, commandStacks);
    try {
      const shown = undos.flatMap((undo) => (undo.report ? { ...undo, report: undo.report } : []));
      const canApplyAll =
        shown.length === 0 ||
        (await showPlans(shown, options, terminal, await readPace(undos, commandStacks)));
      if (!(await confirmUndos(undos, request, commandStacks, terminal))) return;
      if (undos.every(hasFailedUndo)) {
        if (commandStacks.several) terminal.say('Nothing was changed: no stack could be planned.');
      } else await applyUndos(undos, subject, commandStacks, terminal);
      if (!canApplyAll)
        run.exitCode = worstCode([run.exitCode, stacksCode(shown.map(({ report }) => report))]);
    } finally {
      await closeOnlySession(undos, commandStacks);
    }
  });
}

/**
 * Asks whether to carry out the undos that can be planned: `Undo run 12 with these 3 changes to team acme?` Returns true if the user or
 * `--auto-approve` agrees, or without a question if no undo changes anything. Throws `Problems` without a terminal.
 */
async function confirmUndos(
  undos: readonly StackUndo[],
  { subject, options }: UndoRequest,
  { several }: CommandStacks,
  terminal: Terminal,
): Promise<boolean> {
  const changing = undos.filter(({ report }) => report && !isFailed(report) && !isEmpty(report.plan!));
  if (changing.length === 0 || options.autoApprove) return true;
  const { undoing, report } = changing[0]!;
  const question = several
    ? `Undo ${formatSubject(subject)} in ${count(changing.length, 'stack')}?`
    : `Undo ${undoing!.name} with ${changesText(report!.plan!)}?`;
  return isYes(terminal, { question, unattended: unattendedUndoProblem });
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
async function planUndos(request: UndoRequest, { stacks, several }: CommandStacks): Promise<StackUndo[]> {
  const undos: StackUndo[] = [];
  for (const stack of stacks.toReversed()) {
    const undo = await planStackUndo(request, stack, several);
    if (undo) undos.push(undo);
  }
  if (undos.length > 0) return undos;
  raise(
    noRunCode,
    `no recorded run of any stack changed something for the ${formatSubject(request.subject)}`,
    {
      hint: 'it planned to nothing, or was never applied; `trueup log` in a stack lists its runs',
    },
  );
}

/**
 * Plans the undo of a run or commit in one stack. The result has a report with errors if one of several stacks cannot be planned. Returns
 * undefined, and says so, if no run of this stack applied the commit. Throws `Problems` if the only stack of the command cannot be planned.
 */
async function planStackUndo(
  request: UndoRequest,
  stack: StackToPlan<Terminal>,
  several: Several | undefined,
): Promise<StackUndo | undefined> {
  try {
    return await openStackUndo(request, stack, several);
  } catch (error) {
    if (!several) throw error;
    const failed = problemsOf(error);
    if (failed.some(({ code }) => code !== noRunCode))
      return { stack, report: { ...emptyReport(stack), needs: stack.needs, failed } };
    for (const { message } of failed) stack.port.say(cleanLine(`Skipped: ${message}.`));
    return undefined;
  }
}

/**
 * Opens the session of one stack and plans the undo in it. The result has no plan if there is nothing to undo. Throws `Problems` if the
 * undo cannot be planned; it then closes the session, unless several stacks share its account.
 */
async function openStackUndo(
  { subject, provider, options }: UndoRequest,
  stack: StackToPlan<Terminal>,
  several: Several | undefined,
): Promise<StackUndo> {
  const { port: terminal } = stack;
  const undoing = await openUndo(subject, provider, { ...options, ...stack.options }, terminal, {
    accounts: several?.accounts,
    onHistory: (history) => sayDoubts(history, terminal),
  });
  const { session } = undoing;
  try {
    // If no question comes, a single stack is locked before it is planned, so that it need not be planned again.
    if (!several && options.autoApprove) await lockSession(session, options, terminal);
    const planned = await planUndo(undoing, terminal);
    if (several || planned) terminal.say(ledgerLine(session.store, session.ledger, session.host.clock.now()));
    const undo: StackUndo = { stack, undoing, session };
    if (!planned) return undo;
    const { plan } = undoing.toShownPlan(planned);
    return { ...undo, planned, report: { ...emptyReport(stack), plan } };
  } catch (error) {
    if (!several) await session.close();
    throw error;
  }
}

/** Returns the report about the undo in a stack, before its plan or errors are in it. */
const emptyReport = ({ id, path, name, stage }: StackToPlan): StackReport => ({
  id,
  path,
  // Reports say that a stack comes after those that it needs. In an undo it comes before them.
  needs: [],
  stack: name,
  stage,
});

/**
 * Applies the undos that could be planned (at least one), and sets the exit code to theirs; the caller adds that of the others. A stack is
 * undone before the stacks that it needs, so if its undo fails or could not be planned, these stay as they are: its objects still use
 * theirs. If every stack is undone, prints the commits that people still have to revert; before that, the list could lack some. Throws
 * `Problems` if the undo of the only stack fails.
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
  const failedEnds = undos
    .filter(hasFailedUndo)
    .map(({ stack, report }) => [stack.id, { code: stacksCode([report!]), isComplete: false }] as const);
  const effects = new RunEffects(possible);
  const steps = createStackSteps<StackUndo>(several, {
    apply: (undo) => applyStackUndo(undo, effects),
    skippedText: (ids) => `Not undone: first undo it in ${ids}, which needs it and failed.`,
  });
  // One end for each of `possible`, in its order.
  const ends = await applyStacks(possible, several, effects, steps, new Map(failedEnds));
  run.exitCode = worstCode(ends.map(({ code }) => code));
  if (several) {
    const verified = possible.filter(({ planned }, index) => planned && ends[index]!.isComplete).length;
    // Stacks with nothing to undo do not count; those whose undo could not be prepared do.
    const total = undos.filter(({ planned, undoing }) => planned || !undoing).length;
    sayRepeatedFailures(possible, terminal);
    terminal.say(`Verified in ${verified} of ${count(total, 'stack')}.`);
  }
  if (run.exitCode !== exitCodes.done || failedEnds.length > 0) return;
  const { session, name } = possible[0]!.undoing!;
  await sayReverts(commitsToRevert(possible), several ? formatSubject(subject) : name, session, terminal);
}

/**
 * Applies the undo of one stack whose planning did not fail, and returns how it ended. `effects`: what the stacks of this command have
 * written so far. A stack with nothing to undo is done at once.
 */
async function applyStackUndo(
  { stack: { port }, undoing, planned }: StackUndo,
  effects: RunEffects,
): Promise<StackEnd> {
  if (!planned) return { code: exitCodes.done, isComplete: true };
  const { written } = effects.inAccountOf(undoing!.session);
  const isVerified = await applyUndo(undoing!, planned, port, written);
  const code = port.run.exitCode || (isVerified ? exitCodes.done : exitCodes.failed);
  return { code, isComplete: code === exitCodes.done };
}

/**
 * Returns the undos, each with the stacks that it waits for (`waitsFor`). A stack is undone after all stacks that need it, because their objects use its
 * objects: the reverse of an apply. `stacks`: all stacks in the order of an apply, each after those that it needs.
 */
function addWaitsForDependents(undos: readonly StackUndo[], stacks: readonly StackToPlan[]): StackUndo[] {
  const stacksInUndoOrder = stacks.toReversed();
  // `findPredecessors` follows `needs`. The order is reversed, so here a stack "needs" the stacks that really need it (its dependents).
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
