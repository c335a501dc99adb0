import { isSameValue } from '../kind/compare.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { comparedFields, leavesOf, schemaAt } from '../kind/leaves.ts';
import { type FieldTraits, traitsOf } from '../kind/traits.ts';
import { canonical } from '../model/canonical.ts';
import type { Desired, Resource } from '../model/resource.ts';
import { atPath, type Fields, holesIn, isRef, type Value } from '../model/value.ts';
import { setOwn } from '../model/walk.ts';
import { type ChangeToUndo, isFileField } from './predict-undo.ts';

// Which commit had the configuration from before a run? The record of the run has the value `before` of each changed field, so a
// candidate is the base if it declares these values. Some values are not in a record: secrets, the content of files, values computed by
// the platform, and the order of a list. There, a candidate has to differ from the run's own configuration.
//
// A value can differ from `before` for reasons outside of the configuration: drift, a rotated secret, a field that no configuration
// declared before the run. The configuration of the previous recorded run (`previous`) tells these cases apart: a requirement that it cannot
// meet either is dropped, if it is one of presence, absence or difference.

export interface UndoBaseInput {
  changes: readonly ChangeToUndo[];
  /** The configuration of the run. */
  desiredOfRun: Desired;
  /** The configuration of the previous recorded run; absent if there is none. */
  desiredOfPreviousRun: Desired | undefined;
  kinds: Kinds;
}

/** True if a configuration declares the value from before the run for every changed address. */
export const declaresBefore = (candidate: Desired, input: UndoBaseInput): boolean =>
  input.changes.every((change) => {
    const kind = input.kinds.get(change.kind);
    return !kind || fitsChange(change, candidate, kind, input);
  });

function fitsChange(
  change: ChangeToUndo,
  candidate: Desired,
  kind: Kind,
  { desiredOfRun: own, desiredOfPreviousRun: previous }: UndoBaseInput,
): boolean {
  const { address, action, fields } = change;
  const declared = candidate.resources.get(address);
  const reference = previous?.resources.get(address);
  if (action === 'noop') return true;
  // An object that was renamed outside is adopted under its new name: it was declared before.
  if (action === 'adopt' && own.resources.get(address)?.meta.was !== undefined) return true;
  if (action === 'create' || action === 'adopt') return !declared || reference !== undefined;
  if (!declared) return !reference;
  if (action === 'delete') return isDeleted(change, declared, kind);
  if (action === 'release' || action === 'forget') return true;
  if (action === 'move' && reference) {
    const order = (desired: Desired) => canonical(siblingsOf(declared, desired));
    if (order(candidate) === order(own) && order(previous!) !== order(own)) return false;
  }
  const sides = {
    declared: declared.fields,
    own: own.resources.get(address)?.fields,
    reference: reference?.fields,
  };
  return fields.every((field) => fitsField(field, sides, kind));
}

interface Sides {
  /** The fields that the candidate declares. */
  declared: Fields;
  own: Fields | undefined;
  reference: Fields | undefined;
}

function fitsField(
  { path, cause, before, secret }: ChangeToUndo['fields'][number],
  { declared, own, reference }: Sides,
  kind: Kind,
): boolean {
  const at = (fields: Fields | undefined) => fields && atPath(fields, path);
  const value = at(declared);
  if (cause === 'released') return value !== undefined || at(reference) === undefined;
  if (cause !== 'edit') return true;
  if (secret || isFileField(kind, path) || [value, at(own)].some(isComputed)) {
    const differs = (side: Value | undefined) => canonical(side) !== canonical(at(own));
    return !reference || differs(value) || !differs(at(reference));
  }
  if (value === undefined) return at(reference) === undefined;
  return isSameValue(value, before as Value | undefined, traitsAt(kind, path));
}

/** True if a declared object has the recorded values of the deleted one, as far as it declares them. */
function isDeleted({ fields }: ChangeToUndo, declared: Resource, kind: Kind): boolean {
  const recorded: Fields = {};
  for (const { path, before, secret, omitted } of fields)
    if (!secret && !omitted) setOwn(recorded, path, before as Value);
  return leavesOf(comparedFields(kind), declared.fields).every(({ path, value, traits }) => {
    const before = atPath(recorded, path);
    return before === undefined || isComputed(value) || isSameValue(value, before, traits);
  });
}

/** True if only the platform knows a value, or the environment. References by id are compared by address. */
const isComputed = (value: Value | undefined): boolean =>
  holesIn(value).some((hole) => !(isRef(hole) && hole.attr === 'id'));

function traitsAt(kind: Kind, path: string): FieldTraits {
  const schema = schemaAt(comparedFields(kind), path);
  return schema ? traitsOf(schema) : {};
}

/** Returns the addresses of a resource's list, in the order in which they are written. */
const siblingsOf = ({ kind, parent }: Pick<Resource, 'kind' | 'parent'>, { resources }: Desired): string[] =>
  [...resources.values()]
    .filter((resource) => resource.kind === kind && resource.parent === parent)
    .sort((a, b) => a.index - b.index)
    .map(({ address }) => address);

/** True if the record of a run has the values that `declaresBefore` compares. */
export const hasValuesBefore = (changes: readonly (ChangeToUndo & { omitted?: boolean })[]): boolean =>
  changes.every(
    ({ action, omitted, fields }) =>
      action === 'create' ||
      action === 'adopt' ||
      (!omitted && !fields.some((field) => field.omitted && !field.secret && field.cause === 'edit')),
  );

/**
 * Returns what a configuration declares at the changed addresses, as a text to compare with that of another configuration. The order of a
 * list counts if the run moved one of its items.
 */
export const serializeDeclarations = (changes: readonly ChangeToUndo[], desired: Desired): string =>
  canonical(
    changes.map(({ address, action }) => {
      const resource = desired.resources.get(address);
      return resource
        ? [resource.fields, action === 'move' ? siblingsOf(resource, desired) : []]
        : 'not declared';
    }),
  );
