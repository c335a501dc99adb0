import { hasDrift } from '../model/drift.ts';
import type { Outcome } from '../model/event.ts';
import { isEmpty, type Plan } from '../model/plan.ts';
import { exitCodes } from './exit-codes.ts';

/** What a shell is told of an apply: to try again later, if all that was not done waits for a rate limit only. */
export function exitCode({ failed, left, skipped, interrupted }: Outcome): number {
  if (interrupted) return exitCodes.interrupted;
  if (failed.length > 0 || skipped.length > 0) return exitCodes.failed;
  return left.length > 0 ? exitCodes.tryAgainLater : exitCodes.done;
}

/** The same of a plan that is only shown. `fine`: nothing is wrong with it. */
export function planExitCode(
  plan: Plan,
  {
    fine,
    detailed = false,
    drift = false,
  }: { fine: boolean; detailed?: boolean | undefined; drift?: boolean | undefined },
): number {
  if (!fine) return exitCodes.failed;
  const isNews = (detailed && !isEmpty(plan)) || (drift && hasDrift(plan));
  return isNews ? exitCodes.changes : exitCodes.done;
}
