import fc from 'fast-check';
import { expect } from 'vitest';
import { Document, parse } from 'yaml';
import { toPlainData } from '../../src/accept/format-yaml-text.ts';
import { formatYaml } from '../../src/config/format/format-yaml.ts';
import { Source } from '../../src/config/yaml/source.ts';
import { printYaml } from '../../src/export/layout-values.ts';
import { CommentedMap, createYamlNode, printDocument, type YamlValue } from '../../src/export/print-yaml.ts';
import { oneStoryIn, runs } from '../support/sweep.ts';

const story = oneStoryIn(3);

/** Prints a map the plain way: the library prints a document, and the formatter reads the text and prints it again. */
function printByLibrary(map: CommentedMap, comments: string[]): string {
  const document = new Document();
  document.contents = createYamlNode(map, document) as never;
  const text = printDocument(document);
  const withComments =
    comments.map((comment) => `# ${comment}\n`).join('') + (comments.length > 0 ? '\n' : '') + text;
  return formatYaml(new Source('', withComments)).text ?? text;
}

const oddTexts = [
  ...[
    '',
    ' ',
    '-',
    '- a',
    'a:',
    'a: b',
    'a:b',
    'a #b',
    '#a',
    'a#b',
    '<<',
    '~',
    '=',
    '---',
    '...',
    '--- a',
    '? a',
    '&a',
    '*a',
    '!a',
  ],
  ...[
    'null',
    'Null',
    'true',
    'FALSE',
    'yes',
    'no',
    'on',
    '0',
    '-1',
    '1.0',
    '1e3',
    '.inf',
    '.NaN',
    '0x1F',
    '0o7',
    '+1',
    '1_000',
  ],
  ...[
    'a, b',
    '[a]',
    '{a}',
    'a]',
    '"a"',
    "it's",
    'say "hi"',
    '\\',
    'a\\',
    '%a',
    '@a',
    '`a',
    '|',
    '>',
    'a ',
    ' a',
    'a  b',
    'a\tb',
  ],
  ...[
    'a\nb',
    'a\n',
    '\na',
    'a\n\n',
    ' a\nb',
    '::set-output',
    '##[a]',
    'a\u0000b',
    '\u200b',
    'é',
    '😀',
    '2026-11-28',
    '192.0.2.1',
  ],
  ...[
    'https://a.example/b?c=d&e',
    '/old/:path*',
    'a/',
    'a-',
    '${var.a}',
    '${a} b',
    '$${a}',
    '${a["b"]}',
    '${secrets.A_B}',
    '${each.key}',
  ],
  ...[
    'value 1 of project 2',
    'x'.repeat(70),
    'word '.repeat(30),
    `${'line\n'.repeat(3)}end`,
    `${'a b '.repeat(20)}\nc`,
    'k'.repeat(1100),
  ],
];
const text = fc.oneof(
  fc.constantFrom(...oddTexts),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(...'aZ0_ .:/-?#,[]{}$"\'\\\n'), maxLength: 8 }),
  // Characters that YAML escapes, breaks lines at or cannot hold, such as half of a pair.
  fc.string({
    unit: fc.constantFrom(...'a \udc00\t\r\n\0\u001b\u007f\u0085\u00a0\u2028\ufeff😀\ud800'),
    maxLength: 6,
  }),
);
/** Keys that stand in front of a `:`. Behind a `?`, the first comment of a map has another place. */
const name = text.filter((key) => key.length < 1000 && key !== '__proto__');
/** Texts that the library and the formatter would lose a part of. */
const isFragile = (line: string) => line.trim() === '' && line.includes('\n');
const scalarOf = (texts: fc.Arbitrary<string>) =>
  fc.oneof(texts, fc.boolean(), fc.constant(null), fc.integer(), fc.double({ noNaN: true }), fc.constant(-0));
const collectionOf = (texts: fc.Arbitrary<string>): fc.Arbitrary<YamlValue> =>
  fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, scalarOf(texts), tie('list'), tie('map')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    map: fc.dictionary(
      texts.filter((key) => key.length < 1000 && key !== '__proto__'),
      tie('value'),
      { maxKeys: 4 },
    ),
    collection: fc.oneof(tie('list'), tie('map')),
  })).collection as fc.Arbitrary<YamlValue>;
const comments = fc.array(fc.constantFrom('a comment', 'two\nlines', '', '# a', 'a: b', 'odd \u0007'), {
  maxLength: 2,
});
/** Only a map that is an item of a list has comments of its own. */
const mapWithComments = (value: fc.Arbitrary<YamlValue>, ownComments: fc.Arbitrary<string[]>) =>
  fc
    .tuple(
      fc.uniqueArray(fc.tuple(name, value, comments), { maxLength: 4, selector: ([key]) => key }),
      ownComments,
    )
    .map(([entries, lines]) => {
      const map = new CommentedMap(lines);
      for (const [key, item, entryComments] of entries) map.add(key, item, entryComments);
      return map;
    });
const none = fc.constant<string[]>([]);
/** A file with these collections, in which texts are written in all other places, too. */
function fileOf(collection: fc.Arbitrary<YamlValue>, texts: fc.Arbitrary<string>) {
  const value = fc.oneof(scalarOf(texts) as fc.Arbitrary<YamlValue>, collection);
  const item = mapWithComments(value, comments);
  // Without a map with comments, a list is a collection.
  const others = fc.array(fc.oneof(value, item), { maxLength: 2 });
  const items = fc.tuple(others, item, others).map(([before, map, after]) => [...before, map, ...after]);
  const section = mapWithComments(fc.oneof(value, mapWithComments(value, none), items), none);
  return section.map((map) => new CommentedMap().add('stack', 'a').add('projects', map));
}

story('prints what the formatter makes of the text of the YAML library', () => {
  // Between brackets, the library writes some texts with line ends as maps.
  const oneLine = text.filter((line) => !line.includes('\n'));
  fc.assert(
    fc.property(
      fileOf(
        collectionOf(oneLine),
        text.filter((line) => !isFragile(line)),
      ),
      (map) => {
        expect(printYaml(map, ['a comment'])).toBe(printByLibrary(map, ['a comment']));
      },
    ),
    { numRuns: runs(10_000) },
  );
});

story('prints a text with the same meaning', () => {
  fc.assert(
    fc.property(fileOf(collectionOf(text), text), (map) => {
      const printed = printYaml(map);
      expect(parse(printed)).toEqual(toPlainData(map));
      expect(formatYaml(new Source('', printed)).text ?? printed).toBe(printed);
    }),
    { numRuns: runs(10_000) },
  );
});
