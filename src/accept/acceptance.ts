import type { LoadedBlock } from '../config/blocks/block.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Move } from '../model/move.ts';
import type { Plan } from '../model/plan.ts';
import type { Desired, Live } from '../model/resource.ts';
import type { WrittenValue } from './edit-value.ts';

/*
 * `trueup accept` writes changes that were made outside, in the account, into the configuration, so that an apply does not undo them.
 *
 *   written value  a value as plain data as the YAML has it (`WrittenValue`): texts escaped, references in the form in which they are written
 *   block          the YAML of one object or of one entry that stands for several objects
 *   entry          a block that stands for several places at once, such as one variable for three environments
 *   set            an object whose members are blocks of their own, such as DNS records with one name and type
 *
 * The types here say what to write: `find-accepted-changes.ts` and `accept-entry.ts` decide it. Most other files of this folder find the
 * place in the YAML for it, and `find-defects.ts` proves the result.
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
 * A change of the configuration that accepts a change of the account. `deleted`: the block is removed, because its object was deleted
 * outside.
 */
export type AcceptedChange =
  | { type: 'fields'; addresses: Address[]; block: LoadedBlock; fields: AcceptedField[] }
  | { type: 'deleted'; addresses: Address[]; block: LoadedBlock }
  | AcceptedSet
  | AcceptedSplit
  | AcceptedName;

/** An object that was renamed in the account. Its block and all references to it get the new name. */
export interface AcceptedName {
  type: 'renamed';
  block: LoadedBlock;
  /** The field that is its name. */
  field: AcceptedField;
  /** The addresses under the name in the configuration and under the new name. */
  from: Address;
  to: Address;
}

/**
 * An entry of several units, such as targets of a variable, if only some of them changed. The changed units become entries of their own.
 */
export interface AcceptedSplit {
  type: 'split';
  addresses: Address[];
  block: LoadedBlock;
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
  changed: { block: LoadedBlock; fields: AcceptedField[] }[];
  /** The blocks of members that were deleted outside. */
  removed: LoadedBlock[];
  added: WrittenValue[];
  /** All members. Used if the whole set has to be written again. */
  allMembers: WrittenValue[];
  /** The blocks that declare the set now. */
  blocks: readonly LoadedBlock[];
}

/** A change that cannot be accepted, with the reason for people. */
export interface LeftOut {
  address: Address;
  reason: string;
}

/** Changes for which no place in the configuration could be found, with the reason for people. */
export interface Unplaced {
  addresses: Address[];
  reason: string;
}

/** The changes of a plan to accept, by the addresses and options of `trueup accept`. */
export interface Selection {
  /** True for an object whose changes are accepted. */
  isChosen(address: Address): boolean;
  /**
   * True if the user named addresses, false for `--all`. Then a difference is also accepted if the tool cannot tell whether it was made
   * outside or in the configuration.
   */
  isNamed: boolean;
  /** True if the value of a field may be written to the configuration although it may be a secret. */
  mayWrite(address: Address, path: string): boolean;
}

/** The plan whose changes are accepted, and what it was made from. */
export interface AcceptInput {
  plan: Pick<Plan, 'changes' | 'diagnostics'>;
  /** The desired resources with secrets as references to their names. */
  desired: Pick<Desired, 'resources'>;
  live: Pick<Live, 'resources'>;
  blocks: readonly LoadedBlock[];
  kinds: Kinds;
  /** The accepted renames, because live references to these objects are written with the new names. */
  moves: readonly Move[];
  /** The live objects that the same run declares (`--new`), so that accepted values may refer to them. */
  additions?: ReadonlySet<Address> | undefined;
}

/** A live value that may be a secret, so that the user is asked before it is written. */
export interface PossibleSecret {
  address: Address;
  path: string;
  /** The block with the field. An entry for several places has one value, so the user is asked once for all of them. */
  entry: LoadedBlock | undefined;
}

/**
 * The path that stands for a whole object in a set of accepted paths: `accept` may remove its block, because the object was deleted
 * outside, or declare the object, because it was added outside.
 */
export const wholeObject = '';

/** The selected changes of a plan that are accepted, and those that are not, with reasons. */
export interface Acceptance {
  accepted: AcceptedChange[];
  /** The paths of the accepted fields by address, such as `settings.region`; `wholeObject` stands for all fields and the object itself. */
  paths: Map<Address, Set<string>>;
  leftOut: LeftOut[];
  /** Values that are not written until the user allows it. */
  possibleSecrets: PossibleSecret[];
}
