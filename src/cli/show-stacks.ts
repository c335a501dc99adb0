import { createReportPlaces } from '../ci/ci-job.ts';
import type { Pace } from '../model/budget.ts';
import { raise } from '../model/diagnostic.ts';
import { stacksHtml } from '../report/html/stacks-page.ts';
import { jsonParts } from '../report/json-parts.ts';
import { commentLimit } from '../report/markdown/forms.ts';
import { stacksMarkdown } from '../report/markdown/stacks-markdown.ts';
import { planDiagnostics } from '../report/plan-notes.ts';
import { jsonText } from '../report/show.ts';
import {
  awaitsTexts,
  diagnosticsOf,
  isFailed,
  type StackReport,
  skippedText,
} from '../report/stacks/stack-report.ts';
import { sumGitlabCounts } from '../report/stacks/stack-totals.ts';
import { stacksJson } from '../report/stacks/stacks-json.ts';
import { stacksText } from '../report/stacks/stacks-text.ts';
import { planLines } from '../report/terraform/plan-lines.ts';
import { diagnosticLine, logLine, type StreamLine } from '../report/terraform/stream-line.ts';
import { addStepSummary, annotateOnGithub } from '../terminal/actions-run.ts';
import { printReport, type Report, type Terminal } from '../terminal/terminal.ts';
import { sarifLog } from './explain.ts';
import {
  describeRunForPage,
  type Format,
  isSinglePlanFormat,
  type PrintOptions,
  singlePlanFormatProblem,
} from './formats.ts';

/**
 * Prints the plans of several stacks as one report, such as for `plan --all` and `show`, in the format of the options. True if all stacks were
 * planned without errors.
 */
export async function printStacks(
  reports: StackReport[],
  options: PrintOptions,
  terminal: Terminal,
  pace: Pace,
): Promise<boolean> {
  if (terminal.stream)
    for (const report of reports)
      terminal.stream(stackReportLines(report).map((line) => ({ ...line, stack: report.id })));
  else await printReport(formatReports(reports, options, terminal, pace), terminal);
  annotateOnGithub(diagnosticsOf(reports), terminal);
  return reports.every((report) => !isFailed(report));
}

/** Formats the plans of several stacks in the format of the options. Throws `Problems` for Terraform's formats, because these are about one plan. */
function formatReports(
  reports: StackReport[],
  options: PrintOptions,
  { run, outStyle: style }: Terminal,
  pace: Pace,
): Report {
  const { about, requests = false, verbose = false } = options;
  const format = options.format ?? (options.json ? 'json' : 'text');
  if (isSinglePlanFormat(format)) raise(singlePlanFormatProblem());
  const formats: Record<Exclude<Format, 'terraform' | 'terraform-text'>, () => Report> = {
    json: () => jsonParts(stacksJson(reports, pace, [], { changesOnly: options.changesOnly })),
    html: () => stacksHtml(reports, pace, about),
    markdown: () => stacksMarkdown(reports, pace, commentLimit, createReportPlaces(run.host)),
    sarif: () => sarifLog(diagnosticsOf(reports, planDiagnostics), run.host, 'trueup.workspace.yaml'),
    gitlab: () => jsonText(sumGitlabCounts(reports)),
    text: () => stacksText(reports, { style, requests, verbose, pace }),
  };
  return formats[format]();
}

/** Prints plans that a command made at a `time`, like `printStacks`, and adds them to the summary of the CI step. True if all have no errors. */
export async function showStacks(
  reports: StackReport[],
  { time, ...options }: PrintOptions & { time?: number | undefined },
  terminal: Terminal,
  pace: Pace,
): Promise<boolean> {
  const { host } = terminal.run;
  const about = options.format === 'html' ? { about: describeRunForPage(host, undefined, time) } : {};
  const canApply = await printStacks(reports, { ...options, ...about }, terminal, pace);
  addStepSummary((room) => stacksMarkdown(reports, pace, room, createReportPlaces(host)), terminal);
  return canApply;
}

/**
 * Returns the events about one stack for `plan --all --json-stream`: its plan, after the values of other stacks that it still waits for;
 * its errors; or why it was left out.
 */
function stackReportLines(report: StackReport): StreamLine[] {
  const { plan, failed = [] } = report;
  if (plan) return [...awaitsTexts(report).map(logLine), ...planLines(plan)];
  return failed.length > 0 ? failed.map(diagnosticLine) : [logLine(skippedText(report))];
}
