import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Host, resolvePath } from '../host.ts';
import { describeSystemError } from '../model/describe-errors.ts';
import { problem, raise } from '../model/diagnostic.ts';
import type { StackReport } from '../report/stacks/stack-report.ts';
import { isSavedPlans, parseSavedPlans, savedPlanReports } from './parse-saved-plan.ts';

/**
 * Reads the parts of one report, for `trueup report merge`: files of saved plans that the jobs of a CI matrix wrote. A file that is missing
 * or empty becomes a failed stack, because its job failed. Throws `Problems` for a file that holds something else, and if two files are
 * about one stack, because one of them is old.
 */
export async function readReportParts(files: string[], host: Host): Promise<StackReport[]> {
  const reports = (await Promise.all(files.map((file) => readPart(file, host)))).flat();
  const ids = reports.map(({ id }) => id);
  const repeated = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
  if (repeated.length > 0)
    raise('report/twice', `several files are about ${repeated.join(', ')}`, {
      hint: 'pass each part once, and no files of earlier runs',
    });
  return reports;
}

/**
 * Reads the reports of one plan file for `trueup report merge`, which combines those of several CI jobs. The only stack of a file has no id
 * there, so its name becomes the id. A file that is empty or cannot be read becomes a failed report. Throws `Problems` for any other file
 * that is no saved plan.
 */
async function readPart(file: string, host: Host): Promise<StackReport[]> {
  let text: string;
  try {
    text = await readFile(resolvePath(host, file), 'utf8');
  } catch (error) {
    return [failedPart(file, `cannot be read: ${describeSystemError(error as Error)}`)];
  }
  if (text.trim() === '') return [failedPart(file, 'is empty')];
  if (!isSavedPlans(text))
    raise('approval/not-a-plan', `${file}: this is not a saved plan`, {
      hint: 'pass files written by `trueup plan --out FILE`',
    });
  const saved = parseSavedPlans(text, file);
  const reports = savedPlanReports(saved);
  return saved.isOne
    ? reports.map((report) => ({ ...report, id: report.stack!, path: report.stack! }))
    : reports;
}

/** Returns the report of a stack whose job failed, so that the merged report shows the failure. The stack is named after its file. */
function failedPart(file: string, reason: string): StackReport {
  const id = basename(file).replace(/\.[^.]*$/, '');
  const failure = problem('report/part', `${file} ${reason}, so this part was not planned`, {
    hint: 'see the log of its job',
  });
  return { id, path: id, needs: [], failed: [failure] };
}
