import type { ExportResult } from '../../export/export-live.ts';
import { canDo } from '../../kind/define-kind.ts';
import type { StateResource } from '../../kind/foreign.ts';
import type { Kinds } from '../../kind/kind.ts';
import { type Address, isWithin } from '../../model/address.ts';
import { type ConversionTally, countItems, type LeftOutItem } from '../tally.ts';
import type { StateAsLive } from './state-to-live.ts';

/**
 * Counts the converted resources of a state, and lists the others with reasons, so that no resource is lost without a message: one without
 * a reason is missing in the numbers, which `checkTally` reports as a bug. A resource is converted if at least one of its objects is
 * exported. Data sources only name objects and do not count.
 */
export function tallyResources(state: StateAsLive, exported: ExportResult, kinds: Kinds): ConversionTally {
  const addressesOf = (resource: StateResource) => state.addressesOf.get(resource) ?? [];
  const notConverted = state.managed.filter(
    (resource) => !addressesOf(resource).some((address) => exported.converted.has(address)),
  );
  const ownItems = notConverted.flatMap((resource): LeftOutItem[] => {
    const why = state.reasons.get(resource) ?? explainLeftOut(addressesOf(resource), state, exported, kinds);
    return why === undefined ? [] : [{ name: resource.address, reason: why, count: 1 }];
  });
  const otherProviderItems = [...state.otherProviders].map(([provider, number]) => ({
    name: `${number} ${number === 1 ? 'resource' : 'resources'} of ${provider}`,
    reason: `Terraform keeps ${number === 1 ? 'it' : 'them'}`,
    count: number,
  }));
  return {
    read: state.managed.length + countItems([...state.deposed, ...otherProviderItems]),
    converted: state.managed.length - notConverted.length,
    leftOut: [...state.deposed, ...ownItems, ...otherProviderItems],
  };
}

/**
 * Returns why the export contains no object of a Terraform resource that could be read, for the report of
 * `trueup from terraform`. `addresses`: the objects of the resource. There are two reasons: the export left out one of
 * them, or an object around it; or the platform can create none of them, because they always exist, and an export omits
 * such objects if they have only default values. Undefined if neither applies: then the numbers do not add up, and
 * `checkTally` reports a bug.
 */
function explainLeftOut(
  addresses: readonly Address[],
  { live }: StateAsLive,
  { leftOut }: ExportResult,
  kinds: Kinds,
): string | undefined {
  for (const [address, reason] of leftOut)
    if (addresses.some((objectAddress) => isWithin(objectAddress, address)))
      return addresses.includes(address) ? reason : `it is in ${address}, which is left out`;
  const alwaysExists = (address: Address) => {
    const resource = live.resources.get(address);
    return resource !== undefined && !canDo(kinds.get(resource.kind)!, 'create');
  };
  return addresses.length > 0 && addresses.every(alwaysExists)
    ? "it sets only the platform's defaults"
    : undefined;
}
