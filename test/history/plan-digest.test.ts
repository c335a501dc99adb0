import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { planDigest } from '../../src/history/open-recording.ts';
import { canonicalJson } from '../../src/model/digest.ts';
import type { Plan } from '../../src/model/plan.ts';
import { planJson } from '../../src/report/plan-json.ts';
import { tinyPlan } from '../support/tiny.ts';

it('the digest of a plan is that of its canonical JSON', () => {
  const changed = tinyPlan({
    desired: { 'boxes/b': { colour: 'red' }, 'boxes/a': {} },
    live: { 'boxes/c': {} },
  });
  const empty = tinyPlan({ desired: {}, live: {} });
  const named: Plan = { ...changed, account: { type: 'team', name: 'acme' } };
  for (const plan of [changed, empty, named]) {
    const { stack, account, changes, operations } = planJson(plan);
    const text = canonicalJson({ stack, account, changes, operations });
    expect(planDigest(plan)).toBe(hash('sha256', text, 'base64url'));
  }
  expect(changed.operations.length).toBeGreaterThan(1);
});
