import * as z from 'zod';
import type { Project } from '../account.ts';
import { type Making, stamped } from '../call.ts';
import { conflict } from '../errors.ts';
import { boolean } from '../http/query.ts';
import { ofFlags } from '../kept.ts';
import type { Resource } from '../resource.ts';
import { checkRules, usersOfSegment } from './flag-rules.ts';
import { checkFlagSlug, creatorMetadata, type FlagSegment } from './flag-state.ts';
import { createSegmentBody, operate, updateSegmentBody } from './segment-body.ts';

declare module '../account.ts' {
  interface FeatureFlagsSeed extends Seeds<'segments', typeof seed> {}
}

const segments = ofFlags('segments', {
  what: 'Segment',
  param: 'segmentIdOrSlug',
  by: ['id', 'slug'],
  shows(call, segment, project) {
    const withMetadata = call.query.get('withMetadata') === 'true';
    const metadata = withMetadata && creatorMetadata(call.account, segment.createdBy);
    return { ...segment, ...usersOfSegment(project, segment.id), typeName: 'segment', ...metadata };
  },
});

/** Returns a new segment, not yet in its project. Throws if its slug is taken or its rules are invalid. */
function newSegment(call: Making, project: Project, body: z.infer<typeof createSegmentBody>): FlagSegment {
  const { segments } = project.featureFlags;
  checkFlagSlug(body.slug, segments);
  checkRules('data.rules', body.data.rules ?? [], segments);
  const createdBy = body.createdBy ?? call.account.user.id;
  return { ...body, ...stamped(call, 'seg_'), projectId: project.id, createdBy };
}

// A seed needs only the slug.
const seed = createSegmentBody
  .partial({ label: true, hint: true, data: true })
  .extend({ id: z.string().optional() });
const query = { withMetadata: boolean };

/** The segments of a project; paths take an id or a slug. */
export const flagSegment: Resource = {
  ...segments.kept(seed, (making, seeded, project) =>
    newSegment(making, project, { label: seeded.slug, hint: '', data: {}, ...seeded }),
  ),
  operations: {
    listFlagSegments: segments.list('data', { query }),
    createFlagSegment: segments.create(
      { body: createSegmentBody, query, statuses: [201, 409] },
      (call, body, project) => newSegment(call, project, body),
    ),
    getFlagSegment: segments.read({ query }),
    updateFlagSegment: segments.update(
      { body: updateSegmentBody.optional(), query },
      (_, segment, { operations = [], ...fields }, project) => {
        const data = structuredClone(fields.data ?? segment.data);
        for (const operation of operations) operate(data, operation);
        const flagSegments = project.featureFlags.segments.filter((flagSegment) => flagSegment !== segment);
        checkRules('data.rules', data.rules ?? [], flagSegments);
        Object.assign(segment, fields, { data });
      },
    ),
    deleteFlagSegment: segments.remove({ statuses: [204, 409] }, (_, segment, project) => {
      const { usedByFlags, usedBySegments } = usersOfSegment(project, segment.id);
      const users = [...usedByFlags, ...usedBySegments].join(', ');
      if (users === '') return;
      throw conflict(`The segment "${segment.slug}" is still used by ${users}.`);
    }),
  },
};
