import { soleValues } from '../kind/sole-values.ts';
import { isWithinAny } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { Reporter } from '../model/diagnostic.ts';
import type { LiveResource } from '../model/resource.ts';
import { createOwnerFinder } from './claims.ts';
import type { PlanInput } from './input.ts';

/**
 * Refuses to create what another object has and keeps: the platform allows only one, and refuses the second or takes it from the first.
 * Another stack may give up its own before this is applied.
 */
export function checkUniqueValues(changes: Change[], input: PlanInput, report: Reporter): void {
  const { live, kinds, otherStacks = [] } = input;
  const takers = changes.flatMap(({ action, address, kind, after, at }) =>
    action === 'create'
      ? soleValues(kinds.get(kind)!, after!.fields).map(({ name, text }) => ({ address, at, name, text }))
      : [],
  );
  if (takers.length === 0) return;
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  const going = new Set(
    changes.flatMap(({ action, address }) => (action === 'delete' || action === 'replace' ? [address] : [])),
  );
  const holders = new Map<string, LiveResource>();
  for (const resource of live.resources.values()) {
    const change = byAddress.get(resource.address);
    const isDeclared = change?.after && change.action !== 'forget';
    if (isDeclared || isWithinAny(resource.address, going)) continue;
    for (const { text } of soleValues(kinds.get(resource.kind)!, resource.fields))
      holders.set(text, resource);
  }
  const found = takers.flatMap((taker) => {
    const holder = holders.get(taker.text);
    return holder ? [{ ...taker, holder }] : [];
  });
  if (found.length === 0) return;
  const ownerOf = createOwnerFinder(otherStacks, kinds, (address) => live.resources.get(address));
  for (const { address, at, name, holder } of found)
    if (ownerOf(holder) === undefined)
      report.error(
        'plan/taken',
        `${address}: ${holder.address} has the same \`${name}\`, which only one can have`,
        {
          address,
          at,
          hint: `declare it as ${holder.address}, apply, and then move the block here; or delete it there first`,
        },
      );
}
