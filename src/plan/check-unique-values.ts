import { soleValues } from '../kind/sole-values.ts';
import { indexByAddress, isWithinAny } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import type { Reporter } from '../model/diagnostic.ts';
import type { LiveResource } from '../model/resource.ts';
import { createOwnerFinder } from './claims.ts';
import type { PlanInput } from './input.ts';

/**
 * Reports creations with a value that a staying object has and that only one object may have at a time, such as a domain name. The platform
 * would refuse the new object, or take the value from the other one. Objects of other stacks do not count, since these may give up the
 * value before this plan is applied.
 */
export function checkUniqueValues(changes: Change[], input: PlanInput, report: Reporter): void {
  const { live, kinds, otherStacks = [] } = input;
  const neededValues = changes.flatMap((change) =>
    change.action === 'create'
      ? soleValues(kinds.get(change.kind)!, change.after.fields).map((value) => ({ change, ...value }))
      : [],
  );
  if (neededValues.length === 0) return;
  const holders = findHolders(changes, input);
  const conflicts = neededValues.flatMap((value) => {
    const holder = holders.get(value.text);
    return holder ? [{ ...value, holder }] : [];
  });
  if (conflicts.length === 0) return;
  const ownerOf = createOwnerFinder(otherStacks, kinds, (address) => live.resources.get(address));
  for (const { change, name, holder } of conflicts)
    if (ownerOf(holder) === undefined)
      report.error(
        'plan/taken',
        `${change.address}: ${holder.address} has the same \`${name}\`, which only one can have`,
        {
          address: change.address,
          at: change.at,
          hint: `declare it as ${holder.address}, apply, and then move the block here; or delete it there first`,
        },
      );
}

/**
 * Returns the undeclared objects that stay, by the values that only one object may have. Declared ones are left out, since `validate`
 * compares them in the configuration.
 */
function findHolders(changes: Change[], { live, kinds }: PlanInput): Map<string, LiveResource> {
  const changeOf = indexByAddress(changes);
  const deleted = new Set(
    changes.flatMap(({ action, address }) => (action === 'delete' || action === 'replace' ? [address] : [])),
  );
  const holders = new Map<string, LiveResource>();
  for (const object of live.resources.values()) {
    const change = changeOf.get(object.address);
    const isDeclared = change?.after && change.action !== 'forget';
    if (isDeclared || isWithinAny(object.address, deleted)) continue;
    for (const { text } of soleValues(kinds.get(object.kind)!, object.fields)) holders.set(text, object);
  }
  return holders;
}
