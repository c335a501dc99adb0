import type * as z from 'zod';
import { comparedFields } from '../kind/define-kind.ts';
import type { ApiObject, Kind, Step } from '../kind/kind.ts';
import { membersOf } from '../kind/leaves.ts';
import { traitsOf } from '../kind/traits.ts';
import type { Change } from '../model/change.ts';
import { mapMembers } from '../model/members.ts';
import { type Fields, isPlainObject, type Value } from '../model/value.ts';
import { asksForWrite } from './diff.ts';

/** What a creation sends: everything that its endpoint accepts; and an update: what changed. */
export function bodyOf(kind: Kind, action: Step['action'], change: Change): ApiObject {
  const { before, after, fields } = change;
  if (!after || kind.rows) return {};
  if (action === 'create' || action === 'replace')
    return encoded(kind, ([name, value]) => value !== null && !isUpdateOnly(kind, name), after.fields);
  const changed = new Set(fields.filter(asksForWrite).map(({ path }) => path.split('.')[0]!));
  return encoded(kind, ([name]) => changed.has(name), overlaidFields(kind, before?.fields, after.fields));
}

/** The whole object as it will be: what is not declared of it as it was found, without what is reset. */
export function wholeOf(kind: Kind, { before, after }: Change): ApiObject {
  if (kind.rows) return {};
  const wanted = overlaidFields(kind, before?.fields, after?.fields ?? {});
  return encoded(kind, ([, value]) => value !== null && value !== undefined, {
    ...before?.fields,
    ...wanted,
  });
}

/** Whether the create endpoint refuses a field. */
export const isUpdateOnly = (kind: Kind, name: string) => traitsOf(kind.fields[name]!).updateOnly === true;

function encoded(kind: Kind, isTaken: (field: [string, Value]) => boolean, fields: Fields): ApiObject {
  const isOfObject = ([name]: [string, Value]) => !traitsOf(kind.fields[name]!).local;
  const taken = Object.entries(fields)
    .filter(isOfObject)
    .filter(isTaken)
    .map(([name, value]) => [name, traitsOf(kind.fields[name]!).atomic ? value : withoutResets(value)]);
  const members = Object.fromEntries(taken) as Fields;
  return kind.api.encode?.(members) ?? members;
}

/** An object is sent whole, so a member that is reset is one that is not in it. */
function withoutResets(value: Value): Value {
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value as Fields).filter(([, item]) => item !== null);
  return Object.fromEntries(members.map(([name, item]) => [name, withoutResets(item)]));
}

const overlaidFields = (kind: Kind, found: Fields = {}, wanted: Fields): Fields =>
  mapMembers(wanted, (value, name) => overlaid(comparedFields(kind)[name], found[name], value));

/** An object is sent whole: what is not declared of it goes back as it was found, as far as it can be written. */
function overlaid(schema: z.ZodType | undefined, found: unknown, wanted: Value): Value {
  const isWhole = schema && traitsOf(schema).atomic;
  if (isWhole || !isPlainObject(found) || !isPlainObject(wanted)) return wanted;
  const memberOf = schema && membersOf(schema);
  const kept = Object.entries(found).filter(
    ([name, value]) => value !== undefined && (!memberOf || memberOf(name)),
  );
  const laid = Object.entries(wanted).map(([name, value]) => [
    name,
    overlaid(memberOf?.(name), found[name], value as Value),
  ]);
  return Object.fromEntries([...kept, ...laid]) as Value;
}
