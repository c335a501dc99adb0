import { appendFileSync, statSync } from 'node:fs';
import { createPathLocator } from '../app/ci-job.ts';
import { type Host, inActions, pathOn } from '../app/host.ts';
import { annotations, notice } from '../github/actions.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { describeSystemError } from '../model/system-error.ts';
import type { Terminal } from './terminal.ts';

/** GitHub drops the summary of a step as a whole if it is larger than 1,024 kB. */
const summaryLimit = 1_000_000;
/** With less room than this nothing that helps can be said. */
const leastRoom = 10_000;

/** Marks the lines in question, where GitHub Actions shows them. */
export function annotate(diagnostics: Diagnostic[], terminal: Terminal): void {
  const { host } = terminal.run;
  if (inActions(host)) terminal.annotate(annotations(diagnostics, createPathLocator(host)));
}

/** Says what is good to know and no problem: to whoever reads the log, and, in GitHub Actions, above it and in the summary of the step. */
export function sayNotice(text: string, heading: string, terminal: Terminal): void {
  terminal.say(text);
  if (inActions(terminal.run.host)) terminal.annotate([notice(text)]);
  addStepSummary(() => `### ${heading}\n\n${text}\n`, terminal);
}

/** True where a CI job shows a summary of its step, which can be added to. */
export const hasStepSummary = (host: Host): boolean =>
  inActions(host) && Boolean(host.env.GITHUB_STEP_SUMMARY);

/** Adds to the summary of the step what `text` makes of the room (in bytes) that is left there. Never fails: the run matters more. */
export function addStepSummary(text: (room: number) => string, terminal: Terminal): void {
  const { host } = terminal.run;
  if (!hasStepSummary(host)) return;
  try {
    const file = pathOn(host, host.env.GITHUB_STEP_SUMMARY!);
    const room = summaryLimit - (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
    if (room >= leastRoom) appendFileSync(file, `${text(room - 1)}\n`);
  } catch (error) {
    terminal.say(`The job summary could not be written: ${describeSystemError(error as Error)}`);
  }
}
