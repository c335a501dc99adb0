import type { Kind, Kinds } from '../kind/kind.ts';
import { type Address, addressOf } from '../model/address.ts';
import { groupBy } from '../model/graph.ts';
import { collectionParts, type Live, type LiveResource } from '../model/resource.ts';
import { type Fields, holesIn } from '../model/value.ts';

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

/** The objects that these stand in or refer to: they have to be declared, too, be it as existing. */
export function neededBy(objects: LiveResource[]): Set<Address> {
  const needed = new Set<Address>();
  for (const { address, parent, fields } of objects) {
    const refs = holesIn(fields).flatMap((hole) => ('$ref' in hole ? [hole.$ref] : []));
    for (const one of [...(parent === undefined ? [] : [parent]), ...refs])
      if (one !== address)
        for (const [index, part] of [...one.split('/').entries()].reverse())
          needed.add([...one.split('/').slice(0, index), part].join('/'));
  }
  return needed;
}

/** Sentences about what was not read, and about what cannot be declared at all. */
export function notRead({ frozen, refused, leftOut }: Live, kinds: Kinds): string[] {
  const place = (id: string): string => {
    const [parent, name] = collectionParts(id);
    return addressOf(parent, kinds.get(name)!.section, []);
  };
  const plural = (count: number) => (count === 1 ? '1 object is' : `${count} objects are`);
  const among = (count: number, names: string[]) =>
    names.length === 0 ? '' : `: ${names.join(', ')}${count > names.length ? ', ...' : ''}`;
  return [
    ...[...frozen].map(([id, why]) =>
      refused.has(id)
        ? `${place(id)} is not accessible to this account or token: ${why}`
        : `${place(id)} could not be read: ${why}`,
    ),
    ...[...leftOut].map(
      ([id, { count, names }]) =>
        `${place(id)}: ${plural(count)} left out, cannot be declared${among(count, names)}`,
    ),
  ].sort();
}
