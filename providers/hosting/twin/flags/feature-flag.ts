import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import type { Project } from '../account.ts';
import { Answer, type Bodies, type Call, type Handlers, type Queries, type Query } from '../call.ts';
import { ApiError } from '../errors.ts';
import { boolean, text } from '../http/query.ts';
import { findProject } from '../projects/project-state.ts';
import { parseBody } from '../validate.ts';
import { createFlagBody, type FlagEnvironment, updateFlagBody } from './flag-body.ts';
import { checkFlag } from './flag-rules.ts';
import { checkFlagSlug, creatorMetadata, type FeatureFlag, findFlag } from './flag-state.ts';

/** What `readFlag` reads. */
export const readFlagQuery: Query = { withMetadata: boolean };

/** A flag as answers show it. */
export function readFlag(call: Call, flag: FeatureFlag): Record<string, unknown> {
  const metadata = call.query.get('withMetadata') === 'true' && creatorMetadata(call.account, flag.createdBy);
  return { ...flag, typeName: 'flag', ...metadata };
}

// Not the revision itself: a client must take the header for what it is, opaque.
function etag(flag: FeatureFlag): string {
  return `"${createHash('sha256').update(`${flag.id}/${flag.revision}`).digest('hex').slice(0, 24)}"`;
}

const answer = (call: Call, flag: FeatureFlag, status = 200) =>
  new Answer(status, readFlag(call, flag), { etag: etag(flag) });

const bare = (tag: string) => tag.trim().replace(/^W\//, '').replaceAll('"', '');

/** Whether the header If-Match, or the query parameter that stands in for it, names the flag as it is. */
function matches(call: Call, flag: FeatureFlag): boolean | undefined {
  const asked = call.headers['if-match'] ?? call.query.get('ifMatch');
  if (asked === null || asked === '') return undefined;
  return (
    asked === '*' ||
    asked
      .split(',')
      .map(bare)
      .includes(bare(etag(flag)))
  );
}

function checkMatch(call: Call, flag: FeatureFlag): void {
  if (matches(call, flag) !== false) return;
  const status = call.switches.flagMismatchStatus;
  const code = status === 412 ? 'precondition_failed' : 'conflict';
  throw new ApiError(status, code, `The flag "${flag.slug}" has changed since it was read.`);
}

/** A new flag of a project, checked; not yet in it. Without a seed it gets a random one. */
export function newFlag(
  call: Pick<Call, 'account' | 'id' | 'time'>,
  project: Project,
  body: z.infer<typeof createFlagBody>,
): FeatureFlag {
  const { flags, segments } = project.featureFlags;
  checkFlagSlug(body.slug, flags);
  const at = call.time();
  const flag: FeatureFlag = {
    ...body,
    id: call.id('flag_', 24),
    variants: body.variants ?? [],
    seed: body.seed ?? Buffer.from(call.id('', 4)).readUInt32BE(),
    state: body.state ?? 'active',
    projectId: project.id,
    ownerId: project.accountId,
    revision: 1,
    createdBy: call.account.user.id,
    createdAt: at,
    updatedAt: at,
  };
  for (const environment of Object.values(flag.environments)) environment.revision ??= 0;
  checkFlag(flag, segments);
  return flag;
}

function create(call: Call): unknown {
  const project = findProject(call, call.params.projectIdOrName);
  const flag = newFlag(call, project, parseBody(createFlagBody, call.body, call.outside));
  project.featureFlags.flags.push(flag);
  return answer(call, flag, 201);
}

// The server counts an environment's revisions; the number that a client sends back does not matter.
function revised(before: FlagEnvironment | undefined, { ...after }: FlagEnvironment): FlagEnvironment {
  after.revision = before?.revision ?? 0;
  if (before !== undefined && !isDeepStrictEqual(before, after)) after.revision += 1;
  return after;
}

function update(call: Call): unknown {
  const project = findProject(call, call.params.projectIdOrName);
  const flag = findFlag(call, project);
  // The message is a comment in the history of versions.
  const {
    createdBy,
    message: _message,
    environments,
    ...fields
  } = parseBody(updateFlagBody, call.body ?? {}, call.outside);
  checkMatch(call, flag);
  const held = new Map(Object.entries(flag.environments));
  for (const [name, environment] of Object.entries(environments ?? {})) {
    held.set(name, revised(held.get(name), environment));
  }
  const next: FeatureFlag = { ...flag, ...fields, environments: Object.fromEntries(held) };
  checkFlag(next, project.featureFlags.segments);
  if (call.switches.flagUnchangedNotModified && isDeepStrictEqual(next, flag)) return new Answer(304);
  const updatedBy = createdBy ?? call.account.user.id;
  Object.assign(flag, next, { revision: flag.revision + 1, updatedBy, updatedAt: call.time() });
  return answer(call, flag);
}

// That a flag must be archived first is from the Terraform provider and the CLI; of the documented errors 409 fits best.
function remove(call: Call): unknown {
  const project = findProject(call, call.params.projectIdOrName);
  const flag = findFlag(call, project);
  checkMatch(call, flag);
  if (flag.state !== 'archived') {
    throw new ApiError(409, 'conflict', `The flag "${flag.slug}" must be archived before it is deleted.`);
  }
  project.featureFlags.flags.splice(project.featureFlags.flags.indexOf(flag), 1);
  return new Answer(204);
}

/** A project's feature flags, one at a time. */
export const featureFlagHandlers: Handlers = {
  createFlag: create,
  getFlag(call) {
    const flag = findFlag(call, findProject(call, call.params.projectIdOrName));
    // 304 is documented for this read, and the parameter ifMatch as the only one that can lead to it.
    return matches(call, flag) === true ? new Answer(304) : answer(call, flag);
  },
  updateFlag: update,
  deleteFlag: remove,
};

/** The schemas of their request bodies. */
export const featureFlagBodies: Bodies = {
  createFlag: createFlagBody,
  updateFlag: updateFlagBody.optional(),
};

const match: Query = { ifMatch: text.describe('Stands in for the header If-Match.') };

/** The query parameters that they read. */
export const featureFlagQueries: Queries = {
  createFlag: readFlagQuery,
  getFlag: { ...readFlagQuery, ...match },
  updateFlag: { ...readFlagQuery, ...match },
  deleteFlag: match,
};
