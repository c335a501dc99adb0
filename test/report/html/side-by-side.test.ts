import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Row, type Side, sideBySide } from '../../../src/report/html/field.ts';
import { runs } from '../../support/sweep.ts';

const line = (side?: Side) =>
  side?.segments.map(({ text, differs }) => (differs ? `[${text}]` : text)).join('');
const shown = (rows: Row[]) =>
  rows.map((row) =>
    row.type === 'skipped'
      ? row.lines
      : [row.before?.line, line(row.before), row.after?.line, line(row.after)],
  );

it('puts what was beside what becomes of it, and marks the words that differ', () => {
  const before = ['a', 'b', 'c', 'd', 'e', 'the old one', 'f'];
  const after = ['a', 'b', 'c', 'd', 'e', 'the new one', 'more', 'f'];
  expect(shown(sideBySide(before, after))).toEqual([
    2,
    [3, 'c', 3, 'c'],
    [4, 'd', 4, 'd'],
    [5, 'e', 5, 'e'],
    [6, 'the [old] one', 6, 'the [new] one'],
    [undefined, undefined, 7, '[more]'],
    [7, 'f', 8, 'f'],
  ]);
});

it('a side may be empty, and lines without anything in common differ as a whole', () => {
  expect(shown(sideBySide([], ['x']))).toEqual([[undefined, undefined, 1, '[x]']]);
  expect(shown(sideBySide(['x'], []))).toEqual([[1, '[x]', undefined, undefined]]);
  expect(shown(sideBySide(['one'], ['2']))).toEqual([[1, '[one]', 1, '[2]']]);
});

it('loses nothing: the rows and the lines left out are both texts', () => {
  const lines = fc.array(fc.constantFrom('', 'a', 'b', 'c d', 'c e', '-', '+', '\\', ' x'), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const again: { before: string[]; after: string[] } = { before: [], after: [] };
      for (const row of sideBySide(before, after))
        for (const name of ['before', 'after'] as const) {
          const source = name === 'before' ? before : after;
          const result = again[name];
          if (row.type === 'skipped') result.push(...source.slice(result.length, result.length + row.lines));
          else if (row[name]) {
            expect(row[name].line).toBe(result.length + 1);
            result.push(row[name].segments.map(({ text }) => text).join(''));
          }
        }
      expect(again).toEqual({ before, after });
    }),
    { numRuns: runs(500, 10) },
  );
});
