import { comparedFields, leavesOf, schemaAt } from '../kind/compare.ts';
import { canDo, isReadable } from '../kind/define-kind.ts';
import { resolveFields } from '../kind/empty-is-absent.ts';
import type { Kind } from '../kind/kind.ts';
import { traitsOf } from '../kind/traits.ts';
import type { Address } from '../model/address.ts';
import {
  asksForWrite,
  type Change,
  type ChangeAction,
  type FieldCause,
  type FieldChange,
  isHiddenSide,
  type Undoable,
} from '../model/change.ts';
import { canonicalJson } from '../model/digest.ts';
import type { Resource } from '../model/resource.ts';
import { atPath, type Fields, namesInPath, type Value } from '../model/value.ts';
import { containsValue, setOwn, visitMembers } from '../model/walk.ts';
import type { PlanInput } from './input.ts';

/**
 * Predicts whether `trueup undo` will be able to restore the present state after a change. Shown in plans,
 * and needed to choose the canary (the harmless change that a first apply sends alone, as a test). `isNew`: true
 * if the object is in one that this plan creates, so that no earlier value is lost.
 */
export function predictUndo(
  change: Change,
  kind: Kind,
  isNew: boolean,
  input: Pick<PlanInput, 'ledger'>,
): Undoable {
  switch (change.action) {
    case 'noop':
    case 'release':
    case 'forget':
      return complete;
    case 'create':
      return predictUndoOfCreation(change, kind);
    case 'delete':
      return predictUndoOfDeletion(change, kind, input);
    default:
      return predictUndoOfWrite(change, kind, isNew);
  }
}

/** Predicts for the plan whether `trueup undo` can delete a created object again. */
function predictUndoOfCreation({ permissions = [] }: Change, kind: Kind): Undoable {
  if (permissions.includes('cost')) return impossible('its cost is not refunded');
  if (!canDo(kind, 'delete')) return impossible('nothing deletes it');
  if (!isReadable(kind)) return undoableExcept([], 'if something existed before, its value is unknown');
  return complete;
}

/**
 * Predicts for the plan whether `trueup undo` can take back a change of an object that exists: an update, a replacement, a move or an
 * adoption.
 */
function predictUndoOfWrite(change: Change, kind: Kind, isNew: boolean): Undoable {
  const { action, grade, gradeReason, permissions = [], moves, fields } = change;
  if (permissions.includes('cost')) return impossible('its cost is not refunded');
  if (grade === 'irreversible') return impossible(gradeReason ?? 'it cannot be undone');
  if (isNew) return complete;
  if (action === 'replace' && kind.shows)
    return undoableExcept([kind.shows.secret], 'it is shown only once, and a new one is different');
  const needsUpdate = action !== 'replace' && !moves && fields.some(asksForWrite);
  if (needsUpdate && !canDo(kind, 'update')) return impossible('it cannot be changed back');
  return predictUndoOfFields(fields.filter(asksForWrite), kind);
}

const complete: Undoable = { can: 'wholly' };

/** Returns the prediction that an undo cannot take a change back. `why`: the reason for people. */
const impossible = (why: string): Undoable => ({ can: 'no', why });

/**
 * Creates the prediction, which plans show, that `trueup undo` restores everything but the values at some paths. Without paths, it is
 * unknown which values are lost. `why`: the reason for people.
 */
const undoableExcept = (paths: string[], why: string): Undoable => ({
  can: 'but for a value',
  lost: paths.length > 0 ? paths : undefined,
  why,
});

/**
 * Predicts for the plan whether `trueup undo` can restore a deleted object. The secrets in it are lost. Of an object without secrets, the
 * undo loses the values that are not declared, not usual for the kind, and that it cannot set again from the record of the deletion.
 */
function predictUndoOfDeletion(change: Change, kind: Kind, { ledger }: Pick<PlanInput, 'ledger'>): Undoable {
  const { address, grade, gradeReason, exclusive, outside, before } = change;
  // No configuration declared an object that `$exclusive` deletes, or that was added outside.
  if (exclusive || outside) return impossible('it is not in any configuration');
  if (grade === 'irreversible') return impossible(gradeReason ?? 'it cannot be undone');
  if (!canDo(kind, 'create')) return impossible('nothing creates it');
  if (kind.shows)
    return undoableExcept([kind.shows.secret], 'it is shown only once, and a new one is different');
  const entry = ledger.entries[address];
  const leaves = leavesOf(comparedFields(kind), before?.fields ?? {});
  const secrets = leaves.flatMap(({ path, isSecret }) => (isSecret ? [path] : []));
  if (secrets.length > 0) return undoableExcept(secrets, 'secrets are not kept');
  // The record of the deletion has the values that no configuration declares, unless they cannot be set again.
  const lost = leaves.flatMap(({ path, value }) => {
    const [name] = namesInPath(path) as [string];
    const isDeclared = kind.key.includes(name) || entry?.fields[path] !== undefined;
    return isDeclared || isUsual(kind, path, value) || canBeSet(kind, path, value) ? [] : [path];
  });
  return lost.length > 0 ? undoableExcept(lost, 'no record can hold it') : complete;
}

/**
 * Predicts for the plan whether `trueup undo` can restore the fields that a change sends. It loses values that are secret, and values that
 * cannot be set again: the content of a file, or no value for a field that must have one. A field that is immutable once it has the new
 * value makes the undo impossible, unless the object can be replaced without a loss (`free`).
 */
