import { expect, it } from 'vitest';
import { warning } from '../../src/model/diagnostic.ts';
import { gathered } from '../../src/plan/gathered.ts';

const about = (address: string) =>
  warning('secret/not-compared', `${address}: ...`, { address, at: { file: 'a.yaml', line: 1, column: 1 } });

it('a few warnings of one sort stay as they are, many are one', () => {
  const few = ['a', 'b', 'c'].map(about);
  expect(gathered(few)).toEqual(few);
  const other = warning('other/one', 'text', { address: 'x' });
  const [first, second, ...rest] = gathered([about('a'), other, ...['b', 'c', 'd', 'e'].map(about)]);
  expect(first).toMatchObject({
    severity: 'warning',
    code: 'secret/not-compared',
    message:
      'the secrets of 5 resources are not available here, so they were not compared: a, b, c and 2 more',
  });
  expect(second).toBe(other);
  expect(rest).toEqual([]);
});

it('secrets that are not set are counted by name, and all variables to set are told', () => {
  const unset = (n: number) =>
    warning('secret/unset', '...', { secret: { name: `s${n}`, variable: `V${Math.min(n, 4)}` } });
  expect(gathered([1, 2, 3, 4, 5].map(unset))).toEqual([
    warning(
      'secret/unset',
      '5 secrets are not available, since their environment variables are not set: s1, s2, s3 and 2 more',
      { hint: 'set V1, V2, V3, V4' },
    ),
  ]);
});

it('what one key is missing for is one warning, however few', () => {
  const keyless = (address: string) => warning('secret/no-key', '...', { address });
  expect(gathered([keyless('a')])[0]!.message).toBe('TRUEUP_LEDGER_KEY is not set: 1 secret is not compared');
  expect(gathered(['a', 'a', 'b'].map(keyless))).toMatchObject([
    { message: 'TRUEUP_LEDGER_KEY is not set: 3 secrets are not compared' },
  ]);
});
