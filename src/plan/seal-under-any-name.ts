import { sealLive } from '../kind/seal-live.ts';
import type { Address } from '../model/address.ts';
import { addTo } from '../model/graph.ts';
import type { Live, LiveResource } from '../model/resource.ts';
import type { PlanInput } from './input.ts';
import { pairUnnamedObjects } from './match-live-objects.ts';

/**
 * Returns the live objects with the values sealed that are not open, for code that sees objects under other addresses than the plan does
 * (`accept`, `export`). An object may have several addresses: its natural one, that of the ledger, that of the configuration, and one for
 * each unit of a row. A value is sealed if it is secret under any of them.
 */
export const sealUnderAnyName = (input: PlanInput): Live => sealLive(input, createAddressFinder(input)).live;

/** Creates the function that returns the addresses of a live object: its own first, then those with one of its ids. */
function createAddressFinder(input: PlanInput): (resource: LiveResource) => Set<Address> {
  const { ledger } = input;
  const byId = new Map<string, Address[]>();
  const addAddress = (kind: string, ids: string[], address: Address) => {
    for (const id of ids) addTo(byId, `${kind} ${id}`, address);
  };
  for (const [address, { kind, ids }] of Object.entries(ledger.entries)) addAddress(kind, ids, address);
  for (const { kind, ids, address } of pairUnnamedObjects(input).live.resources.values())
    addAddress(kind, ids, address);
  return ({ address, kind, ids, alternatives = [] }) =>
    new Set([
      address,
      ...[...ids, ...alternatives.map(({ id }) => id)].flatMap((id) => byId.get(`${kind} ${id}`) ?? []),
    ]);
}