function predictUndoOfFields(sentFields: readonly FieldChange[], kind: Kind): Undoable {
  const secretPaths = pathsWhere(
    sentFields,
    ({ secret, before, after }) => secret === true || isHiddenSide({}, before) || isHiddenSide({}, after),
  );
  if (secretPaths.length > 0) return undoableExcept(secretPaths, 'secrets are not kept');
  const immutablePaths = pathsWhere(sentFields, (field) => becomesImmutable(field, kind));
  if (immutablePaths.length > 0 && kind.lifecycle.replace !== 'free')
    return { can: 'no', lost: immutablePaths, why: 'the platform cannot change it back in place' };
  const lostPaths = pathsWhere(sentFields, ({ path, before }) => {
    const hadNoValue = before === undefined || before === null;
    return isFileField(kind, path) || (hadNoValue && !isNullAccepted(kind, path));
  });
  return lostPaths.length > 0
    ? undoableExcept(lostPaths, 'its current value is not kept, or cannot be set')
    : complete;
}

const pathsWhere = (fields: readonly FieldChange[], isMeant: (field: FieldChange) => boolean): string[] =>
  fields.filter(isMeant).map(({ path }) => path);

/**
 * True if the platform cannot change a field any more once it has its new value, such as the `type` of a variable that becomes
 * `sensitive`. An undo is then impossible, unless it may replace the object. False for a field that is immutable with every value, since a
 * change of it replaces the object.
 */
function becomesImmutable({ path, after }: FieldChange, kind: Kind): boolean {
  const schema = schemaAt(comparedFields(kind), path);
  const { immutable } = schema ? traitsOf(schema) : {};
  return typeof immutable === 'function' && immutable(after);
}

/** The undeclared leaves of a deleted object: those that its record has, and those that are lost. */
interface Recreated {
  extra: [path: string, value: Value][];
  /** `secret`: true if the value is lost because it is a secret. */
  lost: { path: string; secret: boolean }[];
}

/**
 * Returns the undeclared fields of a deleted object from the record of its deletion, so that an undo can recreate the object as it was.
 * Fields that are secret, or that cannot be set, are lost. `before`: the declaration of the object before the run.
 */
export function recreatedFields(
  { fields }: ChangeToUndo,
  before: Pick<Resource, 'fields' | 'parent'>,
  kind: Kind,
): Recreated {
  // The values that the kind fills in count as declared.
  const declared = resolveFields(kind, before, noHoleValues);
  const recreated = fields
    .filter(({ path }) => !kind.key.includes(path) && path !== kind.shows?.secret)
    .map((field) => recreateField(field, declared, kind));
  return {
    extra: recreated.flatMap(({ extra }) => extra),
    lost: recreated.flatMap(({ lost }) => lost),
  };
}

/**
 * Returns the undeclared leaves (values that are compared on their own) of one recorded field of a deleted object: those that an undo can
 * set again (`extra`), and those that are lost, because they are secret, too large for a record (`omitted`) or cannot be set. Values that
 * the object would have anyway are left out. The path of a recorded field is its name.
 */
function recreateField(
  { path: name, before: value, secret, omitted }: ChangeToUndo['fields'][number],
  declared: Fields,
  kind: Kind,
): Recreated {
  const isSecret = secret === true || holdsMark(value);
  const isRecorded = !isSecret && !omitted;
  if (!isRecorded)
    return { extra: [], lost: declared[name] === undefined ? [{ path: name, secret: isSecret }] : [] };
  const field: Fields = {};
  setOwn(field, name, value as Value);
  const leaves = leavesOf(comparedFields(kind), field).filter(
    (leaf) => atPath(declared, leaf.path) === undefined && !isUsual(kind, leaf.path, leaf.value),
  );
  const isSettable = (leaf: { path: string; value: Value }) => canBeSet(kind, leaf.path, leaf.value);
  return {
    extra: leaves.filter(isSettable).map((leaf): [string, Value] => [leaf.path, leaf.value]),
    lost: leaves.filter((leaf) => !isSettable(leaf)).map(({ path }) => ({ path, secret: false })),
  };
}

/** True if an undo can set a recorded value again: its schema takes it, and it is not the digest of a file. */
const canBeSet = (kind: Kind, path: string, value: Value): boolean =>
  !isFileField(kind, path) && schemaAt(comparedFields(kind), path)?.safeParse(value).success === true;

/** True if a recorded value contains a mark where a secret was: `(secret)` or `(secret API_KEY)`. An undo cannot restore such a value. */
const holdsMark = (value: unknown): boolean =>
  containsValue(value, (part) =>
    typeof part === 'string' ? /^\(secret(?: [^()]+)?\)$/.test(part) : visitMembers,
  );

/** Fills no holes: secrets and references of a recorded object stay open. */
const noHoleValues = { secrets: new Map(), attribute: () => undefined };

/**
 * True for the value that a field has without being set: an empty one, or the default of the platform.
 * `trueup undo` loses nothing if it does not restore such a value.
 */
function isUsual(kind: Kind, path: string, value: Value): boolean {
  const [name] = namesInPath(path) as [string];
  return (
    ['null', '""', '[]', '{}'].includes(canonicalJson(value)) ||
    canonicalJson(value) === canonicalJson(kind.usual?.[name])
  );
}

/** True if a field can be reset to no value. Used by an undo for fields that had no value before. */
export const isNullAccepted = (kind: Kind, path: string): boolean =>
  schemaAt(comparedFields(kind), path)?.safeParse(null).success ?? false;

/**
 * True if a field stands for the content of a file. Its value is a digest, so a record does not have the content, and `trueup undo` cannot
 * restore it.
 */
export function isFileField(kind: Kind, path: string): boolean {
  const schema = schemaAt(comparedFields(kind), path);
  return schema !== undefined && traitsOf(schema).file !== undefined;
}

/** A change of the run to undo, as it is recorded. */
export interface ChangeToUndo {
  address: Address;
  kind: string;
  action: ChangeAction;
  fields: { path: string; cause: FieldCause; before?: unknown; secret?: boolean; omitted?: boolean }[];
}
