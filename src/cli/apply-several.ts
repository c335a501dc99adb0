import {
  applyStacks,
  lockAndPlanAgain,
  type StackEnd,
  type StackSteps,
} from '../app/applying/apply-stacks.ts';
import type { ApplyCommandOptions } from '../app/planning/plan-options.ts';
import type { PlannedStack } from '../app/planning/plan-stacks.ts';
import type { Several } from '../app/planning/several-stacks.ts';
import { type ApprovedFile, partName, refuseOtherPlans } from '../approval/approved-stacks.ts';
import type { ApprovedPlan } from '../approval/plan-again.ts';
import { isEmpty } from '../model/plan.ts';
import { problemsOf } from '../model/problems-of.ts';
import type { ApplyResult } from '../report/markdown/applied-markdown.ts';
import { comparedPart } from '../report/not-compared-text.ts';
import { isFailed, type StackReport } from '../report/stacks/stack-report.ts';
import { diagnosticLine } from '../report/terraform/ui-line.ts';
import { cleanLine } from '../report/text.ts';
import { RunEffects } from '../run/run-effects.ts';
import { applyCurrent, confirmApply } from './carry-out.ts';
import type { CommandRun } from './command-run.ts';
import { errorCode, exitCodes, stacksCode, worstCode } from './exit-codes.ts';
import { sayDiagnostics, type Terminal } from './terminal.ts';

/** The circumstances of an apply of several stacks. */
interface Circumstances {
  /** True if every stack could be planned without errors. */
  areApplicable: boolean;
  /** The file of saved plans; without it the user is asked about the plans that were shown. */
  file: ApprovedFile | undefined;
  mode: { unattended: boolean };
}

/**
 * Applies the plans of several stacks (`apply --all`, or a file of saved plans), once the user agrees. Saved plans are applied only if
 * all of them still match. Otherwise stacks that cannot be planned are left out, with the stacks that need them. Sets the exit code.
 */
export async function applySeveral(
  planned: PlannedStack<Terminal>[],
  several: Several,
  options: ApplyCommandOptions,
  terminal: Terminal,
  { areApplicable, file, mode }: Circumstances,
): Promise<void> {
  const { run } = terminal;
  const reports = planned.map(({ report }) => report);
  const applicable = planned.filter(({ report }) => !isFailed(report));
  if (file ? !areApplicable : applicable.length === 0) {
    terminal.say(`Nothing was changed: ${file ? 'not every' : 'no'} stack could be planned.`);
    recordNotStarted(run, planned);
    run.exitCode = stacksCode(reports);
    return;
  }
  const effects = new RunEffects(applicable);
  if (file) await refuseOtherPlans(planned, file, effects);
  else if (!(await confirmPlans(planned, applicable, options, terminal))) return;
  const approvedPlanOf = ({ stack, planned: shown }: PlannedStack): ApprovedPlan =>
    file
      ? { file: partName(file, stack.id), approved: file.parts.get(stack.id)!.plan }
      : { shown: shown!.plan };
  if (run.applyResult) run.applyResult.parts = [];
  const steps = createSteps(options, terminal, several, effects, (stack) =>
    lockAndPlanAgain(stack, approvedPlanOf(stack), mode, effects),
  );
  const ends = await applyStacks(applicable, several, effects, steps);
  const codes = ends.map(({ code }) => code);
  run.exitCode = worstCode(codes);
  const doneCount = codes.filter((code) => code === exitCodes.done).length;
  const uncompared = applicable.map((stack) => comparedPart(stack.planned!.plan)).find((text) => text !== '');
  const verb = ends.length === 1 ? 'stack is' : 'stacks are';
  terminal.say(`${doneCount} of ${ends.length} ${verb} up to date${uncompared ?? ''}.`);
  if (!areApplicable && run.exitCode === exitCodes.done) run.exitCode = stacksCode(reports);
}

/** Names the stacks that `apply --all` leaves out, and asks whether to apply the others. Returns true if the user or `--auto-approve` agrees. */
async function confirmPlans(
  planned: readonly PlannedStack[],
  applicable: readonly PlannedStack[],
  options: ApplyCommandOptions,
  terminal: Terminal,
): Promise<boolean> {
  for (const text of leftOutTexts(planned)) terminal.say(cleanLine(text));
  const plans = applicable.map((stack) => stack.planned!.plan);
  const question = 'Apply these changes to all of these stacks?';
  return confirmApply(plans, options, { question, subject: 'the plans have' }, terminal);
}

