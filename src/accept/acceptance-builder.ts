import type * as z from 'zod';
import type { LoadedBlock } from '../config/blocks/block.ts';
import { comparedFields, reduceToDeclared, schemaAt } from '../kind/compare.ts';
import type { Kind } from '../kind/kind.ts';
import { traitsOf } from '../kind/traits.ts';
import { type Address, ancestorsAmong, globOf } from '../model/address.ts';
import {
  asksForWrite,
  type Change,
  type FieldChange,
  isDeletedOutside,
  isJoinedOutside,
} from '../model/change.ts';
import { shellQuoted } from '../model/diagnostic.ts';
import { addTo } from '../model/graph.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import { addressAfter } from '../model/move.ts';
import type { LiveResource, Resource } from '../model/resource.ts';
import { revealed, StatedSecret } from '../model/sealed.ts';
import {
  atPath,
  type Fields,
  holdsSecret,
  holesIn,
  isSecretRef,
  mapRefs,
  namesInPath,
  refsIn,
  type Value,
} from '../model/value.ts';
import type { Acceptance, AcceptedField, AcceptInput, Selection } from './acceptance.ts';
import {
  comparableText,
  findDifferingNames,
  isUnordered,
  writeDesiredValue,
  writeLiveValue,
} from './written-values.ts';

/**
 * Collects the accepted changes and the left out ones, while `findAcceptedChanges` goes through the changes of a plan, and answers its
 * questions about them.
 */
export class AcceptanceBuilder {
  readonly input: AcceptInput;
  readonly selection: Selection;
  /** The blocks that declare each object. */
  readonly blocksOf: ReadonlyMap<Address, LoadedBlock[]>;
  /** For each object that was deleted outside and contains objects that stay declared: the first of these. */
  readonly #remainingChildren = new Map<Address, Address>();
  /** By kind and id, the declared objects that the platform stores in one row, with their position among all. */
  readonly #unitsByRow = new Map<string, { unit: LiveResource; position: number }[]>();
  /** The selected objects that were deleted outside. */
  readonly #deletedOutside: ReadonlySet<Address>;
  readonly result: Acceptance = { accepted: [], paths: new Map(), leftOut: [], possibleSecrets: [] };

