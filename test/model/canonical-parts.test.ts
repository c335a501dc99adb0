import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, canonicalParts, digest, digestOfParts } from '../../src/model/digest.ts';
import { Sealed } from '../../src/model/sealed.ts';

const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<unknown>(undefined, null, true, 1.5, '', 'a"b\u2028', new Sealed('secret')),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'toString', '1', '0'), tie('value')),
  ),
})).value;

test('the canonical JSON of a value is the same in parts and as one text', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.array(value), fc.dictionary(fc.string(), value)),
      fc.nat({ max: 6 }),
      (whole, splitLevels) => {
        expect([...canonicalParts(whole, splitLevels)].join('')).toBe(canonicalJson(whole));
        expect(digestOfParts('salt', canonicalParts(whole, splitLevels))).toBe(digest('salt', whole));
      },
    ),
  );
});
