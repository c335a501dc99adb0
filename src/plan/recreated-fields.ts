import type { Kind } from '../kind/kind.ts';
import { comparedFields, leavesOf } from '../kind/leaves.ts';
import { knownFields } from '../kind/resolve.ts';
import { canonical } from '../model/digest.ts';
import { atPath, namesIn } from '../model/field-path.ts';
import type { Resource } from '../model/resource.ts';
import type { Value } from '../model/value.ts';
import { put } from '../model/walk.ts';
import { isFile, schemaAt } from './schema-at.ts';
import type { UndoneChange } from './undone.ts';

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
