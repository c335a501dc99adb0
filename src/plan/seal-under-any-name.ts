import { sealLive } from '../kind/seal-live.ts';
import type { Address } from '../model/address.ts';
import { addTo } from '../model/graph.ts';
import type { Live, LiveResource } from '../model/resource.ts';
import type { PlanInput } from './input.ts';
import { pairUnnamedObjects } from './match-live-objects.ts';

/**
 * Seals the live values that are not open, for readers that see objects under other addresses than the plan does. An object may have several
 * addresses: its natural one, that of the ledger, that of the configuration, and one for each unit of a row. A value that one of them knows
 * as secret is sealed.
 */
export const sealUnderAnyName = (input: PlanInput): Live => sealLive(input, createAddressFinder(input)).live;

/** Makes a function that returns the addresses of a live object: its own first, then those by its ids. */
function createAddressFinder(input: PlanInput): (resource: LiveResource) => Set<Address> {
  const { ledger } = input;
  const byId = new Map<string, Address[]>();
  const note = (kind: string, ids: string[], address: Address) => {
    for (const id of ids) addTo(byId, `${kind} ${id}`, address);
  };
  for (const [address, { kind, ids }] of Object.entries(ledger.entries)) note(kind, ids, address);
  for (const { kind, ids, address } of pairUnnamedObjects(input).live.resources.values())
    note(kind, ids, address);
  return ({ address, kind, ids, alternatives = [] }) =>
    new Set([
      address,
      ...[...ids, ...alternatives.map(({ id }) => id)].flatMap((id) => byId.get(`${kind} ${id}`) ?? []),
    ]);
}
