import { Option } from 'commander';
import type { Session } from '../app/session/session.ts';
import { createReportPlaces, currentPullRequest, repositoryUrlOf } from '../ci/ci-job.ts';
import { findConfigurationCommit } from '../config/configuration-commit.ts';
import { findStarter } from '../history/find-starter.ts';
import type { Host } from '../host.ts';
import type { Pace } from '../model/budget.ts';
import { type Diagnostic, hasErrors, problem, raise } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import { problemsToReview } from '../report/finding-text.ts';
import type { PageAbout } from '../report/html/summary.ts';
import { jsonParts } from '../report/json-parts.ts';
import type { Places } from '../report/markdown/forms.ts';
import { createGitlabCounts, planDiagnostics } from '../report/plan-notes.ts';
import { planReport } from '../report/plan-text.ts';
import { jsonText } from '../report/show.ts';
import { addStepSummary, annotateOnGithub, hasStepSummary } from '../terminal/actions-run.ts';
import { printReport, type Report, type Terminal } from '../terminal/terminal.ts';

// The code for pages and comments is as large as the code for plans, so it is loaded only for these formats.
const loadMarkdown = () => import('../report/markdown/plan-markdown.ts');
const loadLines = () => import('../report/terraform/plan-lines.ts');

/** Facts that a format may show beside the plan. */
interface FormatContext {
  /** The commit and the CI run, for the page. */
  about?: PageAbout | undefined;
  /** The links to the lines of files. */
  places?: Places;
  /** Leaves unchanged objects out of JSON and Terraform's plan. */
  changesOnly?: boolean | undefined;
}

type FormatPlan = (plan: Plan, pace?: Pace, context?: FormatContext) => Report | Promise<Report>;

/** The formats of a plan that one function makes from the plan alone. They contain nothing secret, because a plan contains no secrets. */
export const planFormats: Record<'json' | 'terraform' | 'html' | 'markdown' | 'gitlab', FormatPlan> = {
  json: async (plan, pace, options) =>
    jsonParts((await import('../report/plan-json.ts')).planJson(plan, pace, options)),
  /** One line, like `terraform show -json`. */
  terraform: async (plan, _pace, options) =>
    jsonParts((await import('../report/terraform/terraform-plan.ts')).terraformPlan(plan, options), 0),
  html: async (plan, pace, { about } = {}) =>
    (await import('../report/html/page.ts')).planHtml(plan, pace, about),
  markdown: async (plan, pace, { places } = {}) =>
    (await loadMarkdown()).planMarkdown(plan, pace, undefined, places),
  gitlab: (plan) => jsonText(createGitlabCounts(plan)),
};

/** The values of `--format`. */
export type Format = keyof typeof planFormats | 'text' | 'terraform-text' | 'sarif';

/** True for Terraform's formats, which have room for one plan only and so do not fit `plan --all`. */
export const isSinglePlanFormat = (format: Format | undefined): format is 'terraform' | 'terraform-text' =>
  format === 'terraform' || format === 'terraform-text';

/** Returns the problem with a Terraform format for several plans (`plan --all --format terraform`). */
export const singlePlanFormatProblem = (): Diagnostic =>
  problem('cli/options', 'the Terraform formats support a single plan only', {
    hint: 'plan each stack separately (trueup plan -f STACK --format terraform), or use --format json',
  });

/** Returns the option `--format` of `plan`, `show` and other commands that show a plan. `more`: formats that only some of them have. */
export const formatOption = (...more: 'sarif'[]): Option =>
  new Option('--format <format>', 'output format of the plan').choices([
    'text',
    'terraform-text',
    ...Object.keys(planFormats),
    ...more,
  ]);

/** Returns the option `--changes-only` for commands that show a plan. */
export const changesOnlyOption = (): Option =>
  new Option(
    '--changes-only',
    'leave unchanged objects out of the formats json and terraform; they are counted',
  );

/** Throws `Problems` for `--changes-only` with a format that never lists unchanged objects. */
export function refuseChangesOnly({ changesOnly, format, json }: PrintOptions): void {
  if (changesOnly && !json && format !== 'json' && format !== 'terraform')
    raise('cli/options', '--changes-only needs --format json or terraform', {
      hint: 'other formats never list unchanged objects',
    });
}

/** Returns the option `--json`, a short form of `--format json`. */
export const jsonOption = (): Option => new Option('--json', 'same as --format json').conflicts('format');

/** Returns the option `--json-stream` for commands that plan or apply. */
export const streamOption = (): Option =>
  new Option('--json-stream', "write events as JSON lines, like Terraform's -json").conflicts([
    'format',
    'json',
  ]);

