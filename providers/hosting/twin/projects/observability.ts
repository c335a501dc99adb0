import * as z from 'zod';
import type { Project } from '../account.ts';
import { projectOfPath } from '../find-project.ts';
import { operation, type Resource, seedOne } from '../resource.ts';

declare module '../account.ts' {
  interface ProjectParts {
    /** When it was switched off; null while it is on. */
    observabilityDisabledAt: number | null;
  }
  interface ProjectSeed {
    observability?: z.input<typeof seed>;
  }
}

const seed = z.strictObject({ disabled: z.boolean() });

const readDisabled = ({ id, observabilityDisabledAt: disabledAt }: Project) => ({
  id,
  ...(disabledAt !== null && { disabledAt }),
});

/** Observability of projects. The list has only projects for which it is switched off. */
export const observability: Resource = {
  keeps: { project: { observabilityDisabledAt: null } },
  operations: {
    getObservabilityConfigurationProjects: operation({ list: 'disabledProjects' }, ({ account, owner }) => ({
      disabledProjects: account.projects
        .filter((project) => project.accountId === owner.id && project.observabilityDisabledAt !== null)
        .map((project) => ({ ...readDisabled(project), name: project.name })),
    })),
    updateObservabilityConfigurationProject: operation(
      { on: projectOfPath, body: z.strictObject({ disabled: z.boolean() }) },
      (call, project, { disabled }) => {
        project.observabilityDisabledAt = disabled ? call.time() : null;
        return readDisabled(project);
      },
    ),
  },
  seed: {
    project: {
      observability: seedOne(seed, (making, { disabled }, project: Project) => {
        project.observabilityDisabledAt = disabled ? making.time() : null;
      }),
    },
  },
};
