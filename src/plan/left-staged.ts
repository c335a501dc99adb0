import { addressOf } from '../model/address.ts';
import { warning } from '../model/diagnostic.ts';
import { collectionId, collectionParts } from '../model/resource.ts';
import type { PlanInput, Report } from './input.ts';
import type { Lowered } from './lower.ts';

/** Says what becomes of a version that an earlier run staged and did not promote. */
export function leftStaged(drafts: Lowered[], { live, kinds }: PlanInput, report: Report): void {
  const changed = new Set(drafts.map(({ kind, parent }) => collectionId(kind.name, parent)));
  for (const [id, { id: version }] of live.staged) {
    const [parent, name] = collectionParts(id);
    const place = addressOf(parent, kinds.get(name)!.section, []);
    const what = `${place}: an earlier run staged a version (${version}) and did not promote it`;
    report(
      changed.has(id)
        ? warning('staged/left', `${what}; it is discarded first`)
        : warning('staged/left', `${what}, and nothing needs it now`, {
            hint: 'discard it in the dashboard',
          }),
    );
  }
}
