import type { PlannedStack } from '../../app/planning/plan-stacks.ts';
import { createStackPlanOptions } from '../../app/planning/plan-stacks.ts';
import type { Port } from '../../app/port.ts';
import type { Provider } from '../../kind/provider.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import { type RehearseOptions, rehearse } from '../rehearse.ts';

/**
 * Rehearses the plans of a command, one after the other, and returns them with the results, which all reports of a plan show. A stack that could not be
 * planned stays as it is, and so does a plan with errors, because it cannot be applied either.
 */
export async function rehearseStacks<P extends Port>(
  provider: Provider,
  plannedStacks: readonly PlannedStack<P>[],
  options: Pick<RehearseOptions, 'crashPoints'>,
): Promise<PlannedStack<P>[]> {
  const rehearsed: PlannedStack<P>[] = [];
  for (const plannedStack of plannedStacks) {
    const { session, planned, stack, report } = plannedStack;
    if (!session || !planned || hasErrors(planned.plan.diagnostics)) {
      rehearsed.push(plannedStack);
      continue;
    }
    const rehearsal = await rehearse(session, planned, {
      provider,
      ...options,
      planOptions: createStackPlanOptions(stack, {}),
    });
    const plan = { ...planned.plan, rehearsal };
    rehearsed.push({ ...plannedStack, planned: { ...planned, plan }, report: { ...report, plan } });
  }
  return rehearsed;
}
