import { isDeepStrictEqual } from 'node:util';
import { kindsOf, lineage } from '../../src/kind/define-kind.ts';
import type { Kind } from '../../src/kind/kind.ts';
import type { Block, Sample } from '../support/sample.ts';
import { blockSchema, isLeaf, overlaid, placed, withLeaf, writableLeaves } from '../support/samples.ts';
import { type Given, kebab } from './given.ts';

/** What the sample of a kind lacks, has too much of, or has wrong. */
export function sampleFindings(kind: Kind, { kinds, samples }: Given): string[] {
  const file = `test/samples/${kebab(kind.name)}.ts`;
  const sample = samples[kind.name];
  if (!sample) return [`it has no sample: write ${file}, which exports \`${kind.name}\``];
  const missing = (['place', 'leaves'] as const).filter((member) => sample[member] === undefined);
  if (missing.length > 0) return missing.map((member) => `its sample has no \`${member}\`: ${file}`);
  const leaves = writableLeaves(kind).map(({ path }) => path);
  const covered = Object.keys(sample.leaves);
  const found = [
    ...leaves
      .filter((leaf) => !covered.some((path) => isLeaf(path, leaf)))
      .map((leaf) => `its sample has no values for \`${leaf}\`: give \`leaves\` in ${file} two of them`),
    ...covered
      .filter((path) => !leaves.some((leaf) => isLeaf(path, leaf)))
      .map((path) => `its sample has values for \`${path}\`, which is nothing that a block names: ${file}`),
  ];
  if (found.length > 0) return found;
  const { names = covered } = sample;
  if (names.length < covered.length)
    return [
      `its sample has ${covered.length} leaves, each on an object of its own, and too few \`names\`: ${file}`,
    ];
  const path = [...pathOf(placed(sample, 'LABEL', { HERE: true }))].filter((name) => name !== '[]');
  const sections = lineage(kindsOf(kinds), kind.name).map(({ section }) => section);
  for (const section of sections.reverse()) {
    const at = path.indexOf(section);
    if (at < 0) return [`its sample puts a block where there is no \`${section}\`: \`place\` in ${file}`];
    path.splice(0, at + 1);
  }
  const schema = blockSchema(kind);
  return Object.entries(sample.leaves).flatMap(([leaf, values]) => {
    if (values.length < 2) return [`its sample has one value for \`${leaf}\`: give it another, ${file}`];
    const [one, other, beside = {}] = values;
    if (isDeepStrictEqual(one, other) && !isFixed(sample, leaf))
      return [`its sample has the same value for \`${leaf}\` twice: a change needs another, ${file}`];
    return [one, other].flatMap((value) => valueFindings(kind, schema, sample, beside, leaf, value, file));
  });
}

const isFixed = ({ identity = [], single = [] }: Sample, leaf: string): boolean =>
  [...identity, ...single].includes(leaf);

/** The name that the place of a sample gives its block. */
export const nameIn = (sample: Sample, label: string): string | undefined =>
  pathOf(placed(sample, label, { HERE: true }))
    .filter((name) => name !== '[]')
    .at(-1);

function valueFindings(
  kind: Kind,
  schema: ReturnType<typeof blockSchema>,
  sample: Sample,
  beside: Block,
  leaf: string,
  value: unknown,
  file: string,
): string[] {
  const block = withLeaf(overlaid(sample.base, beside), leaf, value);
  const own = Object.entries(block).filter(([field]) => !field.startsWith('$'));
  const { mapBy } = kind.yaml;
  const name = mapBy === undefined ? {} : { [mapBy]: nameIn(sample, 'label') };
  const issues = schema.safeParse({ ...name, ...Object.fromEntries(own) }).error?.issues ?? [];
  const said = issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  return issues.length === 0
    ? []
    : [`its sample has ${JSON.stringify(value)} for \`${leaf}\`, which is refused (${said}): ${file}`];
}

/** The names on the way to the block that holds HERE; `[]` is a place in a list. */
export function pathOf(block: unknown): string[] {
  if (typeof block !== 'object' || block === null || 'HERE' in block) return [];
  for (const [name, inner] of Object.entries(block))
    if (JSON.stringify(inner ?? null).includes('"HERE"'))
      return [Array.isArray(block) ? '[]' : name, ...pathOf(inner)];
  return [];
}
