import { soleValues } from '../kind/sole-values.ts';
import { isWithinAny } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { problem } from '../model/diagnostic.ts';
import type { LiveResource } from '../model/resource.ts';
import type { PlanInput, Report } from './input.ts';
import { ownersIn } from './ownership.ts';

/**
 * Refuses to create what another object has and keeps: the platform allows only one, and refuses the second or takes it from the first.
 * Another stack may give up its own before this is applied.
 */
export function taken(changes: Change[], input: PlanInput, report: Report): void {
  const { live, kinds, others = [] } = input;
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  const going = new Set(
    changes.flatMap(({ action, address }) => (action === 'delete' || action === 'replace' ? [address] : [])),
  );
  let ownerOf: ReturnType<typeof ownersIn> | undefined;
  const holders = new Map<string, LiveResource>();
  for (const one of live.resources.values()) {
    const change = byAddress.get(one.address);
    const isDeclared = change?.after && change.action !== 'forget';
    if (isDeclared || isWithinAny(one.address, going)) continue;
    for (const { text } of soleValues(kinds.get(one.kind)!, one.fields)) holders.set(text, one);
  }
  for (const { address, action, kind, after, at } of changes) {
    if (action !== 'create') continue;
    for (const { name, text } of soleValues(kinds.get(kind)!, after!.fields)) {
      const holder = holders.get(text);
      if (!holder) continue;
      ownerOf ??= ownersIn(others, kinds, (there) => live.resources.get(there));
      if (ownerOf(holder) !== undefined) continue;
      report(
        problem(
          'plan/taken',
          `${address}: ${holder.address} has the same \`${name}\`, which only one can have`,
          {
            address,
            ...(at ? { at } : {}),
            hint: `declare it as ${holder.address}, apply, and then move the block here; or delete it there first`,
          },
        ),
      );
    }
  }
}
