import { expect, it } from 'vitest';
import { problem, warning } from '../../src/model/diagnostic.ts';
import type { NotCompared } from '../../src/model/not-compared.ts';
import type { Plan } from '../../src/model/plan.ts';
import { planHtml } from '../../src/report/html/page.ts';
import { stacksHtml } from '../../src/report/html/stacks-page.ts';
import { appliedMarkdown } from '../../src/report/markdown/applied-markdown.ts';
import { planMarkdown } from '../../src/report/markdown/plan-markdown.ts';
import { stacksMarkdown } from '../../src/report/markdown/stacks-markdown.ts';
import { planJson } from '../../src/report/plan-json.ts';
import { createGitlabCounts, planDiagnostics } from '../../src/report/plan-notes.ts';
import { planText } from '../../src/report/plan-text.ts';
import { stacksJson } from '../../src/report/stacks/stacks-json.ts';
import { stacksText } from '../../src/report/stacks/stacks-text.ts';
import { markerLines, planLines } from '../../src/report/terraform/plan-lines.ts';
import { terraformPlan } from '../../src/report/terraform/terraform-plan.ts';
import { change, plainStyle, planOf } from './builders.ts';

/* The line of each format that people read first carries the number of objects that were not compared. */

const items = Array.from({ length: 17 }, (_, index) => ({
  address: `projects/p${index}/firewall`,
  kind: 'firewall',
}));
const notCompared: NotCompared[] = [{ cause: 'unread', why: 'answered 403', items }];
const unread = (report: typeof problem) =>
  report('observe/incomplete', 'projects/p0/firewall could not be read');
/** The plan without and with `--allow-incomplete`. */
const plans = (more: Partial<Plan>): [Plan, Plan] => {
  const plan = { complete: false, notCompared, ...more };
  return [
    planOf({ ...plan, diagnostics: [unread(problem)] }),
    planOf({ ...plan, diagnostics: [unread(warning)] }),
  ];
};

const pace = undefined as never;
const reportsOf = (plan: Plan) => [{ id: 'shop', path: 'shop', needs: [], plan }];
const inTag = (html: string, pattern: RegExp) => pattern.exec(html)![1]!;
const textOptions = { style: plainStyle, requests: false, verbose: false, pace };
const lines: Record<string, (plan: Plan) => string> = {
  text: (plan) => planText(plan, textOptions).trimEnd().split('\n').slice(-2).join(' '),
  stacks: (plan) => stacksText(reportsOf(plan), textOptions).trimEnd().split('\n').at(-1)!,
  markdown: (plan) =>
    planMarkdown(plan)
      .split('\n')
      .find((line) => line.startsWith('###'))!,
  'stacks as markdown': (plan) => stacksMarkdown(reportsOf(plan)).split('\n')[2]!,
  'applied markdown': (plan) => appliedMarkdown(plan, {}, 10_000).split('\n')[2]!,
  html: (plan) => inTag(planHtml(plan), /<p class="headline">([^<]*)/),
  'title of the page': (plan) => inTag(planHtml(plan), /<title>([^<]*)/),
  'stacks as html': (plan) => inTag(stacksHtml(reportsOf(plan)), /<p class="headline">([^<]*)/),
  stream: (plan) => planLines(plan).find(({ type }) => type === 'change_summary')!['@message'] as string,
  gitlab: (plan) => createGitlabCounts(plan).notes!.join(),
  sarif: (plan) => planDiagnostics(plan)[0]!.message,
};

it.each(Object.keys(lines))('%s', (format) => {
  const changed = { changes: [change('create', 'projects/new')] };
  for (const [refused, allowed] of [plans({}), plans(changed)]) {
    expect(lines[format]!(allowed)).toContain('17 objects');
    expect(lines[format]!(refused)).toBe(lines[format]!(allowed));
    expect(lines[format]!(allowed)).not.toMatch(/matches the configuration\.|No changes\./);
  }
});

it('JSON documents have the number; the lines that tools look for, where there are any', () => {
  const [refused, allowed] = plans({ changes: [change('create', 'projects/new')] });
  expect(planJson(allowed).summary.notCompared).toBe(17);
  expect(stacksJson(reportsOf(allowed)).notCompared).toBe(17);
  expect(terraformPlan(allowed)).toMatchObject({ trueup: { summary: { notCompared: 17 } } });
  expect(markerLines(allowed).split('\n')[0]).toContain('17 objects not compared.');
  for (const form of [planJson, terraformPlan, markerLines, planLines, (plan: Plan) => planMarkdown(plan)])
    expect(JSON.stringify(form(refused)).replaceAll(/"timestamp":"[^"]*"|"@timestamp":"[^"]*"/g, '')).toBe(
      JSON.stringify(form(allowed)).replaceAll(/"timestamp":"[^"]*"|"@timestamp":"[^"]*"/g, ''),
    );
});
