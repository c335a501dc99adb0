import * as z from 'zod';
import type { Project } from '../account.ts';
import type { Call } from '../call.ts';
import { projectById } from '../find-project.ts';
import { operation, type Resource } from '../resource.ts';
import { findInstallation } from './installation.ts';

declare module '../account.ts' {
  interface ProjectParts {
    /** The ids of the installations that may see the project. */
    allowedInstallations: string[];
  }
}

/** Returns the project and the installation of a path, or throws 404. */
function placeOf(call: Call): { project: Project; id: string } {
  const { id } = findInstallation(call, call.params.id!, call.owner);
  return { project: projectById(call, call.params.projectId), id };
}

const path = '/v1/integrations/configuration/{id}/project/{projectId}';

/** Whether an integration may see a project, from the code of the platform's Terraform provider. */
export const integrationAccess: Resource = {
  keeps: { project: { allowedInstallations: [] } },
  operations: {},
  clientOperations: {
    [`GET ${path}`]: operation({ on: placeOf }, (_, { project, id }) => ({
      allowed: project.allowedInstallations.includes(id),
    })),
    [`POST ${path}`]: operation(
      { on: placeOf, body: z.strictObject({ allowed: z.boolean() }) },
      (_, { project, id }, { allowed }) => {
        const otherIds = project.allowedInstallations.filter((otherId) => otherId !== id);
        project.allowedInstallations = allowed ? [...otherIds, id] : otherIds;
        return { allowed };
      },
    ),
  },
};
