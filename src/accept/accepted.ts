import type * as z from 'zod';
import type { ReadBlock } from '../config/blocks/block.ts';
import { declarable, expressible } from '../export/expressible.ts';
import { referred, spelled } from '../export/write-field.ts';
import { referenceOf, traitsOf } from '../kind/traits.ts';
import type { Address } from '../model/address.ts';
import { isRef, isSecret, mapHoles, type Value } from '../model/value.ts';
import type { WrittenValue } from './edit-value.ts';

/** A field of a block that is to say something else. `after` absent: it is to say nothing. */
export interface AcceptedField {
  path: string[];
  before: WrittenValue;
  after: WrittenValue;
  isUnordered: boolean;
}

/** The new fields of a block of the YAML. */
export type AcceptedChange =
  | { type: 'fields'; addresses: Address[]; block: ReadBlock; fields: AcceptedField[] }
  | { type: 'gone'; addresses: Address[]; block: ReadBlock }
  | AcceptedSet
  | AcceptedSplit
  | AcceptedName;

/** An object that has another name outside. */
export interface AcceptedName {
  type: 'renamed';
  block: ReadBlock;
  /** The field that is its name. */
  field: AcceptedField;
  /** The address that it has here, and that it has under its new name. */
  from: Address;
  to: Address;
}

/** An entry that stands for several places, of which a part is to say something else: that part is an entry of its own from now on. */
export interface AcceptedSplit {
  type: 'split';
  addresses: Address[];
  block: ReadBlock;
  /** The fields of the places that the entry keeps. */
  fields: AcceptedField[];
  added: EntryValues[];
  /** All entries, the one that stays first: where they are said anew. */
  allEntries: EntryValues[];
}

/** The differences of an entry from the one that it was a part of; it leaves out members that are undefined. */
export type EntryValues = ReadonlyMap<string, WrittenValue>;

/** The new form of a set that several blocks declare together. */
export interface AcceptedSet {
  type: 'set';
  addresses: Address[];
  address: Address;
  changed: { block: ReadBlock; fields: AcceptedField[] }[];
  gone: ReadBlock[];
  added: WrittenValue[];
  /** All its members, where the set is to be said anew. */
  allMembers: WrittenValue[];
  blocks: ReadBlock[];
}

/** Something that is not taken over, and why, for people. */
export interface LeftOut {
  address: Address;
  reason: string;
}

/** A found value in the words of the YAML, or why it has none. Nothing: as `null` where that can be said. */
export function writeLiveValue(
  name: string,
  schema: z.ZodType | undefined,
  value: Value | undefined,
): { words: WrittenValue } | { problem: string } {
  if (!schema) return { problem: `\`${name}\` cannot be expressed in a configuration` };
  if (traitsOf(schema).file)
    return { problem: `\`${name}\` is the content of a file, which the platform does not return` };
  const nothing = () => ({ words: schema.safeParse(null).success ? null : undefined });
  if (value === undefined || value === null) return nothing();
  const part = declarable(schema, value) ?? value;
  if (referenceOf(schema) !== undefined && [part].flat().every(isRef)) return named(part, value);
  const { part: kept, problems } = expressible('value', schema, part, value);
  if (problems.length > 0 || kept === undefined)
    return { problem: problems.join('; ').replaceAll('`value', () => `\`${name}`) };
  return { words: written(kept) };
}

function named(part: Value, value: Value): { words: WrittenValue } | { problem: string } {
  if ([value].flat().some((one) => isRef(one) && one.$ref.startsWith('#')))
    return { problem: 'it refers to something that does not exist' };
  return { words: referred(part) as WrittenValue };
}

/** A wanted value in the words of the YAML. A secret has none: whatever it is compared with is another value. */
export function writeDesiredValue(schema: z.ZodType | undefined, value: Value | undefined): WrittenValue {
  if (value === undefined) return undefined;
  if (schema && referenceOf(schema) !== undefined && [value].flat().every(isRef))
    return referred(value) as WrittenValue;
  return written(value);
}

const written = (value: Value): WrittenValue =>
  spelled(
    mapHoles(value, (hole) =>
      isSecret(hole) ? '${a secret}' : isRef(hole) ? hole : '${an expression}',
    ) as Value,
    [],
    () => '',
  ) as WrittenValue;

/** True if lists in a field have no order. */
export const isUnordered = (schema: z.ZodType | undefined): boolean =>
  schema !== undefined && traitsOf(schema).unordered === true;

/** The parts that cannot be written anywhere, each with the reason. */
export interface Unplaced {
  addresses: Address[];
  reason: string;
}
