import { interruptedCode } from '../host.ts';
import { type Diagnostic, Problems } from '../model/diagnostic.ts';
import { type Outcome, runEndOf } from '../model/event.ts';
import type { Plan } from '../model/plan.ts';
import type { StackReport } from '../report/stacks/stack-report.ts';
import { fold } from '../report/text.ts';

/** The exit codes of trueup. */
export const exitCodes = {
  /** The command did or showed everything that the user asked for. */
  done: 0,
  /** An error, or the user declined. */
  failed: 1,
  /**
   * There are changes or drift, with `--detailed-exitcode` or `--drift-exitcode`; or a part of the plan could not be rehearsed, with `--rehearse`, which
   * excludes the other two options.
   */
  changes: 2,
  /** Nothing failed, but something has to wait. EX_TEMPFAIL of sysexits.h, so that scripts can repeat the command later. */
  tryAgainLater: 75,
  /** A signal ended the run. */
  interrupted: interruptedCode,
} as const;

type ExitCodeName = keyof typeof exitCodes;

/** The meanings of the exit codes, for `--help` and the documentation. */
export const exitCodeMeanings: Record<ExitCodeName, string> = {
  done: 'success; for plan and show, there may be changes',
  failed: 'an error, something could not be read, or the user declined',
  changes:
    'with --detailed-exitcode: there are changes; with --drift-exitcode: the account was changed outside; with a rehearsal: nothing failed, but a part could not be rehearsed',
  tryAgainLater:
    'nothing failed, but it is not finished: another run holds the ledger, a rate limit asks for a longer wait than --max-wait, an object is not ready after its `$wait`, an action cannot be sent yet, or --timeout has passed',
  interrupted: 'stopped by Ctrl-C or a signal; what apply, destroy and run did so far is recorded',
};

/** What exit codes mean for one command, if its rules need more words than the general ones. */
export type CommandExitCodes = Partial<Record<ExitCodeName, string>>;

/**
 * Formats exit codes for the end of `trueup --help`, or of the help of one command with its own `meanings`. `width`: the columns of the terminal.
 */
export const exitCodeHelp = (width: number, meanings: CommandExitCodes = exitCodeMeanings): string => {
  const lines = exitCodeRows(meanings).flatMap(([code, meaning]) =>
    fold(meaning, width - 7).map((line, index) => `  ${(index === 0 ? code : '').padEnd(4)} ${line}`),
  );
  return ['Exit codes:', ...lines].join('\n');
};

/** Returns exit codes, each with its meaning, for the help and the manual page of a command, or all of them for `trueup --help`. */
export const exitCodeRows = (meanings: CommandExitCodes): [code: string, meaning: string][] =>
  (Object.entries(meanings) as [ExitCodeName, string][]).map(([name, meaning]) => [
    String(exitCodes[name]),
    meaning,
  ]);

/** The exit code of a wait for an object or for the work of an action, by the state in which it ends. `ended`: it came to rest in another state than the expected one. */
export const waitCodes = {
  reached: exitCodes.done,
  ended: exitCodes.failed,
  'under way': exitCodes.tryAgainLater,
  stopped: exitCodes.interrupted,
} as const;

/** Returns the exit code for the outcome of an apply. `tryAgainLater` if repeating the apply completes it. */
export function outcomeCode(outcome: Outcome): number {
  const end = runEndOf(outcome);
  return exitCodes[end === 'not finished' ? 'tryAgainLater' : end];
}

/**
 * Returns the exit code of a command that throws, or of one stack of `--all`: `tryAgainLater` if the cause passes with time, such as a rate limit
 * or another run, so that a script may repeat it; else `failed`.
 */
export function errorCode(error: unknown): number {
  if ((error as { isForLater?: boolean }).isForLater) return exitCodes.tryAgainLater;
  const code = error instanceof Problems ? problemsCode(error.diagnostics) : exitCodes.done;
  return code === exitCodes.done ? exitCodes.failed : code;
}

/**
 * Returns the exit code of commands such as `plan` for their diagnostics: `done` without errors, `tryAgainLater` if all errors pass with time,
 * such as a rate limit.
 */
export function problemsCode(diagnostics: readonly Diagnostic[]): number {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return exitCodes.done;
  return errors.every(({ isForLater }) => isForLater) ? exitCodes.tryAgainLater : exitCodes.failed;
}

/** Returns the exit code of `apply --all`, `plan --all` or `show` if at least one of the stacks cannot be applied: the code of the worst problem. */
export const stacksCode = (reports: readonly Pick<StackReport, 'plan' | 'failed'>[]): number =>
  worstCode(reports.map(({ plan, failed }) => problemsCode(failed ?? plan?.diagnostics ?? []))) ||
  exitCodes.failed;

/** Returns the most serious of several exit codes, such as those of the stacks of `apply --all`: a signal, then an error, then a wait. */
export const worstCode = (codes: readonly number[]): number =>
  [exitCodes.interrupted, exitCodes.failed, exitCodes.tryAgainLater].find((code) => codes.includes(code)) ??
  exitCodes.done;

/**
 * Returns the exit code for the rehearsals of plans: `failed` if one of them would fail, `changes` (2) if a part could not be rehearsed, else `done`. Plans that
 * were not rehearsed count as done.
 */
export function rehearsalCode(plans: readonly Pick<Plan, 'rehearsal'>[]): number {
  const verdicts = plans.map(({ rehearsal }) => rehearsal?.verdict);
  if (verdicts.includes('fails')) return exitCodes.failed;
  return verdicts.includes('unknown') ? exitCodes.changes : exitCodes.done;
}
