import { lstat, readFile } from 'node:fs/promises';
import { type Host, inCi, pathOn } from '../app/host.ts';
import { outputFile } from '../app/output-file.ts';
import type { PlanningOptions } from '../app/planning/planning.ts';
import { requireKey, type Session } from '../app/session/session.ts';
import { isSavedPlan, parseSavedPlan, shownPlan } from '../approval/parse-saved-plan.ts';
import { isGiven, saveSessionPlan, shapingNames, uncomparedAddresses } from '../approval/save-plan.ts';
import type { SavedPlan } from '../approval/saved-plan.ts';
import {
  isSavedStacks,
  parseSavedStacks,
  type SavedPart,
  type SavedStacks,
  sealStacks,
} from '../approval/saved-stacks.ts';
import { hasErrors, Problems } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import { shellWord } from '../model/shell-word.ts';
import { systemText } from '../model/system-error.ts';
import { jsonText } from '../report/json-value.ts';
import { isFailed, type StackReport } from '../report/stacks/stack-report.ts';
import type { PlannedStack } from './plan-stacks.ts';

/** A saved plan from its file; throws `Problems` for whatever else is there. */
export const readPlanFile = async (path: string, host: Host): Promise<SavedPlan> =>
  parseSavedPlan(await readText(path, host), path);

/** The text of a file with a plan, or with those of several stacks; throws `Problems`. */
export async function readText(path: string, host: Host): Promise<string> {
  return readFile(pathOn(host, path), 'utf8').catch((error: Error) => {
    throw new Problems('approval/unreadable', `the plan ${path} cannot be read: ${systemText(error)}`, {
      hint: 'pass a file written by `trueup plan --out FILE`',
    });
  });
}

/** Writes a plan, whole or not at all, for nobody else to read. */
async function writeApproval(path: string, saved: SavedPlan | SavedStacks, host: Host): Promise<void> {
  await refuseOtherFile(path, host);
  const { default: writeFileAtomic } = await import('write-file-atomic');
  try {
    await writeFileAtomic(await outputFile(host, path), `${jsonText(saved)}\n`, { mode: 0o600 });
  } catch (error) {
    if (error instanceof Problems) throw error;
    throw unwritable(path, (error as Error).message);
  }
}

/** Only a plan, or a file with nothing in it, is replaced. Asked before the account is read, so that no work is lost. */
export async function refuseOtherFile(path: string, host: Host): Promise<void> {
  const status = await lstat(pathOn(host, path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw unwritable(path, error.message);
  });
  if (!status) return;
  const text = status.isFile()
    ? await readFile(pathOn(host, path), 'utf8').catch((error: Error) => {
        throw unwritable(path, error.message);
      })
    : undefined;
  if (text !== undefined && (text === '' || isSavedPlan(text) || isSavedStacks(text))) return;
  throw new Problems(
    'approval/exists',
    `${path} already exists and is not a plan, so it is not overwritten`,
    {
      hint: 'choose another file with --out',
    },
  );
}

const unwritable = (path: string, why: string) =>
  new Problems('approval/unwritable', `the plan cannot be written to ${path}: ${why}`, {
    hint: 'choose a file in a writable folder',
  });

/** A file that a plan is to be saved in. */
export const newPlanFile = (path: string, host: Host) => ({
  /** Throws `Problems` if there is something else than a plan. */
  refuseOther: () => refuseOtherFile(path, host),
  /**
   * Makes sure that there is a key to seal an approved plan with. In CI it makes none: without a key in the environment, the saved
   * plan is good for reading only.
   */
  keyToApprove: async (session: Session, options: PlanningOptions): Promise<void> => {
    if (!inCi(host) || options.twin) await requireKey(session, options);
  },
  save: (session: Session, plan: Plan, options: PlanningOptions) => save(session, plan, path, options),
});

/** Saves it, unless it cannot be approved; gives what there is to say about that. */
async function save(session: Session, plan: Plan, path: string, options: PlanningOptions): Promise<string[]> {
  if (hasErrors(plan.diagnostics)) return [`${path} was not written: a plan with errors cannot be approved.`];
  const saved = saveSessionPlan(session, plan, options);
  await writeApproval(path, saved, session.host);
  const repeat = (['file', 'var', 'varFile', 'ledger', 'twin', 'baseUrl', 'tokenFile'] as const).filter(
    (name) => options[name] !== undefined,
  );
  const same = repeat.length > 0 ? `, with the same ${repeat.map(flagOf).join(', ')}` : '';
  const shown = `Saved to ${path}. \`trueup show ${shellWord(path)}\` shows it`;
  if (!session.key)
    return [`${shown}. It is not sealed, since no key is available here: it can be read but not applied.`];
  const done = `${shown}, \`trueup apply ${shellWord(path)}\` applies it${same}.`;
  const addresses = uncomparedAddresses(saved);
  if (addresses.length === 0) return [done];
  return [
    done,
    `It cannot be applied as it is, since a secret was not compared: ${addresses.join(', ')}. Plan where that secret is available.`,
  ];
}

/** The saved plan that apply is to carry out. `given` must not shape the plan anew. Throws `Problems`. */
export async function approvedPlan(
  file: string,
  planningOptions: PlanningOptions,
  host: Host,
): Promise<SavedPlan> {
  refuseShaping(planningOptions);
  return readPlanFile(file, host);
}

/** The file has the options that it was planned with; others would make another plan. Throws `Problems`. */
export function refuseShaping(planningOptions: PlanningOptions): void {
  const flags = shapingNames.filter((name) => isGiven(name, planningOptions[name])).map(flagOf);
  if (flags.length === 0) return;
  throw new Problems('approval/options', `${flags.join(', ')} cannot be combined with a saved plan`, {
    hint: 'a saved plan is applied as it is; pass them to `trueup plan --out FILE` and have that plan approved',
  });
}

/** The flag behind an option's name: `sendUnverified` is `--send-unverified`. */
export const flagOf = (name: string): string =>
  `--${name === 'actions' ? 'no-' : ''}${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

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
  await writeApproval(path, sealStacks(parts, key), host);
  const shown = `Saved to ${path}. \`trueup show ${shellWord(path)}\` shows it`;
  if (!key)
    return [`${shown}. It is not sealed, since no key is available here: it can be read but not applied.`];
  const addresses = parts.flatMap(({ id, plan }) =>
    uncomparedAddresses(plan).map((address) => `${id}: ${address}`),
  );
  return [
    `${shown}, \`trueup apply ${shellWord(path)}\` applies it.`,
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
