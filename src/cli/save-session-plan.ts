import { isUncompared } from '../approval/encode.ts';
import { type SaveOptions, savePlan } from '../approval/save-plan.ts';
import { type SavedPlan, type ShapingOptions, shapingOptions } from '../approval/saved-plan.ts';
import type { Plan } from '../model/plan.ts';
import type { PlanningOptions } from './options.ts';
import type { Session } from './session.ts';

/** The options that shape a plan, by the names of their flags; what is a list is in order. */
const shapeOf = (options: Pick<PlanningOptions, keyof ShapingOptions>): ShapingOptions =>
  Object.fromEntries(
    shapingNames
      .map((name) => [name, options[name]] as const)
      .filter(([, value]) => value !== undefined && value !== false)
      .map(([name, value]) => [name, Array.isArray(value) ? [...new Set(value)].sort() : value]),
  );

export const shapingNames = Object.keys(shapingOptions.shape) as (keyof ShapingOptions)[];

/** A plan of this session as its file has it. `like`: a file that it is to be compared with. */
export function saveSessionPlan(
  { ledger, owner, kinds, secrets, key }: Session,
  plan: Plan,
  options: Pick<PlanningOptions, keyof ShapingOptions>,
  like?: SavedPlan,
): SavedPlan {
  const given: SaveOptions = {
    baseUrl: ledger.baseUrl,
    owner: owner.id,
    generation: ledger.generation,
    options: shapeOf(options),
    kinds,
    secrets,
  };
  if (!like) return savePlan(plan, { ...given, key });
  return savePlan(plan, { ...given, key: like.key === undefined ? undefined : key, salt: like.salt });
}

/** Operations that would send a secret which was not compared: nobody can tell whether it is the approved one. */
export const uncompared = ({ operations }: SavedPlan): string[] =>
  operations
    .filter(({ requests }) =>
      requests.some(({ params = {}, body = null }) => isUncompared(params) || isUncompared(body)),
    )
    .flatMap(({ changes }) => changes);
