import { expect, test } from 'vitest';
import type { Outcome } from '../../src/model/event.ts';
import type { Plan } from '../../src/model/plan.ts';
import { type RehearsalFacts, toRehearsal } from '../../src/rehearse/to-rehearsal.ts';
import { rehearsalTexts, rehearsalVerdictText } from '../../src/report/rehearsal-text.ts';
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
    mask: (text) => text.replaceAll('s3cret', '(secret)'),
  });

test('a plan that the twin accepts is green if a second plan is empty', () => {
  expect(rehearse(outcome, planOf({}))).toMatchObject({ verdict: 'green', remaining: [] });
});

test('a plan is not green if a change had to wait, although nothing failed', () => {
  const postponed = { ...outcome, done: [], postponed: [{ address, reason: 'a rate limit', retryAt: 1 }] };
  expect(rehearse(postponed as unknown as Outcome)).toMatchObject({ verdict: 'unknown', skipped: [address] });
});

test('a plan fails with the reason if a second plan is refused', () => {
  const error = {
    severity: 'error',
    code: 'plan/unreadable',
    message: 'it cannot be read with s3cret',
    address,
  };
  const rehearsal = rehearse(outcome, planOf({ diagnostics: [error] as Plan['diagnostics'] }));
  expect(rehearsal.verdict).toBe('fails');
  expect([rehearsalVerdictText(rehearsal), ...rehearsalTexts(rehearsal)].slice(0, 3)).toEqual([
    'Rehearsal on a twin: the plan would fail.',
    'Accepted: 1 of 1 change, with 1 request to the twin.',
    'A second plan is refused: projects/web: it cannot be read with (secret).',
  ]);
});

test('a plan names the first objects for which a second plan is refused, and counts the others', () => {
  const errors = ['a', 'b', 'c', 'd', 'e'].map((name) => {
    const subject = `projects/${name}`;
    return { severity: 'error', code: 'plan/unreadable', message: `${subject} is gone`, address: subject };
  });
  const [first] = errors;
  const folded = { ...first, message: '5 projects are gone', folded: errors };
  const rehearsal = rehearse(outcome, planOf({ diagnostics: [folded] as unknown as Plan['diagnostics'] }));
  expect(rehearsal.secondPlanErrors).toHaveLength(5);
  expect(rehearsalTexts(rehearsal).slice(1, 5)).toEqual([
    'A second plan is refused: projects/a is gone.',
    'A second plan is refused: projects/b is gone.',
    'A second plan is refused: projects/c is gone.',
    'It is refused for 2 further reasons.',
  ]);
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

test('the sentence about the duration names the limit that lets the last request through', () => {
  const limits = [
    { what: 'domain writes', requests: 300, allowed: 60, window: 60 },
    { what: 'deployments', requests: 150, allowed: 100, window: 3600 },
  ];
  const rehearsal = { ...rehearse(outcome, planOf({})), duration: { seconds: 7200, limits } };
  expect(rehearsalTexts(rehearsal)[1]).toBe(
    'An apply takes about 2 h, because of 150 deployments: 100 an hour are allowed.',
  );
});

test('refusals and objects that are not modelled share a line if they have one reason', () => {
  const drains = ['a', 'b', 'c', 'd', 'e'].map((name) => `drains/${name}`);
  const rehearsal = {
    ...rehearse(outcome, planOf({})),
    refused: drains.map((drain) => ({
      ...{ address: drain, kind: 'drain', basis: 'documented' as const },
      message: `POST /v1/projects/id-of-${drain}/drains answered 400: ${drain} is too short`,
    })),
    notModelled: drains.map((drain) => ({
      ...{ address: drain, kind: 'drain', isConcerned: true },
      reason: `${drain} was not read`,
    })),
  };
  expect(rehearsalTexts(rehearsal).filter((text) => text.includes('drains/'))).toEqual([
    'Refused: drains/a, drains/b, drains/c and 2 more: POST /v1/projects/id-of-drains/a/drains answered 400: drains/a is too short (documented)',
    '  drains/a, drains/b, drains/c and 2 more: drains/a was not read',
  ]);
});
