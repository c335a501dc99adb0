import {
  applyStacks,
  lockAndPlanAgain,
  type StackEnd,
  type StackSteps,
} from '../app/applying/apply-stacks.ts';
import { partName, refuseOtherPlans } from '../app/applying/approved-stacks.ts';
import type { ApplyCommandOptions } from '../app/planning/plan-options.ts';
import type { ApprovedFile, PlannedStack } from '../app/planning/plan-stacks.ts';
import { RunEffects } from '../app/planning/run-effects.ts';
import type { Several } from '../app/planning/several-stacks.ts';
import { problemsOf } from '../app/problems-of.ts';
import type { ApprovedPlan } from '../approval/plan-again.ts';
import { asksForNothing, isEmpty } from '../model/plan.ts';
import { cleanLine } from '../report/clean.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { comparedPart } from '../report/not-compared-text.ts';
import { isFailed } from '../report/stacks/stack-report.ts';
import { diagnosticLine } from '../report/terraform/ui-line.ts';
import { reportNotStarted, startStackReport } from './apply-report.ts';
import { applyCurrent, unattendedApplyProblem } from './carry-out.ts';
import { errorCode, exitCodes, stacksCode, worstCode } from './exit-codes.ts';
import { isYes, type Terminal } from './terminal.ts';

interface Situation {
  /** True if every stack could be planned without errors. */
  areFine: boolean;
  /** The file of the approved plans; without it the plans that were shown are asked about. */
  file: ApprovedFile | undefined;
  mode: { unattended: boolean };
}

/**
 * Applies the plans of several stacks once they are agreed to. Plans of a file are applied only if each is the approved one; otherwise the
 * stacks that cannot be planned are left out.
 */
export async function applySeveral(
  planned: PlannedStack<Terminal>[],
  several: Several,
  options: ApplyCommandOptions,
  terminal: Terminal,
  { areFine, file, mode }: Situation,
): Promise<void> {
  const { run } = terminal;
  const reports = planned.map(({ report }) => report);
  const able = planned.filter(({ report }) => !isFailed(report));
  if (file ? !areFine : able.length === 0) {
    terminal.say(`Nothing was changed: ${file ? 'not every' : 'no'} stack could be planned.`);
    reportNotStarted(run, planned);
    run.exitCode = stacksCode(reports);
    return;
  }
  const effects = new RunEffects(able);
  if (file) await refuseOtherPlans(planned, file, effects);
  else {
    for (const text of leftOutTexts(planned)) terminal.say(cleanLine(text));
    const isToAsk = !options.autoApprove && able.some((stack) => !asksForNothing(stack.planned!.plan));
    const question = 'Apply these changes to all of these stacks?';
    if (
      isToAsk &&
      !(await isYes(terminal, { question, unattended: unattendedApplyProblem('the plans have') }))
    )
      return;
  }
  const approvedOf = ({ stack, planned: shown }: PlannedStack): ApprovedPlan =>
    file
      ? { file: partName(file, stack.id), approved: file.parts.get(stack.id)!.plan }
      : { shown: shown!.plan };
  if (run.deed) run.deed.parts = [];
  const steps = applyStepsOf(options, terminal, several, effects, (stack) =>
    lockAndPlanAgain(stack, approvedOf(stack), mode, effects),
  );
  const ends = await applyStacks(able, several, effects, steps);
  const codes = ends.map(({ code }) => code);
  run.exitCode = worstCode(codes);
  const done = codes.filter((code) => code === exitCodes.done).length;
  const limit = able.map((stack) => comparedPart(stack.planned!.plan)).find((text) => text !== '') ?? '';
  terminal.say(
    `${done} of ${ends.length} ${ends.length === 1 ? 'stack is' : 'stacks are'} up to date${limit}.`,
  );
  if (!areFine && run.exitCode === exitCodes.done) run.exitCode = stacksCode(reports);
}

/** Returns the steps of applying one stack, each of which says what it does on the terminal of the stack. */
function applyStepsOf(
  options: ApplyCommandOptions,
  terminal: Terminal,
  { joint }: Several,
  effects: RunEffects,
  planAgain: (stack: PlannedStack<Terminal>) => ReturnType<typeof lockAndPlanAgain>,
): StackSteps<Terminal> {
  const stop = ({ stack: { port: member } }: PlannedStack<Terminal>): StackEnd => {
    const text = 'Not started: the run was stopped by a signal.';
    if (member.run.deed) member.run.deed.skipped = text;
    member.say(text);
    return { code: exitCodes.interrupted, isComplete: false };
  };
  return {
    stop,
    begin: ({ stack: { id, port: member } }) => void startStackReport(id, terminal, member),
    async apply(plannedStack) {
      const { stack, session } = plannedStack;
      const { port: member } = stack;
      const current = await planAgain(plannedStack);
      if (joint.isEnding()) return stop(plannedStack);
      if (member.run.deed) member.run.deed.plan = current.plan;
      if (!isEmpty(current.plan)) effects.begin(session!, current.plan);
      const how = { approval: options.autoApprove ? 'flag' : 'asked', isShown: false } as const;
      const stackOptions = { ...stack.options, settle: options.settle };
      const isWhole = await applyCurrent(session!, current, stackOptions, member, how);
      return { code: member.run.exitCode, isComplete: isWhole };
    },
    skip({ stack: { port: member } }, unfinished) {
      const text = `Not applied: it needs ${[...unfinished.keys()].join(', ')}, which was not fully applied.`;
      member.run.deed!.skipped = text;
      member.say(text);
      return { code: worstCode([...unfinished.values()].map(({ code }) => code)), isComplete: false };
    },
    fail({ stack: { port: member } }, error) {
      const wrong = problemsOf(error);
      member.run.deed!.failed = wrong;
      if (member.stream) member.stream(wrong.map(diagnosticLine));
      else member.say(diagnosticsText(wrong, { style: member.errStyle }));
      return { code: errorCode(error), isComplete: false };
    },
  };
}

/** Returns what to say about the stacks that are not applied: those without a plan, and those that need one of them. */
function leftOutTexts(planned: readonly PlannedStack[]): string[] {
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
