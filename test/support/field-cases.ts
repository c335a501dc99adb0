import { comparedFields } from '../../src/kind/compare.ts';
import { canDo, lineage } from '../../src/kind/define-kind.ts';
import type { Kind } from '../../src/kind/kind.ts';
import { traitsOf } from '../../src/kind/traits.ts';
import { expectWhole } from '../contract/contract.ts';
import {
  type Block,
  isLeaf,
  merged,
  overlaid,
  placed,
  samples,
  withLeaf,
  writableLeaves,
} from './samples.ts';
import { kinds } from './world.ts';

/** One field of one object, alone: the block in each step, and the change that the step must be. */
export interface FieldCase {
  /** A name of its own, which its objects' addresses have in them. */
  label: string;
  steps: Block[];
  /** By step: the one sort of change that there is; nothing: no change at all. */
  expected: ({ kind: string; action: string; fields: string[] } | 'anything' | undefined)[];
  /** Whether the platform always answers the field. */
  readable: boolean;
}

/** Whether an address is, or is in, an object of the case with this label. */
export const touched = (address: string, label: string): boolean => address.split(/[/.@_]/).includes(label);

/**
 * Two objects for each leaf: one that is created with it, then changed, then reset (where null means something), and one
 * that is created without, then given it, then changed. In the last step neither names it any more. Throws what is missing for the
 * kind, if anything is.
 */
export function casesOf(kind: Kind): FieldCase[] {
  expectWhole(kind);
  const sample = samples[kind.name]!;
  const leaves = writableLeaves(kind);
  // Of what has no fields, that it comes, stays and goes.
  if (leaves.length === 0) return [onlyThere(kind.name.toLowerCase(), sample.base ?? {})];
  return Object.entries(sample.leaves).flatMap(([path, [one, two, beside = {}]], index) => {
    const leaf = leaves.find((each) => isLeaf(path, each.path))!;
    const traits = { ...traitsOf(kind.fields[path.split('.')[0]!]!), ...traitsOf(leaf.schema) };
    const least = merged(overlaid(sample.base, beside));
    const first = withLeaf(least, path, one);
    const second = withLeaf(least, path, two);
    // A field that an object cannot be without cannot be let go.
    const without = has(least, path) ? second : least;
    // Null takes all of an object field away, also what the leaf needs beside it.
    const resets = leaf.resets !== undefined && !has(least, leaf.resets) ? leaf.resets : undefined;
    const reset = resets === undefined ? second : withLeaf(least, resets, null);
    const fixed = traits.immutable === true || traits.createOnly;
    // Letters and digits alone: names of variables take nothing else.
    const name = `${kind.name}${index}`.toLowerCase();
    const make = (label: string, steps: Block[]): FieldCase => ({
      label,
      steps,
      expected: steps.map((step, at) => {
        const before = steps[at - 1];
        if (before === undefined || sample.identity?.includes(path)) return 'anything';
        if (JSON.stringify(step) === JSON.stringify(before) || traits.createOnly) return undefined;
        const isReset = resets !== undefined && (step === reset || before === reset);
        const cause = step === least ? 'released' : 'edit';
        return changeOf(kind, cause, isReset ? resets : path, !canDo(kind, 'update') || fixed === true);
      }),
      readable: !traits.readMayLack && !traits.writeOnly,
    });
    // What can be named in a few ways has a case for each of them.
    if (sample.names) return [make(sample.names[index]!, [first, second, reset, without])];
    if (traits.createOnly) return [make(`${name}made`, [first, second, second, without])];
    if (fixed) return [make(`${name}made`, [first, first, first, has(least, path) ? first : least])];
    const last = sample.identity?.includes(path) ? [reset, second] : [without, without];
    return [
      make(`${name}made`, [first, second, reset, last[0]!]),
      make(`${name}set`, [least, first, second, last[1]!]),
    ];
  });
}

const onlyThere = (name: string, base: Block): FieldCase => ({
  label: `${name}-there`,
  steps: [base, base, base, base],
  expected: ['anything', undefined, undefined, undefined],
  readable: true,
});

function changeOf(kind: Kind, cause: 'edit' | 'released', path: string, isFixed: boolean) {
  const compared = comparedFields(kind);
  const [name] = path.split('.') as [string];
  // Members of a set are compared inside it: a member's field that is let go is only recorded.
  if (!compared[name]) {
    const [set] = Object.keys(compared).filter((field) => !kind.key.includes(field));
    return cause === 'edit'
      ? { kind: kind.name, action: 'update', fields: [`${set}: edit`] }
      : { kind: kind.name, action: 'adopt', fields: [] };
  }
  return {
    kind: kind.name,
    action: cause === 'released' ? 'release' : isFixed ? 'replace' : 'update',
    fields: [`${path}: ${cause}`],
  };
}

const has = (block: Block, path: string): boolean =>
  path.split('.').reduce<unknown>((at, name) => (at as Block | undefined)?.[name], block) !== undefined;

/** All cases of a kind in one configuration, each in its own place, as they are in one step. */
export const bodyOf = (kind: Kind, cases: FieldCase[], step: number): Block =>
  merged(...cases.map(({ label, steps }) => placed(samples[kind.name]!, label, steps[step]!)));

/** The body without any object of the kind; what they are in stays. */
export function withoutKind(body: Block, kind: Kind): Block {
  const strip = (block: Block, [first, ...below]: Kind[]): Block => {
    const { [first!.section]: inside, ...rest } = block;
    if (below.length === 0 || inside === undefined) return rest;
    const blocks = inside as Block;
    const inner =
      first!.key.length === 0
        ? strip(blocks, below)
        : Object.fromEntries(Object.entries(blocks).map(([key, each]) => [key, strip(each as Block, below)]));
    return { ...rest, [first!.section]: inner };
  };
  // A configuration that declares nothing is refused: something else stands in it.
  return merged(strip(body, lineage(kinds, kind.name).reverse()), { projects: { 'stays-anyway': {} } });
}
