/// <reference types="vite/client" />
import * as z from 'zod';
import type { FieldSchemas, Kind } from '../../src/kind/kind.ts';
import { innerOf, shapeOf, traitsOf } from '../../src/kind/traits.ts';

import type { Block, Sample } from './sample.ts';

export { type Block, type Sample, sampleSeed } from './sample.ts';

/** One sample for each kind, from the files of `test/samples`; the contract test proves that no kind and no leaf is missing. */
export const samples: Record<string, Sample> = Object.assign(
  {},
  ...Object.values(import.meta.glob('../samples/*.ts', { eager: true })),
);

/** A sample's body with one block in its place, under a name of its own. */
export function placed({ place, names }: Sample, label: string, block: Block): Block {
  const isName = names?.includes(label) ?? true;
  const name = isName ? label : names![label.codePointAt(0)! % names!.length]!;
  return JSON.parse(JSON.stringify(place(block)).replaceAll('LABEL', name));
}

/** One block over another, member by member; undefined takes a member out. */
export const overlaid = (base: Block = {}, over: Block = {}): Block =>
  Object.fromEntries(Object.entries({ ...base, ...over }).filter(([, value]) => value !== undefined));

/** A block with the value at `path` set. */
export function withLeaf(block: Block, path: string, value: unknown): Block {
  const [name, ...rest] = path.split('.') as [string, ...string[]];
  const inner = rest.length === 0 ? value : withLeaf((block[name] ?? {}) as Block, rest.join('.'), value);
  return { ...block, [name]: inner };
}

/** Bodies of configurations as one; lists under one name are joined. */
export function merged(...bodies: Block[]): Block {
  const result: Block = {};
  for (const [name, value] of bodies.flatMap((body) => Object.entries(body))) {
    const known = result[name];
    if (known === undefined) result[name] = value;
    else if (Array.isArray(known)) result[name] = [...known, ...(value as unknown[])];
    else result[name] = merged(known as Block, value as Block);
  }
  return result;
}

/** A leaf of a kind's schemas; a map's members are `*`. `resets`: the path where null means something, if any. */
export interface SchemaLeaf {
  path: string;
  schema: z.ZodType;
  resets?: string;
}

/** All leaves that can be written in a block, as they are compared: objects by member, atomic ones whole. */
export function schemaLeaves(fields: FieldSchemas): SchemaLeaf[] {
  return Object.entries(fields).flatMap(([name, schema]) => leavesIn(name, schema, undefined));
}

function leavesIn(path: string, schema: z.ZodType, above: string | undefined): SchemaLeaf[] {
  const resets = schema.safeParse(null).success ? path : above;
  const shape = traitsOf(schema).atomic ? undefined : shapeOf(schema);
  if (shape)
    return Object.entries(shape).flatMap(([name, inner]) => leavesIn(`${path}.${name}`, inner, resets));
  const members = traitsOf(schema).atomic ? undefined : mapMembers(schema);
  if (members) return leavesIn(`${path}.*`, members, resets);
  return [{ path, schema, ...(resets === undefined ? {} : { resets }) }];
}

function mapMembers(schema: z.ZodType): z.ZodType | undefined {
  const def = schema.def as { type: string; valueType?: z.ZodType };
  if (def.type === 'record') return def.valueType;
  const inner = innerOf(schema);
  return inner && mapMembers(inner);
}

/** The leaves of a kind that a block may name: without the parts of its key that the place says. */
export const writableLeaves = (kind: Kind): SchemaLeaf[] =>
  schemaLeaves(kind.fields).filter(({ path }) => !kind.key.includes(path));

/** Whether a sample's leaf is the one of the schema; `*` stands for any member of a map. */
export const isLeaf = (sample: string, schema: string): boolean => {
  const [a, b] = [sample.split('.'), schema.split('.')];
  return a.length === b.length && b.every((part, index) => part === '*' || part === a[index]);
};

/** The strict schema of a block in the YAML, `$` keys and child sections not included. */
export const blockSchema = (kind: Kind): z.ZodObject => z.strictObject(kind.fields);
