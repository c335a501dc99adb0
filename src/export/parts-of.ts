import type { Kind } from '../kind/kind.ts';
import { groupBy } from '../model/graph.ts';
import type { LiveResource } from '../model/resource.ts';
import type { Fields } from '../model/value.ts';

/** A live object, or one of the rows behind it, with the fields that are declared of it. */
export interface Part {
  of: LiveResource;
  fields: Fields;
}

/** Objects as what stands in the YAML: where units and rows differ, the rows, by the place of their first unit. */
export function partsOf(kind: Kind, objects: LiveResource[]): Part[] {
  const { rowOf } = kind.shape;
  if (!rowOf) return objects.map((of) => ({ of, fields: of.fields }));
  const units = objects.flatMap((of) => (of.rows ?? []).map((row) => ({ of, row })));
  return [...groupBy(units, ({ row }) => row.id).values()].map((same) => ({
    of: same[0]!.of,
    fields: rowOf(same.map(({ row }) => row.fields)),
  }));
}
