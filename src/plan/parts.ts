import type { Kind } from '../kind/kind.ts';
import type { LiveResource } from '../model/resource.ts';

type Part = LiveResource | undefined;

/** Splits a found object in two, by the ids behind it. Only an object of several rows can have both parts. */
export function divided(
  found: LiveResource,
  { shape }: Kind,
  isFirst: (id: string) => boolean,
): [first: Part, second: Part] {
  const part = (ids: string[]): Part => {
    if (ids.length === 0) return undefined;
    if (ids.length === found.ids.length || !found.rows) return { ...found, ids };
    const of = found.rows.filter(({ id }) => ids.includes(id));
    const fields = of.map((row) => row.fields).reduce((one, other) => shape.merged?.(one, other) ?? one);
    return { ...found, id: ids[0]!, ids, rows: of, fields };
  };
  return [part(found.ids.filter(isFirst)), part(found.ids.filter((id) => !isFirst(id)))];
}
