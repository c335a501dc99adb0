import { appendFileSync, statSync } from 'node:fs';
import { createPathLocator } from '../ci/ci-job.ts';
import { formatAnnotations, notice } from '../github/actions.ts';
import { type Host, inActions, resolvePath } from '../host.ts';
import { describeSystemError } from '../model/describe-errors.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Terminal } from './terminal.ts';

/** The largest summary of a step in bytes. GitHub drops a summary of more than 1,024 kB completely. */
const summaryLimit = 1_000_000;
/** The smallest room in bytes that is worth adding a report to. */
const leastRoom = 10_000;

/**
 * Shows diagnostics of `plan`, `apply` and others at their lines of the YAML files in GitHub Actions, in the job's log and in the pull
 * request.
 */
export function annotateOnGithub(diagnostics: Diagnostic[], terminal: Terminal): void {
  const { host } = terminal.run;
  if (inActions(host)) terminal.annotate(formatAnnotations(diagnostics, createPathLocator(host)));
}

/**
 * Tells the user something useful that is not a problem, such as `trueup validate` that a pull request without a token was not planned. In
 * GitHub Actions it also stands above the log, and in the summary of the step.
 */
export function sayNotice(text: string, heading: string, terminal: Terminal): void {
  terminal.say(text);
  if (inActions(terminal.run.host)) terminal.annotate([notice(text)]);
  addStepSummary(() => `### ${heading}\n\n${text}\n`, terminal);
}

/** True in a job of GitHub Actions whose steps have summaries. */
export const hasStepSummary = (host: Host): boolean =>
  inActions(host) && Boolean(host.env.GITHUB_STEP_SUMMARY);

/**
 * Adds a report to the summary of the step in GitHub Actions. `format` gets the room that is left there, in bytes. Never throws, because
 * the command matters more than its summary.
 */
export function addStepSummary(format: (room: number) => string, terminal: Terminal): void {
  const { host } = terminal.run;
  if (!hasStepSummary(host)) return;
  try {
    const file = resolvePath(host, host.env.GITHUB_STEP_SUMMARY!);
    const usedBytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    const room = summaryLimit - usedBytes;
    // One byte is for the line end.
    if (room >= leastRoom) appendFileSync(file, `${format(room - 1)}\n`);
  } catch (error) {
    terminal.say(`The job summary could not be written: ${describeSystemError(error as Error)}`);
  }
}
