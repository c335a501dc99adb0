/**
 * Gives live objects the names that the configuration uses for them, for kinds whose objects have several names, such as the members of a
 * project.
 *
 *   recorded   other names of the object   configuration   result
 *   none       A, B                        B               the object is at B
 *   A          A, B                        A               the object is at A, although B is its usual name
 *   A          A, B                        B               the ledger entry moves from A to B
 *   A          A, B                        none            the object stays at A
 *
 * The configuration uses a name in a block, or in an entry of `removed`: otherwise an entry that keeps a member by user name would be ignored, and the
 * member deleted, because the ledger has the e-mail address. A block comes first.
 */
import type { Kinds } from '../kind/kind.ts';
import { addressesByName, underOwnName } from '../kind/other-names.ts';
import { type Address, indexByAddress } from '../model/address.ts';
import type { Ledger } from '../model/ledger.ts';
import { renameInLedger } from '../model/move.ts';
import type { Desired, Live } from '../model/resource.ts';
import type { RecordedAddresses } from './input.ts';

/**
 * Returns live objects and ledger with the addresses that the configuration uses. An object may have several names, such as the e-mail
 * address and the user name of a member, and so several addresses. Otherwise a plan would delete it under one name and create it under the
 * other. `claims`: the recorded addresses by the new ones, so that the plan can say "renamed from". Called after the account was read and
 * before anything is compared.
 */
export function useDeclaredNames({
  desired,
  live,
  ledger,
  kinds,
}: {
  desired: Desired;
  live: Live;
  ledger: Ledger;
  kinds: Kinds;
}): { live: Live; ledger: Ledger; claims: RecordedAddresses } {
  const newAddresses = new Map<Address, Address>();
  const removedAddresses = new Set(desired.removed?.map(({ address }) => address));
  const resources = [...live.resources.values()].map((object) => {
    const kind = kinds.get(object.kind);
    const addresses = kind ? addressesByName(kind, object, object.parent) : [];
    // An address under which the account has another object is not free.
    const findUsed = (mentioned: { has(address: Address): boolean }) =>
      [object.address, ...addresses].find(
        (address) => mentioned.has(address) && (address === object.address || !live.resources.has(address)),
      );
    const declared = findUsed(desired.resources) ?? findUsed(removedAddresses);
    if (!kind || addresses.length === 0 || declared === undefined || declared === object.address)
      return object;
    newAddresses.set(object.address, declared);
    return underOwnName(kind, { ...object, address: declared });
  });
  const recorded = [...newAddresses].filter(([address]) => ledger.entries[address]);
  return {
    live: { ...live, resources: indexByAddress(resources) },
    ledger:
      recorded.length === 0
        ? ledger
        : renameInLedger(ledger, (address) => newAddresses.get(address) ?? address),
    claims: new Map(recorded.map(([from, to]) => [to, from])),
  };
}
