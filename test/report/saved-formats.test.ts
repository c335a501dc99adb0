import { expect, it } from 'vitest';
import { savePlan } from '../../src/approval/save-plan.ts';
import { shownPlan } from '../../src/approval/shown-plan.ts';
import { planFormats } from '../../src/cli/formats.ts';
import { ledgerKeyFrom } from '../../src/model/digest.ts';
import { planHtml } from '../../src/report/html/page.ts';
import { planJson } from '../../src/report/plan-json.ts';
import { createGitlabCounts } from '../../src/report/plan-notes.ts';
import { planReport } from '../../src/report/plan-text.ts';
import { sampled } from '../support/sweep.ts';
import { kinds } from '../support/world.ts';
import { plainStyle } from './builders.ts';
import { tenPlans } from './ten-plans.ts';
import { withFindings } from './with-findings.ts';

const plans = await tenPlans();

it('the counts for GitLab', async () => {
  const counts = Object.entries(plans).map(
    ([name, plan]) => `${name}: ${JSON.stringify(createGitlabCounts(plan))}`,
  );
  await expect(`${counts.join('\n')}\n`).toMatchFileSnapshot('golden/gitlab.txt');
});

const saved = {
  baseUrl: 'https://api.example.com',
  owner: 'team_1',
  generation: 7,
  options: {},
  kinds,
  secrets: new Map(),
  key: ledgerKeyFrom('a key for tests, long enough'),
};

it.each(['markdown', 'gitlab'] as const)('%s: a saved plan is shown as the plan itself', async (name) => {
  for (const [title, plan] of sampled(Object.entries(plans), 3)) {
    const shown = shownPlan(JSON.parse(JSON.stringify(savePlan(plan, saved))));
    expect([...(await planFormats[name](shown))], title).toEqual([...(await planFormats[name](plan))]);
  }
});

it('a saved plan shows the same findings as the plan', () => {
  const shown = shownPlan(JSON.parse(JSON.stringify(savePlan(withFindings, saved))));
  const options = { style: plainStyle, requests: false, verbose: true };
  expect(planReport(shown, options)).toEqual(planReport(withFindings, options));
  expect(planHtml(shown)).toBe(planHtml(withFindings));
  for (const member of ['diagnostics', 'fixedFindings', 'suppressedFindings'] as const)
    expect(JSON.stringify(planJson(shown)[member])).toBe(JSON.stringify(planJson(withFindings)[member]));
});
