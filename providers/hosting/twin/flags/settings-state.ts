import * as z from 'zod';
import type { Project } from '../account.ts';
import type { Stamped } from '../call.ts';
import { strings } from '../validate.ts';

const attribute = z.strictObject({
  key: z.string(),
  type: z.string(),
  labels: z.array(z.strictObject({ label: z.string(), value: z.string() })).optional(),
});

/** The body that changes a project's settings; what it leaves out stays. */
export const updateSettingsBody = z.strictObject({
  enabled: z.boolean().optional(),
  entities: z
    .array(z.strictObject({ kind: z.string(), label: z.string(), attributes: z.array(attribute) }))
    .optional(),
  environments: strings.optional(),
});

/** A project's settings for feature flags, once they are written. */
export type FlagSettings = Required<z.infer<typeof updateSettingsBody>> & Omit<Stamped, 'id'>;

/** Returns the settings of a project that never wrote any. */
export const defaultFlagSettings = () => ({
  enabled: false,
  entities: [],
  environments: ['production', 'preview', 'development'],
});

/** Returns the settings as answers show them. Unwritten settings lack the optional members. */
export function readSettings(project: Project): Record<string, unknown> {
  const { settings, flags, segments } = project.featureFlags;
  const archived = flags.filter((flag) => flag.state === 'archived').length;
  return {
    ...(settings === null ? defaultFlagSettings() : { ...settings, ownerId: project.accountId }),
    projectId: project.id,
    typeName: 'settings',
    metadata: {
      activeFlagCount: flags.length - archived,
      archivedFlagCount: archived,
      segmentCount: segments.length,
      packSizeInBytes: Buffer.byteLength(JSON.stringify([flags, segments])),
    },
  };
}
