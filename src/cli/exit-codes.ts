import { interruptedCode } from '../app/host.ts';
import { type Diagnostic, Problems } from '../model/diagnostic.ts';
import type { Outcome } from '../model/event.ts';
import { fold } from '../report/cut.ts';
import type { StackReport } from '../report/stacks/stack-report.ts';

/** Every exit code that a shell can get. */
export const exitCodes = {
  /** The command did, or showed, what was asked. */
  done: 0,
  failed: 1,
  /** Only where `--detailed-exitcode` or `--drift-exitcode` asks for it. */
  changes: 2,
  /** EX_TEMPFAIL of sysexits.h. */
  tryAgainLater: 75,
  interrupted: interruptedCode,
} as const;

type Name = keyof typeof exitCodes;

/** The same for people. */
export const exitCodeMeanings: Record<Name, string> = {
  done: 'success; for plan and show, there may be changes',
  failed: 'an error, something could not be read, or the user declined',
  changes:
    'with --detailed-exitcode: there are changes; with --drift-exitcode: the account was changed outside',
  tryAgainLater:
    'nothing failed, but it is not finished: another run holds the ledger, a rate limit asks for a longer wait than --max-wait, an object is not ready after its `$wait`, an action cannot be sent yet, or --timeout has passed',
  interrupted: 'stopped by Ctrl-C or a signal; what apply, destroy and run did so far is recorded',
};

/** For the end of `trueup --help`. */
export const exitCodeHelp = (width: number): string =>
  [
    'Exit codes:',
    ...(Object.keys(exitCodes) as Name[]).flatMap((name) =>
      fold(exitCodeMeanings[name], width - 7).map(
        (line, index) => `  ${(index === 0 ? String(exitCodes[name]) : '').padEnd(4)} ${line}`,
      ),
    ),
  ].join('\n');

/** The exit code of an apply. It says to try again later if everything left undone only waits for a rate limit. */
export function outcomeCode({ failed, left, skipped, interrupted, actions = [] }: Outcome): number {
  const some = (...results: string[]) => actions.some(({ result }) => results.includes(result));
  if (interrupted) return exitCodes.interrupted;
  if (failed.length > 0 || skipped.length > 0 || some('refused', 'unknown')) return exitCodes.failed;
  return left.length > 0 || some('owed') ? exitCodes.tryAgainLater : exitCodes.done;
}

/** The exit code of a command that ends with an error: it says to try again later if a rate limit is all that is wrong. */
export function errorCode(error: unknown): number {
  if ((error as { isForLater?: boolean }).isForLater) return exitCodes.tryAgainLater;
  const code = error instanceof Problems ? problemsCode(error.diagnostics) : exitCodes.done;
  return code === exitCodes.done ? exitCodes.failed : code;
}

/** The exit code for problems: it says to try again later if a rate limit is the cause of all errors. */
export function problemsCode(diagnostics: readonly Diagnostic[]): number {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return exitCodes.done;
  return errors.every(({ isForLater }) => isForLater) ? exitCodes.tryAgainLater : exitCodes.failed;
}

/** The exit code for stacks of which not all can be applied: that of the worst problem. */
export const stacksCode = (reports: readonly Pick<StackReport, 'plan' | 'failed'>[]): number =>
  worstCode(reports.map(({ plan, failed }) => problemsCode(failed ?? plan?.diagnostics ?? []))) ||
  exitCodes.failed;

/** Picks the exit code that matters most of several. */
export const worstCode = (codes: readonly number[]): number =>
  [exitCodes.interrupted, exitCodes.failed, exitCodes.tryAgainLater].find((code) => codes.includes(code)) ??
  exitCodes.done;
