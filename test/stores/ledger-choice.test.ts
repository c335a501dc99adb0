import { expect, test } from 'vitest';
import { type LedgerChoice, usesHome } from '../../src/stores/ledger-choice.ts';

test.each<[LedgerChoice, string | undefined, boolean]>([
  [{}, undefined, true],
  [{ ledger: 'state/shop.json' }, undefined, false],
  [{}, 'state/shop.json', false],
  [{}, 'git', false],
  [{}, 's3://ledgers/shop', true],
  [{ twin: true }, 'state/shop.json', true],
  [{ repositoryLedger: { place: '.trueup/ledger/shop.json', origin: 'header' } }, undefined, true],
  [{ repositoryLedger: { place: 'state/shop.json', origin: 'header' } }, undefined, false],
])('a run with %j and TRUEUP_LEDGER=%s writes to `.trueup`: %s', (options, place, isUsed) => {
  expect(
    usesHome(
      { repositoryLedger: undefined, ...options },
      { env: place === undefined ? {} : { TRUEUP_LEDGER: place } },
    ),
  ).toBe(isUsed);
});
