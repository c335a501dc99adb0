/*
 * Gives the live objects of a plan their natural addresses, which their current names make. A stack that renames an object (`$was`) has it
 * under the new address, and another stack that observes the same object has it under the old one. A twin of several stacks must get such
 * an object once.
 */
import type { Address } from '../model/address.ts';
import type { Live, LiveResource } from '../model/resource.ts';
import { Sealed } from '../model/sealed.ts';
import { type Fields, isRef } from '../model/value.ts';
import { mapTree, visitMembers } from '../model/walk.ts';

/**
 * Returns the natural address of each live object (the one that its current name in the account makes), by its address in the plan. They
 * differ for an object that the stack renames. Several stacks can observe such an object under different addresses, and the twin (the
 * simulated account of a rehearsal) must get it once. All addresses stay as they are if two objects would get the same one.
 */
export function findNaturalAddresses({ resources }: Live): ReadonlyMap<Address, Address> {
  const naturalAddresses = new Map<Address, Address>();
  const findNatural = (address: Address): Address => {
    const resource = resources.get(address);
    if (!resource) return address;
    const knownNatural = naturalAddresses.get(address);
    if (knownNatural !== undefined) return knownNatural;
    const { parent, renamedTo: addressByName = address } = resource;
    const natural =
      parent === undefined ? addressByName : `${findNatural(parent)}${addressByName.slice(parent.length)}`;
    naturalAddresses.set(address, natural);
    return natural;
  };
  for (const address of resources.keys()) findNatural(address);
  const isUnique = new Set(naturalAddresses.values()).size === naturalAddresses.size;
  return isUnique ? naturalAddresses : new Map([...resources.keys()].map((address) => [address, address]));
}

/**
 * Returns a live account whose objects, parents and references have other addresses, to fill the twin (the simulated account of a
 * rehearsal) under natural addresses, which the current names make. No object counts as renamed then (`renamedTo`). `addresses`: the new
 * address by the present one.
 */
export function withAddresses(live: Live, addresses: ReadonlyMap<Address, Address>): Live {
  if ([...addresses].every(([address, newAddress]) => address === newAddress)) return live;
  const rename = (address: Address): Address => addresses.get(address) ?? address;
  const renameReferences = (fields: Fields): Fields =>
    mapTree(fields, (part) => {
      if (part instanceof Sealed) return part;
      return isRef(part) ? { ...part, $ref: rename(part.$ref) } : visitMembers;
    }) as Fields;
  const renamed = [...live.resources.values()].map((resource): LiveResource => {
    const { parent, fields } = resource;
    return {
      ...resource,
      address: rename(resource.address),
      ...(parent !== undefined && { parent: rename(parent) }),
      fields: renameReferences(fields),
      renamedTo: undefined,
    };
  });
  return { ...live, resources: new Map(renamed.map((resource) => [resource.address, resource])) };
}
