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
  isHole,
  isJoin,
  isPlainObject,
  isRef,
  isSecret,
  type Ref,
  type Value,
} from '../../model/value.ts';
import { inside, mapTree, setOwn } from '../../model/walk.ts';

/** Before and after a change, each the whole object as far as it is known; null where there is nothing. */
export interface Sides {
  before: Side | null;
  after: Side | null;
}

/** Makes a function that gives the two sides of a change. */
export function sidesIn(plan: Plan): (change: Change) => Sides {
  const ids = new Map(plan.changes.flatMap(({ address, id }) => (id === undefined ? [] : [[address, id]])));
  const isNew = new Set(
    plan.changes.filter(({ action }) => getsId.has(action)).map(({ address }) => address),
  );
  const idBefore: IdOf = (address) => ids.get(address) ?? address;
  const idAfter: IdOf = (address) => (isNew.has(address) ? undefined : ids.get(address));
  return (change) => ({
    before: wasThere(change) ? sideOf(withId(before(change), change.id), idBefore) : null,
    after: staysThere(change)
      ? sideOf(withId(wholeWith(change, afterOf), idAfter(change.address) ?? unknown), idAfter)
      : null,
  });
}

/**
 * The drift: what the last apply left, and what was found since, of the fields that somebody else changed. Of a conflict the former is not
 * known.
 */
export function driftOf(change: Change): { before: Side; after: Side } {
  const left = (field: FieldChange) => (field.cause === 'drift' ? afterOf(field) : beforeOf(field));
  const isKnown = ({ cause }: FieldChange) => cause !== 'conflict';
  const side = (fields: Fields) => sideOf(withId(fields, change.id), (address) => address);
  return { before: side(fieldsWith(change, left, isKnown)), after: side(fieldsWith(change, beforeOf)) };
}

/** The object as it was found. */
export const foundSide = (change: Change): Side =>
  sideOf(withId(before(change), change.id), (address) => address);

const getsId = new Set(['create', 'replace']);
const unknown: Value = { $result: 0, path: ['id'] };

const wasThere = ({ action }: Change) => action !== 'create';

/** Let go of is what the configuration does not speak of any more; where it only names fewer fields, the object stays ours. */
export const isLetGo = ({ action, fields }: Change): boolean =>
  action === 'forget' || (action === 'release' && !fields.some(({ cause }) => cause === 'released'));

const staysThere = (change: Change) => change.action !== 'delete' && !isLetGo(change);

const before = (change: Change): Fields =>
  change.action === 'delete' && change.before ? change.before.fields : wholeWith(change, beforeOf);

/** The declared fields of a side, and what the object has beside them, which stays; a new object has nothing else yet. */
const wholeWith = (change: Change, side: (field: FieldChange) => Value): Fields =>
  merged(
    change.action === 'replace' && side === afterOf ? {} : undeclaredFieldsOf(change),
    fieldsWith(change, side),
  );

/** Both, down to where one of them is no object. */
const merged = (fields: Fields, other: Fields): Fields => {
  const all: Fields = { ...fields };
  for (const [name, value] of Object.entries(other)) {
    const there = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const isInside = isPlainObject(there) && isPlainObject(value) && !isHole(value);
    setOwn(all, name, isInside ? merged(there as Fields, value as Fields) : value);
  }
  return all;
};

const fieldsWith = (
  change: Change,
  side: (field: FieldChange) => Value,
  isKnown: (field: FieldChange) => boolean = () => true,
): Fields =>
  fieldsFromLeaves([
    ...unchangedFieldsOf(change),
    ...change.fields
      .filter(isKnown)
      .map((field): [string, Value] => [field.path, hidden(field, side(field), wasThere(change))]),
  ]);

const withId = (fields: Fields, id: Value | undefined): Fields =>
  id === undefined || Object.hasOwn(fields, 'id') ? fields : { ...fields, id };

const stays = ({ cause }: FieldChange) => cause === 'recorded' || cause === 'released';
const beforeOf = (field: FieldChange): Value =>
  field.before ?? (stays(field) ? field.after : undefined) ?? null;
const afterOf = (field: FieldChange): Value =>
  field.after ?? (stays(field) ? field.before : undefined) ?? null;

/**
 * Hides both sides of a field that is secret on one. Where a secret is written to an object that is there, the new one is marked, also inside
 * of a value: who compares the sides sees a difference. What was there need not be known: the platform tells nobody a `sensitive` value.
 */
