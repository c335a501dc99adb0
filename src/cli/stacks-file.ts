import { shownPlan } from '../approval/parse-saved-plan.ts';
import { saveSessionPlan, uncompared } from '../approval/save-plan.ts';
import {
  parseSavedStacks,
  type SavedPart,
  type SavedStacks,
  sealedStacks,
} from '../approval/saved-stacks.ts';
import { isFailed, type StackReport } from '../report/stacks/stack-report.ts';
import type { Host } from './host.ts';
import { readText, writeApproval } from './plan-file.ts';
import type { PlannedStack } from './plan-stacks.ts';

/** Saves the plans of several stacks in one file, unless one of them cannot be approved; gives what there is to say about that. */
export async function saveStacks(planned: PlannedStack[], path: string, host: Host): Promise<string[]> {
  if (planned.length === 0) return [`${path} was not written: there is no plan.`];
  if (planned.some(({ report }) => isFailed(report)))
    return [`${path} was not written: a plan with errors cannot be approved.`];
  const parts = planned.map(({ session, report, options }): SavedPart => {
    const { id, path: of, stage, needs } = report;
    const plan = report.plan!;
    return {
      id,
      path: of,
      ...(stage === undefined ? {} : { stage }),
      needs,
      ...(plan.awaits ? { awaits: plan.awaits } : {}),
      plan: saveSessionPlan(session!, plan, options),
    };
  });
  const { key } = planned[0]!.session!;
  await writeApproval(path, sealedStacks(parts, key), host);
  const shown = `Saved to ${path}. \`trueup show ${path}\` shows it`;
  if (!key)
    return [`${shown}. It is not sealed, since no key is available here: it can be read but not applied.`];
  const addresses = parts.flatMap(({ id, plan }) => uncompared(plan).map((address) => `${id}: ${address}`));
  return [
    `${shown}, \`trueup apply ${path}\` applies it.`,
    ...(addresses.length > 0
      ? [`It cannot be applied as it is, since a secret was not compared: ${addresses.join(', ')}.`]
      : []),
  ];
}

/** The saved plans of several stacks from their file. Throws `Problems`. */
export const readStacksFile = async (path: string, host: Host): Promise<SavedStacks> =>
  parseSavedStacks(await readText(path, host), path);

/** Saved plans as reports take them. */
export const shownStacks = ({ parts }: SavedStacks): StackReport[] =>
  parts.map(({ plan, awaits, ...about }) => ({
    ...about,
    stack: plan.stack,
    plan: { ...shownPlan(plan), ...(awaits ? { awaits } : {}) },
  }));
