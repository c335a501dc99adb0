import { createRequest, resultOf } from '../kind/draft.ts';
import type { DraftContext, Kind, Shape, StagingEndpoints } from '../kind/kind.ts';
import { plain } from '../kind/plain.ts';
import type { Draft } from '../kind/write.ts';
import type { Request } from '../model/request.ts';
import { type CollectionId, collectionId } from '../model/resource.ts';

/**
 * Returns the shape for kinds whose changes the platform collects in a staged version: they take effect together, when an apply promotes
 * that version. A version that somebody else has staged stops the plan, because a promotion would publish that person's changes. `inner`:
 * the shape that drafts the changes themselves; it hears that they are hidden until then (`isHidden`), so that their order does not matter.
 */
export const staged = (staging: StagingEndpoints, inner: Shape = plain): Shape => ({
  ...inner,
  // While the changes are hidden, no request names an index.
  byIndex: false,
  staging,
  words: () => [
    ...inner.words({ isHidden: true }),
    'Changes are staged and go live only when all of them are promoted. A version staged by somebody else blocks the plan.',
  ],
  arrange(siblings) {
    const { changes, draft } = inner.arrange(siblings);
    return {
      changes,
      draft: (selected, context) =>
        joinIntoVersion(siblings.kind, draft(selected, { ...context, isHidden: true }), staging, context),
    };
  },
});

/** The path of the id of the staged version in the answer to a staged change. */
const versionIdPath = ['version', 'id'];

/**
 * Joins the drafts (planned requests) of a staged collection into one, so that the changes take effect together or not at all. Its requests
 * check that the versions are those that the plan saw, discard a version that an interrupted run of this stack staged, make the changes
 * (which the platform adds to a new staged version), and promote that version. Returns only the refused drafts if there are any.
 */
function joinIntoVersion(
  { name }: Kind,
  drafts: Draft[],
  endpoints: StagingEndpoints,
  context: DraftContext,
): Draft[] {
  const refused = drafts.filter(({ problem }) => problem);
  if (refused.length > 0) return refused;
  const requests = drafts.flatMap((draft) => draft.requests);
  if (requests.length === 0) return drafts;
  const collection = collectionId(name, context.parent);
  const addresses = [...new Set(drafts.flatMap(({ changes }) => changes))];
  const preparations = createPreparations(collection, endpoints, context);
  // `stages` tells the run which version a request changes, so that it records the staged version in the ledger.
  const stagedRequests = requests.map((request) => ({
    ...request,
    stages: { collection, version: versionIdPath, of: addresses },
  }));
  // The answer to the last change has the id of the staged version.
  const lastIndex = preparations.length + stagedRequests.length - 1;
  const stagedId = resultOf(lastIndex, ...versionIdPath);
  const promotion = createVersionRequest(stagedId, 'promote', { collection, endpoints });
  const [firstDraft] = drafts as [Draft];
  return [
    {
      ...firstDraft,
      verb: drafts.length > 1 ? 'update' : firstDraft.verb,
      changes: addresses,
      requests: [...preparations, ...stagedRequests, promotion],
    },
  ];
}

/**
 * Creates the requests that come before the changes. The first one lists the versions, and stops the operation (`expects`) if they are not
 * those of the plan. A version that an interrupted run staged is discarded.
 */
function createPreparations(
  collection: CollectionId,
  endpoints: StagingEndpoints,
  { leftoverVersion, versions }: DraftContext,
): Request[] {
  const check: Request = {
    ...createRequest(endpoints.versions),
    expects: [
      { path: ['versions', { isLive: true }, 'id'], value: versions?.live },
      { path: ['versions', { isStaging: true }, 'id'], value: versions?.staged },
    ],
  };
  if (leftoverVersion === undefined) return [check];
  return [check, createVersionRequest(leftoverVersion.id, 'discard', { collection, endpoints })];
}

/** Creates the request that discards or promotes a version. `id` may be a hole that the answer of an earlier request fills. */
const createVersionRequest = (
  id: unknown,
  action: 'discard' | 'promote',
  { collection, endpoints }: { collection: CollectionId; endpoints: StagingEndpoints },
): Request => ({ ...createRequest(endpoints.promote, { id, action }), stages: { collection } });
