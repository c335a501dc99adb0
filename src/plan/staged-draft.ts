import type { Draft, Kind, Step } from '../kind/kind.ts';
import { request, resultOf } from '../kind/request.ts';
import type { Address } from '../model/address.ts';
import type { Request } from '../model/plan.ts';
import { collectionId, type Live } from '../model/resource.ts';

const version = ['version', 'id'];

/**
 * All drafts of a staged collection as one: a look whether the versions are still those that were planned on, then every request
 * adds to the staged version, and the last one promotes it, so that nothing is live before everything is. What an interrupted
 * run staged goes first.
 */
export function stagedDraft<D extends Draft & { verb: Step['action'] }>(
  kind: Kind,
  parent: Address | undefined,
  drafts: D[],
  live: Live,
): D[] {
  const { versions, promote } = kind.api.staged ?? {};
  // What is promoted is all or nothing.
  const refused = drafts.filter(({ problem }) => problem);
  if (promote && refused.length > 0) return refused;
  const requests = drafts.flatMap((draft) => draft.requests);
  if (!versions || !promote || requests.length === 0) return drafts;
  const collection = collectionId(kind.name, parent);
  const left = live.staged.get(collection);
  const found = live.versions.get(collection);
  const act = (id: unknown, action: string): Request => ({
    ...request(promote, { id, action }),
    stages: { collection },
  });
  const before: Request[] = [
    {
      ...request(versions),
      expects: [
        { path: ['versions', { isLive: true }, 'id'], value: found?.live },
        { path: ['versions', { isStaging: true }, 'id'], value: found?.staged },
      ],
    },
    ...(left === undefined ? [] : [act(left.id, 'discard')]),
  ];
  const of = [...new Set(drafts.flatMap(({ changes }) => changes))];
  const staging = requests.map((one) => ({ ...one, stages: { collection, version, of } }));
  const last = before.length + staging.length - 1;
  return [
    {
      ...drafts[0]!,
      ...(drafts.length > 1 ? { verb: 'update' as const } : {}),
      changes: of,
      requests: [...before, ...staging, act(resultOf(last, ...version), 'promote')],
    },
  ];
}
