import { lstat, readFile } from 'node:fs/promises';
import { replaceFile } from '../files/replace-file.ts';
import { prepareOutputFile } from '../files/write-files.ts';
import { type Host, resolvePath } from '../host.ts';
import { describeSystemError } from '../model/describe-errors.ts';
import { flagOf, Problems, problem, raise } from '../model/diagnostic.ts';
import { jsonParts } from '../report/json-parts.ts';
import { isFailed, type StackReport } from '../report/stacks/stack-report.ts';
import type { RunSession } from '../run/session.ts';
import type { ApprovedFile } from './approved-stacks.ts';
import {
  isSavedPlans,
  parseSavedPlans,
  type SavedPart,
  type SavedPlans,
  sealStacks,
} from './parse-saved-plan.ts';
import {
  type CommandLineShaping,
  isGiven,
  saveSessionPlan,
  shapingNames,
  uncomparedAddresses,
} from './save-plan.ts';

/** A stack after planning. It has no session if it could not be planned. */
interface PlannedForFile {
  stack: { options: CommandLineShaping };
  report: StackReport;
  session?: RunSession;
}

/** Reads the saved plans of a file, for `apply FILE` and `show FILE`. Throws `Problems` if it cannot be read or is not such a file. */
export const readSavedPlans = async (path: string, host: Host): Promise<SavedPlans> =>
  parseSavedPlans(await readPlanText(path, host), path);

/** A file of saved plans that a command applies or rehearses. */
export interface SavedFile {
  /** The name of the file in messages, and its plans by the id of the stack. */
  approved: ApprovedFile;
  saved: SavedPlans;
}

/** Reads a file of saved plans that a command applies or rehearses. Throws `Problems`. */
export async function readSavedFile(name: string, host: Host): Promise<SavedFile> {
  const saved = await readSavedPlans(name, host);
  return { saved, approved: { name, parts: new Map(saved.parts.map((part) => [part.id, part])) } };
}

/** Reads the text of a file with saved plans, which `trueup plan --out FILE` wrote. Throws `Problems` if it cannot be read. */
export async function readPlanText(path: string, host: Host): Promise<string> {
  return readFile(resolvePath(host, path), 'utf8').catch((error: Error) => {
    raise('file/unreadable', `the plan ${path} cannot be read: ${describeSystemError(error)}`, {
      hint: 'pass a file written by `trueup plan --out FILE`',
    });
  });
}

/** The result of `savePlans`. `not sealed`: the file is written, but there is no key, so it cannot be applied. */
type Saving =
  | { state: 'no plan' }
  | { state: 'not approvable' }
  | { state: 'not sealed' }
  /** `uncompared`: the addresses whose secret was not compared, with their stacks. Such plans cannot be applied. */
  | { state: 'saved'; uncompared: string[] };

/**
 * Writes the plans of stacks to the file of `plan --out FILE`, which a person approves and `apply FILE` then carries out; nothing is
 * written without plans, or if one has errors. The result tells the command to warn about a file that cannot be applied: one without a seal
 * (the signature with the ledger key), or one that sends secrets which the plan could not compare (`uncompared`). `isOne`: the command is
 * about one stack, so the file has the form of a single plan. Throws `Problems` if the file cannot be written.
 */
export async function savePlans(
  planned: readonly PlannedForFile[],
  path: string,
  isOne: boolean,
  host: Host,
): Promise<Saving> {
  if (planned.length === 0) return { state: 'no plan' };
  if (planned.some(({ report }) => isFailed(report))) return { state: 'not approvable' };
  const parts = planned.map(toSavedPart);
  const { key } = planned[0]!.session!;
  await writePlanFile(path, isOne ? parts[0]!.plan : sealStacks(parts, key), host);
  if (!key) return { state: 'not sealed' };
  const uncompared = parts.flatMap(({ id, plan }) =>
    uncomparedAddresses(plan).map((address) => (isOne ? address : `${id}: ${address}`)),
  );
  return { state: 'saved', uncompared };
}

/** Converts the plan of a stack for the file. Only for a stack that did not fail: it has a session and a plan. */
function toSavedPart({ stack, session, report }: PlannedForFile): SavedPart {
  const { id, path, stage, needs } = report;
  const plan = report.plan!;
  const saved = saveSessionPlan(session!, plan, stack.options);
  return { id, path, stage, needs, awaits: plan.awaits, plan: saved };
}

/**
 * Writes a file of plans completely or not at all. Only its owner can read it, because plans may show values. Throws `Problems` if it
 * cannot be written, or would replace a file that is not one of plans.
 */
async function writePlanFile(path: string, document: object, host: Host): Promise<void> {
  await refuseOverwriting(path, host);
  try {
    await replaceFile(await prepareOutputFile(host, path), jsonParts(document), 0o600);
  } catch (error) {
    if (error instanceof Problems) throw error;
    raise(unwritablePlanProblem(path, (error as Error).message));
  }
}

/** Throws `Problems` if a path has a file that is neither empty nor a file of plans, so that `--out` never overwrites something else. */
export async function refuseOverwriting(path: string, host: Host): Promise<void> {
  const status = await lstat(resolvePath(host, path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    raise(unwritablePlanProblem(path, error.message));
  });
  if (!status) return;
  const text = status.isFile()
    ? await readFile(resolvePath(host, path), 'utf8').catch((error: Error) => {
        raise(unwritablePlanProblem(path, error.message));
      })
    : undefined;
  if (text !== undefined && (text === '' || isSavedPlans(text))) return;
  raise('approval/exists', `${path} already exists and is not a plan, so it is not overwritten`, {
    hint: 'choose another file with --out',
  });
}

/** Returns the problem that the file of plans cannot be written, before or after the account was read. */
const unwritablePlanProblem = (path: string, reason: string) =>
  problem('file/unwritable', `the plan cannot be written to ${path}: ${reason}`, {
    hint: 'choose a file in a writable folder',
  });

/**
 * Throws `Problems` for options of `apply FILE` that would change the approved plan in it, such as `--target`. The file contains the
 * options of its plans.
 */
export function refuseShapingOptions(planningOptions: CommandLineShaping): void {
  const flags = shapingNames.filter((name) => isGiven(name, planningOptions[name])).map(flagOf);
  if (flags.length === 0) return;
  raise('approval/options', `${flags.join(', ')} cannot be combined with a saved plan`, {
    hint: 'a saved plan is applied as it is; pass them to `trueup plan --out FILE` and have that plan approved',
  });
}
