import type { Plan, Summary } from '../model/plan.ts';

/** How many changes of each sort a plan has; what is only forgotten counts as released. */
export function summaryOf(plan: Plan): Summary {
  const summary: Summary = {
    create: 0,
    adopt: 0,
    update: 0,
    replace: 0,
    delete: 0,
    move: 0,
    release: 0,
    noop: 0,
    unmanaged: plan.unmanaged.length,
  };
  for (const { action } of plan.changes) summary[action === 'forget' ? 'release' : action]++;
  return summary;
}
