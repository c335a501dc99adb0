import { shapingNames } from '../approval/save-session-plan.ts';
import type { SavedPlan } from '../approval/saved-plan.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { flagOf } from './flag-of.ts';
import type { Host } from './host.ts';
import type { PlanningOptions } from './options.ts';
import { readPlanFile } from './plan-file.ts';

/** The saved plan that apply is to carry out. `given` must not shape the plan anew. Throws `Problems`. */
export async function approvedPlan(file: string, given: PlanningOptions, host: Host): Promise<SavedPlan> {
  refuseShaping(given);
  return readPlanFile(file, host);
}

/** The file has the options that it was planned with; others would make another plan. */
function refuseShaping(given: PlanningOptions): void {
  const flags = shapingNames.filter((name) => given[name] !== undefined).map(flagOf);
  if (flags.length === 0) return;
  throw new Problems([
    problem('approval/options', `${flags.join(', ')} cannot be given with a saved plan`, {
      hint: 'a plan is applied as it was saved; give them to `trueup plan --out FILE`, and have that approved',
    }),
  ]);
}
