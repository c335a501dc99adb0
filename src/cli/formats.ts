import { Option } from 'commander';
import type { Pace } from '../model/pace.ts';
import type { Plan } from '../model/plan.ts';
import { planHtml } from '../report/html/page.ts';
import { jsonText } from '../report/json-value.ts';
import { planMarkdown } from '../report/markdown/plan-markdown.ts';
import { planJson } from '../report/plan-json.ts';
import { gitlabReport } from '../report/summary-of.ts';
import { terraformPlan } from '../report/terraform/terraform-plan.ts';

/** How a plan can be written out, beside the text for a terminal. Each is made of the plan alone: nothing in it is secret. */
export const formats = {
  json: (plan: Plan, pace?: Pace): string => jsonText(planJson(plan, pace)),
  /** As `terraform show -json` does it. */
  terraform: (plan: Plan): string => jsonText(terraformPlan(plan)),
  html: planHtml,
  markdown: (plan: Plan, pace?: Pace): string => planMarkdown(plan, pace),
  gitlab: (plan: Plan): string => jsonText(gitlabReport(plan)),
} satisfies Record<string, (plan: Plan, pace?: Pace) => string>;

export type Format = keyof typeof formats | 'text';

/** `--format`, on what shows a plan. */
export const formatOption = (): Option =>
  new Option('--format <format>', 'how to write the plan').choices(['text', ...Object.keys(formats)]);

/** `--json`, the older and shorter way to say `--format json`. */
export const jsonOption = (): Option => new Option('--json', 'the same as --format json').conflicts('format');

/** `--json-stream`, on what plans. */
export const streamOption = (): Option =>
  new Option('--json-stream', 'write events as lines of JSON, as Terraform does with -json').conflicts([
    'format',
    'json',
  ]);

/** The format that the options ask for. */
export const formatOf = ({ format, json }: { format?: Format; json?: boolean }): Format =>
  format ?? (json ? 'json' : 'text');
