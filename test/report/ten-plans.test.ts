import { expect, it } from 'vitest';
import { planFormats } from '../../src/cli/formats.ts';
import { summarizePlan } from '../../src/report/plan-notes.ts';
import { codes } from '../support/scene.ts';
import { oneRowIn } from '../support/sweep.ts';
import { canary, tenPlans } from './ten-plans.ts';

const plans = await tenPlans();

it('the ten plans are what their names say', () => {
  expect(
    plans['everything is created'].changes.every(
      ({ action }) => action === 'create' || action === 'noop' || action === 'update',
    ),
  ).toBe(true);
  expect(plans['nothing to do'].operations).toEqual([]);
  const causes = (name: keyof typeof plans) => [
    ...new Set(plans[name].changes.flatMap(({ fields }) => fields.map(({ cause }) => cause))),
  ];
  expect(causes('drift only')).toEqual(['drift']);
  expect(causes('conflict')).toContain('conflict');
  expect(summarizePlan(plans.replace).replace).toBe(1);
  expect(codes(plans['deletions over budget']).length).toBeGreaterThan(0);
  expect(plans['2,000 changes'].changes).toHaveLength(2000);
  expect(plans.secrets.changes.some(({ fields }) => fields.some(({ secret }) => secret))).toBe(true);
  expect(plans['hostile names'].changes.length).toBeGreaterThan(14);
});

oneRowIn(5)(Object.entries(planFormats))('nothing secret is in the format %s', async (_, format) => {
  for (const [name, plan] of Object.entries(plans))
    expect([...(await format(plan))].join(''), name).not.toContain(canary);
});
