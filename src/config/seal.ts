import { mapMembers } from '../model/members.ts';
import { Sealed } from '../model/sealed.ts';
import { type Fields, isHole, isPlainObject, isSecretRef, type Value } from '../model/value.ts';
import { type FieldPath, waiting } from './reading.ts';

/** Seals what is at a path. */
export function sealAt(fields: Fields, path: FieldPath): void {
  let at: unknown = fields;
  for (const step of path.slice(0, -1)) at = (at as Record<string | number, unknown> | undefined)?.[step];
  const last = path.at(-1)!;
  if (typeof at === 'object' && at !== null && Object.hasOwn(at, last)) {
    const holder = at as Record<string | number, Value>;
    holder[last] = seal(holder[last]!);
  }
}

/** Every literal in a secret value becomes opaque; what is written around a hole, too. */
function seal(value: Value): Value {
  if (value === null || value === waiting || value instanceof Sealed || isSecretRef(value)) return value;
  if (Array.isArray(value)) return value.map(seal);
  if (typeof value !== 'object') return new Sealed(String(value));
  if ('$join' in value) return { $join: (value.$join as Value[]).map(seal) };
  if (isHole(value) || !isPlainObject(value)) return value;
  return mapMembers(value as Fields, seal);
}
