import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lineWithoutValues } from '../../src/config/yaml/source.ts';
import { runs } from '../support/sweep.ts';

it.each([
  [
    '  web: { framework: nextjs, framework: vite, env: { A: hunter2 } }',
    '  web: { framework: …, framework: …, env: { A: … } }',
  ],
  [
    '  web: { framework: ${var.x}, env: { A: ${hunter2 } }',
    '  web: { framework: ${var.x}, env: { A: …{… } }',
  ],
  ['- { $at: projects/web, "quoted: key": x, target: [a, b] }', '- { $at: …, "…: …": …, target: […, …] }'],
  ['password: hunter2, then: more { a: b', 'password: …, …: … { …: …'],
  ['  A: "never, closed: hunter2', '  A: "…, …: …'],
  ["x: { a: 'it''s, b: c', d: e }", "x: { a: '…''…, …: …', d: … }"],
  ['x: { a: "b\\", hunter2: c", d: e }', 'x: { a: "…", …: …", d: … }'],
  ['x: { sk_live_51H8xKq2: a }', 'x: { …: … }'],
  ['hunter2', '…'],
])('%s', (line, shown) => {
  expect(lineWithoutValues(line)).toBe(shown);
});

it('a part of a line is what the whole line has there', () => {
  const word = fc.constantFrom(
    '{ ',
    ' }',
    'key: ',
    ', ',
    '"',
    "'",
    'value',
    '- ',
    '[',
    ']',
    ' ',
    '${var.x}',
    ': ',
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), (words) => {
      const line = words.join('');
      // Up to the beginning of a word, so that no value is cut.
      for (let end = 0, i = 0; i < words.length; end += words[i++]!.length)
        if (/\s$/.test(line.slice(0, end)))
          expect(lineWithoutValues(line).startsWith(lineWithoutValues(line, 0, end))).toBe(true);
    }),
    { numRuns: runs(4000) },
  );
});
