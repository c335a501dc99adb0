import { expect, it } from 'vitest';
import { renewedTexts } from '../../src/report/plan-notes.ts';
import { change, planOf } from './builders.ts';

const dropped = change('forget', 'webhooks/a', {
  kind: 'webhook',
  reason: 'no longer in the account',
  changesLedgerOnly: true,
});
const recorded = change('noop', 'webhooks/b', { kind: 'webhook', changesLedgerOnly: true });
const renewed = (changes: (typeof dropped | typeof recorded)[]) => renewedTexts(planOf({ changes })).join();

it('gives the reason for dropped ledger entries only if it is that of all objects, in any order', () => {
  expect(renewed([dropped])).toContain('for 1 object (no longer in the account):');
  expect(renewed([dropped, recorded])).toContain('for 2 objects:');
  expect(renewed([recorded, dropped])).toContain('for 2 objects:');
});
