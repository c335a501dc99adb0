import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Sealed } from '../../src/model/sealed.ts';
import { show } from '../../src/report/show.ts';
import { normalizeSides, spellOutDifferences } from '../../src/report/value-diff.ts';
import { runs } from '../support/sweep.ts';

it.each([
  ['café', 'cafe\u0301', 'caf<U+00E9>', 'cafe<U+0301>'],
  ['a b', 'a\u00a0b', 'a<U+0020>b', 'a<U+00A0>b'],
  ['a\u2003b', 'a\u00a0b', 'a<U+2003>b', 'a<U+00A0>b'],
  ['❤', '❤\ufe0f', '❤', '❤<U+FE0F>'],
  ['x\ny ', 'x\ny', 'x\ny<U+0020>', 'x\ny'],
  ['x\r\ny', 'x\ny', 'x<U+000D>\ny', 'x\ny'],
  ['ﬁ', 'fi', '<U+FB01>', 'fi'],
  ['one', 'two', 'one', 'two'],
  ['é', 'è', 'é', 'è'],
  ['a ', 'a', 'a ', 'a'],
])('%j and %j', (before, after, shownBefore, shownAfter) => {
  expect(spellOutDifferences(before, after)).toEqual([shownBefore, shownAfter]);
});

it('texts inside of values are told apart, secrets and expressions are left alone', () => {
  const secret = new Sealed('é');
  const hole = { $join: ['é', { $secret: 'x' }] };
  expect(
    spellOutDifferences({ list: ['é', 1], secret, hole }, { list: ['e\u0301', 2], secret, hole }),
  ).toEqual([
    { list: ['<U+00E9>', 1], secret, hole },
    { list: ['e<U+0301>', 2], secret, hole },
  ]);
});

it('values that differ never look the same', () => {
  const piece = fc.constantFrom(
    'é',
    'e\u0301',
    'e',
    ' ',
    '\u00a0',
    '\u2009',
    '\t',
    'x',
    '\ufe0f',
    '\u200b',
    '\r',
    '\u00ad',
  );
  const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
  const lookOf = (value: unknown) =>
    show(value)
      .normalize('NFKC')
      .replace(/\s/gu, ' ')
      .replace(/\ufe0f/g, '');
  fc.assert(
    fc.property(text, text, (before, after) => {
      const [a, b] = normalizeSides(before, after);
      if (before !== after) expect(lookOf(a)).not.toBe(lookOf(b));
    }),
    { numRuns: runs(10_000) },
  );
});
