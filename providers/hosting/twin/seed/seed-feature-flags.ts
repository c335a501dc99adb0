import * as z from 'zod';
import type { Project } from '../account.ts';
import { newFlag } from '../flags/feature-flag.ts';
import { createFlagBody } from '../flags/flag-body.ts';
import { createSdkKeyBody, newSdkKey } from '../flags/sdk-key.ts';
import { newSegment } from '../flags/segment.ts';
import { createSegmentBody } from '../flags/segment-body.ts';
import { defaultFlagSettings, updateFlagSettingsBody } from '../flags/settings.ts';
import { attempt, type Loading, making } from './seed-loading.ts';

const flag = createFlagBody.partial({ kind: true, environments: true }).extend({ id: z.string().optional() });

const segment = createSegmentBody
  .partial({ label: true, hint: true, data: true })
  .extend({ id: z.string().optional() });

const sdkKey = createSdkKeyBody.omit({ sdkKeyType: true }).extend({
  type: createSdkKeyBody.shape.sdkKeyType,
  hashKey: z.string().optional(),
  deleted: z.boolean().optional(),
});

/** All that a project has of feature flags, as a seed writes it. A flag or segment needs no more than a slug. */
export const seedFeatureFlags = z.strictObject({
  settings: updateFlagSettingsBody.optional(),
  segments: z.array(segment).optional(),
  flags: z.array(flag).optional(),
  sdkKeys: z.array(sdkKey).optional(),
});

// What the platform's CLI makes of a slug: off and on, paused everywhere.
const booleanVariants = [
  { id: 'off', label: 'Off', value: false },
  { id: 'on', label: 'On', value: true },
];

function wholeFlag({ id: _id, ...seed }: z.infer<typeof flag>): z.infer<typeof createFlagBody> {
  const kind = seed.kind ?? 'boolean';
  const variants = seed.variants ?? (kind === 'boolean' ? booleanVariants : []);
  const outcome = { type: 'variant' as const, variantId: variants[0]?.id ?? '' };
  const paused = () => ({ active: false, pausedOutcome: outcome, fallthrough: outcome, rules: [] });
  const environments =
    seed.environments ?? Object.fromEntries(defaultFlagSettings().environments.map((one) => [one, paused()]));
  return structuredClone({ ...seed, kind, variants, environments });
}

/** Gives a project the feature flags of a seed. Segments come first: conditions name them. */
export function loadFeatureFlags(
  loading: Loading,
  project: Project,
  seed: z.infer<typeof seedFeatureFlags>,
  place: string,
): void {
  const make = making(loading, { id: project.accountId });
  const { settings, segments = [], flags = [], sdkKeys = [] } = seed;
  const own = project.featureFlags;
  if (settings !== undefined) {
    const at = make.time();
    own.settings = { ...defaultFlagSettings(), enabled: true, ...settings, createdAt: at, updatedAt: at };
  }
  for (const [i, { id, ...one }] of segments.entries()) {
    attempt(loading, `${place}.segments[${i}]`, () => {
      const made = newSegment(make, project, { label: one.slug, hint: '', data: {}, ...one });
      own.segments.push({ ...made, id: id ?? made.id });
    });
  }
  for (const [i, one] of flags.entries()) {
    attempt(loading, `${place}.flags[${i}]`, () => {
      const made = newFlag(make, project, wholeFlag(one));
      own.flags.push({ ...made, id: one.id ?? made.id });
    });
  }
  for (const { type, hashKey, deleted, ...one } of sdkKeys) {
    const { key } = newSdkKey(make, project, { ...one, sdkKeyType: type });
    const end = deleted ? { deletedAt: make.time() } : {};
    own.sdkKeys.push({ ...key, hashKey: hashKey ?? key.hashKey, ...end });
  }
}
