import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { digest } from '../model/digest.ts';
import { groupBy } from '../model/graph.ts';
import { collectionId, type Meta } from '../model/resource.ts';
import { atPath, type Fields, holdsSecret } from '../model/value.ts';
import type { Conceal } from './encode.ts';
import type { Basis, Mark } from './saved-plan.ts';

/** Stands among the found fields for where an item of an ordered list was. */
export const place = '$place';

/** The address in front of each found item of an ordered list, among those in the plan; null for the first. */
type Places = ReadonlyMap<Address, Address | null>;

export function placesOf(changes: Change[], kinds: Kinds): Places {
  const ordered = changes.filter(({ kind, before }) => before && kinds.get(kind)?.shape.orderDecides);
  const lists = groupBy(ordered, ({ kind, parent }) => collectionId(kind, parent)).values();
  return new Map(
    [...lists].flatMap((list) => {
      const items = list.sort((a, b) => a.before!.index - b.before!.index);
      return items.map(({ address }, index) => [address, items[index - 1]?.address ?? null] as const);
    }),
  );
}

/**
 * The state that a change was planned on. Only what is declared counts, since nothing else is touched; of an object that is deleted, all
 * that was shown.
 */
export function basisOf(change: Change, salt: string, conceal: Conceal, places: Places): Basis {
  const { address, action, before, after, declared = [], uncompared = [] } = change;
  const mark = (place: string, value: unknown): Mark =>
    holdsSecret(value)
      ? { secret: conceal(`${address}#${place}`, value) }
      : digest(`${salt}\n${address}#${place}`, value ?? null);
  const marks = (side: string, values: [name: string, value: unknown][]): Record<string, Mark> =>
    Object.fromEntries(values.map(([name, value]) => [name, mark(`${side}/${name}`, value)]));
  const at = (fields: Fields, paths: string[]) =>
    paths.map((path): [string, unknown] => [path, atPath(fields, path)]);
  const metaOf = (meta: Meta) =>
    Object.entries(meta)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]): [string, unknown] => [`$${name}`, value]);
  const whole = action === 'delete' && before ? Object.entries(before.fields) : undefined;
  return {
    address,
    ids: before?.ids ?? [],
    ...(after
      ? {
          wanted: marks('wanted', [...at(after.fields, [...declared, ...uncompared]), ...metaOf(after.meta)]),
        }
      : {}),
    found: before
      ? marks('found', [
          ...(whole ?? at(before.fields, declared)),
          ...(places.has(address) ? [[place, places.get(address)] as [string, unknown]] : []),
        ])
      : {},
  };
}
