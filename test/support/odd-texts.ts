import fc from 'fast-check';
import { codePoint } from './characters.ts';

/** Texts that mean something else where they are not written with care. */
export const oddTexts = [
  '__proto__',
  '<<',
  '$existing',
  '${var.x}',
  '$${x}',
  '$${',
  '...${var.x}',
  '${secret.x}',
  '${projects.web.id}',
  'constructor',
  'toString',
  'x-a',
  'null',
  'yes',
  '1.10',
  ' ',
  '*a',
  '- b',
  '? c',
  '#d',
  '~',
  '"',
  "'",
  '{a: 1}',
  '---',
  '...',
  'a: b',
  '!t',
  '&a',
  '@x',
  '%y',
  '|',
  '>',
  '',
  '\u202eabc',
  'a\nb',
  'a\r\nb',
  '\u0000',
  '\u0085',
  '\u2028',
  '\ufeff',
  '\u200b',
  'é',
  '𝔘',
  '\ud800',
  'a'.repeat(300),
];
/** Any text, mostly such as mean something. */
export const oddText = fc.oneof(
  fc.constantFrom(...oddTexts),
  fc.tuple(fc.constantFrom(...oddTexts), fc.constantFrom(...oddTexts)).map((two) => two.join('')),
  fc.string({ unit: codePoint, maxLength: 12 }),
);
/** Any JSON, with such texts as values and as names. */
export const oddJson = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    oddText,
    fc.constantFrom(null, true, false, 0, -0.5, 1e21, 2 ** 53, 2 ** 53 - 1, Number.POSITIVE_INFINITY),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(oddText, tie('json'), { maxKeys: 3 }),
  ),
})).json;