  /**
   * Starts to collect the changes of a plan that `trueup accept` takes over into the configuration, and the ones that it leaves out.
   * Indexes the blocks by address, to find the ones to edit. Also finds for each object that was deleted outside a declared object in it
   * that stays, because its block must then stay as well. `selection`: the changes that the user chose.
   */
  constructor(input: AcceptInput, selection: Selection) {
    this.input = input;
    this.selection = selection;
    const blocksOf = new Map<Address, LoadedBlock[]>();
    for (const read of input.blocks) for (const { address } of read.units) addTo(blocksOf, address, read);
    this.blocksOf = blocksOf;
    this.#deletedOutside = new Set(
      input.plan.changes
        .filter((change) => isDeletedOutside(change) && selection.isChosen(change.address))
        .map(({ address }) => address),
    );
    for (const { address, after } of input.plan.changes) {
      if (after === undefined || this.#deletedOutside.has(address)) continue;
      for (const ancestor of ancestorsAmong(address, this.#deletedOutside))
        if (!this.#remainingChildren.has(ancestor)) this.#remainingChildren.set(ancestor, address);
    }
    for (const [position, unit] of [...input.live.resources.values()].entries())
      if (blocksOf.has(unit.address))
        for (const id of unit.ids) addTo(this.#unitsByRow, `${unit.kind} ${id}`, { unit, position });
  }

  /** Returns the address of a declared object inside an object that stays declared; undefined if there is none. */
  remainingChildOf = (address: Address): Address | undefined => this.#remainingChildren.get(address);

  /**
   * Returns the blocks that declare the object of a change, for `trueup accept` to edit. The object of a target that somebody added to a
   * variable outside has no block yet; then it is the block with the other targets of that variable.
   */
  blocksFor(change: Change): readonly LoadedBlock[] {
    const units = isJoinedOutside(change) ? this.#declaredUnitsOf(change) : [change];
    const blocks = units.flatMap(({ address }) => this.blocksOf.get(address) ?? []);
    return isJoinedOutside(change) ? blocks.slice(0, 1) : blocks;
  }

  /**
   * Returns, in the order of the account, the declared objects that the platform stores together with the object of a change, such as the
   * other targets of a variable: they have an id in common. Used to find the block for a target that was
   * added outside.
   */
  unitsInRow({ kind, before }: Change): LiveResource[] {
    const unitsWithIds = (before?.ids ?? []).flatMap((id) => this.#unitsByRow.get(`${kind} ${id}`) ?? []);
    unitsWithIds.sort((a, b) => a.position - b.position);
    return [...new Set(unitsWithIds.map(({ unit }) => unit))];
  }

  /**
   * Returns declared targets of the variable to which somebody added a target outside (`change`), so that `accept` finds the entry for it.
   * Usually they share an id of the platform with it. If somebody replaced all targets at once, none has that id any more: then returns
   * those of an entry for this variable whose targets were all deleted, preferably one with equal values.
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
    const hasEqualValues = ({ units: [unit] }: LoadedBlock) =>
      findDifferingNames(kind, unit!.fields, change.before?.fields ?? {}).length === 0;
    return (entries.find(hasEqualValues) ?? entries[0])?.units ?? [];
  }

  /**
   * Returns the fields of a change that were changed outside, which `trueup accept` therefore writes into the
   * YAML. A field that both sides changed counts, and so does any difference of an object that was itself
   * replaced or renamed outside. If it is not known which side changed a field, or the platform did not keep our
   * value (`notKept`), the field is included only if the user named the object. Leaves out fields that an
   * apply would not write to the account, and all fields of objects that the plan creates or deletes.
   */
  fieldsChangedOutside({ action, fields, outside }: Change): FieldChange[] {
    if (action === 'create' || action === 'delete') return [];
    const { isNamed } = this.selection;
    const isObjectChanged = outside === true;
    const isChangedOutside = ({ cause, notKept }: FieldChange) => {
      // A conflict was changed outside and in the configuration.
      if (cause === 'drift' || cause === 'conflict') return true;
      if (notKept === true && isNamed) return true;
      // No record shows which side changed the field.
      if (cause === 'unknown') return isNamed || isObjectChanged;
      return cause === 'edit' && isObjectChanged;
    };
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
   * Returns the live value of a field that `accept` writes into the configuration, in an object, because the value itself is undefined for
   * a field that was removed outside. Returns undefined, and records why, if the value must not be written: because the configuration takes
   * it from a secret, or because it may be a secret and the user has not allowed it.
   */
  readLiveValue(kind: Kind, change: Change, path: string): { value: Value | undefined } | undefined {
    const { address, before: live, after: desired } = change;
    const topLevelSchema = comparedFields(kind)[namesInPath(path)[0]!]!;
    const traits = traitsOf(schemaAt(comparedFields(kind), path) ?? topLevelSchema);
    // Without the optional members that the configuration leaves out.
    const liveValue =
      live && reduceToDeclared(atPath(live.fields, path), atPath(desired!.fields, path), traits);
    if (liveValue === undefined || liveValue === null) return { value: liveValue };
    // The plan hides both sides of a field if the desired one is a secret in clear (`StatedSecret`), even if the live one is no secret.
    const isSecretField = ({ secret, after }: FieldChange) => secret && !(after instanceof StatedSecret);
    const mayBeSecret =
      holdsSecret(liveValue) || change.fields.some((field) => field.path === path && isSecretField(field));
    if (!mayBeSecret) return { value: liveValue };
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
   * Converts a live value to the form that `trueup accept` writes into the YAML, in which references have the names that objects get by the
   * same run. Returns a problem if no YAML can express the value, or if it refers to an object that the new configuration does not declare.
   */
  writeLiveValue(
    name: string,
    schema: z.ZodType | undefined,
    value: Value | undefined,
  ): ReturnType<typeof writeLiveValue> {
    const { moves, desired, additions } = this.input;
    const undeclared = refsIn(value).find(
      (address) => !desired.resources.has(address) && !additions?.has(address),
    );
    if (undeclared !== undefined)
      return { problem: `\`${name}\` refers to ${describeUndeclared(undeclared)}` };
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
      // Different values can have the same form in the YAML.
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
 * Describes an object that a live value refers to and that is not declared, with the option of `accept` that declares it. The address of an
 * object that does not exist begins with `#`.
 */
const describeUndeclared = (address: Address): string =>
  address.startsWith('#')
    ? 'something that does not exist'
    : `${address}, which is not declared: accept that, too, with --new ${shellQuoted(globOf(address))}`;
