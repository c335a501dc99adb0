import { expect, test } from 'vitest';
import { decidedByOperator, type LedgerChoice, usesHome } from '../../src/stores/ledger-choice.ts';

test.each<[LedgerChoice, string | undefined, boolean]>([
  [{}, undefined, true],
  [{ ledger: 'state/shop.json' }, undefined, false],
  [{}, 'state/shop.json', false],
  [{}, 'git', false],
  [{}, 's3://ledgers/shop', true],
  [{ twin: true }, 'state/shop.json', true],
])('a run with %j and TRUEUP_LEDGER=%s writes to `.trueup`: %s', (options, place, isUsed) => {
  expect(
    usesHome(decidedByOperator(options), { env: place === undefined ? {} : { TRUEUP_LEDGER: place } }),
  ).toBe(isUsed);
});
