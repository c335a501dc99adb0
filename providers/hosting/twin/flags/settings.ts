import type * as z from 'zod';
import type { Project, Team } from '../account.ts';
import { Answer, type Making, times } from '../call.ts';
import { cursorList, onlyNext } from '../cursor-list.ts';
import { notFound } from '../errors.ts';
import { projectOfPath, projectsOf } from '../find-project.ts';
import { operation, type Resource, seedOne } from '../resource.ts';
import { findTeam } from '../team/team.ts';
import { defaultFlagSettings, readSettings, updateSettingsBody } from './settings-state.ts';

declare module '../account.ts' {
  interface FeatureFlagsSeed {
    settings?: z.input<typeof updateSettingsBody>;
  }
}

function load(making: Making, body: z.infer<typeof updateSettingsBody>, { featureFlags }: Project): void {
  featureFlags.settings = { ...defaultFlagSettings(), enabled: true, ...body, ...times(making) };
}

/** The settings for feature flags of a project, and of all projects of a team. */
export const flagSettings: Resource = {
  operations: {
    getFlagSettings: operation({ on: projectOfPath }, (call, project) => {
      const unwritten = project.featureFlags.settings === null;
      if (unwritten && call.switches.flagSettingsAbsentUntilWritten) throw notFound('Flag settings');
      return readSettings(project);
    }),
    updateFlagSettings: operation(
      { on: projectOfPath, body: updateSettingsBody.optional(), statuses: [200, 201] },
      (call, project, body) => {
        const { settings } = project.featureFlags;
        const timestamp = call.time();
        const before = settings ?? { ...defaultFlagSettings(), createdAt: timestamp };
        project.featureFlags.settings = { ...before, ...body, updatedAt: timestamp };
        return new Answer(settings === null ? 201 : 200, readSettings(project));
      },
    ),
    listTeamFlagSettings: cursorList<Project, Team>(
      'data',
      {
        on: findTeam,
        cursor: 'cursor',
        order: () => (project) => project.featureFlags.settings!.createdAt,
        row: (_, project) => readSettings(project),
        extraMembers: onlyNext,
      },
      ({ account }, { id }) =>
        projectsOf(account, id).filter((project) => project.featureFlags.settings !== null),
    ),
  },
  seed: { featureFlags: { settings: seedOne(updateSettingsBody, load) } },
};
