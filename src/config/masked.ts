import { mapMembers } from '../model/members.ts';
import { isPlainObject } from '../model/value.ts';
import { inside, mapTree } from '../model/walk.ts';
import type { FieldPath } from './reading.ts';

/**
 * A value with every scalar at or below these paths made illegible, its length kept. What a schema says of both cannot have been
 * made of the text that was there.
 */
export function masked(value: unknown, paths: FieldPath[]): unknown {
  if (paths.some((path) => path.length === 0)) return mapTree(value, illegible);
  const below = (step: string | number) =>
    paths.filter(([first]) => first === step).map(([, ...rest]) => rest);
  if (Array.isArray(value)) return value.map((item, i) => masked(item, below(i)));
  return isPlainObject(value) ? mapMembers(value, (item, name) => masked(item, below(name))) : value;
}

const illegible = (value: unknown): unknown =>
  Array.isArray(value) || isPlainObject(value) ? inside : String(value).replace(/./gsu, '\u0001');
