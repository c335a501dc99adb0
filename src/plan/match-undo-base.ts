import { comparedFields, isSameValue, leavesOf, schemaAt } from '../kind/compare.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { type FieldTraits, traitsOf } from '../kind/traits.ts';
import { canonicalJson } from '../model/digest.ts';
import { type Desired, fieldsWhileExisting, isIgnored, type Resource } from '../model/resource.ts';
import { atPath, type Fields, holesIn, isRef, type Value } from '../model/value.ts';
import { setOwn } from '../model/walk.ts';
import { type ChangeToUndo, isFileField } from './predict-undo.ts';

/*
 * Which commit had the configuration from before a run? `undo` has to find it (the base), and tests the earlier commits (the candidates).
 *
 * The record of the run has the value `before` of each changed field, so a candidate is the base if it declares these values. Some values
 * are not in a record: secrets, the content of files, values that the platform computes, and the order of a list. For these, a candidate
 * has to differ from the configuration of the run itself.
 *
 * A value can also differ from `before` for reasons outside of the configuration: drift, a rotated secret, or a field that no configuration
 * declared before the run. The configuration of the previous recorded run (the reference) shows these cases: if a candidate must have, must
 * not have or must differ in something, and the reference does not meet that condition either, the condition is dropped.
 */

/** A recorded run, with the configurations that its candidates are compared with. */
interface UndoBaseInput {
  changes: readonly ChangeToUndo[];
  /** The configuration of the run. */
  desiredOfRun: Desired;
  /** The configuration of the previous recorded run; absent if there is none. */
  desiredOfPreviousRun: Desired | undefined;
  kinds: Kinds;
}

/**
 * True if a candidate declares the state from before the run at every changed address. Used by `undo` to find the commit to go back to.
 * Objects of kinds that this version does not have are not compared.
 */
export const declaresBefore = (candidate: Desired, input: UndoBaseInput): boolean =>
  input.changes.every((change) => {
    const kind = input.kinds.get(change.kind);
    return !kind || fitsChange(change, candidate, kind, input);
  });

/**
 * True if a candidate (the configuration of an earlier commit) declares the state from before one change of a
 * run. `trueup undo` returns to the commit that fits all changes. The configuration of the run before
 * (`reference` has its object) is the control: a condition that it does not meet either proves nothing,
 * because the difference comes from outside of the configurations, such as drift.
 */
function fitsChange(change: ChangeToUndo, candidate: Desired, kind: Kind, input: UndoBaseInput): boolean {
  const { address, action } = change;
  const declared = candidate.resources.get(address);
  const reference = input.desiredOfPreviousRun?.resources.get(address);
  if (action === 'noop') return true;
  if (action === 'create' || action === 'adopt') {
    // An object that was renamed outside is adopted under its new name: it was declared before.
    const wasRenamed =
      action === 'adopt' && input.desiredOfRun.resources.get(address)?.meta.was !== undefined;
    // The run added any other object, so a fitting candidate does not declare it, unless the previous run did already.
    return wasRenamed || !declared || reference !== undefined;
  }
  // The run changed the object, so a fitting candidate declares it, unless the previous run did not either.
  return declared ? fitsDeclaration(change, declared, { ...input, candidate, kind }) : !reference;
}

/**
 * True if a candidate (the configuration of an earlier commit, to which `trueup undo` may return) declares an object (`declared`) as it was
 * before a run that deleted, released or changed it.
 */
function fitsDeclaration(
  change: ChangeToUndo,
  declared: Resource,
  { candidate, kind, ...input }: UndoBaseInput & { candidate: Desired; kind: Kind },
): boolean {
  const { address, action, fields } = change;
  if (action === 'delete') return isDeletedObject(change, declared, kind);
  if (action === 'release' || action === 'forget') return true;
  const ofRun = input.desiredOfRun.resources.get(address);
  const reference = input.desiredOfPreviousRun?.resources.get(address);
  if (action === 'move' && reference && hasOrderOfRun(declared, candidate, input)) return false;
  const sides = { declared: declared.fields, ofRun: ofRun?.fields, reference: reference?.fields };
  // The live value of an ignored field need not be the declared one.
  return fields.every((field) => isIgnored(field.path, declared.meta) || fitsField(field, sides, kind));
}

/**
 * True if a candidate (the configuration of an earlier commit) has the order of a list that the run introduced, so that it is not from
 * before the run. The record of a run does not have orders, so the configurations are compared. False if the previous run had that order
 * already, because the order then proves nothing.
 */
function hasOrderOfRun(
  item: Resource,
  candidate: Desired,
  { desiredOfRun, desiredOfPreviousRun }: UndoBaseInput,
): boolean {
  const orderIn = (desired: Desired) => canonicalJson(siblingsOf(item, desired));
  const orderOfRun = orderIn(desiredOfRun);
  const isOrderOfPreviousRun = desiredOfPreviousRun && orderIn(desiredOfPreviousRun) === orderOfRun;
  return orderIn(candidate) === orderOfRun && !isOrderOfPreviousRun;
}

