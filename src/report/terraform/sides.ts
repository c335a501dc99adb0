import { type Address, unescapeName } from '../../model/address.ts';
import {
  asksForWrite,
  type Change,
  type FieldChange,
  unchangedFieldsOf,
  undeclaredFieldsOf,
} from '../../model/change.ts';
import type { Plan } from '../../model/plan.ts';
import { Sealed } from '../../model/sealed.ts';
import {
  type Fields,
  fieldsFromLeaves,
  type Hole,
  isHole,
  isJoin,
  isPlainObject,
  isRef,
  isSecret,
  type Ref,
  type Value,
} from '../../model/value.ts';
import { mapTree, setOwn, visitMembers } from '../../model/walk.ts';

/*
 * Computes the two sides of a change as Terraform writes them: `before` and `after`, each the whole object as far as it is known.
 *
 * - A side has the value and two trees of marks in the shape of the value: one marks the values that are unknown until apply, the other one
 *   the sensitive values.
 * - The fields of an object are: fields that differ, declared fields that do not, and undeclared fields, which stay as they are live.
 * - A secret is never written. A placeholder stands for it, and another one where the secret is written, so that a tool that compares both
 *   sides sees a change. Nothing else about a secret can be learned from them.
 */

/** Both sides of a change; null on a side where the object does not exist or is not ours. */
export interface ChangeSides {
  before: ChangeSide | null;
  after: ChangeSide | null;
}

/**
 * Creates the function which returns the object of a change before and after it, as Terraform's JSON plan
 * shows both; null where it does not exist. Needs the whole plan, because fields refer to the ids of other objects. The id of a new object
 * is unknown after the change. Before it, an object without a known id is shown by its address.
 */
export function createSideReader(plan: Plan): (change: Change) => ChangeSides {
  const ids = new Map(plan.changes.flatMap(({ address, id }) => (id === undefined ? [] : [[address, id]])));
  const createdAddresses = new Set(
    plan.changes.filter(({ action }) => creatingActions.has(action)).map(({ address }) => address),
  );
  const idBefore: TerraformIdLookup = (address) => ids.get(address) ?? address;
  const idAfter: TerraformIdLookup = (address) =>
    createdAddresses.has(address) ? undefined : ids.get(address);
  return (change) => ({
    before: existedBefore(change) ? toChangeSide(withId(fieldsBefore(change), change.id), idBefore) : null,
    after: existsAfter(change)
      ? toChangeSide(withId(resultingFields(change), idAfter(change.address) ?? unknownId), idAfter)
      : null,
  });
}

/**
 * Returns the two versions of an object that was changed outside, for Terraform's `resource_drift`: `before` with the values that the last
 * apply sent, `after` with the live values. The plan reverts a field with drift to its last applied value, so that is the value after the
 * plan. A field in conflict has no value in `before`, because the plan does not have its last applied value.
 */
export function driftSidesOf(change: Change): { before: ChangeSide; after: ChangeSide } {
  const valueOfLastApply = (field: FieldChange) =>
    field.cause === 'drift' ? valueAfter(field) : valueBefore(field);
  const isLastApplyKnown = ({ cause }: FieldChange) => cause !== 'conflict';
  const toSide = (fields: Fields) => toChangeSide(withId(fields, change.id), (address) => address);
  return {
    before: toSide(declaredFieldsOf(change, valueOfLastApply, isLastApplyKnown)),
    after: toSide(declaredFieldsOf(change, valueBefore)),
  };
}

/** Returns the live object as a side. Used for an object that somebody else added. */
export const liveSideOf = (change: Change): ChangeSide =>
  toChangeSide(withId(fieldsBefore(change), change.id), (address) => address);

const creatingActions = new Set(['create', 'replace']);
const unknownId: Value = { $result: 0, path: ['id'] };

/** True if the object existed before the change. */
const existedBefore = ({ action }: Change) => action !== 'create';

/**
 * True if a change makes an object unmanaged. A change with the action `release` may also release single fields of an object that stays
 * managed: those fields have the cause `released`.
 */
export const isReleasedObject = ({ action, fields }: Change): boolean =>
  action === 'forget' || (action === 'release' && !fields.some(({ cause }) => cause === 'released'));

/** True if the object exists after the change and is ours. */
const existsAfter = (change: Change) => change.action !== 'delete' && !isReleasedObject(change);

/**
 * Returns all fields that an object has before a change, declared or not, for Terraform's JSON plan. A deletion
 * has no declared fields, so all live fields are taken.
 */
const fieldsBefore = (change: Change): Fields =>
  change.action === 'delete' && change.before
    ? change.before.fields
    : mergeFields(undeclaredFieldsOf(change), declaredFieldsOf(change, valueBefore));

/**
 * Returns all fields that an object has after a change, for Terraform's JSON plan. Undeclared fields stay as they
 * are live, but a replacement creates a new object without them.
 */
