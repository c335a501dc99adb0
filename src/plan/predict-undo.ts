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
  isHiddenSide,
  type Undoable,
} from '../model/change.ts';
import { canonicalJson } from '../model/digest.ts';
import type { Resource } from '../model/resource.ts';
import { atPath, namesInPath, type Value } from '../model/value.ts';
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
  const { action, grade, gradeReason, permissions = [], moves } = change;
  const needsUpdate = action !== 'replace' && !moves && change.fields.some(asksForWrite);
  switch (action) {
    case 'noop':
    case 'release':
    case 'forget':
      return complete;
    case 'create':
      if (permissions.includes('cost')) return impossible('its cost is not refunded');
      if (!canDo(kind, 'delete')) return impossible('nothing deletes it');
      if (!isReadable(kind)) return undoableExcept([], 'if something existed before, its value is unknown');
      return complete;
    case 'delete':
      return predictUndoOfDeletion(change, kind, input);
    default:
      if (permissions.includes('cost')) return impossible('its cost is not refunded');
      if (grade === 'irreversible') return impossible(gradeReason ?? 'it cannot be undone');
      if (isNew) return complete;
      if (action === 'replace' && kind.shows)
        return undoableExcept([kind.shows.secret], 'it is shown only once, and a new one is different');
      if (needsUpdate && !canDo(kind, 'update')) return impossible('it cannot be changed back');
      return predictUndoOfUpdate(change, kind);
  }
}

const complete: Undoable = { can: 'wholly' };

/** Returns the prediction that an undo cannot take a change back. `why`: the reason for people. */
const impossible = (why: string): Undoable => ({ can: 'no', why });

/**
 * Creates the prediction, which plans show, that `trueup undo` restores everything but the values at some paths. Without paths, it is unknown which
 * values are lost. `why`: the reason for people.
 */
const undoableExcept = (paths: string[], why: string): Undoable => ({
  can: 'but for a value',
  lost: paths.length > 0 ? paths : undefined,
  why,
});

/**
 * Predicts for the plan whether `trueup undo` can restore a deleted object. It loses the values that neither the configuration nor the record of the
 * deletion contains, such as secrets.
 */
function predictUndoOfDeletion(change: Change, kind: Kind, { ledger }: Pick<PlanInput, 'ledger'>): Undoable {
  const { address, grade, gradeReason, exclusive, outside, before } = change;
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
 * cannot be set again: the content of a file, no value for a field that must have one, or any value of a field that is immutable once it
 * has the new one.
 */
function predictUndoOfUpdate({ fields }: Change, kind: Kind): Undoable {
  const sentFields = fields.filter(asksForWrite);
  const secrets = sentFields.filter(
    ({ secret, before, after }) => secret || isHiddenSide({}, before) || isHiddenSide({}, after),
  );
  if (secrets.length > 0)
    return undoableExcept(
      secrets.map(({ path }) => path),
      'secrets are not kept',
    );
  const isIrreversible = ({ path, after }: Change['fields'][number]) => {
    const schema = schemaAt(comparedFields(kind), path);
    const { immutable } = schema ? traitsOf(schema) : {};
    return typeof immutable === 'function' && immutable(after);
  };
  const irreversible = kind.lifecycle.replace === 'free' ? [] : sentFields.filter(isIrreversible);
  if (irreversible.length > 0)
    return {
      can: 'no',
      lost: irreversible.map(({ path }) => path),
      why: 'the platform cannot change it back in place',
    };
  const unrestorable = sentFields.filter(
    ({ path, before }) =>
      isFileField(kind, path) || ((before === undefined || before === null) && !isNullAccepted(kind, path)),
  );
  return unrestorable.length > 0
    ? undoableExcept(
        unrestorable.map(({ path }) => path),
        'its current value is not kept, or cannot be set',
      )
    : complete;
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
  const recreated: Recreated = { extra: [], lost: [] };
  for (const { path: name, before: value, secret, omitted } of fields) {
    if (kind.key.includes(name) || name === kind.shows?.secret) continue;
    const isSecret = secret === true || holdsMark(value);
    if (isSecret || omitted) {
      if (declared[name] === undefined) recreated.lost.push({ path: name, secret: isSecret });
      continue;
    }
    const field: Record<string, Value> = {};
    setOwn(field, name, value as Value);
    for (const leaf of leavesOf(comparedFields(kind), field)) {
      const { path } = leaf;
      if (atPath(declared, path) !== undefined || isUsual(kind, path, leaf.value)) continue;
      if (canBeSet(kind, path, leaf.value)) recreated.extra.push([path, leaf.value]);
      else recreated.lost.push({ path, secret: false });
    }
  }
  return recreated;
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
 * True if a field stands for the content of a file. Its value is a digest, so a record does not have the content, and `trueup undo` cannot restore
 * it.
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
