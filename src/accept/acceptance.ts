import type * as z from 'zod';
import type { ReadBlock } from '../config/blocks/block.ts';
import { findExpressiblePart, toDeclarable } from '../export/expressible.ts';
import { referencedNames, toYamlValue } from '../export/write-field.ts';
import { comparedFields, isSameValue, reduceToDeclared, schemaAt } from '../kind/compare.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { referenceOf, traitsOf } from '../kind/traits.ts';
import type { Address } from '../model/address.ts';
import {
  asksForWrite,
  type Change,
  type FieldChange,
  isDeletedOutside,
  isJoinedOutside,
} from '../model/change.ts';
import { canonicalJson } from '../model/digest.ts';
import { addTo } from '../model/graph.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import { addressAfter, type Move } from '../model/move.ts';
import type { Plan } from '../model/plan.ts';
import type { Desired, Live, LiveResource, Resource } from '../model/resource.ts';
import { revealed } from '../model/sealed.ts';
import {
  atPath,
  type Fields,
  holdsSecret,
  holesIn,
  isRef,
  isSecret,
  isSecretRef,
  mapHoles,
  mapRefs,
  namesInPath,
  type Value,
} from '../model/value.ts';
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
 * Converts a live value to the form that it has in the YAML, so that `accept` can write it into a block.
 * Returns a problem if no YAML can express the value. A missing value becomes `null` if the field allows
 * that, else undefined, which removes the field.
 */
function writeLiveValue(
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
 * Converts a live reference, or a list of them, for `accept`: from addresses of objects to the names that the
 * YAML has instead. Returns a problem if one of them points to an object that does not exist; such references
 * have an address that begins with `#`.
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
 * Converts a desired value to the form that it has in the YAML. Used as the `before` of an accepted field, because comparing it with the
 * live value gives the smallest edit, and to copy a value into a new entry. A secret becomes a placeholder that equals no live
 * value, so that it counts as changed.
 */
export function writeDesiredValue(schema: z.ZodType | undefined, value: Value | undefined): WrittenValue {
  if (value === undefined) return undefined;
  if (schema && referenceOf(schema) !== undefined && [value].flat().every(isRef))
    return referencedNames(value) as WrittenValue;
  return writeHoles(value);
}

/**
 * Converts a value to the form that it has in the YAML, so that `accept` can compare the old and the new text
 * of a field. Secrets and expressions become texts in `${}`, which equal no live value and are never written.
 */
const writeHoles = (value: Value): WrittenValue =>
  toYamlValue(
    mapHoles(value, (hole) =>
      isSecret(hole) ? '${a secret}' : isRef(hole) ? hole : '${an expression}',
    ) as Value,
    [],
    () => '',
  ) as WrittenValue;

/** True if the order of lists in a field has no meaning, so that the items that stay keep their places in the text. */
export const isUnordered = (schema: z.ZodType | undefined): boolean =>
  schema !== undefined && traitsOf(schema).unordered === true;

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
  blocks: readonly ReadBlock[];
  kinds: Kinds;
  /** The accepted renames, because live references to these objects are written with the new names. */
  moves: readonly Move[];
}

/** A live value that may be a secret, so that the user is asked before it is written. */
export interface PossibleSecret {
  address: Address;
  path: string;
  /** The block with the field. An entry for several places has one value, so the user is asked once for all of them. */
  entry: ReadBlock | undefined;
}

/**
 * The path that stands for a whole object in a set of accepted paths: `accept` may remove its block, because the object was deleted outside, or
 * declare the object, because it was added outside.
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

/**
 * Collects the accepted changes and the left out ones, while `findAcceptedChanges` goes through the changes of a plan, and answers its
 * questions about them.
 */
export class AcceptanceBuilder {
  readonly input: AcceptInput;
  readonly selection: Selection;
  /** The blocks that declare each object. */
  readonly blocksOf: ReadonlyMap<Address, ReadBlock[]>;
  /** The selected objects that were deleted outside. */
  readonly #deletedOutside: ReadonlySet<Address>;
  readonly result: Acceptance = { accepted: [], paths: new Map(), leftOut: [], possibleSecrets: [] };

