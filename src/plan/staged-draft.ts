import type { Draft, Kind } from '../kind/kind.ts';
import { request, resultOf } from '../kind/request.ts';
import type { Address } from '../model/address.ts';
import type { Request } from '../model/plan.ts';
import { collectionId, type Live } from '../model/resource.ts';

const version = ['version', 'id'];

/**
 * All drafts of a staged collection as one: every request adds to the staged version, and the last one promotes it, so that
 * nothing is live before everything is. What an interrupted run staged goes first.
 */
export function stagedDraft<D extends Draft>(
  kind: Kind,
  parent: Address | undefined,
  drafts: D[],
  live: Live,
): D[] {
  const { promote } = kind.api.staged ?? {};
  const requests = drafts.flatMap((draft) => draft.requests);
  if (!promote || requests.length === 0) return drafts;
  const collection = collectionId(kind.name, parent);
  const left = live.staged.get(collection);
  const act = (id: unknown, action: string): Request => ({
    ...request(promote, { id, action }),
    stages: { collection },
  });
  const before = left === undefined ? [] : [act(left, 'discard')];
  const staging = requests.map((one) => ({ ...one, stages: { collection, version } }));
  const last = before.length + staging.length - 1;
  return [
    {
      ...drafts[0]!,
      changes: [...new Set(drafts.flatMap((draft) => draft.changes))],
      requests: [...before, ...staging, act(resultOf(last, ...version), 'promote')],
    },
  ];
}
