import { afterEach, describe, expect, it } from 'vitest';
import { defaultSwitches, otherSwitches } from '../../providers/hosting/twin/index.ts';
import { sampled } from '../support/sweep.ts';
import { Account } from './account.ts';

interface Case {
  before: string;
  after: string;
  sent: string[];
  rows: string[];
}

/** The table at the top of `env-var-rows.ts`. */
const table: Record<string, Case> = {
  'exact: a new value': {
    before: 'A: { value: one, target: [production, preview] }',
    after: 'A: { value: two, target: [production, preview] }',
    sent: ['PATCH value'],
    rows: ['A=two encrypted production preview'],
  },
  'exact: value, type and comment at once': {
    before: 'A: { value: one, target: [production, preview] }',
    after: 'A: { value: two, type: plain, comment: why, target: [production, preview] }',
    sent: ['PATCH comment type value'],
    rows: ['A=two plain production preview # why'],
  },
  'exact: the comment goes': {
    before: 'A: { value: one, comment: why }',
    after: 'A: { value: one, comment: "" }',
    sent: ['PATCH comment'],
    rows: ['A=one encrypted production preview development'],
  },
  'exact: into sensitive': {
    before: 'A: { value: one, target: [production] }',
    after: 'A: { value: one, target: [production], type: sensitive }',
    sent: ['PATCH type'],
    rows: ['A=one sensitive production'],
  },
  'subset: one of two places changes, and production keeps the row': {
    before: 'A: { value: one, target: [production, preview] }',
    after: 'A: [{ value: two, target: [production] }, { value: one, target: [preview] }]',
    sent: ['PATCH target value', 'POST 1'],
    rows: ['A=one encrypted preview', 'A=two encrypted production'],
  },
  'subset: the other place changes, and production keeps the row': {
    before: 'A: { value: one, target: [production, preview] }',
    after: 'A: [{ value: one, target: [production] }, { value: two, target: [preview] }]',
    sent: ['PATCH target', 'POST 1'],
    rows: ['A=one encrypted production', 'A=two encrypted preview'],
  },
  'subset without production: what does not change keeps the row': {
    before: 'A: { value: one, target: [preview, development] }',
    after: 'A: [{ value: two, target: [preview] }, { value: one, target: [development] }]',
    sent: ['PATCH target', 'POST 1'],
    rows: ['A=one encrypted development', 'A=two encrypted preview'],
  },
  'subset: nothing but the comment': {
    before: 'A: { value: one, target: [production, preview] }',
    after: 'A: [{ value: one, target: [production] }, { value: one, comment: why, target: [preview] }]',
    sent: ['PATCH target', 'POST 1'],
    rows: ['A=one encrypted preview # why', 'A=one encrypted production'],
  },
  'split three ways': {
    before: 'A: one',
    after: `A: [{ value: two, target: [production] }, { value: three, target: [preview] }, { value: four, target: [development] }]`,
    sent: ['PATCH target value', 'POST 2'],
    rows: ['A=four encrypted development', 'A=three encrypted preview', 'A=two encrypted production'],
  },
  'split in name only: equal values stay in one row': {
    before: 'A: { value: one, target: [production, preview] }',
    after: 'A: [{ value: one, target: [production] }, { value: one, target: [preview] }]',
    sent: [],
    rows: ['A=one encrypted production preview'],
  },
  'superset: more places': {
    before: 'A: { value: one, target: [production] }',
    after: 'A: { value: one, target: [production, preview] }',
    sent: ['PATCH target'],
    rows: ['A=one encrypted production preview'],
  },
  'superset: more places and a new value, in one request': {
    before: 'A: { value: one, target: [production] }',
    after: 'A: { value: two, target: [production, preview, development] }',
    sent: ['PATCH target value'],
    rows: ['A=two encrypted production preview development'],
  },
  'superset of a row that holds another entry too: a new row': {
    before: 'A: { value: one, target: [production, preview] }',
    after: `A: [{ value: one, target: [production, development] }, { value: one, target: [preview] }]`,
    sent: ['POST 1'],
    rows: ['A=one encrypted development', 'A=one encrypted production preview'],
  },
  'merge: rows of one entry are patched each': {
    before: 'A: [{ value: one, target: [production] }, { value: two, target: [preview] }]',
    after: 'A: { value: three, target: [production, preview] }',
    sent: ['PATCH value', 'PATCH value'],
    rows: ['A=three encrypted preview', 'A=three encrypted production'],
  },
  'merge: what equals the wanted value stays': {
    before: 'A: [{ value: one, target: [production] }, { value: two, target: [preview] }]',
    after: 'A: { value: one, target: [production, preview] }',
    sent: ['PATCH value'],
    rows: ['A=one encrypted preview', 'A=one encrypted production'],
  },
  'a place goes from one entry to the other': {
    before: 'A: [{ value: one, target: [production] }, { value: two, target: [preview, development] }]',
    after: 'A: [{ value: one, target: [production, development] }, { value: two, target: [preview] }]',
    sent: ['PATCH target', 'PATCH target'],
    rows: ['A=one encrypted production development', 'A=two encrypted preview'],
  },
  'two entries swap a place each': {
    before: `A: [{ value: one, target: [production, preview] }, { value: two, customEnvironmentIds: [staging, qa] }]`,
    after: `A: [{ value: one, target: [production], customEnvironmentIds: [qa] }, { value: two, target: [preview], customEnvironmentIds: [staging] }]`,
    sent: ['PATCH target', 'PATCH customEnvironmentIds', 'PATCH customEnvironmentIds', 'PATCH target'],
    rows: ['A=one encrypted production custom:qa', 'A=two encrypted preview custom:staging'],
  },
  'a place joins a row that changes: only after the change': {
    before: 'A: [{ value: one, target: [production] }, { value: two, target: [preview, development] }]',
    after: 'A: [{ value: three, target: [production, development] }, { value: two, target: [preview] }]',
    sent: ['PATCH value', 'PATCH target', 'PATCH target'],
    rows: ['A=three encrypted production development', 'A=two encrypted preview'],
  },
  'some places go away': {
    before: 'A: { value: one, target: [production], customEnvironmentIds: [staging] }',
    after: 'A: { value: one, target: [production] }',
    sent: ['PATCH customEnvironmentIds'],
    rows: ['A=one encrypted production'],
  },
  'all places go away': {
    before: 'A: one\nB: one',
    after: 'B: one',
    sent: ['DELETE 1'],
    rows: ['B=one encrypted production preview development'],
  },
  'leaving sensitive': {
    before: 'A: { value: one, type: sensitive, target: [production, preview] }',
    after: 'A: { value: two, type: encrypted, target: [production, preview], $replace: allow }',
    sent: ['DELETE 1', 'POST 1'],
    rows: ['A=two encrypted production preview'],
  },
  'leaving sensitive in one of two places': {
    before: 'A: { value: one, type: sensitive, target: [production, preview] }',
    after: `A: [{ value: one, type: sensitive, target: [production] }, { value: one, type: plain, target: [preview], $replace: allow }]`,
    sent: ['PATCH target', 'POST 1'],
    rows: ['A=one plain preview', 'A=one sensitive production'],
  },
  'a branch has a row of its own': {
    before: 'A: { value: one, target: [production, preview] }',
    after:
      'A: [{ value: one, target: [production, preview] }, { value: two, target: [preview], gitBranch: feat/x }]',
    sent: ['POST 1'],
    rows: ['A=one encrypted production preview', 'A=two encrypted preview:feat/x'],
  },
  'another branch is another place': {
    before: 'A: { value: one, gitBranch: one }',
    after: 'A: { value: one, gitBranch: two }',
    sent: ['DELETE 1', 'POST 1'],
    rows: ['A=one encrypted preview:two'],
  },
  'a value for one custom environment, out of a shared row': {
    before: 'A: { value: one, target: [preview], customEnvironmentIds: [staging, qa] }',
    after: `A: [{ value: one, target: [preview], customEnvironmentIds: [qa] }, { value: two, customEnvironmentIds: [staging] }]`,
    sent: ['PATCH customEnvironmentIds', 'POST 1'],
    rows: ['A=one encrypted preview custom:qa', 'A=two encrypted custom:staging'],
  },
  'another name, as `$was` says: the row stays, and no value is sent': {
    before: 'A: { value: one, type: sensitive, target: [production, preview] }',
    after: 'B: { value: one, type: sensitive, target: [production, preview], $was: A }',
    sent: ['PATCH key'],
    rows: ['B=one sensitive production preview'],
  },
  'another name and another place': {
    before: 'A: { value: one, target: [production, preview] }',
    after: 'B: { value: two, target: [production, development], $was: A }',
    sent: ['PATCH key target value'],
    rows: ['B=two encrypted production development'],
  },
  'many come and go: one request each': {
    before: 'A: one\nB: one\nC: one',
    after: 'D: one\nE: [{ value: one, target: [production] }, { value: two, target: [preview] }]',
    sent: ['DELETE 3', 'POST 3'],
    rows: [
      'D=one encrypted production preview development',
      'E=one encrypted production',
      'E=two encrypted preview',
    ],
  },
};

const rows = Object.entries(table);
describe.each([
  // Some of them here; all of them with `npm run sweep`.
  ['as the evidence says', defaultSwitches, sampled(rows, Math.ceil(rows.length / 12))],
  ['the other way wherever it is silent', otherSwitches, sampled(rows, 1)],
] as const)('rows, the platform behaving %s', (_, switches, some) => {
  let account: Account;
  afterEach(() => account.world.stop());

  it.each(some)('%s', async (_, { before, after, sent, rows }) => {
    account = await Account.start({ switches });
    await account.converge(before);
    account.sent();
    await account.converge(after, { maxDeletions: 10 });
    expect(account.sent().sort()).toEqual([...sent].sort());
    expect(account.rows()).toEqual(rows);
  });
});
