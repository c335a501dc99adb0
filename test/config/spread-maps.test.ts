import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { load } from '../../src/config/load.ts';
import { openSources } from '../../src/config/sources/sources.ts';
import { runs } from '../support/sweep.ts';
import { configure, folderWith, told } from './configure.ts';
import { kinds } from './kinds.ts';

/** Sites for each member of a `$each`, with CSV files that git tracks. */
async function sites(each: string, files: Record<string, string>, variables: string) {
  const yaml = `stack: test\nvariables: ${variables}\nsites: { "s-\${each.key}": { $each: ${each}, note: "\${each.value.host}" } }`;
  const cwd = await folderWith({ 'trueup.yaml': yaml, ...files });
  const tracking = {
    workTreeOf: async () => cwd,
    tracked: async (_: string, paths: readonly string[]) => new Set(paths),
  };
  const sources = openSources({ env: {}, cwd, tracking });
  return load({ kinds, cwd, env: {}, paths: ['trueup.yaml'], sources });
}
const addresses = ({ desired }: Awaited<ReturnType<typeof configure>>) => [...desired.resources.keys()];

describe('maps that are put together', () => {
  it('are one map: of CSV files in one `$each`', async () => {
    const result = await sites(
      '["...${var.a}", "...${var.b}", "...${var.c}"]',
      { 'a.csv': 'key,host\nat,x\nde,y\n', 'b.csv': 'key,host\nfr,x\n', 'c.csv': 'key,host\nuk,w\n' },
      '{ a: { file: a.csv }, b: { file: b.csv }, c: { file: c.csv } }',
    );
    expect(told(result)).toEqual([]);
    expect(addresses(result)).toEqual(['sites/s-at', 'sites/s-de', 'sites/s-fr', 'sites/s-uk']);
  });

  it('may not have a key in common: the message names both files and lines', async () => {
    const { diagnostics } = await sites(
      '["...${var.a}", "...${var.b}"]',
      { 'a.csv': 'key,host\nat,x\nde,y\n', 'b.csv': 'key,host\nfr,x\nde,y\n' },
      '{ a: { file: a.csv }, b: { file: b.csv } }',
    );
    expect(diagnostics).toMatchObject([
      {
        code: 'yaml/duplicate-key',
        message: '`de` is in more than one of the maps that are put together',
        at: { file: 'b.csv', line: 3 },
        related: [{ at: { file: 'a.csv', line: 3 } }],
      },
    ]);
  });

  it.each([
    ['a section', 'sites: ["...${var.a}", "...${var.b}"]', []],
    ['the default of a variable', 'sites: "${var.both}"', []],
    ['nothing, if all are optional and absent', 'sites: ["...${var.a.x?}"]', []],
    ['a map and a list', 'sites: ["...${var.a}", "...${var.list}"]', ['expression/spread 3:24']],
    [
      'a map in a list of other things',
      'sites: { w: { tags: ["...${var.a}", 1] } }',
      ['expression/spread 3:22'],
    ],
  ])('%s', async (_, yaml, expected) => {
    const variables =
      '{ a: { default: { one: { note: x } } }, b: { default: { two: {} } }, both: { default: ["...${var.a}", "...${var.b}"] }, list: { default: [x] } }';
    const result = await configure(`stack: test\nvariables: ${variables}\n${yaml}\n`);
    expect(told(result)).toEqual(expected);
    if (expected.length === 0 && !yaml.includes('?'))
      expect(addresses(result)).toEqual(['sites/one', 'sites/two']);
  });

  it('have the keys of all of them, or each common key is reported', async () => {
    const keys = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(keys, { minLength: 1, maxLength: 4 }), async (maps) => {
        const variables = maps.map(
          (names, i) => `v${i}: { default: { ${names.map((name) => `${name}: {}`).join(', ')} } }`,
        );
        const spreads = maps.map((_, i) => `"...\${var.v${i}}"`);
        const result = await configure(
          `stack: test\nvariables: { ${variables.join(', ')} }\nsites: [${spreads.join(', ')}]\n`,
        );
        const all = maps.flat();
        const common = new Set(all.filter((name, i) => all.indexOf(name) < i));
        if (common.size === 0)
          expect(addresses(result)).toEqual([...all].sort().map((name) => `sites/${name}`));
        const [problem, ...more] = result.diagnostics;
        expect(more).toEqual([]);
        expect(problem?.code).toBe(common.size === 0 ? undefined : 'yaml/duplicate-key');
        if (problem) expect([...common].some((name) => problem.message.includes(`\`${name}\``))).toBe(true);
      }),
      { numRuns: runs(1500) },
    );
  });
});
