import type * as z from 'zod';
import type { Address } from '../model/address.ts';
import { asksForWrite, type Change, type FieldChange } from '../model/change.ts';
import type { LiveResource, Resource } from '../model/resource.ts';
import { type Fields, isPlainObject, type Value } from '../model/value.ts';
import { mapMembers } from '../model/walk.ts';
import type { ApiObject, Kind } from './kind.ts';
import { comparedFields, memberSchemasOf } from './leaves.ts';
import { traitsOf } from './traits.ts';

/** One change handed to a kind's writer. `id` and `body` are what most writers need. */
export interface Step {
  action: 'create' | 'update' | 'replace' | 'delete' | 'move';
  address: Address;
  /** The object's id, as a hole that is filled when the request is sent. For a deletion in a staged list: the ids of all deleted objects. */
  id: Value;
  /**
   * The encoded body that the endpoint takes: the changed fields for an update by PATCH, otherwise all fields. Empty for a unit
   * of rows.
   */
  body: ApiObject;
  /** The whole object as it will be, encoded, undeclared parts as they were found. For endpoints that replace an object. */
  fullBody: ApiObject;
  before?: LiveResource;
  after?: Resource;
  /** For an update: the fields that differ. */
  fields: FieldChange[];
  /** For a move in a list: the index once the object is taken out. */
  to?: number;
  /** For a move to another parent: the id of the current one, as a hole. */
  from?: Value;
  /** The parent's id, as a hole. */
  parent?: Value;
  /** For a creation in a staged list: the id of the item before it; none if it is the first. */
  previousId?: Value;
}

/** The verb that carries out a change; undefined if the change only touches the ledger. */
export function verbOf({ action, fields }: Change): Exclude<Step['action'], 'move'> | undefined {
  if (action === 'create' || action === 'delete' || action === 'replace') return action;
  return (action === 'update' || action === 'adopt') && fields.some(asksForWrite) ? 'update' : undefined;
}

/** A change as a kind's writer takes it. */
export function stepOf(kind: Kind, action: Step['action'], change: Change, rest: Partial<Step> = {}): Step {
  return {
    action,
    address: change.address,
    id: { $ref: change.address, attr: 'id' },
    body: bodyOf(kind, action, change),
    fullBody: wholeOf(kind, change),
    ...(change.before ? { before: change.before } : {}),
    ...(change.after ? { after: change.after } : {}),
    fields: change.fields.filter(asksForWrite),
    ...(change.parent === undefined ? {} : { parent: { $ref: change.parent, attr: 'id' } }),
    ...rest,
  };
}

/** The fields that a request sends: for a creation, all that its endpoint accepts; for an update, those that changed. */
function bodyOf(kind: Kind, action: Step['action'], change: Change): ApiObject {
  const { before, after, fields } = change;
  if (!after || kind.shape.byAddress) return {};
  if (action === 'create' || action === 'replace')
    return encoded(kind, ([name, value]) => value !== null && !isUpdateOnly(kind, name), after.fields);
  const changed = new Set(fields.filter(asksForWrite).map(({ path }) => path.split('.')[0]!));
  return encoded(kind, ([name]) => changed.has(name), overlaidFields(kind, before?.fields, after.fields));
}

/** The whole object as it will be: undeclared parts as they were found, without what is reset. */
function wholeOf(kind: Kind, { before, after }: Change): ApiObject {
  if (kind.shape.byAddress) return {};
  const wanted = overlaidFields(kind, before?.fields, after?.fields ?? {});
  return encoded(kind, ([, value]) => value !== null && value !== undefined, {
    ...before?.fields,
    ...wanted,
  });
}

/** True if the create endpoint refuses a field. */
export const isUpdateOnly = (kind: Kind, name: string) => traitsOf(kind.fields[name]!).updateOnly === true;
function encoded(kind: Kind, isTaken: (field: [string, Value]) => boolean, fields: Fields): ApiObject {
  const isOfObject = ([name]: [string, Value]) => !traitsOf(kind.fields[name]!).local;
  const taken = Object.entries(fields)
    .filter(isOfObject)
    .filter(isTaken)
    .map(([name, value]) => [name, traitsOf(kind.fields[name]!).atomic ? value : withoutResets(value)]);
  const members = Object.fromEntries(taken) as Fields;
  return kind.encode?.(members) ?? members;
}

/** Removes members that are reset: the object is sent whole. */
function withoutResets(value: Value): Value {
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value as Fields).filter(([, item]) => item !== null);
  return Object.fromEntries(members.map(([name, item]) => [name, withoutResets(item)]));
}

const overlaidFields = (kind: Kind, fields: Fields = {}, wanted: Fields): Fields =>
  mapMembers(wanted, (value, name) => overlaid(comparedFields(kind)[name], fields[name], value));

/** Lays wanted values over the found ones, as far as those can be written: the object is sent whole. */
function overlaid(schema: z.ZodType | undefined, found: unknown, wanted: Value): Value {
  const isWhole = schema && traitsOf(schema).atomic;
  if (isWhole || !isPlainObject(found) || !isPlainObject(wanted)) return wanted;
  const memberOf = schema && memberSchemasOf(schema);
  const kept = Object.entries(found).filter(
    ([name, value]) => value !== undefined && (!memberOf || memberOf(name)),
  );
  const laid = Object.entries(wanted).map(([name, value]) => [
    name,
    overlaid(memberOf?.(name), found[name], value as Value),
  ]);
  return Object.fromEntries([...kept, ...laid]) as Value;
}
