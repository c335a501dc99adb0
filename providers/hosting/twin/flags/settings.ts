import * as z from 'zod';
import type { Project, Team } from '../account.ts';
import { Answer, type Making, type Stamped, times } from '../call.ts';
import { cursorList, onlyNext } from '../cursor-list.ts';
import { notFound } from '../errors.ts';
import { projectOfPath, projectsOf } from '../find-project.ts';
import { operation, type Resource, seedOne } from '../resource.ts';
import { findTeam } from '../team/team.ts';
import { strings } from '../validate.ts';

declare module '../account.ts' {
  interface FeatureFlagsSeed {
    settings?: z.input<typeof updateBody>;
  }
}

const attribute = z.strictObject({
  key: z.string(),
  type: z.string(),
  labels: z.array(z.strictObject({ label: z.string(), value: z.string() })).optional(),
});

/** The body that changes a project's settings; what it leaves out stays. */
const updateBody = z.strictObject({
  enabled: z.boolean().optional(),
  entities: z
    .array(z.strictObject({ kind: z.string(), label: z.string(), attributes: z.array(attribute) }))
    .optional(),
  environments: strings.optional(),
});

/** A project's settings for feature flags, once they are written. */
export type FlagSettings = Required<z.infer<typeof updateBody>> & Omit<Stamped, 'id'>;

/** The settings until somebody writes some. */
export const defaultFlagSettings = () => ({
  enabled: false,
  entities: [],
  environments: ['production', 'preview', 'development'],
});

// The members that an answer need not have are those that unwritten settings cannot have.
function read(project: Project): Record<string, unknown> {
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

function load(making: Making, body: z.infer<typeof updateBody>, { featureFlags }: Project): void {
  featureFlags.settings = { ...defaultFlagSettings(), enabled: true, ...body, ...times(making) };
}

/** The settings for feature flags of a project, and of all projects of a team. */
export const flagSettings: Resource = {
  operations: {
    getFlagSettings: operation({ on: projectOfPath }, (call, project) => {
      const unwritten = project.featureFlags.settings === null;
      if (unwritten && call.switches.flagSettingsAbsentUntilWritten) throw notFound('Flag settings');
      return read(project);
    }),
    updateFlagSettings: operation(
      { on: projectOfPath, body: updateBody.optional(), statuses: [200, 201] },
      (call, project, body) => {
        const { settings } = project.featureFlags;
        const at = call.time();
        const before = settings ?? { ...defaultFlagSettings(), createdAt: at };
        project.featureFlags.settings = { ...before, ...body, updatedAt: at };
        return new Answer(settings === null ? 201 : 200, read(project));
      },
    ),
    listTeamFlagSettings: cursorList<Project, Team>(
      'data',
      {
        on: findTeam,
        cursor: 'cursor',
        order: () => (project) => project.featureFlags.settings!.createdAt,
        row: (_, project) => read(project),
        told: onlyNext,
      },
      ({ account }, { id }) => projectsOf(account, id).filter((one) => one.featureFlags.settings !== null),
    ),
  },
  seed: { featureFlags: { settings: seedOne(updateBody, load) } },
};
