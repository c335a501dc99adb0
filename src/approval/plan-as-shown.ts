import { Problems, problem } from '../model/diagnostic.ts';
import { jsonText } from '../report/json-value.ts';
import { planJson } from '../report/plan-json.ts';
import { type OpenPlanOptions, openPlan, type Planned } from '../run/open-plan.ts';
import type { Session } from '../run/session.ts';

/**
 * Plans again, and gives that back only if it is the plan that was shown: deciding takes time, and what was agreed to is done only if
 * it is still what the account calls for. Throws `Problems`.
 */
export async function planAsShown(
  session: Session,
  shown: Planned,
  options: OpenPlanOptions,
): Promise<Planned> {
  const current = await openPlan(session, options);
  // What is nobody's business here may come and go.
  const [before, now] = [shown, current].map(({ plan: { reads: _, unlisted: __, ...plan } }) =>
    jsonText(planJson({ ...plan, unmanaged: [] })),
  );
  if (before === now) return current;
  throw new Problems([
    problem('apply/changed', 'the account changed since the plan was shown, so nothing was done', {
      hint: 'run apply again to see the plan as it is now',
    }),
  ]);
}