/** The fields of one object in the three configurations that are compared. */
interface Sides {
  /** The fields that the candidate declares. */
  declared: Fields;
  /** The fields in the configuration of the run itself. */
  ofRun: Fields | undefined;
  /** The fields in the configuration of the previous recorded run. */
  reference: Fields | undefined;
}

/**
 * True if a candidate (the configuration of an earlier commit, to which `trueup undo` may return) declares
 * the value that a field had before the run (`before`). `cause` says why the run changed the field. Only an
 * edit of the configuration, and a field that it no longer declared (`released`), tell something about earlier
 * configurations, so with another cause every candidate fits. No record has the value of a secret, a file or a
 * computed field. There, the candidate only has to differ from the run's own configuration (`ofRun`).
 * `reference`: the configuration of the previous run. A condition that it does not meet either is dropped.
 */
function fitsField(
  { path, cause, before, secret }: ChangeToUndo['fields'][number],
  { declared, ofRun, reference }: Sides,
  kind: Kind,
): boolean {
  const valueIn = (fields: Fields | undefined) => fields && atPath(fields, path);
  const value = valueIn(declared);
  const referenceValue = valueIn(reference);
  // Where the reference lacks the value as well, the candidate need not have it.
  const isDeclaredIfNeeded = value !== undefined || referenceValue === undefined;
  if (cause === 'released') return isDeclaredIfNeeded;
  if (cause !== 'edit') return true;
  const valueOfRun = valueIn(ofRun);
  const isUnrecorded = secret || isFileField(kind, path) || isComputed(value) || isComputed(valueOfRun);
  if (isUnrecorded) {
    const differsFromRun = (other: Value | undefined) => canonicalJson(other) !== canonicalJson(valueOfRun);
    const mustDiffer = reference !== undefined && differsFromRun(referenceValue);
    return !mustDiffer || differsFromRun(value);
  }
  if (value === undefined) return isDeclaredIfNeeded;
  return isSameValue(value, before as Value | undefined, traitsAt(kind, path));
}

/**
 * True if a declared object has the recorded values of the object that a run deleted, as far as it declares
 * them and a record can have them (no secrets, no large values). Used to find the commit before the deletion,
 * to which `trueup undo` returns: it still declares that object.
 */
function isDeletedObject({ fields }: ChangeToUndo, declared: Resource, kind: Kind): boolean {
  const recorded: Fields = {};
  for (const { path, before, secret, omitted } of fields)
    if (!secret && !omitted) setOwn(recorded, path, before as Value);
  return leavesOf(comparedFields(kind), fieldsWhileExisting(declared)).every(({ path, value, traits }) => {
    const before = atPath(recorded, path);
    return before === undefined || isComputed(value) || isSameValue(value, before, traits);
  });
}

/**
 * True if a value contains something that the record of a run does not have: a value of the platform or of the environment. References by
 * id do not count, because they are compared by address.
 */
const isComputed = (value: Value | undefined): boolean =>
  holesIn(value).some((hole) => !(isRef(hole) && hole.attr === 'id'));

/** Returns the traits of the field at a path; none if the kind has no such field. */
function traitsAt(kind: Kind, path: string): FieldTraits {
  const schema = schemaAt(comparedFields(kind), path);
  return schema ? traitsOf(schema) : {};
}

/**
 * Returns the addresses of all objects in the same list as a resource (of its kind and parent), in the order
 * of the configuration. Used to compare the orders of two configurations.
 */
const siblingsOf = ({ kind, parent }: Pick<Resource, 'kind' | 'parent'>, { resources }: Desired): string[] =>
  [...resources.values()]
    .filter((resource) => resource.kind === kind && resource.parent === parent)
    .sort((a, b) => a.index - b.index)
    .map(({ address }) => address);

/**
 * True if the record of a run has the values from before it, so that `trueup undo` can find the commit to
 * return to: the one whose configuration declares these values. Otherwise it has to find that commit in
 * another way.
 */
export const hasValuesBefore = (changes: readonly (ChangeToUndo & { omitted?: boolean })[]): boolean =>
  changes.every(({ action, omitted, fields }) => {
    // The configuration before the run did not declare such an object, so no value is needed to recognize it.
    if (action === 'create' || action === 'adopt') return true;
    // Values that were too large for the record are `omitted`.
    const lacksValue =
      omitted || fields.some((field) => field.omitted && !field.secret && field.cause === 'edit');
    return !lacksValue;
  });

/**
 * Returns the declarations at the changed addresses as a text. `trueup undo` compares two commits by it, to
 * find those that edited these declarations: their texts differ. The order of a list counts if the run moved
 * one of its items.
 */
export const serializeDeclarations = (changes: readonly ChangeToUndo[], desired: Desired): string =>
  canonicalJson(
    changes.map(({ address, action }) => {
      const resource = desired.resources.get(address);
      return resource
        ? [resource.fields, action === 'move' ? siblingsOf(resource, desired) : []]
        : 'not declared';
    }),
  );
