import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findRepeatedKey, InexactNumber, parseJsonOrText, readJson } from '../../src/model/read-json.ts';
import { runs } from '../support/sweep.ts';

const asText = (text: string) => readJson(text, (digits) => digits).value;

it('numbers keep their digits where they become text', () => {
  const numbers = ['123456789012345678', '1.10', '1e3', '-0', '0.1', '1E+400'];
  expect(asText(`[${numbers.join(', ')}]`)).toEqual(numbers);
  expect(readJson('[1.10, 1e3, 123456789012345678]').value).toEqual([
    1.1,
    1000,
    new InexactNumber('123456789012345678'),
  ]);
});

it.each([
  ['{"a": 1,\n "a": 2}', 2, 2, 'already on line 1'],
  ['{"x": {"b": 1, "\\u0062": 2}}', 1, 16, 'already on line 1'],
  ["{'a': 1}", 1, 2, 'needs double quotes'],
  ['{"a": 1,}', 1, 9, 'a name in double quotes is missing'],
  ['{"a" 1}', 1, 6, 'a `:` is missing'],
  ['[1 2]', 1, 4, 'a `,` is missing'],
  ['[1', 1, 3, 'a `]` is missing'],
  ['', 1, 1, 'a value is missing'],
  ['{} // no', 1, 4, 'JSON has no comments'],
  ['"canary', 1, 1, 'never closed'],
  ['"\\x"', 1, 1, 'no such escape'],
  ['"a\tb"', 1, 1, 'must be written as an escape'],
  ['{}\n{}', 2, 1, 'the JSON ends before this text'],
  [`${'['.repeat(100_000)}`, 1, 1, 'nested too deeply'],
])('%.40j is refused with its place', (text, line, column, message) => {
  const { value, problems } = readJson(text);
  expect(value).toBeUndefined();
  expect(problems[0]).toMatchObject({ line, column, message: expect.stringContaining(message) });
  expect(JSON.stringify(problems)).not.toContain('canary');
});

it('refuses a text that is nested too deeply for any step of reading it', () => {
  for (let depth = 250; depth <= 64_000; depth *= 2)
    for (const text of [
      '['.repeat(depth) + ']'.repeat(depth),
      `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
    ]) {
      const { value, problems } = readJson(text);
      if (value === undefined)
        expect(problems).toMatchObject([{ message: 'this JSON is nested too deeply' }]);
      else expect(problems).toEqual([]);
      const repeated = findRepeatedKey(text);
      if (repeated) expect(repeated).toMatchObject({ message: 'this JSON is nested too deeply' });
    }
});

it.each([
  ['3', { value: 3 }],
  ['text', { value: 'text' }],
  ['{"a": [1.5]}', { value: { a: [1.5] } }],
  ['123456789012345678', { loss: 'a number in it has more digits than can be sent' }],
  ['{"a": {"b": 0.10000000000000000001}}', { loss: 'a number in it has more digits than can be sent' }],
  ['{"a": 1, "a": 2}', { loss: 'line 1: this key is already on line 1' }],
])('%j of a command line is read as it is, or says what would be lost', (text, expected) => {
  expect(parseJsonOrText(text)).toMatchObject(expected);
});

it('a member of any name is harmless', () => {
  const value = readJson('{"__proto__": {"polluted": 1}, "constructor": 2}').value as object;
  expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});

const piece = fc.constantFrom(
  ...['{', '}', '[', ']', ',', ':', '"a"', '"b"', '"', '\\', '\\u00e9', '\\n', '1', '-', '.', 'e', '0', '12'],
  ...['true', 'null', 'NaN', ' ', '\n', '\r\n', '\t', '\u00a0', '\u2028', '\uFEFF', '/*', '//', "'", 'ü'],
);
const hostile = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
const valid = fc
  .tuple(fc.jsonValue(), fc.constantFrom(undefined, 2, '\t'))
  .map(([value, indent]) => JSON.stringify(value, undefined, indent));

it('reads what JSON.parse reads, and refuses the rest and duplicate keys', () => {
  fc.assert(
    fc.property(fc.oneof(hostile, valid), (text) => {
      let expected: { value: unknown } | undefined;
      try {
        expected = { value: JSON.parse(text.replace(/^\uFEFF/, '')) };
      } catch {}
      const { value, problems } = readJson(text, Number);
      if (expected && !problems.some(({ message }) => message.includes('already'))) {
        expect(problems).toEqual([]);
        expect(value).toEqual(expected.value);
      } else expect(problems).not.toEqual([]);
    }),
    { numRuns: runs(40_000) },
  );
});

const fewKeys = fc.constantFrom('a', 'b', '\\u0061', '__proto__', '"}', 'é');
const jsonWithRepeatedKeys = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('1', 'null', '"a"', '"{\\"a\\":1,"', '[]', '{}'),
    fc.array(tie('text'), { maxLength: 3 }).map((items) => `[${items.join(',\n')}]`),
    fc
      .array(fc.tuple(fewKeys, tie('text')), { maxLength: 4 })
      .map((members) => `{${members.map(([key, value]) => `${quoted(key)}:\r\n${value}`).join(' ,')}}`),
  ),
})).text;
/** Returns a key as JSON; escapes of letters stay as they are, so that equal keys can be written in two ways. */
const quoted = (key: string) => (key.startsWith('\\u') ? `"${key}"` : JSON.stringify(key));

it('finds a repeated key exactly if readJson does, with the same message', () => {
  fc.assert(
    fc.property(fc.oneof(jsonWithRepeatedKeys, valid), (text) => {
      // Of several objects with a repeated key, each reader may name another one: `readJson` looks at an object after the values in it.
      const { problems } = readJson(text);
      const repeated = findRepeatedKey(text);
      if (repeated) expect(problems).toContainEqual(repeated);
      else expect(problems).toEqual([]);
    }),
    { numRuns: runs(20_000) },
  );
});
