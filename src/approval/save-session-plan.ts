import type { Plan } from '../model/plan.ts';
import type { Session } from '../run/session.ts';
import { isUncompared } from './encode.ts';
import { savePlan } from './save-plan.ts';
import { type SavedPlan, type ShapingOptions, shapingOptions } from './saved-plan.ts';

export const shapingNames = Object.keys(shapingOptions.shape) as (keyof ShapingOptions)[];

/** The same as a command line has them: a flag may be given as off. */
type GivenShaping = {
  [Name in keyof ShapingOptions]: ShapingOptions[Name] extends true | undefined
    ? boolean | undefined
    : ShapingOptions[Name];
};

/** The options that shape a plan, by the names of their flags; what is a list is in order. */
const shapeOf = (options: GivenShaping): ShapingOptions =>
  Object.fromEntries(
    shapingNames
      .map((name) => [name, options[name]] as const)
      .filter(([, value]) => value !== undefined && value !== false)
      .map(([name, value]) => [name, Array.isArray(value) ? [...new Set(value)].sort() : value]),
  );

/** A plan of this session as its file has it. `like`: a file that it is to be compared with. */
export function saveSessionPlan(
  { ledger, owner, kinds, secrets, key }: Session,
  plan: Plan,
  options: GivenShaping,
  like?: SavedPlan,
): SavedPlan {
  const how = {
    baseUrl: ledger.baseUrl,
    owner: owner.id,
    generation: ledger.generation,
    options: shapeOf(options),
    kinds,
    secrets,
  };
  if (!like) return savePlan(plan, { ...how, key });
  return savePlan(plan, { ...how, key: like.key === undefined ? undefined : key, salt: like.salt });
}

/** Operations that would send a secret which was not compared: nobody can tell whether it is the approved one. */
export const uncompared = ({ operations }: SavedPlan): string[] =>
  operations
    .filter(({ requests }) =>
      requests.some(({ params = {}, body = null }) => isUncompared(params) || isUncompared(body)),
    )
    .flatMap(({ changes }) => changes);
