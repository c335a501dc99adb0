import type { Kind } from '../kind/kind.ts';
import { type Address, escapeName } from '../model/address.ts';
import type { LiveResource } from '../model/resource.ts';
import { type Fields, isRef, mapHoles } from '../model/value.ts';

/** Objects of one kind that name each other by id, now by address: these are known only once all of them are read. */
export function namingSiblings({ name }: Kind, found: LiveResource[]): LiveResource[] {
  const addresses = new Map<Address, Address>(
    found.flatMap((one) =>
      (one.alternatives ?? [one]).flatMap(({ ids }) =>
        ids.map((id) => [`#${name}/${escapeName(id)}`, one.address] as const),
      ),
    ),
  );
  const named = (one: LiveResource): LiveResource => ({
    ...one,
    fields: mapHoles(one.fields, (hole) =>
      isRef(hole) ? { ...hole, $ref: addresses.get(hole.$ref) ?? hole.$ref } : hole,
    ) as Fields,
    ...(one.alternatives ? { alternatives: one.alternatives.map(named) } : {}),
  });
  return found.map(named);
}