const resultingFields = (change: Change): Fields =>
  mergeFields(
    change.action === 'replace' ? {} : undeclaredFieldsOf(change),
    declaredFieldsOf(change, valueAfter),
  );

/**
 * Merges two trees of fields, so that a side of Terraform's plan has the undeclared fields of an object (`fields`) and the declared ones
 * (`overrides`). If both have an object, their members are merged; otherwise the value of `overrides` wins. A hole (a value that is known
 * only later) is an object in memory, but counts as one value.
 */
const mergeFields = (fields: Fields, overrides: Fields): Fields => {
  const merged: Fields = { ...fields };
  for (const [name, value] of Object.entries(overrides)) {
    const existing = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const areObjects = isPlainObject(existing) && isPlainObject(value) && !isHole(value);
    setOwn(merged, name, areObjects ? mergeFields(existing as Fields, value as Fields) : value);
  }
  return merged;
};

/**
 * Returns the declared fields of an object as they are before or after a change (`valueOnSide` chooses), for
 * Terraform's JSON plan. Marks stand for secrets; the mark of a changed secret is only for an object that existed before. Differing fields
 * for which `isIncluded` is false are left out.
 */
const declaredFieldsOf = (
  change: Change,
  valueOnSide: (field: FieldChange) => Value,
  isIncluded: (field: FieldChange) => boolean = () => true,
): Fields =>
  fieldsFromLeaves([
    ...unchangedFieldsOf(change),
    ...change.fields
      .filter(isIncluded)
      .map((field): [string, Value] => [
        field.path,
        markSideSecrets(field, valueOnSide(field), existedBefore(change)),
      ]),
  ]);

/** Returns fields with the member `id`, unless the fields have one already. Terraform's consumers expect it. */
const withId = (fields: Fields, id: Value | undefined): Fields =>
  id === undefined || Object.hasOwn(fields, 'id') ? fields : { ...fields, id };

/** True if a field has one value on both sides: only the ledger changes. */
const keepsValue = ({ cause }: FieldChange) => cause === 'recorded' || cause === 'released';
/** Returns the value of a field before the change; null if it had none. */
const valueBefore = (field: FieldChange): Value =>
  field.before ?? (keepsValue(field) ? field.after : undefined) ?? null;
/** Returns the value of a field after the change; null if it has none. */
const valueAfter = (field: FieldChange): Value =>
  field.after ?? (keepsValue(field) ? field.before : undefined) ?? null;

/**
 * Replaces the secrets in one value of a field (the one before or the one after a change) by marks, so that
 * Terraform's JSON plan shows none. If either value is a secret as a whole, the mark replaces the whole
 * value.
 *
 * Policies compare both values to find changes, but the platform does not return secrets. So the new value of a secret that is written to
 * an existing object gets the mark `changedSecret`, and all others get `unchangedSecret`. `value` must be `valueBefore` or `valueAfter` of
 * the field itself, because it is compared by identity.
 */
function markSideSecrets(field: FieldChange, value: Value, objectExists: boolean): Value {
  const { secret, before, after } = field;
  const isNewValue = value === valueAfter(field);
  const isWritten = objectExists && asksForWrite(field) && isNewValue;
  const mark = isWritten ? changedSecret : unchangedSecret;
  if (secret || [before, after].some(isSecret)) return mark;
  const marked = mapTree(value, (node) => {
    if (node instanceof Sealed || isSecret(node)) return mark;
    return isHole(node) ? node : visitMembers;
  });
  return marked as Value;
}

const unchangedSecret = new Sealed('');
const changedSecret = new Sealed('');

/** The texts that Terraform's JSON has for secrets. */
const secretPlaceholders = { same: '(secret)', changed: '(secret, changed)' };

/** Marks in the shape of a value: true where a mark applies. Members of objects without a mark are left out; items of lists are false. */
export type Marks = boolean | Marks[] | { [name: string]: Marks };

/** One side of a change. Unknown values are left out of `value`, and secrets are placeholders. */
export interface ChangeSide {
  value: unknown;
  unknown: Marks;
  sensitive: Marks;
}

/** Returns the id of an address on one side; undefined while it is unknown. */
type TerraformIdLookup = (address: Address) => string | undefined;

/**
 * Converts a value to one version (`before` or `after`) of an object in Terraform's JSON plan: the value, and
 * two trees of the same shape that mark its unknown and its secret parts. `{ a: 1, b: SECRET }` has the marks
 * `sensitive: { b: true }`, and a placeholder as `b`. Secrets may be marks already (`markSideSecrets`). A
 * reference becomes the id of its object, or is unknown and left out if `idOf` has none.
 */
