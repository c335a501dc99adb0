import { expect, test } from 'vitest';
import { parseYamlNow } from '../../src/config/yaml/parse-with-library.ts';
import { Source } from '../../src/config/yaml/source.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import { configure, fieldsOf, told } from './configure.ts';

const story = oneStoryIn(4);

const cases: [name: string, yaml: string, expected: string[]][] = [
  ['an unclosed quote', 'sites:\n  web: { note: "abc\n', ['yaml/syntax 2:16']],
  ['an unclosed quote that ends with an escaped one', 'sites: { web: "abc\\" }\n', ['yaml/syntax 1:15']],
  ['an unclosed quote far above', `sites:\n  web: 'abc''\n${'  # more\n'.repeat(9)}`, ['yaml/syntax 2:8']],
  ['an unclosed bracket', 'sites: { web: [1, 2 }\n', ['yaml/syntax 1:15']],
  ['brackets in each other', 'sites: { web: [{ a: 1, b: [1, 2 }]\n', ['yaml/syntax 1:27']],
  ['an unclosed bracket far above', 'sites: { web: 1\nother: 1\n', ['yaml/syntax 1:8']],
  ['a tab that indents', 'sites:\n\tweb: {}\n', ['yaml/tab 2:1']],
  ['a second colon', 'sites: web: {}\n', ['yaml/syntax 1:8']],
  ['no space after a colon', 'sites:\n  web: {}\n  a:x\n  b: y\n', ['yaml/syntax 3:3']],
  ['no space after a colon, and a comment', 'sites:\n  a:x # c\n  b: y\n', ['yaml/syntax 2:3']],
  ['no space after a colon in a list', 'sites:\n  - a:x\n    b: y\n', ['yaml/syntax 2:5']],
  ['no colon', 'sites:\n  web\n  api: {}\n', ['yaml/syntax 2:3']],
  ['a line that is indented too far', 'sites:\n  web: a\n   api: b\n', ['yaml/syntax 3:4']],
  ['a line that is indented too far below a URL', 'sites:\n  a: http://x\n   b: y\n', ['yaml/syntax 3:4']],
  ['a bad escape', 'sites: { web: { note: "\\q" } }\n', ['yaml/syntax 1:24']],
  ['a key that stands twice', 'sites:\n  web: {}\n  api: {}\n  web: {}\n', ['yaml/duplicate-key 4:3']],
  ['a tag', 'sites: { web: { note: !foo bar } }\n', ['yaml/tag 1:23']],
  ['a tag of YAML 1.1', 'sites: { web: { note: !!binary aGk= } }\n', ['yaml/tag 1:23']],
  ['an alias without anchor', 'sites: { web: *nothing }\n', ['yaml/alias 1:15']],
  ['an alias in its own anchor', 'sites: &a { web: *a }\n', ['yaml/alias 1:18']],
  ['a key that is no text', 'sites:\n  ? [a]\n  : {}\n', ['yaml/key 2:5']],
  ['a key that is dangerous', 'sites: { __proto__: { port: 1 } }\n', ['yaml/key 1:10']],
  ['a merge of a text', 'sites: { web: { <<: text } }\n', ['yaml/merge 1:17']],
  ['a file that is a list', '- a\n', ['config/type 1:1', 'config/stack zz.yaml:1:1']],
];
test.each(cases)('%s', async (_, yaml, expected) => {
  expect(
    told(await configure(yaml, { header: '' })).filter((line) => !line.startsWith('config/stack')),
  ).toEqual(expected.filter((line) => !line.startsWith('config/stack')));
});

test('all problems of a broken file are told, and those of other files', async () => {
  const configuration = await configure({
    'a.yaml': 'sites:\n  web: { port: "x }\n',
    'b.yaml': 'sites:\n  api: { prot: 1 }\n  cdn: { note: "${sites.web.id}" }\n',
  });
  expect(told(configuration)).toEqual(['yaml/syntax a.yaml:2:16', 'config/unknown-key b.yaml:2:10']);
});

