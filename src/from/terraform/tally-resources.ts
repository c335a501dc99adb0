import type { ExportResult } from '../../export/export-live.ts';
import { canDo } from '../../kind/define-kind.ts';
import type { Kinds } from '../../kind/kind.ts';
import { type Address, isWithin } from '../../model/address.ts';
import type { LeftOutItem, Tally } from '../tally.ts';
import type { StateAsLive } from './state-to-live.ts';

/**
 * Says of each resource of a state whether it was converted, and why not: a resource is converted if at least one of its objects is
 * written. Data sources only name objects and do not count.
 */
export function tallyResources(found: StateAsLive, exported: ExportResult, kinds: Kinds): Tally {
  const notConverted = found.managed.filter(
    (resource) => !(found.addressesOf.get(resource) ?? []).some((address) => exported.converted.has(address)),
  );
  const leftOuts = notConverted.flatMap((resource): LeftOutItem[] => {
    const why =
      found.reasons.get(resource) ??
      explainLeftOut(found.addressesOf.get(resource) ?? [], found, exported, kinds);
    return why === undefined ? [] : [{ name: resource.address, reason: why, count: 1 }];
  });
  const others = [...found.otherProviders].map(([provider, number]) => ({
    name: `${number} ${number === 1 ? 'resource' : 'resources'} of ${provider}`,
    reason: `Terraform keeps ${number === 1 ? 'it' : 'them'}`,
    count: number,
  }));
  const leftOut = [...found.deposed, ...leftOuts, ...others];
  const elsewhere = [...found.deposed, ...others].reduce((sum, { count: number }) => sum + number, 0);
  return {
    read: found.managed.length + elsewhere,
    converted: found.managed.length - notConverted.length,
    leftOut,
  };
}

/** Why none of these objects is written; undefined if nothing says so, which is a bug. */
function explainLeftOut(
  addresses: readonly Address[],
  { live }: StateAsLive,
  { leftOut: left }: ExportResult,
  kinds: Kinds,
): string | undefined {
  for (const [address, why] of left)
    if (addresses.some((one) => isWithin(one, address)))
      return addresses.includes(address) ? why : `it is in ${address}, which is left out`;
  const isAlwaysThere = (address: Address) => {
    const resource = live.resources.get(address);
    return resource !== undefined && !canDo(kinds.get(resource.kind)!, 'create');
  };
  return addresses.length > 0 && addresses.every(isAlwaysThere)
    ? 'it sets only what the platform sets by itself'
    : undefined;
}
