import type { Kinds } from '../kind/kind.ts';
import { type Address, addressOf } from '../model/address.ts';
import type { Change } from '../model/change.ts';
import { problem } from '../model/diagnostic.ts';
import { collectionParts } from '../model/resource.ts';
import type { PlanInput, Report } from './input.ts';
import { needsOf } from './needs.ts';

/** Says once for each reason what could not be read; what lies below is frozen for the same reason. */
export function reportFrozen({ live, desired, kinds }: PlanInput, report: Report): void {
  const said = new Set<string>();
  for (const [id, why] of live.frozen) {
    if (said.has(why)) continue;
    said.add(why);
    const [parent, kind] = collectionParts(id);
    const around = desired.resources.get(parent ?? '');
    report(
      problem(
        'observe/incomplete',
        `${addressOf(parent, kinds.get(kind)!.section, [])} could not be read: ${why}`,
        {
          ...(parent === undefined ? {} : { address: parent }),
          ...(around ? { at: around.at } : {}),
          hint: 'nothing in it or below it is planned, nor what needs it; run again, or apply the rest with --allow-incomplete',
        },
      ),
    );
  }
}

/** The changes without those that need something unseen: whether that exists, and its id, is not known. */
export function leaveOutUnseen(changes: Change[], unseen: ReadonlySet<Address>, kinds: Kinds): Change[] {
  if (unseen.size === 0) return changes;
  const out = new Set(unseen);
  let left = changes;
  for (let before = -1; before !== left.length; ) {
    before = left.length;
    left = left.filter((change) => {
      const isOut =
        change.after !== undefined && [...needsOf(change, kinds)].some((address) => out.has(address));
      if (isOut) out.add(change.address);
      return !isOut;
    });
  }
  return left;
}
