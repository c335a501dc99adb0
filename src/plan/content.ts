import { can } from '../kind/define-kind.ts';
import { type Address, isWithin } from '../model/address.ts';
import type { PlanInput } from './input.ts';

/** Lists what is deleted with a container, as far as it is known: our objects, and those of others that were seen. */
export function contentOf(container: Address, { ledger, live, kinds }: PlanInput): Address[] {
  const known = [...Object.entries(ledger.entries), ...live.resources]
    .filter(([address, { kind }]) => {
      const of = kinds.get(kind);
      return address !== container && isWithin(address, container) && of && can(of, 'delete');
    })
    .map(([address]) => address);
  return [...new Set(known)];
}
