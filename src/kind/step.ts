/*
 * Makes steps: changes in the form in which a kind writes them, with their verb, the encoded bodies and the holes for ids. `write.ts`
 * explains their place between change and operation.
 */

import type * as z from 'zod';
import { asksForWrite, type Change } from '../model/change.ts';
import { type Fields, isPlainObject, type Value } from '../model/value.ts';
import { mapMembers } from '../model/walk.ts';
import { comparedFields, memberSchemasOf } from './compare.ts';
import type { Kind } from './kind.ts';
import type { ApiObject } from './read.ts';
import { traitsOf } from './traits.ts';
import type { Step } from './write.ts';

/** Returns the verb that carries out a change; undefined if the change only touches the ledger, so that nothing has to be sent. */
export function verbOf({ action, fields }: Change): Exclude<Step['action'], 'move'> | undefined {
  if (action === 'create' || action === 'delete' || action === 'replace') return action;
  return (action === 'update' || action === 'adopt') && fields.some(asksForWrite) ? 'update' : undefined;
}

/**
 * Creates the step for a change: the values from which the plan fills the requests that a kind declares. Ids are holes, because objects
 * that the same run creates have none yet. `body` has the fields that change, `fullBody` the whole object as it will be. `members`: values
 * that only the caller has, such as the new index of a moved item.
 */
export function stepOf(
  kind: Kind,
  action: Step['action'],
  change: Change,
  members: Partial<Step> = {},
): Step {
  return {
    action,
    address: change.address,
    id: { $ref: change.address, attr: 'id' },
    body: encodeBody(kind, action, change),
    fullBody: encodeFullBody(kind, change),
    before: change.before,
    after: change.after,
    fields: change.fields.filter(asksForWrite),
    parent: change.parent === undefined ? undefined : { $ref: change.parent, attr: 'id' },
    ...members,
  };
}

/**
 * Returns the fields that a request of an apply sends, as the API takes them: for a creation, those that its endpoint accepts; for an
 * update, those that change. Empty for kinds whose objects are not the platform's own records (`byAddress`), such as a variable in one of
 * its targets: these kinds write whole records.
 */
function encodeBody(kind: Kind, action: Step['action'], change: Change): ApiObject {
  const { before, after, fields } = change;
  if (!after || kind.shape.byAddress) return {};
  if (action === 'create' || action === 'replace')
    return encodeFields(kind, ([name, value]) => value !== null && !isUpdateOnly(kind, name), after.fields);
  const changed = new Set(fields.filter(asksForWrite).map(({ path }) => path.split('.')[0]!));
  return encodeFields(kind, ([name]) => changed.has(name), overlayFields(kind, before?.fields, after.fields));
}

/**
 * Returns the object as it will be after the change, in the form of the API, for endpoints that replace an object. Fields that are reset
 * (null) are left out, because such an endpoint resets every absent field. Empty for kinds whose objects are not the platform's own records
 * (`byAddress`).
 */
function encodeFullBody(kind: Kind, change: Change): ApiObject {
  if (kind.shape.byAddress) return {};
  return encodeFields(kind, ([, value]) => value !== null && value !== undefined, fieldsAfter(kind, change));
}

/** The fields of an object before and after a change. */
interface FieldsOfChange {
  before?: { fields: Fields } | undefined;
  after?: { fields: Fields } | undefined;
}

/**
 * Returns the fields of an object as they will be after its change: the declared ones, and the live ones that the configuration does not
 * state, also inside nested values.
 */
export const fieldsAfter = (kind: Kind, { before, after }: FieldsOfChange): Fields => ({
  ...before?.fields,
  ...overlayFields(kind, before?.fields, after?.fields ?? {}),
});

/** True if the create endpoint refuses a field, so that an update has to follow the creation. */
export const isUpdateOnly = (kind: Kind, name: string): boolean =>
  traitsOf(kind.fields[name]!).updateOnly === true;

/**
 * Encodes the fields for which `isIncluded` is true, as the API takes them, for the requests that create and update objects. Labels that
 * the platform never learns (`local`) are left out. So are null members inside the value of a field (not in lists), because the platform
 * also resets a member that a request lacks. A field that is itself null stays, and so do the members of fields that are written as they
 * are (`atomic`).
 */
function encodeFields(
  kind: Kind,
  isIncluded: (field: [name: string, value: Value]) => boolean,
  fields: Fields,
): ApiObject {
  const included = Object.entries(fields)
    .filter(([name]) => !traitsOf(kind.fields[name]!).local)
    .filter(isIncluded)
    .map(([name, value]) => [name, traitsOf(kind.fields[name]!).atomic ? value : withoutResets(value)]);
  const members = Object.fromEntries(included) as Fields;
  return kind.encode?.(members) ?? members;
}

/**
 * Returns a copy of a value without null members, in nested objects too, but not in lists. The value is sent
 * as a whole, so that an absent member is reset.
 */
function withoutResets(value: Value): Value {
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value as Fields).filter(([, item]) => item !== null);
  return Object.fromEntries(members.map(([name, item]) => [name, withoutResets(item)]));
}

/** Returns each desired field with the live values of its undeclared members, because an update would otherwise reset these. */
const overlayFields = (kind: Kind, live: Fields = {}, desired: Fields): Fields =>
  mapMembers(desired, (value, name) => overlayValue(comparedFields(kind)[name], live[name], value));

/**
 * Lays a desired value over the live one, member by member, for an update whose endpoint replaces whole values, because
 * undeclared members would otherwise be reset. Live members that an object schema does not have are left out, since the
 * endpoint may refuse them; without a schema for the members, all stay. If the value is atomic, or one of the two is no
 * object, the desired value replaces the live one.
 */
function overlayValue(schema: z.ZodType | undefined, live: unknown, desired: Value): Value {
  if (!isPlainObject(live) || !isPlainObject(desired) || (schema && traitsOf(schema).atomic)) return desired;
  const memberSchema = schema && memberSchemasOf(schema);
  const liveMembers = Object.entries(live).filter(
    ([name, value]) => value !== undefined && (!memberSchema || memberSchema(name)),
  );
  const desiredMembers = Object.entries(desired).map(([name, value]) => [
    name,
    overlayValue(memberSchema?.(name), live[name], value as Value),
  ]);
  return Object.fromEntries([...liveMembers, ...desiredMembers]) as Value;
}
