import type { Address } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { Lowered } from './lower.ts';

/**
 * Counts the objects that are deleted behind an address that itself stays: records of a DNS set, second copies of a rule. Judges
 * by the requests: an object that only moves to another row, or is replaced by a new copy, is no loss.
 */
export function lossesIn(drafts: Lowered[], changes: Change[]): Map<Address, number> {
  const stays = new Set(
    changes.filter(({ action }) => action !== 'delete' && action !== 'replace').map(({ address }) => address),
  );
  const balance = new Map<Address, number>();
  const count = (address: Address, by: number) => balance.set(address, (balance.get(address) ?? 0) + by);
  for (const { requests } of drafts)
    for (const { drops = [], returns = [], batch = [] } of requests) {
      for (const { address } of drops) count(address, 1);
      for (const { address } of returns) count(address, -1);
      for (const address of batch.flat()) count(address, -1);
    }
  return new Map([...balance].filter(([address, lost]) => lost > 0 && stays.has(address)));
}
