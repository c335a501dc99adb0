import { lstat, readFile } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';
import { isSavedPlan, parseSavedPlan } from '../approval/parse-saved-plan.ts';
import type { SavedPlan } from '../approval/saved-plan.ts';
import { Problems, problem } from '../model/diagnostic.ts';
import { jsonText } from '../report/json-value.ts';
import { type Host, pathOn } from './host.ts';

/** A saved plan from its file; throws `Problems` for whatever else is there. */
export async function readPlanFile(path: string, host: Host): Promise<SavedPlan> {
  const text = await readFile(pathOn(host, path), 'utf8').catch((error: Error) => {
    throw new Problems([
      problem('approval/unreadable', `the plan ${path} cannot be read: ${error.message}`, {
        hint: 'it takes a file that `trueup plan --out FILE` wrote',
      }),
    ]);
  });
  return parseSavedPlan(text, path);
}

/** Writes a plan, whole or not at all, for nobody else to read. */
export async function writePlanFile(path: string, saved: SavedPlan, host: Host): Promise<void> {
  await refuseOtherFile(path, host);
  try {
    await writeFileAtomic(pathOn(host, path), `${jsonText(saved)}\n`, { mode: 0o600 });
  } catch (error) {
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
  if (text !== undefined && (text === '' || isSavedPlan(text))) return;
  throw new Problems([
    problem('approval/exists', `${path} is there already and is no plan, so it is not overwritten`, {
      hint: 'name another file with --out',
    }),
  ]);
}

const unwritable = (path: string, why: string) =>
  new Problems([
    problem('approval/unwritable', `the plan cannot be written to ${path}: ${why}`, {
      hint: 'name a file in a folder that you may write to',
    }),
  ]);
