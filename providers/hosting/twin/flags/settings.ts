import * as z from 'zod';
import type { Project } from '../account.ts';
import { Answer, type Bodies, type Call, type Handlers, type Queries } from '../call.ts';
import { notFound } from '../errors.ts';
import { cursorPage } from '../http/cursor-page.ts';
import { limitQuery, pageLimit } from '../http/pages.ts';
import { text } from '../http/query.ts';
import { findProject } from '../projects/project-state.ts';
import { findTeam } from '../team/team.ts';
import { parseBody, strings } from '../validate.ts';

const attribute = z.strictObject({
  key: z.string(),
  type: z.string(),
  labels: z.array(z.strictObject({ label: z.string(), value: z.string() })).optional(),
});

/** The body that changes a project's settings; what it leaves out stays. */
export const updateFlagSettingsBody = z.strictObject({
  enabled: z.boolean().optional(),
  entities: z
    .array(z.strictObject({ kind: z.string(), label: z.string(), attributes: z.array(attribute) }))
    .optional(),
  environments: strings.optional(),
});

/** A project's settings for feature flags, once they are written. */
export type FlagSettings = Required<z.infer<typeof updateFlagSettingsBody>> & {
  createdAt: number;
  updatedAt: number;
};

/** What holds before anybody writes settings. */
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

function update(call: Call): unknown {
  const project = findProject(call, call.params.projectIdOrName);
  const body = parseBody(updateFlagSettingsBody, call.body ?? {}, call.outside);
  const { settings } = project.featureFlags;
  const at = call.time();
  const before = settings ?? { ...defaultFlagSettings(), createdAt: at };
  project.featureFlags.settings = { ...before, ...body, updatedAt: at };
  return new Answer(settings === null ? 201 : 200, read(project));
}

function listOfTeam(call: Call): unknown {
  const team = findTeam(call);
  const written = call.account.projects.filter(
    (project) => project.accountId === team.id && project.featureFlags.settings !== null,
  );
  const time = (project: Project) => project.featureFlags.settings!.createdAt;
  const { page, next } = cursorPage(call, written, time, { param: 'cursor', size: pageLimit(call) });
  return { data: page.map(read), pagination: { next } };
}

/** The settings for feature flags of a project, and of all projects of a team. */
export const flagSettingsHandlers: Handlers = {
  getFlagSettings(call) {
    const project = findProject(call, call.params.projectIdOrName);
    const unwritten = project.featureFlags.settings === null;
    if (unwritten && call.switches.flagSettingsAbsentUntilWritten) throw notFound('Flag settings');
    return read(project);
  },
  updateFlagSettings: update,
  listTeamFlagSettings: listOfTeam,
};

/** The schemas of their request bodies. */
export const flagSettingsBodies: Bodies = { updateFlagSettings: updateFlagSettingsBody.optional() };

/** The query parameters that they read. */
export const flagSettingsQueries: Queries = { listTeamFlagSettings: { ...limitQuery, cursor: text } };