function toChangeSide(value: Value | undefined, idOf: TerraformIdLookup): ChangeSide {
  if (value instanceof Sealed || isSecret(value)) {
    const placeholder = value === changedSecret ? secretPlaceholders.changed : secretPlaceholders.same;
    return { value: placeholder, unknown: false, sensitive: true };
  }
  if (isHole(value)) {
    const resolved = resolveHole(value, idOf);
    return { value: resolved, unknown: resolved === undefined, sensitive: false };
  }
  if (Array.isArray(value)) return listSideOf(value.map((item) => toChangeSide(item, idOf)));
  if (!isPlainObject(value)) return { value: value ?? null, unknown: false, sensitive: false };
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  return objectSideOf(names.sort().map((name) => [name, toChangeSide(value[name] as Value, idOf)] as const));
}

/** Returns the text that a hole (a value that may be known only later) stands for on one side; undefined while it is unknown. */
function resolveHole(hole: Hole, idOf: TerraformIdLookup): string | undefined {
  if (isRef(hole)) return resolveIdReference(hole, idOf);
  return isJoin(hole) ? resolveJoin(hole.$join, idOf) : undefined;
}

/**
 * Joins the converted items of a list for Terraform's JSON plan: their values in one list, and their marks
 * (of unknown and secret parts) in lists of the same length.
 */
const listSideOf = (items: ChangeSide[]): ChangeSide => ({
  value: items.map((item) => item.value ?? null),
  unknown: items.map(({ unknown }) => unknown),
  sensitive: items.map(({ sensitive }) => sensitive),
});

/**
 * Joins the converted members of an object for Terraform's JSON plan. The trees of marks (of unknown and secret parts) have only the
 * members with marks: the mark of a member without any is `false`. Members without a value are left out.
 */
function objectSideOf(members: (readonly [name: string, side: ChangeSide])[]): ChangeSide {
  const marksOf = (markKind: 'unknown' | 'sensitive') =>
    Object.fromEntries(
      members.flatMap(([name, side]) => (side[markKind] === false ? [] : [[name, side[markKind]]])),
    );
  return {
    value: Object.fromEntries(
      members.flatMap(([name, side]) => (side.value === undefined ? [] : [[name, side.value]])),
    ),
    unknown: marksOf('unknown'),
    sensitive: marksOf('sensitive'),
  };
}

/** True if anything in a tree of marks is marked. */
export const isMarked = (marks: Marks): boolean =>
  typeof marks === 'object' ? Object.values(marks).some(isMarked) : marks;

/** Returns the id that a reference stands for; undefined for other attributes, whose values the plan does not have. */
const resolveIdReference = ({ $ref, attr }: Ref, idOf: TerraformIdLookup) =>
  attr === 'id' ? idOf($ref) : undefined;

/** Returns the text that a join of pieces makes; undefined if a piece is unknown. */
function resolveJoin(pieces: Value[], idOf: TerraformIdLookup): string | undefined {
  const texts = pieces.map((piece) => toChangeSide(piece, idOf).value);
  return texts.includes(undefined) ? undefined : texts.map(String).join('');
}

/** The Terraform address of a resource, and its components. */
interface TerraformAddress {
  address: string;
  type: string;
  name: string;
  index: string;
}

/**
 * Returns the Terraform address of a resource: `trueup_project_env_var.web["projects/web/env/LOG_LEVEL@production"]`. Policies select
 * resources by its components.
 *
 * - The type is `trueup_` and the kind in snake case, so a policy can select a kind.
 * - The name is that of the project, the domain or the like at the root of our address, written as an identifier, so a policy can select
 *   all of one project. Two names may become the same identifier, so the name alone does not identify anything.
 * - The index is always our whole address. So the Terraform address is unique and leads back to ours.
 */
export function terraformAddressOf(kind: string, address: Address): TerraformAddress {
  const [section, root = section!] = address.split('/');
  const type = `trueup_${kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
  // `example.com` becomes `example_com`, and `1st` becomes `_1st`, because an identifier begins with a letter or `_`.
  const name = unescapeName(root)
    .replace(/[^\w-]/g, '_')
    .replace(/^(?![a-z_])/i, '_');
  return { address: `${type}.${name}[${JSON.stringify(address)}]`, type, name, index: address };
}

/**
 * Returns the member `resource` of a line in Terraform's stream (`terraform plan -json` and `terraform apply -json`): the object of the
 * line. Tools that read such streams take the parts of the Terraform address from it.
 */
export function streamResourceOf({ kind, address }: Pick<Change, 'kind' | 'address'>) {
  const terraformAddress = terraformAddressOf(kind, address);
  return {
    addr: terraformAddress.address,
    module: '',
    resource: terraformAddress.address,
    implied_provider: 'trueup',
    resource_type: terraformAddress.type,
    resource_name: terraformAddress.name,
    resource_key: terraformAddress.index,
  };
}
