import { Option } from 'commander';
import { createReportPlaces, currentPullRequest, repositoryUrlOf } from '../app/ci-job.ts';
import type { Host } from '../app/host.ts';
import { findConfigurationCommit, findStarter } from '../app/session/run-facts.ts';
import type { Session } from '../app/session/session.ts';
import type { Pace } from '../model/budget.ts';
import { type Diagnostic, hasErrors, problem } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import type { PageAbout } from '../report/html/summary.ts';
import { jsonLine, jsonText } from '../report/json-value.ts';
import type { Places } from '../report/markdown/forms.ts';
import { reportedDiagnostics } from '../report/not-compared-text.ts';
import { planDiagnostics } from '../report/plan-notes.ts';
import { planReport } from '../report/plan-text.ts';
import { createGitlabCounts } from '../report/summarize-plan.ts';
import { addStepSummary, annotate, hasStepSummary } from './actions-run.ts';
import type { Terminal } from './terminal.ts';

// Loaded when asked for: what makes pages and comments is as large as what makes the plan.
const loadMarkdown = () => import('../report/markdown/plan-markdown.ts');
const loadLines = () => import('../report/terraform/plan-lines.ts');

/** What a format may name beside the plan: the run that made it, and where its files are. */
interface FormatContext {
  about?: PageAbout | undefined;
  places?: Places;
}

type ToText = (plan: Plan, pace?: Pace, around?: FormatContext) => string | Promise<string>;

/** The output formats of a plan, beside text for a terminal. Each is made of the plan alone: nothing in it is secret. */
export const planFormats: Record<'json' | 'terraform' | 'html' | 'markdown' | 'gitlab', ToText> = {
  json: async (plan, pace) => jsonText((await import('../report/plan-json.ts')).planJson(plan, pace)),
  /** As `terraform show -json` does it: one line. */
  terraform: async (plan) =>
    jsonLine((await import('../report/terraform/terraform-plan.ts')).terraformPlan(plan)),
  html: async (plan, pace, { about } = {}) =>
    (await import('../report/html/page.ts')).planHtml(plan, pace, about),
  markdown: async (plan, pace, { places } = {}) =>
    (await loadMarkdown()).planMarkdown(plan, pace, undefined, places),
  gitlab: (plan) => jsonText(createGitlabCounts(plan)),
};

export type Format = keyof typeof planFormats | 'text' | 'terraform-text' | 'sarif';

/** True for Terraform's formats, which are about one plan. */
export const isSinglePlanFormat = (format: Format | undefined): format is 'terraform' | 'terraform-text' =>
  format === 'terraform' || format === 'terraform-text';

/** The problem with Terraform's format for several plans. */
export const singlePlanFormatProblem = (): Diagnostic =>
  problem('all/format', 'the Terraform formats support a single plan only', {
    hint: 'plan each stack separately (trueup plan -f STACK --format terraform), or use --format json',
  });

/** `--format`, on what shows a plan. */
export const formatOption = (...more: 'sarif'[]): Option =>
  new Option('--format <format>', 'output format of the plan').choices([
    'text',
    'terraform-text',
    ...Object.keys(planFormats),
    ...more,
  ]);

/** `--json`, the older and shorter way to say `--format json`. */
export const jsonOption = (): Option => new Option('--json', 'same as --format json').conflicts('format');

/** `--json-stream`, on what plans. */
export const streamOption = (): Option =>
  new Option('--json-stream', "write events as JSON lines, like Terraform's -json").conflicts([
    'format',
    'json',
  ]);

/** The format that the options ask for. */
const formatOf = ({ format, json }: { format?: Format; json?: boolean }): Format =>
  format ?? (json ? 'json' : 'text');

/** How plans are printed. */
export interface PrintOptions {
  format?: Format;
  json?: boolean;
  requests?: boolean;
  verbose?: boolean;
  /** The run that made it, for its page, if it is fresh. */
  about?: PageAbout;
}

/** Prints a plan and what is wrong with it; true if it may be applied. */
export async function printPlan(
  plan: Plan,
  options: PrintOptions,
  terminal: Terminal,
  pace: Pace,
): Promise<boolean> {
  const { requests, verbose } = options;
  const format = formatOf(options);
  if (terminal.stream) terminal.stream((await loadLines()).planLines(plan));
  else if (format === 'sarif') {
    const { sarifLog } = await import('./explain.ts');
    terminal.out(sarifLog(planDiagnostics(plan), terminal.run.host, 'trueup.yaml'));
  } else if (format !== 'text' && format !== 'terraform-text')
    terminal.out(
      await planFormats[format](plan, pace, {
        about: options.about,
        places: createReportPlaces(terminal.run.host),
      }),
    );
  else {
    if (format === 'terraform-text') terminal.out(spaced((await loadLines()).markerLines(plan)));
    const { outStyle: style, errStyle } = terminal;
    const how = { style, requests: requests ?? false, verbose: verbose ?? false, pace };
    const report = planReport(plan, how, errStyle);
    terminal.say(report.warnings && `${report.warnings}\n`);
    terminal.out(report.plan);
    terminal.say(report.errors && `\n${report.errors}`);
  }
  annotate(reportedDiagnostics(plan), terminal);
  return !hasErrors(plan.diagnostics);
}

/** With an empty line below, if there is anything. */
const spaced = (text: string) => text && `${text}\n\n`;

/** Prints a plan that was made just now, and adds it to the summary of the step; true if it may be applied. */
export async function showPlan(
  plan: Plan,
  { commit, ...options }: Omit<PrintOptions, 'about'> & { commit?: { id: string; dirty: boolean } },
  terminal: Terminal,
  pace: Pace,
): Promise<boolean> {
  const { host } = terminal.run;
  const about = options.format === 'html' ? { about: describeRunForPage(host, commit) } : {};
  const fine = await printPlan(plan, { ...options, ...about }, terminal, pace);
  if (hasStepSummary(host)) {
    const { planMarkdown } = await loadMarkdown();
    addStepSummary((room) => planMarkdown(plan, pace, room, createReportPlaces(host)), terminal);
  }
  return fine;
}

/** The commit that a plan was made of, where a page will name it: only git knows outside of CI, and to ask it takes a moment. */
export async function findCommitForPage({ configuration, host }: Session, { format }: { format?: string }) {
  const commit = format === 'html' ? await findConfigurationCommit(configuration, host) : undefined;
  return commit ? { commit } : {};
}

/** The run that made the plan, for its page: commit, run and time. */
export function describeRunForPage(host: Host, commit?: { id: string; dirty: boolean }): PageAbout {
  const { env, clock } = host;
  const { ci } = findStarter(env);
  // In a pull request what is checked out is a merge that nobody knows by its name.
  const id = currentPullRequest(host)?.head ?? commit?.id ?? env.GITHUB_SHA ?? env.CI_COMMIT_SHA;
  const isId = id !== undefined && /^[0-9a-f]{40,64}$/.test(id);
  const repository = repositoryUrlOf(host);
  return {
    ...(isId
      ? {
          commit: {
            id,
            url: repository === undefined ? undefined : `${repository}/commit/${id}`,
            isDirty: commit?.dirty ? true : undefined,
          },
        }
      : {}),
    ...(ci ? { run: { name: [ci.name, ci.run].filter(Boolean).join(' '), url: ci.url || undefined } } : {}),
    time: clock.now(),
  };
}
