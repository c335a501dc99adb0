import { type Address, lastNameOf } from '../model/address.ts';
import type { Live } from '../model/resource.ts';
import type { Value } from '../model/value.ts';

/** How to find an attribute of an object that exists. */
export const attributeIn =
  ({ resources }: Live) =>
  (address: Address, attr: string): Value | undefined => {
    const target = resources.get(address);
    return attr === 'id' ? target?.id : target?.fields[attr];
  };

/** How to find the id of an object that exists; one that was never read, only mentioned, has it in its address. */
export const idIn =
  ({ resources }: Live) =>
  (address: Address): Value | undefined =>
    address.startsWith('#') ? lastNameOf(address) : resources.get(address)?.ids.at(-1);
