import type { Change } from '../model/change.ts';
import { problem } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';
import { collectionId } from '../model/resource.ts';
import { asksForWrite } from './diff.ts';
import type { PlanInput, Report } from './input.ts';

/** Refuses siblings, as they will be, that the platform does not allow beside each other. */
export function clashes(changes: Change[], { kinds, live }: PlanInput, report: Report): void {
  const collections = groupBy(
    changes.filter(({ kind }) => kinds.get(kind)!.clashes),
    ({ kind, parent }) => collectionId(kind, parent),
  );
  for (const of of collections.values()) {
    const { kind, parent } = of[0]!;
    const byAddress = new Map(of.map((change) => [change.address, change]));
    const strangers = [...live.resources.values()].filter(
      (r) => r.kind === kind && r.parent === parent && !byAddress.has(r.address),
    );
    const staying = of.flatMap(({ address, action, after, before }) => {
      // Of what goes, a part that is not ours may stay.
      const found = live.resources.get(address);
      const goes = action === 'delete' && before!.ids.length === found?.ids.length;
      const left = goes ? undefined : action === 'forget' ? found : (after ?? found);
      return left ? [{ address, fields: left.fields }] : [];
    });
    for (const { addresses, message, hint } of kinds.get(kind)!.clashes!([...staying, ...strangers])) {
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
