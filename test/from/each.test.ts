import { expect, it } from 'vitest';
import { kinds } from '../../providers/hosting/kinds/index.ts';
import { printYaml } from '../../src/export/layout-values.ts';
import { CommentedMap, type YamlValue } from '../../src/export/print-yaml.ts';
import { toCanonicalConfiguration } from '../../src/from/canonical-configuration.ts';
import { foldInstances } from '../../src/from/fold-sections.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';

const block = (entries: Record<string, YamlValue>): CommentedMap => {
  const map = new CommentedMap();
  for (const [name, value] of Object.entries(entries)) map.add(name, value);
  return map;
};

const folded = (blocks: Record<string, Record<string, YamlValue>>): string | undefined => {
  const instances = Object.entries(blocks).map(([key, entries]) => ({
    key,
    name: `site-${key}`,
    block: block(entries),
  }));
  const made = foldInstances(instances);
  return made && printYaml(new CommentedMap().add(made.name, made.block));
};

it('what follows from the key needs no table', () => {
  const of = (key: string) => ({ framework: 'astro', domains: block({ [`www.${key}.example.com`]: {} }) });
  expect(folded({ de: of('de'), fr: of('fr') })).toBe(`site-\${each.key}:
  $each: [de, fr]
  framework: astro
  domains:
    www.\${each.key}.example.com: {}
`);
});

it('what differs is a table, of which equal columns are one', () => {
  const of = (country: string, count: number) => ({
    env: [country, 'x'],
    region: country,
    count,
    off: count > 1,
  });
  expect(folded({ de: of('germany', 1), fr: of('france', 2) })).toBe(`site-\${each.key}:
  $each:
    de: { item1: germany, count: 1, off: false }
    fr: { item1: france, count: 2, off: true }
  env: ["\${each.value.item1}", x]
  region: \${each.value.item1}
  count: \${each.value.count}
  off: \${each.value.off}
`);
});

it('blocks of different forms, expressions that differ, and long tables stay written out', () => {
  expect(folded({ de: { a: 1 }, fr: { b: 1 } })).toBeUndefined();
  expect(folded({ de: { a: 1 }, fr: { a: 'x' } })).toBeUndefined();
  expect(folded({ de: { a: [1] }, fr: { a: [1, 2] } })).toBeUndefined();
  expect(folded({ de: { a: '${secret.env[A]}' }, fr: { a: '${secret.env[B]}' } })).toBeUndefined();
  const long = (of: number) => Object.fromEntries([...'abcdefg'].map((name, at) => [name, of * 10 + at]));
  expect(folded({ de: long(1), fr: long(2) })).toBeUndefined();
});

it('two texts mean the same only if all that they come to is equal', async () => {
  const place = { kinds: kindsOf(kinds), cwd: process.cwd() };
  const head = 'stack: a\nplatform: { team: a }\nprojects:\n';
  const of = (body: string) => toCanonicalConfiguration(`${head}${body}`, place);
  const written = await of('  a-x: { framework: astro }\n  a-y: { framework: astro }\n');
  expect(written).toBeDefined();
  expect(await of('  "a-${each.key}": { $each: [y, x], framework: astro }\n')).toBe(written);
  expect(await of('  "a-${each.key}": { $each: [y, z], framework: astro }\n')).not.toBe(written);
  expect(await of('  "a-${each.key}": { $each: [y, x], framework: nextjs }\n')).not.toBe(written);
  expect(await of('  "a-${each.key}": { $each: [y, x], framework: astro, $id: "${each.key}" }\n')).not.toBe(
    written,
  );
  expect(await of('  a-x: { framwork: astro }\n')).toBeUndefined();
  const rules = (...names: string[]) =>
    of(
      `  a: { firewall: { rules: [${names.map((name) => `{ name: ${name}, active: true, action: { mitigate: { action: deny } }, conditionGroup: [{ conditions: [{ type: path, op: eq, value: /${name} }] }] }`)}] } }\n`,
    );
  expect(await rules('x', 'y')).toBe(await rules('x', 'y'));
  expect(await rules('x', 'y')).not.toBe(await rules('y', 'x'));
});
