import { readFile } from 'node:fs/promises';
import { isSavedPlans, parseSavedPlans, savedPlanReports } from '../approval/parse-saved-plan.ts';
import { type Host, resolvePath } from '../host.ts';
import type { Pace } from '../model/budget.ts';
import { type Diagnostic, problem, raise } from '../model/diagnostic.ts';
import { describeSystemError } from '../model/system-error.ts';
import { isNameless } from '../report/markdown/failure-markdown.ts';
import { commentLimit, markerIn, type Places } from '../report/markdown/forms.ts';
import { planMarkdown } from '../report/markdown/plan-markdown.ts';
import { stacksMarkdown } from '../report/markdown/stacks-markdown.ts';
import { createReportPlaces } from './ci-job.ts';

/** A report for a pull request. */
export interface PullRequestReport {
  /** The first line of the comment. It names the stack, so that the next report of the stack replaces this one. */
  marker?: string;
  text: string;
}

/** The characters that a failure report without a marker leaves free: the marker of the replaced comment goes there. */
const markerRoom = 100;

/**
 * Reads the report that `trueup comment` writes on a pull request from a file: Markdown that `plan` or `apply` wrote, or a saved plan, which it
 * formats in at most `room` characters. The marker is missing if the run failed before it knew its stack. Throws `Problems` for any other file.
 */
export async function readReport(
  file: string,
  host: Host,
  pace: Pace,
  room: number,
): Promise<PullRequestReport> {
  const content = await readFile(resolvePath(host, file), 'utf8').catch((error: Error) => {
    raise('file/unreadable', `${file} cannot be read: ${describeSystemError(error)}`);
  });
  const markdown = isSavedPlans(content)
    ? formatSavedPlans(content, file, { pace, room, places: createReportPlaces(host) })
    : content;
  const text = markdown.trimEnd();
  const marker = markerIn(text);
  if (marker === undefined && isNameless(text)) return { text: text.slice(0, commentLimit - markerRoom) };
  if (marker === undefined) raise(noReportProblem(file, text === ''));
  if (text.length > commentLimit)
    raise('comment/too-long', `${file} has ${text.length} characters; GitHub accepts ${commentLimit}`, {
      hint: 'pass the output of `plan --format markdown` unchanged: it always fits',
    });
  return { marker, text };
}

/**
 * Returns the problem with a file that `trueup comment` cannot use. An empty file usually comes from a plan that failed in an earlier
 * step.
 */
const noReportProblem = (file: string, isEmpty: boolean): Diagnostic =>
  problem('comment/no-report', `${file} is not a plan report${isEmpty ? ': it is empty' : ''}`, {
    hint: isEmpty
      ? 'the plan did not get that far; see its step for the reason'
      : 'pass the output of `plan --format markdown`, or a plan saved by `plan --out`',
  });

/**
 * Formats the plans of `plan --out` as Markdown, so that `trueup comment` also accepts such a file. `room`: the most characters of the
 * result.
 */
function formatSavedPlans(
  content: string,
  file: string,
  { pace, room, places }: { pace: Pace; room: number; places: Places },
): string {
  const saved = parseSavedPlans(content, file);
  const reports = savedPlanReports(saved);
  return saved.isOne
    ? planMarkdown(reports[0]!.plan!, pace, room, places)
    : stacksMarkdown(reports, pace, room, places);
}
