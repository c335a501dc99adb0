import { mapMembers } from '../model/members.ts';
import { isPlainObject } from '../model/value.ts';
import type { FieldPath } from './reading.ts';

/**
 * A value with every scalar at or below these paths made illegible, its length kept. What a schema says of both cannot have been
 * made of the text that was there.
 */
export function blinded(value: unknown, paths: FieldPath[]): unknown {
  if (paths.some((path) => path.length === 0)) return illegible(value);
  const below = (step: string | number) =>
    paths.filter(([first]) => first === step).map(([, ...rest]) => rest);
  if (Array.isArray(value)) return value.map((item, i) => blinded(item, below(i)));
  return isPlainObject(value) ? mapMembers(value, (item, name) => blinded(item, below(name))) : value;
}

function illegible(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(illegible);
  return isPlainObject(value) ? mapMembers(value, illegible) : String(value).replace(/./gsu, '\u0001');
}