/**
 * Returns the steps of applying one stack, for `applyStacks`. Each step reports on the terminal of the stack, and in the result that
 * `--report` formats. `planAgain`: locks a stack and checks that its plan is still the approved one.
 */
function createSteps(
  options: ApplyCommandOptions,
  terminal: Terminal,
  { joint }: Several,
  effects: RunEffects,
  planAgain: (stack: PlannedStack<Terminal>) => ReturnType<typeof lockAndPlanAgain>,
): StackSteps<PlannedStack<Terminal>> {
  const skipWith = (member: Terminal, text: string, code: number): StackEnd => {
    if (member.run.applyResult) member.run.applyResult.skipped = text;
    member.say(text);
    return { code, isComplete: false };
  };
  const stop = ({ stack }: PlannedStack<Terminal>): StackEnd =>
    skipWith(stack.port, 'Not started: the run was stopped by a signal.', exitCodes.interrupted);
  return {
    stop,
    begin: ({ stack: { id, port } }) => startStackResult(id, terminal, port),
    async apply(plannedStack) {
      const { stack, session } = plannedStack;
      const { port: member } = stack;
      const current = await planAgain(plannedStack);
      if (joint.isEnding()) return stop(plannedStack);
      if (member.run.applyResult) member.run.applyResult.plan = current.plan;
      if (!isEmpty(current.plan)) effects.begin(session!, current.plan);
      const approval = { approval: options.autoApprove ? 'flag' : 'asked', isShown: false } as const;
      const stackOptions = { ...stack.options, settle: options.settle };
      const isComplete = await applyCurrent(session!, current, stackOptions, member, approval);
      return { code: member.run.exitCode, isComplete };
    },
    skip({ stack }, unfinished) {
      const text = `Not applied: it needs ${[...unfinished.keys()].join(', ')}, which was not fully applied.`;
      return skipWith(stack.port, text, worstCode([...unfinished.values()].map(({ code }) => code)));
    },
    fail({ stack: { port: member } }, error) {
      const problems = problemsOf(error);
      if (member.run.applyResult) member.run.applyResult.failed = problems;
      if (member.stream) member.stream(problems.map(diagnosticLine));
      else sayDiagnostics(problems, member);
      return { code: errorCode(error), isComplete: false };
    },
  };
}

/** Records for the report of `apply --all --report` why none of the stacks was started: its own errors, or the errors of other stacks. */
function recordNotStarted({ applyResult }: CommandRun, planned: readonly PlannedStack[]): void {
  if (!applyResult) return;
  applyResult.parts = planned.map(({ report: { id, failed, plan } }) => {
    const errors = failed ?? (plan?.diagnostics ?? []).filter(({ severity }) => severity === 'error');
    return errors.length > 0
      ? { id, failed: errors }
      : { id, skipped: 'Not started: not every stack could be planned.' };
  });
}

/** Starts the result of one stack for the report of `apply --all --report`. The results are in the order in which the stacks start. */
function startStackResult(id: string, { run }: Terminal, member: Terminal): void {
  const stackResult: ApplyResult = { id };
  member.run.applyResult = stackResult;
  run.applyResult?.parts?.push(stackResult);
}

/** Returns sentences about the stacks that `apply --all` leaves out, for its question: those without a plan, and those that need one of them. */
function leftOutTexts(planned: readonly PlannedStack[]): string[] {
  const failedReports = planned.map(({ report }) => report).filter(isFailed);
  const idsOf = (reports: StackReport[]) => reports.map(({ id }) => id).join(', ');
  const unplanned = failedReports.filter(({ skipped }) => skipped === undefined);
  const waiting = failedReports.filter(({ skipped }) => skipped !== undefined);
  const [subject, pronoun] = unplanned.length === 1 ? ['it', 'that'] : ['they', 'these'];
  const need = waiting.length === 1 ? 'it needs' : 'they need';
  return [
    ...(unplanned.length > 0 ? [`Skipped, since ${subject} cannot be planned: ${idsOf(unplanned)}.`] : []),
    ...(waiting.length > 0 ? [`Skipped, since ${need} ${pronoun}: ${idsOf(waiting)}.`] : []),
  ];
}
