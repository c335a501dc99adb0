import { asksForNothing, hasDrift, type Plan } from '../model/plan.ts';
import { exitCodes, problemsCode } from './exit-codes.ts';

/** The exit code of a plan that is only shown. `fine`: nothing is wrong with it. */
export function planExitCode(
  plan: Plan,
  {
    fine,
    detailed = false,
    drift = false,
  }: { fine: boolean; detailed?: boolean | undefined; drift?: boolean | undefined },
): number {
  if (!fine) return problemsCode(plan.diagnostics) || exitCodes.failed;
  const isNews = (detailed && !asksForNothing(plan)) || (drift && hasDrift(plan));
  return isNews ? exitCodes.changes : exitCodes.done;
}
