import type { Address } from '../model/address.ts';
import type { Live } from '../model/resource.ts';
import type { Value } from '../model/value.ts';

/** How to find an attribute of an object that exists. */
export const attributeIn =
  ({ resources }: Live) =>
  (address: Address, attr: string): Value | undefined => {
    const target = resources.get(address);
    return attr === 'id' ? target?.id : target?.fields[attr];
  };
