import { knownFields } from '../kind/resolve.ts';
import { asksForWrite, type Change } from '../model/change.ts';
import { problem } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';
import { collectionId } from '../model/resource.ts';
import { attributeIn, type PlanInput, type Report } from './input.ts';

/** Refuses siblings, as they will be, that the platform does not allow beside each other. */
export function clashes(changes: Change[], { kinds, live, secrets }: PlanInput, report: Report): void {
  const known = { secrets, attribute: attributeIn(live) };
  const collections = groupBy(
    changes.filter(({ kind }) => kinds.get(kind)!.rules.clashes),
    ({ kind, parent }) => collectionId(kind, parent),
  );
  const found = groupBy(
    [...live.resources.values()].filter(({ kind }) => kinds.get(kind)?.rules.clashes),
    ({ kind, parent }) => collectionId(kind, parent),
  );
  for (const [id, of] of collections) {
    const kind = kinds.get(of[0]!.kind)!;
    const byAddress = new Map(of.map((change) => [change.address, change]));
    const strangers = (found.get(id) ?? []).filter(({ address }) => !byAddress.has(address));
    const staying = of.flatMap(({ address, action, after, before }) => {
      // A part of a deleted object may not be ours, and stays.
      const there = live.resources.get(address);
      const goes = action === 'delete' && before!.ids.length === there?.ids.length;
      if (after && action !== 'forget') return [{ address, fields: knownFields(kind, after, known) }];
      return there && !goes ? [{ address, fields: there.fields }] : [];
    });
    for (const { addresses, message, hint } of kind.rules.clashes!([...staying, ...strangers])) {
      const change = addresses
        .map((address) => byAddress.get(address))
        .find((c) => c && (c.action === 'create' || c.fields.some(asksForWrite)));
      if (change)
        report(
          problem('plan/clash', message, {
            address: change.address,
            ...(change.at ? { at: change.at } : {}),
            hint,
          }),
        );
    }
  }
}
