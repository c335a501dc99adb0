import type * as z from 'zod';
import type { ReadBlock } from '../config/blocks/block.ts';
import { findExpressiblePart, toDeclarable } from '../export/expressible.ts';
import { referencedNames, toYamlValue } from '../export/write-field.ts';
import { referenceOf, traitsOf } from '../kind/traits.ts';
import type { Address } from '../model/address.ts';
import { isRef, isSecret, mapHoles, type Value } from '../model/value.ts';
import type { WrittenValue } from './edit-value.ts';

/*
 * `trueup accept` writes changes that were made outside, in the account, into the configuration, so that an apply does not undo them.
 *
 *   written value  a value as plain data as the YAML has it (`WrittenValue`): texts escaped, references in the form in which they are written
 *   block          the YAML of one object or of one entry that stands for several objects
 *   entry          a block that stands for several places at once, such as one variable for three environments
 *   set            an object whose members are blocks of their own, such as DNS records with one name and type
 *
 * The types here say what to write. The other files of this folder find the place in the YAML for it.
 */

/** A field of a block that gets another value. `after` is undefined if the field is removed. */
export interface AcceptedField {
  path: string[];
  before: WrittenValue;
  after: WrittenValue;
  /** True if the order of lists in the value has no meaning. */
  isUnordered: boolean;
}

/**
 * A change of the configuration that accepts a change of the account. `deleted`: the block is removed, because its object was deleted outside.
 */
export type AcceptedChange =
  | { type: 'fields'; addresses: Address[]; block: ReadBlock; fields: AcceptedField[] }
  | { type: 'deleted'; addresses: Address[]; block: ReadBlock }
  | AcceptedSet
  | AcceptedSplit
  | AcceptedName;

/** An object that was renamed in the account. Its block and all references to it get the new name. */
export interface AcceptedName {
  type: 'renamed';
  block: ReadBlock;
  /** The field that is its name. */
  field: AcceptedField;
  /** The addresses under the name in the configuration and under the new name. */
  from: Address;
  to: Address;
}

/** An entry of several units, such as targets of a variable, if only some of them changed. The changed units become entries of their own. */
export interface AcceptedSplit {
  type: 'split';
  addresses: Address[];
  block: ReadBlock;
  /** The changed fields of the entry for the units that stay in it. */
  fields: AcceptedField[];
  added: EntryValues[];
  /** All entries; the first is the existing one. Used if the whole list of entries has to be written again. */
  allEntries: EntryValues[];
}

/** The values of an entry that differ from the entry that it was split from. Undefined: the entry does not have the member. */
export type EntryValues = ReadonlyMap<string, WrittenValue>;

/** The members that a set has in the account. */
export interface AcceptedSet {
  type: 'set';
  addresses: Address[];
  address: Address;
  changed: { block: ReadBlock; fields: AcceptedField[] }[];
  /** The blocks of members that were deleted outside. */
  removed: ReadBlock[];
  added: WrittenValue[];
  /** All members. Used if the whole set has to be written again. */
  allMembers: WrittenValue[];
  /** The blocks that declare the set now. */
  blocks: readonly ReadBlock[];
}

/** A change that cannot be accepted, with the reason for people. */
export interface LeftOut {
  address: Address;
  reason: string;
}

/**
 * Converts a live value to the form that it has in the YAML, so that it can be written into a block. Returns a problem if no YAML can express
 * the value. A missing value becomes `null` if the field allows that, else undefined, which removes the field.
 */
export function writeLiveValue(
  name: string,
  schema: z.ZodType | undefined,
  value: Value | undefined,
): { written: WrittenValue } | { problem: string } {
  if (!schema) return { problem: `\`${name}\` cannot be expressed in a configuration` };
  if (traitsOf(schema).file)
    return { problem: `\`${name}\` is the content of a file, which the platform does not return` };
  if (value === undefined || value === null)
    return { written: schema.safeParse(null).success ? null : undefined };
  const declarableValue = toDeclarable(schema, value) ?? value;
  if (referenceOf(schema) !== undefined && [declarableValue].flat().every(isRef))
    return writeLiveReference(declarableValue, value);
  const { part: expressibleValue, problems } = findExpressiblePart('value', schema, declarableValue, value);
  if (problems.length > 0 || expressibleValue === undefined)
    return { problem: problems.join('; ').replaceAll('`value', () => `\`${name}`) };
  return { written: writeHoles(expressibleValue) };
}

/**
 * Converts a live reference, or a list of them, to the names that the YAML has instead. Returns a problem if one of them points to an object
 * that does not exist; such references have an address that begins with `#`.
 */
function writeLiveReference(
  declarableValue: Value,
  liveValue: Value,
): { written: WrittenValue } | { problem: string } {
  if ([liveValue].flat().some((reference) => isRef(reference) && reference.$ref.startsWith('#')))
    return { problem: 'it refers to something that does not exist' };
  return { written: referencedNames(declarableValue) as WrittenValue };
}

/**
 * Converts a desired value to the form that it has in the YAML. Used as the `before` of an accepted field: comparing it with the
 * live value gives the smallest edit. A secret becomes a placeholder that equals no live value, so that it counts as changed.
 */
export function writeDesiredValue(schema: z.ZodType | undefined, value: Value | undefined): WrittenValue {
  if (value === undefined) return undefined;
  if (schema && referenceOf(schema) !== undefined && [value].flat().every(isRef))
    return referencedNames(value) as WrittenValue;
  return writeHoles(value);
}

/** Converts a value to the form that it has in the YAML. Secrets and expressions become placeholders in `${}`. These are never written. */
const writeHoles = (value: Value): WrittenValue =>
  toYamlValue(
    mapHoles(value, (hole) =>
      isSecret(hole) ? '${a secret}' : isRef(hole) ? hole : '${an expression}',
    ) as Value,
    [],
    () => '',
  ) as WrittenValue;

/** True if the order of lists in a field has no meaning, so that equal items in another order are no change. */
export const isUnordered = (schema: z.ZodType | undefined): boolean =>
  schema !== undefined && traitsOf(schema).unordered === true;

/** Changes for which no place in the configuration could be found, with the reason for people. */
export interface Unplaced {
  addresses: Address[];
  reason: string;
}
