import type * as z from 'zod';
import type { Project } from '../account.ts';
import { Answer, type Bodies, type Call, type Handlers, type Queries, type Query } from '../call.ts';
import { ApiError, notFound } from '../errors.ts';
import { boolean } from '../http/query.ts';
import { findProject } from '../projects/project-state.ts';
import { parseBody } from '../validate.ts';
import { checkRules, segmentsIn } from './flag-rules.ts';
import { checkFlagSlug, creatorMetadata, type FlagSegment } from './flag-state.ts';
import {
  createSegmentBody,
  type SegmentData,
  type SegmentOperation,
  updateSegmentBody,
} from './segment-body.ts';

function users(project: Project, id: string) {
  const { flags, segments } = project.featureFlags;
  const inFlag = flags.filter((flag) =>
    Object.values(flag.environments).some((one) => segmentsIn(one.rules).includes(id)),
  );
  const inSegment = segments.filter((one) => segmentsIn(one.data.rules ?? []).includes(id));
  return {
    usedByFlags: inFlag.map((one) => one.id),
    usedBySegments: inSegment.map((one) => one.id),
  };
}

function read(call: Call, project: Project, segment: FlagSegment): Record<string, unknown> {
  const metadata =
    call.query.get('withMetadata') === 'true' && creatorMetadata(call.account, segment.createdBy);
  return { ...segment, ...users(project, segment.id), typeName: 'segment', ...metadata };
}

function find(call: Call): { project: Project; segment: FlagSegment } {
  const project = findProject(call, call.params.projectIdOrName);
  const asked = call.params.segmentIdOrSlug;
  const { segments } = project.featureFlags;
  const segment = segments.find((one) => one.id === asked) ?? segments.find((one) => one.slug === asked);
  if (segment === undefined) throw notFound('Segment');
  return { project, segment };
}

/** A new segment of a project, checked; not yet in it. */
export function newSegment(
  call: Pick<Call, 'account' | 'id' | 'time'>,
  project: Project,
  body: z.infer<typeof createSegmentBody>,
): FlagSegment {
  const { segments } = project.featureFlags;
  checkFlagSlug(body.slug, segments);
  checkRules('data.rules', body.data.rules ?? [], segments);
  const at = call.time();
  const createdBy = body.createdBy ?? call.account.user.id;
  return { ...body, id: call.id('seg_', 24), projectId: project.id, createdBy, createdAt: at, updatedAt: at };
}

// A value is in a list once: adding it again replaces its note.
function operate(data: SegmentData, { action, field, entity, attribute, value }: SegmentOperation): void {
  const entities = new Map(Object.entries(data[field] ?? {}));
  const attributes = new Map(Object.entries(entities.get(entity) ?? {}));
  const others = (attributes.get(attribute) ?? []).filter((one) => one.value !== value.value);
  attributes.set(attribute, action === 'add' ? [...others, value] : others);
  entities.set(entity, Object.fromEntries(attributes));
  data[field] = Object.fromEntries(entities);
}

function update(call: Call): unknown {
  const { project, segment } = find(call);
  const { operations = [], ...fields } = parseBody(updateSegmentBody, call.body ?? {}, call.outside);
  const data = structuredClone(fields.data ?? segment.data);
  for (const operation of operations) operate(data, operation);
  const others = project.featureFlags.segments.filter((one) => one !== segment);
  checkRules('data.rules', data.rules ?? [], others);
  Object.assign(segment, fields, { data, updatedAt: call.time() });
  return read(call, project, segment);
}

function remove(call: Call): unknown {
  const { project, segment } = find(call);
  const { usedByFlags, usedBySegments } = users(project, segment.id);
  const by = [...usedByFlags, ...usedBySegments];
  if (by.length > 0) {
    throw new ApiError(409, 'conflict', `The segment "${segment.slug}" is still used by ${by.join(', ')}.`);
  }
  const { segments } = project.featureFlags;
  segments.splice(segments.indexOf(segment), 1);
  return new Answer(204);
}

/** The segments of a project; paths take an id or a slug. */
export const flagSegmentHandlers: Handlers = {
  listFlagSegments(call) {
    const project = findProject(call, call.params.projectIdOrName);
    return { data: project.featureFlags.segments.map((one) => read(call, project, one)) };
  },
  createFlagSegment(call) {
    const project = findProject(call, call.params.projectIdOrName);
    const segment = newSegment(call, project, parseBody(createSegmentBody, call.body, call.outside));
    project.featureFlags.segments.push(segment);
    return new Answer(201, read(call, project, segment));
  },
  getFlagSegment(call) {
    const { project, segment } = find(call);
    return read(call, project, segment);
  },
  updateFlagSegment: update,
  deleteFlagSegment: remove,
};

/** The schemas of their request bodies. */
export const flagSegmentBodies: Bodies = {
  createFlagSegment: createSegmentBody,
  updateFlagSegment: updateSegmentBody.optional(),
};

const query: Query = { withMetadata: boolean };

/** The query parameters that they read. */
export const flagSegmentQueries: Queries = {
  listFlagSegments: query,
  createFlagSegment: query,
  getFlagSegment: query,
  updateFlagSegment: query,
};