function hidden(field: FieldChange, value: Value, isThere: boolean): Value {
  const { secret, before, after } = field;
  const isWritten = isThere && asksForWrite(field) && value === afterOf(field);
  const mark = isWritten ? anotherSecret : aSecret;
  if (secret || [before, after].some(isSecret)) return mark;
  const marked = mapTree(value, (one) =>
    one instanceof Sealed || isSecret(one) ? mark : isHole(one) ? one : inside,
  );
  return marked as Value;
}

const aSecret = new Sealed('');
const anotherSecret = new Sealed('');

/** Stands in place of secrets. The two differ, so that whoever compares sees a change; nothing else can be told from them. */
const secretMarks = { same: '(secret)', changed: '(secret, changed)' };

/** Marks in the shape of a value: true where it applies. In objects what is not marked is left out, in lists it is false. */
export type Marks = boolean | Marks[] | { [name: string]: Marks };

/** One side of a change. An unknown value is left out, and a mark stands in place of a secret one. */
export interface Side {
  value: unknown;
  unknown: Marks;
  sensitive: Marks;
}

/** The id that an address has on this side, where it has one already. */
type IdOf = (address: Address) => string | undefined;

/** A value as Terraform writes it. */
function sideOf(value: Value | undefined, idOf: IdOf): Side {
  if (value instanceof Sealed || isSecret(value)) {
    const mark = value === anotherSecret ? secretMarks.changed : secretMarks.same;
    return { value: mark, unknown: false, sensitive: true };
  }
  if (isHole(value)) {
    const known = isRef(value)
      ? idBehind(value, idOf)
      : isJoin(value)
        ? joined(value.$join, idOf)
        : undefined;
    return { value: known, unknown: known === undefined, sensitive: false };
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => sideOf(item, idOf));
    return {
      value: items.map((item) => item.value ?? null),
      unknown: items.map(({ unknown }) => unknown),
      sensitive: items.map(({ sensitive }) => sensitive),
    };
  }
  if (!isPlainObject(value)) return { value: value ?? null, unknown: false, sensitive: false };
  const names = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort();
  const members = names.map((name) => [name, sideOf(value[name] as Value, idOf)] as const);
  const marks = (which: 'unknown' | 'sensitive') =>
    Object.fromEntries(
      members.flatMap(([name, side]) => (side[which] === false ? [] : [[name, side[which]]])),
    );
  return {
    value: Object.fromEntries(
      members.flatMap(([name, { value }]) => (value === undefined ? [] : [[name, value]])),
    ),
    unknown: marks('unknown'),
    sensitive: marks('sensitive'),
  };
}

/** True if anything in it is marked. */
export const isMarked = (marks: Marks): boolean =>
  typeof marks === 'object' ? Object.values(marks).some(isMarked) : marks;

const idBehind = ({ $ref, attr }: Ref, idOf: IdOf) => (attr === 'id' ? idOf($ref) : undefined);

/** The text, once all pieces of it are known. */
function joined(pieces: Value[], idOf: IdOf): string | undefined {
  const known = pieces.map((value) => sideOf(value, idOf).value);
  return known.includes(undefined) ? undefined : known.map(String).join('');
}

/** The place of a resource in Terraform's terms. */
interface Place {
  address: string;
  type: string;
  name: string;
  index: string;
}

/**
 * The Terraform address of a resource: `trueup_project_env_var.web["projects/web/env/LOG_LEVEL@production"]`.
 *
 * - The type is `trueup_` and the kind in snake case, for policies that go by `type`.
 * - The name is that of the project, the domain, ... at the root of our address, written as an identifier: a policy can take all
 *   of one project by `name`. Names that are written alike fall together, which is why it does not identify alone.
 * - The index is our whole address, always: so it is unique, depends on nothing else in the plan, and leads back to ours.
 */
export function placeOf(kind: string, address: Address): Place {
  const [section, root = section!] = address.split('/');
  const type = `trueup_${kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
  const name = unescapeName(root)
    .replace(/[^\w-]/g, '_')
    .replace(/^(?![a-z_])/i, '_');
  return { address: `${type}.${name}[${JSON.stringify(address)}]`, type, name, index: address };
}

/** The name of a resource in the stream. */
export function uiResource({ kind, address }: Pick<Change, 'kind' | 'address'>) {
  const place = placeOf(kind, address);
  return {
    addr: place.address,
    module: '',
    resource: place.address,
    implied_provider: 'trueup',
    resource_type: place.type,
    resource_name: place.name,
    resource_key: place.index,
  };
}
