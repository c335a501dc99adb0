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

/** The changes to take over. */
export interface Selection {
  /** The addresses that are meant. */
  isChosen(address: Address): boolean;
  /** The user named the addresses. Then also changes are accepted that may come from the configuration, since the tool cannot tell. */
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

/** The result of looking at each change of a plan: which are accepted, and which are not and why. */
export interface Acceptance {
  accepted: AcceptedChange[];
  /** The paths of the accepted fields by address; the path '' means the whole object. */
  paths: Map<Address, Set<string>>;
  leftOut: LeftOut[];
  /** Values that are not written until the user allows it. */
  possibleSecrets: PossibleSecret[];
}

/** Collects the acceptance of one selection, while from-plan.ts goes through the changes of a plan. */
export class AcceptanceBuilder {
  readonly input: AcceptInput;
  readonly selection: Selection;
  /** The blocks that declare each object. */
  readonly blocksOf: ReadonlyMap<Address, ReadBlock[]>;
  readonly result: Acceptance = { accepted: [], paths: new Map(), leftOut: [], possibleSecrets: [] };

  constructor(given: AcceptInput, selection: Selection) {
    this.input = given;
    this.selection = selection;
    const blocksOf = new Map<Address, ReadBlock[]>();
    for (const read of given.blocks) for (const { address } of read.units) addTo(blocksOf, address, read);
    this.blocksOf = blocksOf;
  }

  /** True if an object was deleted outside, so that the plan would create it again. */
  readonly isGone = ({ action, outside }: Change): boolean => action === 'create' && outside === true;

  /**
   * Returns the blocks that a change is accepted into. An object with several targets (a row) may have got a target outside, which is a unit
   * without a block of its own. Such a unit goes into the block that declares the row.
   */
  blocksFor(change: Change): readonly ReadBlock[] {
    const units = isJoinedOutside(change) ? this.unitsInRow(change) : [change];
    const blocks = units.flatMap(({ address }) => this.blocksOf.get(address) ?? []);
    return isJoinedOutside(change) ? blocks.slice(0, 1) : blocks;
  }

  /** Returns the declared units that are in the same row of the account as a change, that is, share an id with it. */
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
   * configuration are included only if the user named the object.
   */
  fieldsOf({ action, fields, outside }: Change): FieldChange[] {
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
  leaveOut(address: Address, why: string): void {
    this.result.leftOut.push({ address, reason: why });
  }

  /** Records that a field is accepted, or the whole object if the path is ''. */
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
   * Returns the fields that differ between two objects as changes for the configuration. Returns undefined, and records why, if the new
   * value of one of them cannot be written.
   */
  diffRows(kind: Kind, [before, after]: [Fields, Fields], address: Address): AcceptedField[] | undefined {
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

/** Returns a value as comparable text, with secrets by their values. */
export const comparableText = (value: Value | undefined): string => canonical(revealed(value ?? null));
