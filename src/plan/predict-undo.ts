import { canDo, isReadable } from '../kind/define-kind.ts';
import { knownFields } from '../kind/empty-is-absent.ts';
import type { Kind } from '../kind/kind.ts';
import { comparedFields, leavesOf, schemaAt } from '../kind/leaves.ts';
import { traitsOf } from '../kind/traits.ts';
import type { Address } from '../model/address.ts';
import { canonical } from '../model/canonical.ts';
import {
  type Action,
  asksForWrite,
  type Change,
  type FieldCause,
  isHiddenSide,
  type Undoable,
} from '../model/change.ts';
import type { Resource } from '../model/resource.ts';
import { atPath, namesInPath, type Value } from '../model/value.ts';
import { containsValue, inside, setOwn } from '../model/walk.ts';
import type { PlanInput } from './input.ts';

/**
 * Says of a change before it is made whether `trueup undo` will bring back what is there now, as far as anybody can tell.
 * @param isNew it belongs to something that this plan creates, and so has no value from before
 */
export function predictUndo(
  change: Change,
  kind: Kind,
  isNew: boolean,
  input: Pick<PlanInput, 'ledger'>,
): Undoable {
  const { action, grade, gradeReason, permissions = [], moves } = change;
  const no = (why: string): Undoable => ({ can: 'no', why });
  switch (action) {
    case 'noop':
    case 'release':
    case 'forget':
      return whole;
    case 'create':
      if (permissions.includes('cost')) return no('its cost is not refunded');
      if (!canDo(kind, 'delete')) return no('nothing deletes it');
      if (!isReadable(kind)) return but([], 'if something existed before, its value is unknown');
      return whole;
    case 'delete':
      return deleted(change, kind, input);
    default:
      if (permissions.includes('cost')) return no('its cost is not refunded');
      if (grade === 'irreversible') return no(gradeReason ?? 'it cannot be undone');
      if (isNew) return whole;
      if (action === 'replace' && kind.shows)
        return but([kind.shows.secret], 'it is shown only once, and a new one is different');
      if (!canDo(kind, 'update') && action !== 'replace' && !moves && change.fields.some(asksForWrite))
        return no('it cannot be changed back');
      return predictUpdateUndo(change, kind);
  }
}

const whole: Undoable = { can: 'wholly' };

const but = (paths: string[], why: string): Undoable => ({
  can: 'but for a value',
  lost: paths.length > 0 ? paths : undefined,
  why,
});

/** The undo of a deletion, which may lose values that neither a file nor a record has. */
function deleted(change: Change, kind: Kind, { ledger }: Pick<PlanInput, 'ledger'>): Undoable {
  const { address, grade, gradeReason, exclusive, outside, before } = change;
  if (exclusive || outside) return { can: 'no', why: 'it is not in any configuration' };
  if (grade === 'irreversible') return { can: 'no', why: gradeReason ?? 'it cannot be undone' };
  if (!canDo(kind, 'create')) return { can: 'no', why: 'nothing creates it' };
  if (kind.shows) return but([kind.shows.secret], 'it is shown only once, and a new one is different');
  const entry = ledger.entries[address];
  const leaves = leavesOf(comparedFields(kind), before?.fields ?? {});
  const secrets = leaves.flatMap(({ path, isSecret }) => (isSecret ? [path] : []));
  if (secrets.length > 0) return but(secrets, 'secrets are not kept');
  // What no configuration has declared is in the record, as far as it can be said in one.
  const gone = leaves.flatMap(({ path, value }) => {
    const [name] = namesInPath(path) as [string];
    const isKnown = kind.key.includes(name) || entry?.fields[path] !== undefined;
    const canBeSet =
      !isFileField(kind, path) && schemaAt(comparedFields(kind), path)?.safeParse(value).success;
    return isKnown || isUsual(kind, path, value) || canBeSet ? [] : [path];
  });
  return gone.length > 0 ? but(gone, 'no record can hold it') : whole;
}

