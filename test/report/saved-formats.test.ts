import { expect, it } from 'vitest';
import { shownPlan } from '../../src/approval/parse-saved-plan.ts';
import { savePlan } from '../../src/approval/save-plan.ts';
import { planFormats } from '../../src/cli/formats.ts';
import { ledgerKeyFrom } from '../../src/model/digest.ts';
import { createGitlabCounts } from '../../src/report/plan-notes.ts';
import { sampled } from '../support/sweep.ts';
import { kinds } from '../support/world.ts';
import { tenPlans } from './ten-plans.ts';

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
    expect(await planFormats[name](shown), title).toBe(await planFormats[name](plan));
  }
});
