import { applyStacks, lockAndPlanAgain, type StackEnd } from '../app/applying/apply-stacks.ts';
import type { ApplyCommandOptions } from '../app/planning/plan-options.ts';
import type { PlannedStack } from '../app/planning/plan-stacks.ts';
import type { Several } from '../app/planning/several-stacks.ts';
import { type ApprovedFile, partName, refuseOtherPlans } from '../approval/approved-stacks.ts';
import type { ApprovedPlan } from '../approval/plan-again.ts';
import { isEmpty } from '../model/plan.ts';
import type { ApplyResult } from '../report/markdown/applied-markdown.ts';
import { comparedPart } from '../report/not-compared-text.ts';
import { changesText, deletionClause } from '../report/plan-notes.ts';
import { isFailed, leftOutTexts } from '../report/stacks/stack-report.ts';
import { cleanLine } from '../report/text.ts';
import { refuseMissingSecrets } from '../run/fill-request.ts';
import { RunEffects } from '../run/run-effects.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { applyCurrent, confirmApply } from './carry-out.ts';
import { sayRepeatedFailures } from './command-stacks.ts';
import { exitCodes, stacksCode, worstCode } from './exit-codes.ts';
import { createStackSteps } from './stack-steps.ts';

/** The circumstances of an apply. */
interface Circumstances {
  /** The accounts and the handling of signals that several stacks share; absent for one stack. */
  several: Several | undefined;
  /** True if every stack could be planned without errors. */
  areApplicable: boolean;
  /** The file of saved plans; without it the user is asked about the plans that were shown. */
  file: ApprovedFile | undefined;
  mode: { unattended: boolean };
}

/**
 * Applies the plans that `apply` has shown. Plans of a saved file are applied without a question, if every one still matches the account.
 * Other plans are applied once the user agrees, without the stacks that could not be planned and those that need them. Sets the exit code.
 * Throws `Problems` if a plan of the file no longer matches, or if the only stack cannot be applied.
 */
export async function applyPlans(
  planned: PlannedStack<Terminal>[],
  options: ApplyCommandOptions,
  terminal: Terminal,
  circumstances: Circumstances,
): Promise<void> {
  const { several, areApplicable, file } = circumstances;
  const { run } = terminal;
  // Without the stacks that could not be planned, and those that were skipped because they need one of these.
  const applicable = planned.filter(({ report }) => !isFailed(report));
  // A saved file is applied as a whole or not at all.
  const canStart = file ? areApplicable : applicable.length > 0;
  if (!canStart) return reportNotStarted(planned, circumstances, terminal);
  const effects = new RunEffects(applicable);
  if (file) {
    // A stack whose session has the lease was compared with the file when it was planned.
    const uncompared = planned.filter(({ session }) => !session!.lease);
    await refuseOtherPlans(uncompared, file, effects);
  } else if (!(await confirmPlans(planned, applicable, options, terminal))) return;
  if (several && run.applyResult) run.applyResult.parts = [];
  const steps = createStackSteps<PlannedStack<Terminal>>(several, {
    apply: (stack, stop) => applyOneStack(stack, stop, options, circumstances, effects),
    skippedText: (ids) => `Not applied: it needs ${ids}, which was not fully applied.`,
  });
  const begin = ({ stack: { id, port } }: PlannedStack<Terminal>) => startStackResult(id, run, port.run);
  const ends = await applyStacks(applicable, several, effects, { ...steps, begin });
  const codes = ends.map(({ code }) => code);
  if (several) {
    sayRepeatedFailures(applicable, terminal);
    terminal.say(formatDoneCount(codes, applicable));
  }
  const appliedCode = worstCode(codes);
  const failedToPlan = !areApplicable && appliedCode === exitCodes.done;
  run.exitCode = failedToPlan ? stacksCode(planned.map(({ report }) => report)) : appliedCode;
}

/** Sets the exit code if nothing can be applied. For several stacks it also says so, and records it for `apply --report`. */
function reportNotStarted(
  planned: readonly PlannedStack[],
  { several, file }: Circumstances,
  terminal: Terminal,
): void {
  const { run } = terminal;
  if (several) {
    terminal.say(`Nothing was changed: ${file ? 'not every' : 'no'} stack could be planned.`);
    recordNotStarted(run, planned);
  }
  run.exitCode = stacksCode(planned.map(({ report }) => report));
}