function predictUpdateUndo({ fields }: Change, kind: Kind): Undoable {
  const sent = fields.filter(asksForWrite);
  const secrets = sent.filter(
    ({ secret, before, after }) => secret || isHiddenSide({}, before) || isHiddenSide({}, after),
  );
  if (secrets.length > 0)
    return but(
      secrets.map(({ path }) => path),
      'secrets are not kept',
    );
  const isStuck = ({ path, after }: Change['fields'][number]) => {
    const schema = schemaAt(comparedFields(kind), path);
    const { immutable } = schema ? traitsOf(schema) : {};
    return typeof immutable === 'function' && immutable(after);
  };
  const stuck = kind.lifecycle.replace === 'free' ? [] : sent.filter(isStuck);
  if (stuck.length > 0)
    return {
      can: 'no',
      lost: stuck.map(({ path }) => path),
      why: 'the platform cannot change it back in place',
    };
  const staying = sent.filter(
    ({ path, before }) =>
      isFileField(kind, path) || ((before === undefined || before === null) && !acceptsNull(kind, path)),
  );
  return staying.length > 0
    ? but(
        staying.map(({ path }) => path),
        'its current value is not kept, or cannot be set',
      )
    : whole;
}

/** The recorded leaves of a deleted object, and those whose value the record does not have. */
interface Recreated {
  extra: [path: string, value: Value][];
  /** `secret`: it is kept nowhere. */
  lost: { path: string; secret: boolean }[];
}

/**
 * The undeclared fields of a deleted object, from the record of its deletion: with them the object comes back as it was. A field with a
 * secret anywhere in it is in no record.
 */
export function recreatedFields(
  { fields }: ChangeToUndo,
  before: Pick<Resource, 'fields' | 'parent'>,
  kind: Kind,
): Recreated {
  // With what the kind fills in by itself.
  const declared = knownFields(kind, before, nothingKnown);
  const recreated: Recreated = { extra: [], lost: [] };
  for (const { path: name, before: was, secret, omitted } of fields) {
    if (kind.key.includes(name) || name === kind.shows?.secret) continue;
    const isSecret = secret === true || holdsMark(was);
    if (isSecret || omitted) {
      if (declared[name] === undefined) recreated.lost.push({ path: name, secret: isSecret });
      continue;
    }
    const field: Record<string, Value> = {};
    setOwn(field, name, was as Value);
    for (const { path, value } of leavesOf(comparedFields(kind), field)) {
      if (atPath(declared, path) !== undefined || isUsual(kind, path, value)) continue;
      const canBeSet =
        !isFileField(kind, path) && schemaAt(comparedFields(kind), path)?.safeParse(value).success;
      if (canBeSet) recreated.extra.push([path, value]);
      else recreated.lost.push({ path, secret: false });
    }
  }
  return recreated;
}

/** True if a record has a mark in place of a secret, anywhere in a value. */
const holdsMark = (was: unknown): boolean =>
  containsValue(was, (part) => (typeof part === 'string' ? /^\(secret(?: [^()]+)?\)$/.test(part) : inside));

const nothingKnown = { secrets: new Map(), attribute: () => undefined };

/** True for the value that a field has if nobody sets it. */
function isUsual(kind: Kind, path: string, value: Value): boolean {
  const [name] = namesInPath(path) as [string];
  return (
    ['null', '""', '[]', '{}'].includes(canonical(value)) ||
    canonical(value) === canonical(kind.usual?.[name])
  );
}

/** True if a field can be reset. */
export const acceptsNull = (kind: Kind, path: string): boolean =>
  schemaAt(comparedFields(kind), path)?.safeParse(null).success ?? false;

/** True if a field stands for the content of a file. */
export function isFileField(kind: Kind, path: string): boolean {
  const schema = schemaAt(comparedFields(kind), path);
  return schema !== undefined && traitsOf(schema).file !== undefined;
}

/** A change of a run to undo, from its record. */
export interface ChangeToUndo {
  address: Address;
  kind: string;
  action: Action;
  fields: { path: string; cause: FieldCause; before?: unknown; secret?: boolean; omitted?: boolean }[];
}
