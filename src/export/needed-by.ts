import type { Address } from '../model/address.ts';
import type { LiveResource } from '../model/resource.ts';
import { holesIn } from '../model/value.ts';

/** What objects are in, and what they refer to: it has to be declared, too, be it as existing. */
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