/**
 * Applies one stack of `apply`: takes its lease (the right to write its ledger), plans again, and carries that plan out. Throws `Problems`
 * if it is not the plan that was approved: the one in the file or, without a file, the one that the user has seen (`shown`). `stop`: ends
 * this stack because a signal came meanwhile. `effects`: what this run has changed, for the plans of the other stacks.
 */
async function applyOneStack(
  plannedStack: PlannedStack<Terminal>,
  stop: () => StackEnd,
  { autoApprove, settle }: ApplyCommandOptions,
  { several, file, mode }: Circumstances,
  effects: RunEffects,
): Promise<StackEnd> {
  const { stack, session, planned: shown } = plannedStack;
  const { id, port } = stack;
  const approved: ApprovedPlan = file
    ? { file: partName(file, id), approved: file.parts.get(id)!.plan }
    : { shown: shown!.plan };
  // No other stack of the command can have changed the only one, so that an empty plan of it needs no lease.
  const needsLease = several !== undefined || !isEmpty(shown!.plan);
  const current = needsLease ? await lockAndPlanAgain(plannedStack, approved, mode, effects) : shown!;
  if (several?.joint.isEnding()) return stop();
  if (port.run.applyResult) port.run.applyResult.plan = current.plan;
  if (!isEmpty(current.plan)) effects.begin(session!, current.plan);
  const approval = { approval: autoApprove ? 'flag' : 'asked', isShown: !several } as const;
  const isComplete = await applyCurrent(session!, current, { ...stack.options, settle }, port, approval);
  return { code: port.run.exitCode, isComplete };
}

/**
 * Asks whether to apply plans. Names the stacks that `apply --all` leaves out. Returns true if the user or `--auto-approve` agrees. Throws `Problems`
 * if there is no terminal to ask on, or if a secret that the only stack must send is missing.
 */
async function confirmPlans(
  planned: readonly PlannedStack[],
  applicable: readonly PlannedStack[],
  options: ApplyCommandOptions,
  terminal: Terminal,
): Promise<boolean> {
  for (const text of leftOutTexts(planned.map(({ report }) => report))) terminal.say(cleanLine(text));
  const plans = applicable.map((stack) => stack.planned!.plan);
  const first = applicable[0]!;
  const isOnlyStack = first.stack.id === ''; // The only stack of a command has no id.
  if (isOnlyStack) {
    const { plan } = first.planned!;
    refuseMissingSecrets(plan.operations, first.session!.secrets);
    const question = `Apply ${changesText(plan)}?`;
    return confirmApply(plans, options, { question, subject: 'the plan has' }, terminal);
  }
  const deletion = deletionClause(plans.flatMap(({ changes }) => changes));
  const question = `Apply these changes${deletion} to all of these stacks?`;
  return confirmApply(plans, options, { question, subject: 'the plans have' }, terminal);
}

/**
 * Formats for the last line of `apply --all` how many stacks are up to date, as far as it was compared. `codes`: the exit codes of the
 * stacks.
 */
function formatDoneCount(codes: readonly number[], stacks: readonly PlannedStack[]): string {
  const doneCount = codes.filter((code) => code === exitCodes.done).length;
  const uncompared = stacks.map((stack) => comparedPart(stack.planned!.plan)).find((text) => text !== '');
  const verb = codes.length === 1 ? 'stack is' : 'stacks are';
  return `${doneCount} of ${codes.length} ${verb} up to date${uncompared ?? ''}.`;
}

/**
 * Records for the report of `apply --all --report` why no stack was started: for a stack with errors its errors, for every other one that
 * not all stacks could be planned. Does nothing without a report.
 */
function recordNotStarted({ applyResult }: CommandRun, planned: readonly PlannedStack[]): void {
  if (!applyResult) return;
  applyResult.parts = planned.map(({ report: { id, failed, plan } }) => {
    const errors = failed ?? (plan?.diagnostics ?? []).filter(({ severity }) => severity === 'error');
    return errors.length > 0
      ? { id, failed: errors }
      : { id, skipped: 'Not started: not every stack could be planned.' };
  });
}

/**
 * Starts the result of one stack for the report of `apply --all --report`. The results are in the order in which the stacks start. Does
 * nothing for the only stack of a command, because it uses the result of the run, without `parts`.
 */
function startStackResult(id: string, { applyResult }: CommandRun, stackRun: CommandRun): void {
  if (!applyResult?.parts) return;
  const stackResult: ApplyResult = { id };
  stackRun.applyResult = stackResult;
  applyResult.parts.push(stackResult);
}
