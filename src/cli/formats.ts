import { Option } from 'commander';
import type { Pace } from '../model/budget.ts';
import { hasErrors } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import { planHtml } from '../report/html/page.ts';
import type { PageAbout } from '../report/html/summary.ts';
import { jsonLine, jsonText } from '../report/json-value.ts';
import { commentLimit } from '../report/markdown/forms.ts';
import { planMarkdown } from '../report/markdown/plan-markdown.ts';
import { planJson } from '../report/plan-json.ts';
import { planReport } from '../report/plan-text.ts';
import { sarif } from '../report/sarif.ts';
import { gitlabReport } from '../report/summary-of.ts';
import { markerLines, planLines } from '../report/terraform/plan-lines.ts';
import { terraformPlan } from '../report/terraform/terraform-plan.ts';
import { configurationCommit, startedBy } from './about-run.ts';
import { addStepSummary, annotate, currentPullRequest, placesOn, repositoryOn } from './actions-run.ts';
import type { Host } from './host.ts';
import { sarifAbout } from './sarif-about.ts';
import type { Session } from './session.ts';
import type { Terminal } from './terminal.ts';

/** The output formats of a plan, beside text for a terminal. Each is made of the plan alone: nothing in it is secret. */
export const formats = {
  json: (plan: Plan, pace?: Pace): string => jsonText(planJson(plan, pace)),
  /** As `terraform show -json` does it: one line. */
  terraform: (plan: Plan): string => jsonLine(terraformPlan(plan)),
  html: planHtml,
  markdown: (plan: Plan, pace?: Pace): string => planMarkdown(plan, pace),
  gitlab: (plan: Plan): string => jsonText(gitlabReport(plan)),
} satisfies Record<string, (plan: Plan, pace?: Pace, about?: PageAbout) => string>;

export type Format = keyof typeof formats | 'text' | 'terraform-text' | 'sarif';

/** True for Terraform's formats, which are about one plan. */
export const isOfOne = (format: Format | undefined): format is 'terraform' | 'terraform-text' =>
  format === 'terraform' || format === 'terraform-text';

/** `--format`, on what shows a plan. */
export const formatOption = (...more: 'sarif'[]): Option =>
  new Option('--format <format>', 'output format of the plan').choices([
    'text',
    'terraform-text',
    ...Object.keys(formats),
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

interface PrintOptions {
  format?: Format;
  json?: boolean;
  requests?: boolean;
  verbose?: boolean;
  /** The run that made the plan, for its page, if it is fresh. */
  about?: PageAbout;
}

/** Prints a plan and what is wrong with it; true if it may be applied. */
export function printPlan(plan: Plan, options: PrintOptions, terminal: Terminal, pace: Pace): boolean {
  const { requests, verbose } = options;
  const format = formatOf(options);
  if (terminal.stream) terminal.stream(planLines(plan));
  else if (format === 'sarif') terminal.out(sarifOf(plan, terminal));
  else if (format === 'markdown')
    terminal.out(planMarkdown(plan, pace, commentLimit, placesOn(terminal.run.host)));
  else if (format !== 'text' && format !== 'terraform-text')
    terminal.out(formats[format](plan, pace, options.about));
  else {
    if (format === 'terraform-text') terminal.out(spaced(markerLines(plan)));
    const { outStyle: style, errStyle } = terminal;
    const how = { style, requests: requests ?? false, verbose: verbose ?? false, pace };
    const report = planReport(plan, how, errStyle);
    terminal.err(report.warnings && `${report.warnings}\n`);
    terminal.out(report.plan);
    terminal.err(report.errors && `\n${report.errors}`);
  }
  annotate(plan.diagnostics, terminal);
  return !hasErrors(plan.diagnostics);
}

/** The problems of a plan, for code scanning. */
const sarifOf = ({ diagnostics }: Plan, { run }: Terminal): string =>
  sarif(diagnostics, sarifAbout(run.host, 'trueup.yaml'));

/** With an empty line below, if there is anything. */
const spaced = (text: string) => text && `${text}\n\n`;

/** Prints a plan that was made just now, and adds it to the summary of the step; true if it may be applied. */
export function showPlan(
  plan: Plan,
  { commit, ...options }: Omit<PrintOptions, 'about'> & { commit?: { id: string; dirty: boolean } },
  terminal: Terminal,
  pace: Pace,
): boolean {
  const { host } = terminal.run;
  const about = options.format === 'html' ? { about: aboutPage(host, commit) } : {};
  const fine = printPlan(plan, { ...options, ...about }, terminal, pace);
  addStepSummary((room) => planMarkdown(plan, pace, room, placesOn(host)), terminal);
  return fine;
}

/** The commit that a plan was made of, where a page will name it: only git knows outside of CI, and to ask it takes a moment. */
export async function commitForPage({ configuration, host }: Session, { format }: { format?: string }) {
  const commit = format === 'html' ? await configurationCommit(configuration, host) : undefined;
  return commit ? { commit } : {};
}

/** The run that made the plan, for its page: commit, run and time. */
export function aboutPage(host: Host, commit?: { id: string; dirty: boolean }): PageAbout {
  const { env, clock } = host;
  const { ci } = startedBy(env);
  // In a pull request what is checked out is a merge that nobody knows by its name.
  const id = currentPullRequest(host)?.head ?? commit?.id ?? env.GITHUB_SHA ?? env.CI_COMMIT_SHA;
  const isId = id !== undefined && /^[0-9a-f]{40,64}$/.test(id);
  const repository = repositoryOn(host);
  return {
    ...(isId
      ? {
          commit: {
            id,
            ...(repository === undefined ? {} : { url: `${repository}/commit/${id}` }),
            ...(commit?.dirty ? { isDirty: true } : {}),
          },
        }
      : {}),
    ...(ci
      ? { run: { name: [ci.name, ci.run].filter(Boolean).join(' '), ...(ci.url ? { url: ci.url } : {}) } }
      : {}),
    time: clock.now(),
  };
}
