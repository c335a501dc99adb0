import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMasking } from '../../src/model/masking.ts';
import { Sealed } from '../../src/model/sealed.ts';
import { codePoint } from '../support/characters.ts';
import { runs } from '../support/sweep.ts';

function maskingOf(...secrets: string[]) {
  const masking = createMasking();
  for (const secret of secrets) masking.addSecret(new Sealed(secret));
  return masking;
}

const bytes = (text: string) => Buffer.from(text);
const units = (text: string) => Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
const wide = (unit: number) => unit.toString(16).padStart(4, '0');
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const percent = (text: string) =>
  [...bytes(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const html = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
const points = (text: string, show: (point: number) => string) =>
  [...text].map((char) => show(char.codePointAt(0)!)).join('');

/** Encodings in which each character stands for itself: what is encoded of a stretch is a stretch of what is encoded. */
const encodings: Record<string, (text: string) => string> = {
  clear: (text) => text,
  'JSON escapes': json,
  'JSON escapes, twice': (text) => json(json(text)),
  'JSON escapes of slashes': (text) => json(text).replaceAll('/', '\\/'),
  'UTF-16 escapes': (text) =>
    units(text)
      .map((unit) => `\\u${wide(unit)}`)
      .join(''),
  'UTF-16 escapes, upper case and escaped': (text) =>
    units(text)
      .map((unit) => `\\\\u${wide(unit).toUpperCase()}`)
      .join(''),
  'code points in braces': (text) => points(text, (point) => `\\u{${point.toString(16)}}`),
  'percent encoding': encodeURIComponent,
  'percent encoding of a URI': encodeURI,
  'percent encoding, lower case': (text) =>
    encodeURIComponent(text).replace(/%../g, (one) => one.toLowerCase()),
  'percent encoding of all': percent,
  'percent encoding, twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'a form': (text) => new URLSearchParams({ '': text }).toString().slice(1),
  'HTML entities': html,
  'decimal entities': (text) => points(text, (point) => `&#${point};`),
  'hexadecimal entities': (text) => points(text, (point) => `&#x${point.toString(16).toUpperCase()};`),
  'HTML entities in JSON': (text) => json(html(text)),
  hexadecimal: (text) => bytes(text).toString('hex'),
  'hexadecimal, upper case': (text) => bytes(text).toString('hex').toUpperCase(),
};

/** Any text that can be sent, and texts full of what encodings treat in their own way. */
const secret = fc.oneof(
  fc.string({ unit: codePoint, minLength: 8, maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...'aZ09+/=-_%&;#\\"\'<> \n\téß€😀'), minLength: 8, maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...'abcdefABCDEF0123456789'), minLength: 8, maxLength: 40 }),
);
/** Characters that no secret above holds eight of in a row. */
const around = fc.string({ unit: fc.constantFrom(...' :,([{}])?!'), maxLength: 6 });

const stretches = (text: string): string[] => {
  const whole = Array.from(text);
  // By characters: half of a surrogate pair has no encoding of its own.
  return whole
    .map((_, at) => whole.slice(at, at + 8))
    .flatMap((one) => (one.length < 8 ? [] : [one.join('')]));
};

