import type * as z from 'zod';
import { knownFields } from '../kind/empty-is-absent.ts';
import type { Kind } from '../kind/kind.ts';
import { comparedFields, leavesOf, membersOf } from '../kind/leaves.ts';
import { traitsOf } from '../kind/traits.ts';
import type { Address } from '../model/address.ts';
import type { Action, FieldCause } from '../model/change.ts';
import { canonical } from '../model/digest.ts';
import type { Resource } from '../model/resource.ts';
import { atPath, namesIn, type Value } from '../model/value.ts';
import { put } from '../model/walk.ts';

/** Leaves of an object that was deleted, and those of which the record does not say what they were. */
interface Recreated {
  extra: [path: string, value: Value][];
  /** `secret`: it is kept nowhere. */
  lost: { path: string; secret: boolean }[];
}

/**
 * The fields that a deleted object had and no file declares, from the record of the deletion: with it the object comes back as it was. A field with a
 * secret anywhere in it is in no record.
 */
export function recreatedFields(
  { fields }: UndoneChange,
  before: Pick<Resource, 'fields' | 'parent'>,
  kind: Kind,
): Recreated {
  // With what the kind fills in by itself.
  const declared = knownFields(kind, before, nothingKnown);
  const found: Recreated = { extra: [], lost: [] };
  for (const { path: name, before: was, secret, omitted } of fields) {
    if (kind.key.includes(name) || name === kind.shows) continue;
    const isSecret = secret === true || was === '(secret)';
    if (isSecret || omitted) {
      if (declared[name] === undefined) found.lost.push({ path: name, secret: isSecret });
      continue;
    }
    const field: Record<string, Value> = {};
    put(field, name, was as Value);
    for (const { path, value } of leavesOf(comparedFields(kind), field)) {
      if (atPath(declared, path) !== undefined || isUsual(kind, path, value)) continue;
      const canBeSet = !isFile(kind, path) && schemaAt(kind, path)?.safeParse(value).success;
      if (canBeSet) found.extra.push([path, value]);
      else found.lost.push({ path, secret: false });
    }
  }
  return found;
}

const nothingKnown = { secrets: new Map(), attribute: () => undefined };

/** True for what an object has by itself where nobody says anything. */
export function isUsual(kind: Kind, path: string, value: Value): boolean {
  const [name] = namesIn(path) as [string];
  return (
    ['null', '""', '[]', '{}'].includes(canonical(value)) ||
    canonical(value) === canonical(kind.usual?.[name])
  );
}

/** The schema of a leaf. */
export function schemaAt(kind: Kind, path: string): z.ZodType | undefined {
  const [first, ...names] = namesIn(path) as [string, ...string[]];
  return names.reduce<z.ZodType | undefined>(
    (at, name) => at && membersOf(at)?.(name),
    comparedFields(kind)[first],
  );
}

/** True if a field can be reset. */
export const takesNull = (kind: Kind, path: string): boolean =>
  schemaAt(kind, path)?.safeParse(null).success ?? false;

/** True if a field stands for the content of a file. */
export function isFile(kind: Kind, path: string): boolean {
  const schema = schemaAt(kind, path);
  return schema !== undefined && traitsOf(schema).file !== undefined;
}

/** A change of a run that is to be taken back, as its record has it. */
export interface UndoneChange {
  address: Address;
  kind: string;
  action: Action;
  fields: { path: string; cause: FieldCause; before?: unknown; secret?: boolean; omitted?: boolean }[];
}
