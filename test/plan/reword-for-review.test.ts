import { expect, it } from 'vitest';
import { warning } from '../../src/model/diagnostic.ts';
import { rewordForReview } from '../../src/plan/filter-diagnostics.ts';

const unset = warning('secret/unset', '...', { secret: { name: 'token', variable: 'TOKEN' } });
const notCompared = warning('secret/not-compared', '...', { address: 'a' });
const other = warning('config/odd', '...');
const codes = (diagnostics: ReturnType<typeof warning>[]) => diagnostics.map(({ code }) => code);

it('secrets that are not set, and what they are not compared for, are one warning', () => {
  expect(codes(rewordForReview([unset, other, notCompared]))).toEqual(['config/odd', 'secret/left-out']);
  expect(rewordForReview([other, notCompared])).toEqual([other, notCompared]);
});

it('what is wrong with a secret in another way is still told', () => {
  const broken = warning('secret/file', '...', { secret: { name: 'file' } });
  expect(codes(rewordForReview([unset, broken, notCompared]))).toEqual([
    'secret/file',
    'secret/not-compared',
    'secret/left-out',
  ]);
});

it('nothing suggests setting a ledger key, not even a ledger that another key signed', () => {
  const wrongKey = warning('ledger/other-key', 'signed by a', { hint: 'set TRUEUP_LEDGER_KEY to the key a' });
  expect(rewordForReview([wrongKey])).toEqual([warning('ledger/other-key', 'signed by a')]);
});
