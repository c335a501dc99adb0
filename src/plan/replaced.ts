import { parentOf, secretIdOf } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import { makerOfId } from '../model/ledger-key.ts';
import type { PlanInput } from './input.ts';

/**
 * Makes a test for addresses whose object was replaced outside: its id, or that of the object it is in, is not the one in the
 * ledger. The last apply then says nothing about the object there now, even if ids are names.
 */
export function replacedOutside({ live, ledger, kinds, key }: PlanInput): (address: Address) => boolean {
  const known = new Map<Address, boolean>();
  const isReplaced = (address: Address): boolean => {
    const entry = ledger.entries[address];
    const kind = kinds.get(entry?.kind ?? '');
    if (!entry || !kind) return false;
    const parent = parentOf(address, kind);
    return hasOtherId(address, entry.ids, kind) || (parent !== undefined && test(parent));
  };
  const hasOtherId = (address: Address, ids: string[], kind: Kind): boolean => {
    const found = live.resources.get(address);
    // A singleton has no id of its own, and a unit is the same in whatever row it is.
    if (!found || kind.shape.byAddress || kind.key.length === 0) return false;
    // An id that is kept as the digest of a missing key cannot be compared.
    if (secretIdOf(kind) !== undefined && !ids.some((id) => makerOfId(key, id))) return false;
    return !(found.alternatives ?? [found]).some((one) => one.ids.some((id) => ids.includes(id)));
  };
  const test = (address: Address): boolean => {
    const answer = known.get(address) ?? isReplaced(address);
    known.set(address, answer);
    return answer;
  };
  return test;
}
