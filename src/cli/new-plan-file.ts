import { saveSessionPlan, uncompared } from '../approval/save-session-plan.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import { flagOf } from './flag-of.ts';
import type { Host } from './host.ts';
import type { PlanningOptions } from './options.ts';
import { refuseOtherFile, writePlanFile } from './plan-file.ts';
import { requireKey, type Session } from './session.ts';

/** A file that a plan is to be saved in. */
export const newPlanFile = (path: string, host: Host) => ({
  /** Throws `Problems` if there is something else than a plan. */
  refuseOther: () => refuseOtherFile(path, host),
  /** What is approved is sealed, so that takes the key; in CI it has to be given, or the plan is only good for being shown. */
  keyToApprove: async (session: Session, options: PlanningOptions): Promise<void> => {
    if (!host.env.CI || options.twin) await requireKey(session, options);
  },
  save: (session: Session, plan: Plan, options: PlanningOptions) => save(session, plan, path, options),
});

/** Saves it, unless it cannot be approved; gives what there is to say about that. */
async function save(session: Session, plan: Plan, path: string, options: PlanningOptions): Promise<string[]> {
  if (hasErrors(plan.diagnostics)) return [`${path} was not written: a plan with errors cannot be approved.`];
  const saved = saveSessionPlan(session, plan, options);
  await writePlanFile(path, saved, session.host);
  const repeat = (['file', 'var', 'varFile', 'ledger', 'twin', 'baseUrl', 'tokenFile'] as const).filter(
    (name) => options[name] !== undefined,
  );
  const same = repeat.length > 0 ? `, with the same ${repeat.map(flagOf).join(', ')}` : '';
  const shown = `Saved to ${path}. \`trueup show ${path}\` shows it`;
  if (!session.key)
    return [
      `${shown}. It is not sealed, since there is no key here: it is good for reading, and no apply does it.`,
    ];
  const done = `${shown}, \`trueup apply ${path}\` carries it out${same}.`;
  const addresses = uncompared(saved);
  if (addresses.length === 0) return [done];
  return [
    done,
    `It cannot be applied as it is, since a secret was not compared: ${addresses.join(', ')}. It takes the secret itself.`,
  ];
}