  /**
   * Starts to collect the changes of a plan that `accept` takes over into the configuration, and the ones that
   * it leaves out. Indexes the blocks by address, to find the ones to edit. `selection`: the changes that the
   * user chose.
   */
  constructor(input: AcceptInput, selection: Selection) {
    this.input = input;
    this.selection = selection;
    const blocksOf = new Map<Address, ReadBlock[]>();
    for (const read of input.blocks) for (const { address } of read.units) addTo(blocksOf, address, read);
    this.blocksOf = blocksOf;
    this.#deletedOutside = new Set(
      input.plan.changes
        .filter((change) => isDeletedOutside(change) && selection.isChosen(change.address))
        .map(({ address }) => address),
    );
  }

  /**
   * Returns the blocks that declare the object of a change, to edit them. If a variable got another target
   * outside, the object of that target has no block yet; then it is the block with the other targets of that
   * variable.
   */
  blocksFor(change: Change): readonly ReadBlock[] {
    const units = isJoinedOutside(change) ? this.#declaredUnitsOf(change) : [change];
    const blocks = units.flatMap(({ address }) => this.blocksOf.get(address) ?? []);
    return isJoinedOutside(change) ? blocks.slice(0, 1) : blocks;
  }

  /**
   * Returns the declared objects that the platform stores together with the object of a change, such as the
   * other targets of a variable: they have an id in common. Used to find the block for a target that was
   * added outside.
   */
  unitsInRow({ kind, before }: Change): LiveResource[] {
    const { live } = this.input;
    return [...live.resources.values()].filter(
      (unit) =>
        unit.kind === kind &&
        this.blocksOf.has(unit.address) &&
        unit.ids.some((id) => before?.ids.includes(id)),
    );
  }

  /**
   * Returns declared objects of the entry to which a target was added outside. If all declared targets were replaced at once, no
   * declared object has the id any more; then it is an entry of this name without a remaining target, one with equal values if possible.
   */
  #declaredUnitsOf(change: Change): readonly Pick<Resource, 'address'>[] {
    const units = this.unitsInRow(change);
    if (units.length > 0) return units;
    const entryAddress = addressWithoutTarget(change.address);
    const entries = this.input.blocks.filter(
      (block) =>
        block.units.length > 0 &&
        block.units.every(
          ({ address, kind }) =>
            kind === change.kind &&
            addressWithoutTarget(address) === entryAddress &&
            this.#deletedOutside.has(address),
        ),
    );
    const kind = this.input.kinds.get(change.kind)!;
    const hasEqualValues = ({ units: [unit] }: ReadBlock) =>
      findDifferingNames(kind, unit!.fields, change.before?.fields ?? {}).length === 0;
    return (entries.find(hasEqualValues) ?? entries[0])?.units ?? [];
  }

  /**
   * Returns the fields of a change that were changed outside, which `trueup accept` therefore writes into the
   * YAML. A field that both sides changed counts, and so does any difference of an object that was itself
   * replaced or renamed outside. If it is not known which side changed a field, or the platform did not keep our
   * value (`notKept`), the field is included only if the user named the object. The fields of objects that the
   * plan creates or deletes are not listed.
   */
  fieldsChangedOutside({ action, fields, outside }: Change): FieldChange[] {
    if (action === 'create' || action === 'delete') return [];
    // A conflict was changed outside and in the configuration. For `unknown`, no record shows which side changed.
    const isChangedOutside = ({ cause, notKept }: FieldChange) =>
      cause === 'drift' ||
      (notKept === true && this.selection.isNamed) ||
      cause === 'conflict' ||
      (cause === 'unknown' && (this.selection.isNamed || outside === true)) ||
      (cause === 'edit' && outside === true);
    return fields.filter((field) => asksForWrite(field) && isChangedOutside(field));
  }

  /** Records that a change of an object is not accepted, with the reason. */
  leaveOut(address: Address, reason: string): void {
    this.result.leftOut.push({ address, reason });
  }

  /** Records that a field of an object is accepted, or all of the object (`wholeObject`). Used to prove later that nothing else changed. */
  markAccepted(address: Address, path: string): void {
    this.result.paths.set(address, (this.result.paths.get(address) ?? new Set()).add(path));
  }

  /**
   * Returns the live value of a field that `accept` writes into the configuration. Returns undefined, and
   * records why, if the value must not be written: because the configuration takes it from a secret, or
   * because it may be a secret and the user has not allowed it.
   */
  readLiveValue(kind: Kind, change: Change, path: string): { value: Value | undefined } | undefined {
    const { address, before, after } = change;
    const traits = traitsOf(
      schemaAt(comparedFields(kind), path) ?? comparedFields(kind)[namesInPath(path)[0]!]!,
    );
    const liveValue =
      before && reduceToDeclared(atPath(before.fields, path), atPath(after!.fields, path), traits);
    const mayBeSecret =
      holdsSecret(liveValue) || change.fields.some((field) => field.path === path && field.secret);
    if (!mayBeSecret || liveValue === undefined || liveValue === null) return { value: liveValue };
    const desiredFields = this.input.desired.resources.get(address)?.fields;
    if (desiredFields && holesIn(atPath(desiredFields, path)).some(isSecretRef)) {
      this.leaveOut(
        address,
        `\`${path}\` comes from a secret in the configuration: set that secret to the live value, or apply`,
      );
      return undefined;
    }
    if (!this.selection.mayWrite(address, path)) {
      this.result.possibleSecrets.push({ address, path, entry: this.blocksOf.get(address)?.[0] });
      return undefined;
    }
    return { value: revealed(liveValue) as Value };
  }

  /** Converts a live value to the form that it has in the YAML, with references to objects by the names that these get. */
  writeLiveValue(
    name: string,
    schema: z.ZodType | undefined,
    value: Value | undefined,
  ): ReturnType<typeof writeLiveValue> {
    const { moves } = this.input;
    return writeLiveValue(name, schema, value && mapRefs(value, (address) => addressAfter(address, moves)));
  }

  /**
   * Compares two forms of an object, and returns the different fields as changes of the YAML. Used for blocks
   * that declare several objects and for objects that several blocks declare, because the plan does not compare
   * block by block, and for new members. Returns undefined, and records why, if a new value cannot be written.
   */
  diffFields(kind: Kind, before: Fields, after: Fields, address: Address): AcceptedField[] | undefined {
    const fields: AcceptedField[] = [];
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (comparableText(before[name]) === comparableText(after[name])) continue;
      const schema = kind.fields[name];
      const newValue = this.writeLiveValue(name, schema, after[name]);
      if ('problem' in newValue) {
        this.leaveOut(address, newValue.problem);
        return undefined;
      }
      const oldValue = writeDesiredValue(schema, before[name]);
      if (comparableText(oldValue as Value) === comparableText(newValue.written as Value)) continue;
      fields.push({
        path: [name],
        before: oldValue,
        after: newValue.written,
        isUnordered: isUnordered(schema),
      });
    }
    return fields;
  }
}

/**
 * Returns the names of the fields that an object declares and the account has with another value, as far as both values are known.
 * Leaves out the target of a variable.
 */
export function findDifferingNames(kind: Kind, declaredFields: Fields, liveFields: Fields): string[] {
  const schemas = comparedFields(kind);
  return Object.entries(declaredFields).flatMap(([name, value]) => {
    const liveValue = liveFields[name];
    const isComparable =
      !kind.shape.addressFields.includes(name) &&
      schemas[name] !== undefined &&
      liveValue !== undefined &&
      !holesIn(value).some(isSecretRef);
    return isComparable && !isSameValue(value, liveValue, traitsOf(schemas[name]!)) ? [name] : [];
  });
}

/** Returns a text that is equal for equal values. A secret equals a plain text with its value, because a text may become a secret through another field. */
export const comparableText = (value: Value | undefined): string => canonicalJson(revealed(value ?? null));
