import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Node } from '../../src/config/yaml/nodes.ts';
import { parseYaml } from '../../src/config/yaml/read-documents.ts';
import { Source } from '../../src/config/yaml/source.ts';
import { codePoint } from '../support/characters.ts';
import { runs } from '../support/sweep.ts';

const plainValue = (node: Node): unknown => {
  if (node.type === 'list') return node.items.map(plainValue);
  if (node.type === 'map')
    return Object.fromEntries(node.entries.map(({ key, value }) => [key.text, plainValue(value)]));
  return node.type === 'scalar' ? node.value : node;
};

const key = fc.oneof(
  fc.string(),
  fc.string({ unit: codePoint, maxLength: 4 }),
  fc.constantFrom('a', '<<', 'b:c', '#x', '- y'),
);
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(
      fc.string(),
      fc.string({ unit: codePoint, maxLength: 6 }),
      fc.constantFrom('no', '1.10', '~', ''),
    ),
    fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(
      key.filter((name) => name !== '__proto__'),
      tie('json'),
      { maxKeys: 3 },
    ),
  ),
}));

it('a JSON data file, which is read as YAML, means what JSON.parse says', async () => {
  await fc.assert(
    fc.asyncProperty(json, fc.constantFrom(undefined, 1, '\t'), async (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      const { documents, diagnostics } = await parseYaml(new Source('d.json', text));
      expect(diagnostics).toEqual([]);
      expect(documents.map(plainValue)).toEqual([JSON.parse(text)]);
    }),
    { numRuns: runs(5_000) },
  );
});
