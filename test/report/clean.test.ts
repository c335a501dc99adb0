import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clean, cleanLine } from '../../src/report/text.ts';

test('blanks around line ends become one', () => {
  const text = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\t', '\r'), maxLength: 8 });
  fc.assert(
    fc.property(text, (written) => {
      expect(cleanLine(written)).toBe(clean(written).replace(/\s*\n\s*/g, ' '));
    }),
  );
});

test('a line of many blanks ends', () => {
  const blanks = ' '.repeat(1_000_000);
  expect(cleanLine(`a${blanks}b`)).toBe(`a${blanks}b`);
});
