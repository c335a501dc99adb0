import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Sealed } from '../../src/model/sealed.ts';
import { createSecretFinder } from '../../src/model/secret-finder.ts';
import { grapheme } from '../support/characters.ts';

const finder = (...secrets: string[]) => createSecretFinder(secrets.map((text) => new Sealed(text)));

it('finds a secret of eight characters or more in any text, in clear and encoded', () => {
  const secret = fc
    .string({ minLength: 8, maxLength: 40, unit: grapheme })
    .filter((text) => text.trim().length >= 8);
  const around = fc.string({ maxLength: 12 });
  fc.assert(
    fc.property(secret, around, around, (text, before, after) => {
      const bytes = Buffer.from(before + text + after);
      const texts = [
        before + text + after,
        before + encodeURIComponent(text) + after,
        JSON.stringify(before + text + after),
        bytes.toString('base64'),
        bytes.toString('base64url'),
        bytes.toString('hex'),
      ];
      expect(texts.filter((one) => !finder('another secret', text)(one))).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

it.each([
  ['https://hooks.example.com/abc', 'https://example.com/', false],
  ['four', 'a four b', true],
  ['four', 'fourteen', false],
  ['abc', 'abc', false],
  ['secret-with-newline\n', 'a secret-with-newline.', true],
  ['production', 'preproductions', true],
])('secret %j in %j: %s', (secret, text, isThere) => {
  expect(finder(secret)(text)).toBe(isThere);
});

it('without secrets, finds nothing', () => {
  expect(finder()('anything')).toBe(false);
});
