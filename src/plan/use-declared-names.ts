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
 * The configuration uses a name in a block, or in an entry of `removed`: otherwise an entry that keeps a member by user name would be
 * ignored, and the member deleted, because the ledger has the e-mail address. A block comes first.
 */
import type { Kinds } from '../kind/kind.ts';
import { addressesByName, underOwnName } from '../kind/other-names.ts';
import { type Address, indexByAddress } from '../model/address.ts';
import type { Ledger } from '../model/ledger.ts';
import { renameInLedger } from '../model/move.ts';
import type { Desired, Live, LiveResource } from '../model/resource.ts';
import type { RecordedAddresses } from './input.ts';

/** The states in which objects are found under the names that the configuration uses. */
interface NamedStates {
  desired: Desired;
  live: Live;
  ledger: Ledger;
  kinds: Kinds;
}

/**
 * Returns live objects and ledger with the addresses that the configuration uses, in blocks or in entries of `removed`. An object may have
 * several names, such as the e-mail address and the user name of a member, and so several addresses. Otherwise a plan would delete it under
 * one name and create it under the other. `recordedAddresses`: the old addresses by the new ones, so that the plan can say "renamed from".
 */
export function useDeclaredNames(states: NamedStates): {
  live: Live;
  ledger: Ledger;
  recordedAddresses: RecordedAddresses;
} {
  const { desired, live, ledger, kinds } = states;
  const removed = new Set(desired.removed?.map(({ address }) => address));
  const newAddresses = new Map<Address, Address>();
  for (const object of live.resources.values()) {
    const newAddress = findDeclaredAddress(object, removed, states);
    if (newAddress !== undefined) newAddresses.set(object.address, newAddress);
  }
  const resources = [...live.resources.values()].map((object) => {
    const address = newAddresses.get(object.address);
    return address === undefined ? object : underOwnName(kinds.get(object.kind)!, { ...object, address });
  });
  const recorded = [...newAddresses].filter(([address]) => ledger.entries[address]);
  return {
    live: { ...live, resources: indexByAddress(resources) },
    ledger:
      recorded.length === 0
        ? ledger
        : renameInLedger(ledger, (address) => newAddresses.get(address) ?? address),
    recordedAddresses: new Map(recorded.map(([from, to]) => [to, from])),
  };
}

/**
 * Returns the address that another name of a live object makes, if the configuration uses that name and not the present one. Undefined if
 * the object keeps its address. `removed`: the addresses of the entries of `removed`.
 */
function findDeclaredAddress(
  object: LiveResource,
  removed: ReadonlySet<Address>,
  { desired, live, kinds }: NamedStates,
): Address | undefined {
  const kind = kinds.get(object.kind);
  const otherAddresses = kind ? addressesByName(kind, object, object.parent) : [];
  if (otherAddresses.length === 0) return undefined;
  // An address under which the account has another object is not free.
  const isFree = (address: Address) => address === object.address || !live.resources.has(address);
  const candidates = [object.address, ...otherAddresses].filter(isFree);
  const usedAddress =
    candidates.find((address) => desired.resources.has(address)) ??
    candidates.find((address) => removed.has(address));
  return usedAddress === object.address ? undefined : usedAddress;
}