test('merges: own keys win, the first of a list wins, and places are those of the text', async () => {
  const yaml = `x-a: &a { port: 3, note: a, active: true }
x-b: &b { port: 2, version: b }
sites:
  web: { <<: [*a, *b], note: mine }
  api:
    version: own
    <<: *b
`;
  const configuration = await configure(yaml);
  expect(fieldsOf(configuration, 'sites/web')).toEqual({
    name: 'web',
    port: 3,
    note: 'mine',
    active: true,
    version: 'b',
  });
  expect(fieldsOf(configuration, 'sites/api')).toEqual({ name: 'api', port: 2, version: 'own' });
  expect(told(await configure('x-a: &a { port: no }\nsites: { web: *a, api: { <<: *a } }\n'))).toEqual([
    'config/type 1:17',
  ]);
});

test('a quoted `<<` is a key like any other', async () => {
  expect(told(await configure('sites: { web: { "<<": {} } }'))).toEqual(['config/unknown-key 1:17']);
});

test('aliases that stand for too much are refused', async () => {
  const lines = ['x-0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]'];
  for (let i = 1; i < 12; i++)
    lines.push(
      `x-${i}: &a${i} [${Array(9)
        .fill(`*a${i - 1}`)
        .join(', ')}]`,
    );
  const [only, ...more] = told(await configure(`${lines.join('\n')}\nsites: { web: { extra: *a11 } }\n`));
  expect(only).toMatch(/^yaml\/alias-limit \d:/);
  expect(more).toEqual([]);
});

story('deep nesting is refused, however it comes about', async () => {
  for (const yaml of [
    `sites: { web: { extra: ${'['.repeat(150)}${']'.repeat(150)} } }`,
    `sites: { web: { extra: ${'['.repeat(20_000)}${']'.repeat(20_000)} } }`,
    `sites: { web: { extra: ${'['.repeat(20_000)} } }`,
    `${Array.from({ length: 300 }, (_, i) => `x-${i}: &a${i} [${i ? `*a${i - 1}` : 1}]`).join('\n')}\nsites: {}`,
  ])
    expect(told(await configure(yaml))[0]).toMatch(/^yaml\/depth/);
});

oneRowIn(5)([
  ['lists in brackets', `x: ${'['.repeat(30_000)}${']'.repeat(30_000)}`],
  ['brackets that are never closed', `x: ${'['.repeat(30_000)}`],
  ['maps in brackets', `x: ${'{ a: '.repeat(30_000)}1${' }'.repeat(30_000)}`],
  ['lists', `x:\n  ${'- '.repeat(30_000)}a`],
  ['keys', `x:\n  ${'? '.repeat(30_000)}a`],
  ['maps', `x:\n${Array.from({ length: 1_000 }, (_, i) => `${' '.repeat(i + 1)}a:`).join('\n')}`],
])('deep nesting of %s is refused without deep calls', (_, yaml) => {
  const source = new Source('a.yaml', `${yaml}\n`);
  // If the parser of YAML runs out of stack, the message is another one.
  expect(parseYamlNow(source).diagnostics).toMatchObject([
    { code: 'yaml/depth', message: 'this is nested more than 100 levels deep' },
  ]);
});

story('many lines that open two maps each are one syntax error per line', async () => {
  const count = 5_000;
  const { diagnostics } = await configure('a: b: c\n'.repeat(count));
  expect(new Set(diagnostics.map(({ code }) => code))).toEqual(new Set(['yaml/syntax']));
});

story('a line of 5 MB is read, and quoted around the column only', async () => {
  const filler = 'x '.repeat(2_500_000);
  const { diagnostics } = await configure(
    `sites: { web: { note: "${filler}", prot: 1, version: "${filler}" } }`,
  );
  expect(diagnostics.map(({ code }) => code)).toEqual(['config/unknown-key']);
  expect(diagnostics[0]!.at!.text!.length).toBeLessThan(165);
  expect(diagnostics[0]!.at!.text).toContain('prot: ');
});

test('what is quoted cannot drive a terminal', async () => {
  const { diagnostics } = await configure('sites: { web: { pr\u001b[31mot\u202e: 1 } }');
  expect(diagnostics).toHaveLength(1);
  expect(JSON.stringify(diagnostics)).not.toMatch(/\\u001b|\u202e/);
});

test('a line that cannot be parsed is quoted without its values', async () => {
  const { diagnostics } = await configure('sites:\n  web:\n    password: canary1 canary2: "canary3\n');
  expect(diagnostics.length).toBeGreaterThan(0);
  expect(JSON.stringify(diagnostics)).not.toContain('canary');
  expect(JSON.stringify(diagnostics)).toContain('password:');
});
