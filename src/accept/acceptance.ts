import type { ReadBlock } from '../config/blocks/block.ts';
import { reduceToDeclared } from '../kind/compare.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { comparedFields, schemaAt } from '../kind/leaves.ts';
import { traitsOf } from '../kind/traits.ts';
import type { Address } from '../model/address.ts';
import { canonical } from '../model/canonical.ts';
import { asksForWrite, type Change, type FieldChange, isJoinedOutside } from '../model/change.ts';
import { addTo } from '../model/graph.ts';
import type { Plan } from '../model/plan.ts';
import type { Desired, Live, LiveResource } from '../model/resource.ts';
import { revealed } from '../model/sealed.ts';
import {
  atPath,
  type Fields,
  holdsSecret,
  holesIn,
  isSecretRef,
  namesInPath,
  type Value,
} from '../model/value.ts';
import {
  type AcceptedChange,
  type AcceptedField,
  isUnordered,
  type LeftOut,
  writeDesiredValue,
  writeLiveValue,
} from './accepted-change.ts';

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
}

/** A live value that may be a secret, so that the user is asked before it is written. */
export interface PossibleSecret {
  address: Address;
  path: string;
  /** The block with the field. An entry for several places has one value, so the user is asked once for all of them. */
  entry: ReadBlock | undefined;
}

/** The selected changes of a plan that are accepted, and those that are not, with reasons. */
export interface Acceptance {
  accepted: AcceptedChange[];
  /** The paths of the accepted fields by address; the path '' means the whole object. */
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
  }

  /** True if an object was deleted outside, so that the plan would create it again and `accept` removes its block. */
  readonly isDeletedOutside = ({ action, outside }: Change): boolean =>
    action === 'create' && outside === true;

  /**
   * Returns the blocks that declare the object of a change, to edit them. If a variable got another target outside, the new
   * unit has no block yet; it is accepted into the block with the other targets of that variable.
   */
  blocksFor(change: Change): readonly ReadBlock[] {
    const units = isJoinedOutside(change) ? this.unitsInRow(change) : [change];
    const blocks = units.flatMap(({ address }) => this.blocksOf.get(address) ?? []);
    return isJoinedOutside(change) ? blocks.slice(0, 1) : blocks;
  }

  /**
   * Returns the declared units that share an object of the platform with a change, such as the other targets of a variable. Used to find the
   * block for a target that was added outside.
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
   * Returns the fields of a change that were changed outside, and are therefore accepted. Fields that may have been changed in the
   * configuration are included only if the user named the object. The fields of new and deleted objects are not listed.
   */
  fieldsChangedOutside({ action, fields, outside }: Change): FieldChange[] {
    if (action === 'create' || action === 'delete') return [];
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

  /** Records that a field is accepted, or the whole object if the path is ''. Used to prove later that nothing else changed. */
  markAccepted(address: Address, path: string): void {
    this.result.paths.set(address, (this.result.paths.get(address) ?? new Set()).add(path));
  }

  /**
   * Returns the live value of a field for writing it into the configuration. Returns undefined, and records why, if the value must not be
   * written: because the configuration takes it from a secret, or because it may be a secret and the user has not allowed it.
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

  /**
   * Compares two forms of an object, and returns the different fields as changes of the YAML. Used for entries and sets, which have no change
   * per field in the plan. Returns undefined, and records why, if a new value cannot be written.
   */
  diffFields(kind: Kind, before: Fields, after: Fields, address: Address): AcceptedField[] | undefined {
    const fields: AcceptedField[] = [];
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (comparableText(before[name]) === comparableText(after[name])) continue;
      const schema = kind.fields[name];
      const newValue = writeLiveValue(name, schema, after[name]);
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

/** Returns a text that is equal for equal values. A secret equals a plain text with its value. */
export const comparableText = (value: Value | undefined): string => canonical(revealed(value ?? null));
