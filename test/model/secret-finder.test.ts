import { Worker } from 'node:worker_threads';
import { buildSync } from 'esbuild';
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

/** Returns a text as Python writes it in JSON: with escapes for all characters beyond ASCII. */
const asciiJson = (text: string) =>
  JSON.stringify(text).replace(
    /[\u0080-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

it.each([
  ['percent encoding in small letters', 'correct/horse@battery', '?u=correct%2fhorse%40battery'],
  ['percent encoding of more characters', "it's!correct(horse)", '?a=it%27s%21correct%28horse%29'],
  ['percent encoding of fewer characters', 'p$ss@word!longer', 'https://app:p$ss%40word!longer@db'],
  ['percent encoding twice', 'correct/horse@battery', '?to=%2F%3Fu%3Dcorrect%252Fhorse%2540battery'],
  ['form encoding of spaces alone', 'correct horse/battery', '?u=correct+horse/battery'],
  ['JSON in ASCII', 'passwörter-lang', asciiJson('passwörter-lang')],
  ['JSON with escaped slashes', 'correct/horse/battery', '{"a":"correct\\/horse\\/battery"}'],
  ['JSON in JSON', 'say "correct" horse', JSON.stringify(JSON.stringify('say "correct" horse'))],
  ['HTML', 'a<b>correct&horse', '<a href="a&lt;b&gt;correct&amp;horse">'],
  ['a short secret between escapes', 'pass', 'user%40pass%2fx'],
])('finds a secret in another form of escapes: %s', (_form, secret, text) => {
  expect(finder(secret)(text)).toBe(true);
});

it('searches a text of megabytes, full of escapes, in little memory', async () => {
  const contents = `
    import { createSecretFinder } from '../../src/model/secret-finder.ts';
    import { parentPort } from 'node:worker_threads';
    const isSecret = createSecretFinder([{ reveal: () => 'correct/horse@battery' }]);
    const escapes = 'a\\\\n%41+&amp; '.repeat(100_000);
    parentPort.postMessage([escapes, escapes + 'correct%2fhorse%40battery'].map(isSecret));
  `;
  const [output] = buildSync({
    stdin: { contents, loader: 'js', resolveDir: import.meta.dirname },
    bundle: true,
    platform: 'node',
    write: false,
  }).outputFiles;
  const worker = new Worker(output!.text, {
    eval: true,
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  });

  const found = await new Promise((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
  });

  expect(found).toEqual([false, true]);
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
