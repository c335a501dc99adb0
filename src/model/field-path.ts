import { type Fields, isPlainObject, type Value } from './value.ts';
import { put } from './walk.ts';

/** The names in a leaf's path. A name may hold a dot, which is escaped in the path. */
export const namesIn = (path: string): string[] =>
  path.includes('.') ? path.split(/(?<!\\)\./).map((name) => name.replaceAll('\\.', '.')) : [path];

/** The value at a leaf's path; undefined if the path ends early. */
export function atPath(fields: Fields, path: string): Value | undefined {
  let at: unknown = fields;
  for (const name of namesIn(path)) at = isPlainObject(at) ? at[name] : undefined;
  return at as Value | undefined;
}

/** The opposite: fields made of leaves. Where one leaf is inside of another, the later one counts. */
export function fieldsOf(leaves: Iterable<[path: string, value: Value]>): Fields {
  const fields: Fields = {};
  for (const [path, value] of leaves) {
    const names = namesIn(path);
    const last = names.pop()!;
    let at = fields;
    for (const name of names) {
      const inner = Object.hasOwn(at, name) ? at[name] : undefined;
      at = isPlainObject(inner) ? (inner as Fields) : put(at, name, {} as Fields);
    }
    put(at, last, isPlainObject(value) ? ({ ...value } as Fields) : value);
  }
  return fields;
}
