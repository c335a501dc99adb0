import type { Change, FieldChange } from '../../model/change.ts';
import { fieldsOf } from '../../model/field-path.ts';
import { keptOf } from '../../model/kept.ts';
import type { Plan } from '../../model/plan.ts';
import { Sealed } from '../../model/sealed.ts';
import { type Fields, isSecret, type Value } from '../../model/value.ts';
import { type IdOf, type Side, sideOf } from './side.ts';

/** Before and after a change; null where there is nothing. Only what is declared is in it, and of what is deleted, all that was found. */
export interface Sides {
  before: Side | null;
  after: Side | null;
}

/** What says of a change what was and what will be. */
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
      ? sideOf(withId(fieldsWith(change, afterOf), idAfter(change.address) ?? unknown), idAfter)
      : null,
  });
}

/** What the last apply left, and what was found since: the fields that somebody else changed. Of a conflict the former is not known. */
export function driftOf(change: Change): { before: Side; after: Side } {
  const left = (field: FieldChange) => (field.cause === 'drift' ? afterOf(field) : beforeOf(field));
  const isKnown = ({ cause }: FieldChange) => cause !== 'conflict';
  const side = (fields: Fields) => sideOf(withId(fields, change.id), (address) => address);
  return { before: side(fieldsWith(change, left, isKnown)), after: side(fieldsWith(change, beforeOf)) };
}

const getsId = new Set(['create', 'replace']);
const unknown: Value = { $result: 0, path: ['id'] };

const wasThere = ({ action }: Change) => action !== 'create';

/** Let go of is what the configuration does not speak of any more; where it only names fewer fields, the object stays ours. */
export const isLetGo = ({ action, fields }: Change): boolean =>
  action === 'forget' || (action === 'release' && !fields.some(({ cause }) => cause === 'released'));

const staysThere = (change: Change) => change.action !== 'delete' && !isLetGo(change);

const before = (change: Change): Fields =>
  change.action === 'delete' && change.before ? change.before.fields : fieldsWith(change, beforeOf);

const fieldsWith = (
  change: Change,
  side: (field: FieldChange) => Value,
  isKnown: (field: FieldChange) => boolean = () => true,
): Fields =>
  fieldsOf([
    ...keptOf(change),
    ...change.fields
      .filter(isKnown)
      .map((field): [string, Value] => [field.path, hidden(field, side(field))]),
  ]);

const withId = (fields: Fields, id: Value | undefined): Fields =>
  id === undefined || Object.hasOwn(fields, 'id') ? fields : { ...fields, id };

const stays = ({ cause }: FieldChange) => cause === 'recorded' || cause === 'released';
const beforeOf = (field: FieldChange): Value =>
  field.before ?? (stays(field) ? field.after : undefined) ?? null;
const afterOf = (field: FieldChange): Value =>
  field.after ?? (stays(field) ? field.before : undefined) ?? null;

/** Of a field that is secret on one side nothing is told on either. */
const hidden = ({ secret, before, after }: FieldChange, value: Value): Value =>
  secret || [before, after].some(isSecret) ? new Sealed('') : value;