describe('no stretch of eight characters gets out', () => {
  test.each(Object.entries(encodings))('in %s, whole or in part', (_, encode) => {
    fc.assert(
      fc.property(secret, around, around, fc.nat(), fc.nat(), (text, before, after, start, end) => {
        const encoded = encode(text);
        const part = encoded.slice(start % encoded.length, encoded.length - (end % encoded.length));
        for (const echo of [encoded, part]) {
          const masked = maskingOf(text).mask(before + echo + after);
          const left = stretches(text).filter((one) => masked.includes(encode(one)));
          expect(left).toEqual([]);
        }
      }),
      { numRuns: runs(180) },
    );
  });

  const lined = (text: string) => text.replace(/.{16}/g, '$&\r\n');
  test.each<[string, (raw: Buffer) => string, (text: string) => string]>([
    ['base64', (raw) => raw.toString('base64'), (text) => text],
    ['base64url', (raw) => raw.toString('base64url'), (text) => text],
    ['base64 in lines', (raw) => lined(raw.toString('base64')), (text) => text],
    ['base64 in a URL', (raw) => encodeURIComponent(raw.toString('base64')), (text) => text],
    ['base64 in JSON', (raw) => json(raw.toString('base64')).replaceAll('/', '\\/'), (text) => text],
    ['base64 of JSON', (raw) => raw.toString('base64'), json],
    ['base64, twice', (raw) => bytes(raw.toString('base64')).toString('base64'), (text) => text],
  ])('in %s, in the midst of something else', (_, encode, inner) => {
    const twice = encode(bytes('xxx')).length === 8;
    fc.assert(
      fc.property(secret, fc.uint8Array({ maxLength: 5 }), fc.nat(7), (text, before, cut) => {
        const encoded = encode(Buffer.concat([before, bytes(inner(text)), before])).slice(cut);
        const masked = maskingOf(text).mask(`value=${encoded}, no more`);
        // Undone as a reader would, from wherever something is left.
        for (const piece of masked.split('(secret)')) {
          const kept = decodeURIComponent(piece.replace(/%(?![0-9A-F]{2})/g, '')).replaceAll('\\/', '/');
          for (const run of kept.replace(/[\r\n]/g, '').match(/[\w+/-]+/g) ?? [])
            for (const skip of [0, 1, 2, 3]) {
              const once = Buffer.from(run.slice(skip), 'base64');
              const again = [0, 1, 2, 3].map((more) =>
                Buffer.from(once.toString('latin1').slice(more), 'base64'),
              );
              for (const decoded of twice ? again : [once])
                for (const one of stretches(text))
                  expect(decoded.includes(bytes(one)) || decoded.includes(bytes(inner(one)))).toBe(false);
            }
        }
      }),
      { numRuns: runs(180) },
    );
  });

  test('among thousands of secrets, and of an earlier one', () => {
    const secrets = Array.from(
      { length: 1686 },
      (_, at) => `${at}-${bytes(`secret ${at * 7919}`).toString('hex')}`,
    );
    const masking = maskingOf(...secrets);
    expect(masking.mask(`a ${secrets[3]} b`)).toBe('a (secret) b');
    masking.addSecret(new Sealed('one that came later'));
    const message = `${'The value of this parameter is wrong. '.repeat(1700)}${secrets[1000]!.slice(3, 20)}`;
    expect(masking.mask(message)).toBe(`${'The value of this parameter is wrong. '.repeat(1700)}(secret)`);
    expect(masking.mask('one that came')).toBe('(secret)');
  });
});

test('only the stretch is masked, not the message', () => {
  const masking = maskingOf(
    'hunter2-hunter3-hunter4',
    'abcd',
    'no',
    '  trimmed value\n',
    'key\n\nab12\r\n cd34\nef56',
  );
  expect(masking.mask('`value` "xx-hunter3-hunter4" must not hold -')).toBe(
    '`value` "xx(secret)" must not hold -',
  );
  expect(masking.mask('hunter5 is fine, hunter2 too')).toBe('hunter5 is fine, hunter2 too');
  expect(masking.mask('abcd, abcde, no, "abcd" and YWJjZA==')).toBe(
    '(secret), abcde, no, "(secret)" and (secret)==',
  );
  expect(masking.mask('`trimmed value`.')).toBe('`(secret)`.');
  expect(masking.mask('key ab12 cd34 ef56')).toBe('(secret)');
});

test('a secret is masked in the form of UTF-8 that Java and MySQL write, with surrogates', () => {
  expect(maskingOf('key-\u{1f600}-0123').mask('key-%ED%A0%BD%ED%B8%80-0123 x')).toBe('(secret) x');
});

test('a text is a slug only in the usual form and without any part of a secret', () => {
  const masking = maskingOf('sk_live_0123456789');
  for (const slug of ['acme', '7-up', 'team_A1', 'a'.repeat(100)])
    expect(masking.safeSlugIn(slug)).toBe(slug);
  const others = ['', '-y', '_a', 'a b', 'a\n', 'a.b', 'ä', 'a'.repeat(101), 'a-live_0123456789', 7, null];
  for (const text of others) expect(masking.safeSlugIn(text)).toBeUndefined();
});

test('what people see anyway is shown, and no more than that', () => {
  const masking = maskingOf('postgres://db.example.com/shop?password=hunter2');
  const message = 'cannot reach db.example.com of postgres://db.example.com/shop';
  expect(masking.mask(message)).toBe('cannot reach (secret) of (secret)');
  masking.setVisibleText(() => 'projects/web\ndb.example.com\n');
  expect(masking.mask(message)).toBe('cannot reach db.example.com of (secret)');
});

test('codes and names of parameters are shown, secrets are none', () => {
  const masking = maskingOf('environment_production_7', 'sk_live_0123456789');
  for (const name of ['invalid_environment_production', 'env[0].value', 'rate-limited'])
    expect(masking.safeNameIn(name)).toBe(name);
  for (const name of ['bad_sk_live_0123456789', 'a b', 'a\u001b[2J', '', `a${'b'.repeat(100)}`])
    expect(masking.safeNameIn(name)).toBeUndefined();
});

test('a code with a secret in other letters is none, because platforms write host names in small letters', () => {
  const masking = maskingOf('Canary.Example.com');
  expect(masking.safeNameIn('taken:canary.example.com')).toBeUndefined();
  expect(masking.safeNameIn('canary.example.com')).toBeUndefined();
  expect(masking.safeNameIn('BAD_CANARY.EXAMPLE.COM')).toBeUndefined();
});
