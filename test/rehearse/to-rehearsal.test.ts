import { expect, test } from 'vitest';
import type { Outcome } from '../../src/model/event.ts';
import type { Plan } from '../../src/model/plan.ts';
import { type RehearsalFacts, toRehearsal } from '../../src/rehearse/to-rehearsal.ts';
import type { Planned } from '../../src/run/open-plan.ts';

const address = 'projects/web';

/** A plan that creates a project, or something else. */
const planOf = (plan: Partial<Plan>): Planned =>
  ({ plan: { changes: [], operations: [], diagnostics: [], ...plan } }) as unknown as Planned;

const creation = planOf({ changes: [{ address, kind: 'project', action: 'create' }] as Plan['changes'] });
const outcome: Outcome = {
  ...{ done: [address], failed: [], postponed: [], skipped: [], overwritten: [] },
  interrupted: false,
};

/** Returns the verdict about the creation of a project, with a second plan if the apply did everything. */
const rehearse = (outcome: Outcome, secondPlan?: Planned) =>
  toRehearsal({
    ...{ planned: creation, rehearsed: creation, outcome, notModelled: [], placeholders: [], requests: 1 },
    verified: secondPlan && { planned: secondPlan, sideEffects: [], remaining: [] },
    crashes: undefined,
    duration: undefined,
    knownTexts: new Set(),
    rules: { rulesOf: () => ({ basis: 'measured' }) } as unknown as RehearsalFacts['rules'],
    mask: (text) => text,
  });

test('a plan that the twin accepts is green if a second plan is empty', () => {
  expect(rehearse(outcome, planOf({}))).toMatchObject({ verdict: 'green', remaining: [] });
});

test('a plan is not green if a change had to wait, although nothing failed', () => {
  const postponed = { ...outcome, done: [], postponed: [{ address, reason: 'a rate limit', retryAt: 1 }] };
  expect(rehearse(postponed as unknown as Outcome)).toMatchObject({ verdict: 'unknown', skipped: [address] });
});

test('a plan fails if a second plan would still write, if only to the ledger', () => {
  const change = { address, kind: 'project' };
  const ledgerOnly = { ...change, action: 'adopt', changesLedgerOnly: true };
  const unchanged = { ...change, action: 'noop' };
  const secondPlans: Partial<Plan>[] = [
    { changes: [ledgerOnly] as Plan['changes'] },
    {
      changes: [unchanged] as Plan['changes'],
      operations: [{ changes: [address], requests: [] }] as unknown as Plan['operations'],
    },
  ];
  for (const secondPlan of secondPlans)
    expect(rehearse(outcome, planOf(secondPlan))).toMatchObject({ verdict: 'fails', remaining: [address] });
});
