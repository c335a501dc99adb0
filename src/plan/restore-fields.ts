import type { Kind } from '../kind/kind.ts';
import type { FieldCause } from '../model/change.ts';
import { canonicalJson } from '../model/digest.ts';
import type { Resource } from '../model/resource.ts';
import { atPath, type Fields, fieldsFromLeaves, isPlainObject, type Value } from '../model/value.ts';
import { type ChangeToUndo, isFileField, isNullAccepted } from './predict-undo.ts';

/** Fields by path, each with its value. */
export type Leaves = [path: string, value: Value][];

/** Explains to the user how a field is restored, or why it is not. */
interface RestoreNote {
  code: string;
  text: string;
}

/** The fields that `trueup undo` sets because the configuration before the run does not bring back their values. */
interface RestoredFields {
  /** Fields that the configuration declares with another value, because somebody had changed the object outside. */
  declared: Leaves;
  /** Fields that the configuration does not declare. */
  undeclared: Leaves;
  notes: RestoreNote[];
}

/**
 * Returns the recorded values from before the run that `trueup undo` sets because the configuration before the run does not, with notes
 * about those that it cannot restore. `fieldsBefore`: the fields that this configuration declares.
 */
export function restoreFields({ fields }: ChangeToUndo, fieldsBefore: Fields, kind: Kind): RestoredFields {
  const restored: RestoredFields = { declared: [], undeclared: [], notes: [] };
  for (const field of fields) {
    const { path, cause } = field;
    // Such a change sent nothing.
    if (cause === 'recorded' || cause === 'released') continue;
    const declaredValue = atPath(fieldsBefore, path);
    const isDeclared = declaredValue !== undefined;
    const { value, note } = isDeclared
      ? restoreDeclared(field, declaredValue)
      : restoreUndeclared(field, kind);
    if (note) restored.notes.push(note);
    if (value !== undefined) restored[isDeclared ? 'declared' : 'undeclared'].push([path, value]);
  }
  return restored;
}

/** How `trueup undo` restores one field: the value to set, if any, and a note for the user, if one is needed. */
interface RestoredField {
  value?: Value;
  note?: RestoreNote;
}

/**
 * Decides how `trueup undo` restores a field that the configuration before the run does not declare: it sets the
 * recorded value, or resets the field if it had none. A note says why it cannot: secrets, large values and the
 * content of files are not in a record, and some fields must have a value.
 */
function restoreUndeclared(
  { path, before, secret, omitted }: ChangeToUndo['fields'][number],
  kind: Kind,
): RestoredField {
  if (secret)
    return { note: { code: 'secret', text: `\`${path}\` is secret: its old value is not kept; it stays` } };
  if (omitted)
    return {
      note: { code: 'not-kept', text: `the record does not contain the old value of \`${path}\`` },
    };
  if (isFileField(kind, path))
    return { note: { code: 'not-kept', text: `the record does not contain the content of \`${path}\`` } };
  if (before !== undefined && before !== null) return { value: before as Value };
  if (isNullAccepted(kind, path)) return { value: null };
  return {
    note: {
      code: 'stays',
      text: `\`${path}\` had no value, and cannot be without one again: it stays`,
    },
  };
}

/** Causes of changes that certainly or possibly overwrote a value set by somebody else. */
const causesOfOverwriting = new Set<FieldCause>(['drift', 'conflict', 'unknown']);

/**
 * Decides how `trueup undo` restores a field that the configuration before the run declares. The declared value is
 * planned anyway, so there is only something to do if the run overwrote another value that somebody had set in the
 * account: then the undo sets that value.
 */
function restoreDeclared(
  { path, cause, before, secret, omitted }: ChangeToUndo['fields'][number],
  declaredValue: Value,
): RestoredField {
  if (secret)
    return {
      note: {
        code: 'secret',
        text: `\`${path}\` is secret: its old value is not kept; it gets its source's current value`,
      },
    };
  if (!causesOfOverwriting.has(cause)) return {};
  if (omitted)
    return {
      note: { code: 'not-kept', text: `the record does not contain the old value of \`${path}\`` },
    };
  if (before === undefined || canonicalJson(before) === canonicalJson(declaredValue)) return {};
  return {
    value: before as Value,
    note: {
      code: 'outside',
      text: `\`${path}\` is restored to the value set outside; the earlier configuration differs, and its next apply changes it again`,
    },
  };
}

/**
 * Returns a copy of a resource with other values in some fields: those that `trueup undo` restores. The original must not change, since
 * several configurations share it.
 */
export function withFields(resource: Resource, leaves: Leaves): Resource {
  if (leaves.length === 0) return resource;
  // A leaf is a path with a value. A dot in the name of a field is escaped, since dots separate the names of a path.
  const currentLeaves = Object.entries(copyMaps(resource.fields)).map(([name, value]): [string, Value] => [
    name.replaceAll('.', '\\.'),
    value,
  ]);
  return { ...resource, fields: fieldsFromLeaves([...currentLeaves, ...leaves]) };
}

/**
 * Returns a copy of fields in which the maps are copied as well, at any depth: `fieldsFromLeaves` sets members of the maps that it is
 * given. It sets lists only as a whole, so these are not copied.
 */
const copyMaps = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      isPlainObject(value) ? copyMaps(value as Fields) : value,
    ]),
  );