/** The options that decide how plans are printed. */
export interface PrintOptions {
  format?: Format;
  json?: boolean;
  /** Also print the HTTP requests of each change. */
  requests?: boolean;
  verbose?: boolean;
  changesOnly?: boolean;
  /** The commit and the CI run for the page of a plan that was just made. */
  about?: PageAbout;
}

/**
 * Prints a plan with its problems in the format of the options, and adds CI annotations. With `--json-stream` it prints events like
 * Terraform's; `terraform-text` adds the lines that Terraform's tools look for to the usual text. Returns true if the plan has no errors,
 * so that it may be applied.
 */
export async function printPlan(
  plan: Plan,
  options: PrintOptions,
  terminal: Terminal,
  pace: Pace,
): Promise<boolean> {
  const { host } = terminal.run;
  const format = options.format ?? (options.json ? 'json' : 'text');
  if (terminal.stream) terminal.stream((await loadLines()).planLines(plan));
  else if (format === 'text') printPlanText(plan, options, terminal, pace);
  else if (format === 'terraform-text') {
    const markers = (await loadLines()).markerLines(plan);
    terminal.out(markers && `${markers}\n\n`);
    printPlanText(plan, options, terminal, pace);
  } else if (format === 'sarif') {
    const { sarifLog } = await import('./explain.ts');
    terminal.out(sarifLog(planDiagnostics(plan), host, 'trueup.yaml'));
  } else {
    const { about, changesOnly } = options;
    const context = { about, changesOnly, places: createReportPlaces(host) };
    await printReport(await planFormats[format](plan, pace, context), terminal);
  }
  annotateOnGithub(problemsToReview(plan), terminal);
  return !hasErrors(plan.diagnostics);
}

/**
 * Prints a plan as text: only the plan on standard output, so that a pipe gets nothing else, and on standard error warnings above it and
 * errors below it.
 */
function printPlanText(
  plan: Plan,
  { requests = false, verbose = false }: PrintOptions,
  { outStyle: style, errStyle, out, say }: Terminal,
  pace: Pace,
): void {
  const report = planReport(plan, { style, requests, verbose, pace }, errStyle);
  say(report.warnings && `${report.warnings}\n`);
  out(report.plan);
  say(report.errors && `\n${report.errors}`);
}

/**
 * Prints a plan that was just made, and adds it to the summary of the CI step. Used by `plan`, `apply`, `destroy`, `undo` and `from`.
 * `commit`: shown on the page. Returns true if the plan may be applied.
 */
export async function showPlan(
  plan: Plan,
  { commit, time, ...options }: Omit<PrintOptions, 'about'> & { commit?: PlanCommit; time?: number },
  terminal: Terminal,
  pace: Pace,
): Promise<boolean> {
  const { host } = terminal.run;
  const about = options.format === 'html' ? { about: describeRunForPage(host, commit, time) } : {};
  const isApplicable = await printPlan(plan, { ...options, ...about }, terminal, pace);
  if (hasStepSummary(host)) {
    const { planMarkdown } = await loadMarkdown();
    addStepSummary((room) => planMarkdown(plan, pace, room, createReportPlaces(host)), terminal);
  }
  return isApplicable;
}

/** The commit whose files a plan was made of. `dirty`: with uncommitted changes. */
interface PlanCommit {
  id: string;
  dirty: boolean;
}

/**
 * Returns the commit of the configuration and the time of the plan for the page of `plan --format html`. Other formats do not show them, and asking git
 * takes a moment.
 */
export async function findCommitForPage(
  { configuration, host, clock }: Session,
  { format }: { format?: string },
): Promise<{ commit?: PlanCommit; time?: number }> {
  if (format !== 'html') return {};
  const commit = await findConfigurationCommit(configuration, host);
  return { time: clock.now(), ...(commit && { commit }) };
}

/** Returns the commit, the CI run and the time for the HTML page of a plan, so that readers know how old it is. */
export function describeRunForPage(host: Host, commit?: PlanCommit, time = host.clock.now()): PageAbout {
  const { env } = host;
  const { ci } = findStarter(env);
  // A pull request's job checks out a temporary merge, so its head commit is shown instead.
  const id = currentPullRequest(host)?.head ?? commit?.id ?? env.GITHUB_SHA ?? env.CI_COMMIT_SHA;
  const isCommitId = id !== undefined && /^[0-9a-f]{40,64}$/.test(id);
  const repository = repositoryUrlOf(host);
  const url = repository === undefined ? undefined : `${repository}/commit/${id}`;
  const isDirty = commit?.dirty ? true : undefined;
  return {
    commit: isCommitId ? { id, url, isDirty } : undefined,
    run: ci && { name: [ci.name, ci.run].filter(Boolean).join(' '), url: ci.url || undefined },
    time,
  };
}
