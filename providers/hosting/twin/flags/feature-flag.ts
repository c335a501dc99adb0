import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { Project } from '../account.ts';
import { Answer, type Call, type Making, type Query, stamped } from '../call.ts';
import { ApiError, conflict } from '../errors.ts';
import { text } from '../http/query.ts';
import { ofFlags } from '../kept.ts';
import { operation, type Resource, seedOne } from '../resource.ts';
import { createFlagBody, type FlagEnvironment, updateFlagBody } from './flag-body.ts';
import { readFlag, readFlagQuery } from './flag-lists.ts';
import { checkFlag } from './flag-rules.ts';
import { checkFlagSlug, type FeatureFlag } from './flag-state.ts';
import { defaultFlagSettings } from './settings-state.ts';

declare module '../account.ts' {
  interface FeatureFlagsSeed extends Seeds<'flags', typeof seed> {}
}

const flags = ofFlags('flags', {
  ...{ what: 'Flag', param: 'flagIdOrSlug', by: ['id', 'slug'], shows: readFlag },
});

/** Returns the ETag of a flag: a digest and not the revision itself, so that clients must treat it as opaque. */
function etag(flag: FeatureFlag): string {
  return `"${createHash('sha256').update(`${flag.id}/${flag.revision}`).digest('hex').slice(0, 24)}"`;
}

const answer = (call: Call, flag: FeatureFlag, status = 200) =>
  new Answer(status, readFlag(call, flag), { etag: etag(flag) });

/** Returns an ETag without quotes and without the mark of a weak one, for comparing. */
const bare = (tag: string) => tag.trim().replace(/^W\//, '').replaceAll('"', '');

/**
 * True if the header If-Match, or the query parameter `ifMatch` in its place, names the flag's present version; undefined if
 * neither is given.
 */
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

/** Throws 412 or 409 (a switch) if the flag has changed since the version that the request names. */
function checkMatch(call: Call, flag: FeatureFlag): void {
  if (matches(call, flag) !== false) return;
  const status = call.switches.flagMismatchStatus;
  const code = status === 412 ? 'precondition_failed' : 'conflict';
  throw new ApiError(status, code, `The flag "${flag.slug}" has changed since it was read.`);
}

/**
 * Returns a new flag, not yet in its project. Throws if it is invalid or its slug is taken. A flag without a `seed` gets one from the twin.
 */
function newFlag(call: Making, project: Project, body: z.infer<typeof createFlagBody>): FeatureFlag {
  const { flags, segments } = project.featureFlags;
  checkFlagSlug(body.slug, flags);
  const flag: FeatureFlag = {
    ...body,
    ...stamped(call, 'flag_'),
    variants: body.variants ?? [],
    seed: body.seed ?? Buffer.from(call.id('', 4)).readUInt32BE(),
    state: body.state ?? 'active',
    projectId: project.id,
    ownerId: project.accountId,
    revision: 1,
    createdBy: call.account.user.id,
  };
  for (const environment of Object.values(flag.environments)) environment.revision ??= 0;
  checkFlag(flag, segments);
  return flag;
}

/**
 * Returns an environment of a flag with its next revision if it has changed. The server counts: the revision that a client sends does not
 * matter.
 */
function revised(before: FlagEnvironment | undefined, { ...after }: FlagEnvironment): FlagEnvironment {
  after.revision = before?.revision ?? 0;
  if (before !== undefined && !isDeepStrictEqual(before, after)) after.revision += 1;
  return after;
}

/** Applies a PATCH to a flag, unless it is unchanged and the switch says 304. */
function update(
  call: Call,
  { home: project, object: flag }: ReturnType<typeof flags.named>,
  body: z.infer<typeof updateFlagBody>,
): unknown {
  // The message is a comment in the history of versions.
  const { createdBy, message: _message, environments, ...fields } = body;
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

// A seed needs only the slug.
const seed = createFlagBody.partial({ kind: true, environments: true }).extend({ id: z.string().optional() });

// The variants that the platform's command line creates for a slug alone.
const booleanVariants = [
  { id: 'off', label: 'Off', value: false },
  { id: 'on', label: 'On', value: true },
];

/** Returns a flag of a seed with the variants and environments that a creation needs: by default paused in all environments. */
function wholeFlag(declared: Omit<z.infer<typeof seed>, 'id'>): z.infer<typeof createFlagBody> {
  const kind = declared.kind ?? 'boolean';
  const variants = declared.variants ?? (kind === 'boolean' ? booleanVariants : []);
  const outcome = { type: 'variant' as const, variantId: variants[0]?.id ?? '' };
  const paused = () => ({ active: false, pausedOutcome: outcome, fallthrough: outcome, rules: [] });
  const environments =
    declared.environments ??
    Object.fromEntries(defaultFlagSettings().environments.map((environment) => [environment, paused()]));
  return structuredClone({ ...declared, kind, variants, environments });
}

const match: Query = { ifMatch: text.describe('Stands in for the header If-Match.') };

const unlessChanged: Query = { ...readFlagQuery, ...match };

/** A project's feature flags, one at a time. 412 is HTTP's own answer to If-Match, 409 the documented one. */
export const featureFlag: Resource = {
  keeps: { project: { featureFlags: { settings: null, flags: [], segments: [], sdkKeys: [] } } },
  operations: {
    createFlag: operation(
      { on: flags.home, body: createFlagBody, query: readFlagQuery, statuses: [201, 409] },
      (call, project, body) => answer(call, flags.add(call, newFlag(call, project, body), project), 201),
    ),
    // 304 is documented for this read, and the parameter ifMatch as the only one that can lead to it.
    getFlag: operation(
      { on: flags.named, query: unlessChanged, statuses: [200, 304] },
      (call, { object: flag }) => (matches(call, flag) === true ? new Answer(304) : answer(call, flag)),
    ),
    updateFlag: operation(
      {
        on: flags.named,
        body: updateFlagBody.optional(),
        query: unlessChanged,
        statuses: [200, 304, 409, 412],
      },
      update,
    ),
    // According to the Terraform provider and the command line, a flag must be archived first. Of the documented errors, 409 fits best.
    deleteFlag: flags.remove({ query: match, statuses: [204, 409, 412] }, (call, flag) => {
      checkMatch(call, flag);
      if (flag.state === 'archived') return;
      throw conflict(`The flag "${flag.slug}" must be archived before it is deleted.`);
    }),
  },
  after: ['projects.featureFlags.segments'],
  seed: {
    project: { featureFlags: seedOne(z.strictObject({}), (_, __, project) => project, 'featureFlags') },
    featureFlags: {
      flags: flags.seed(seed, (making, seeded, project) => newFlag(making, project, wholeFlag(seeded))),
    },
  },
};
