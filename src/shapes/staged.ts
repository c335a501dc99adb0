import { createRequest, type Draft, resultOf } from '../kind/draft.ts';
import type { Kind } from '../kind/kind.ts';
import { plain } from '../kind/plain.ts';
import type { DraftContext, Shape, StagingEndpoints } from '../kind/shape.ts';
import type { Request } from '../model/request.ts';
import { collectionId } from '../model/resource.ts';

/** Changes are staged, and live only once they are promoted. What somebody else has staged stops the plan. */
export const staged = (staging: StagingEndpoints, inner: Shape = plain): Shape => ({
  ...inner,
  byIndex: false,
  staging,
  words: () => [
    ...inner.words(true),
    'Changes are staged and go live only when all of them are promoted. A version staged by somebody else blocks the plan.',
  ],
  arrange(siblings) {
    const { changes, draft } = inner.arrange(siblings);
    return {
      changes,
      draft: (selected, context) =>
        promoted(siblings.kind, draft(selected, { ...context, isHidden: true }), staging, context),
    };
  },
});

const versionMembers = ['version', 'id'];

/**
 * All drafts of a staged collection as one: a look whether the versions are still those that were planned on, then every request
 * adds to the staged version, and the last one promotes it, so that nothing is live before everything is. What an interrupted
 * run staged goes first.
 */
function promoted(
  { name }: Kind,
  drafts: Draft[],
  { versions, promote }: StagingEndpoints,
  { parent, leftoverVersion, versions: found }: DraftContext,
): Draft[] {
  // What is promoted is all or nothing.
  const refused = drafts.filter(({ problem }) => problem);
  if (refused.length > 0) return refused;
  const requests = drafts.flatMap((draft) => draft.requests);
  if (requests.length === 0) return drafts;
  const collection = collectionId(name, parent);
  const act = (id: unknown, action: string): Request => ({
    ...createRequest(promote, { id, action }),
    stages: { collection },
  });
  const before: Request[] = [
    {
      ...createRequest(versions),
      expects: [
        { path: ['versions', { isLive: true }, 'id'], value: found?.live },
        { path: ['versions', { isStaging: true }, 'id'], value: found?.staged },
      ],
    },
    ...(leftoverVersion === undefined ? [] : [act(leftoverVersion.id, 'discard')]),
  ];
  const of = [...new Set(drafts.flatMap(({ changes }) => changes))];
  const staging = requests.map((request) => ({
    ...request,
    stages: { collection, version: versionMembers, of },
  }));
  const last = before.length + staging.length - 1;
  return [
    {
      ...drafts[0]!,
      ...(drafts.length > 1 ? { verb: 'update' as const } : {}),
      changes: of,
      requests: [...before, ...staging, act(resultOf(last, ...versionMembers), 'promote')],
    },
  ];
}
