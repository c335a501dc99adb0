import * as z from 'zod';
import type { Project } from '../account.ts';
import type { Call } from '../call.ts';
import { projectOfPath } from '../find-project.ts';
import { operation, type Resource, seedOne } from '../resource.ts';

/** The days that a read shows for each duration that a write takes (Terraform provider). */
const days = { '1d': 1, '1w': 7, '1m': 30, '2m': 60, '3m': 90, '6m': 180, '1y': 365, unlimited: 36_500 };
const duration = z.enum(Object.keys(days) as (keyof typeof days)[]).optional();
const body = z.strictObject({
  expiration: duration,
  expirationProduction: duration,
  expirationCanceled: duration,
  expirationErrored: duration,
});

declare module '../account.ts' {
  interface ProjectSeed {
    deploymentRetention?: z.input<typeof body>;
  }
}

/** Stores for how long a project keeps its deployments, in the form of reads of the project. */
function retain(project: Project, content: z.infer<typeof body>): void {
  const written = Object.entries(content).map(([name, value]) => [
    name.replace('expiration', 'expirationDays'),
    days[value],
  ]);
  project.deploymentExpiration = {
    ...(project.deploymentExpiration as object | undefined),
    ...Object.fromEntries(written),
  };
}

/**
 * Returns the member of a read of a project that says for how long its deployments are kept. The SDK refuses a project without it, and the
 * Terraform provider takes days without a limit, or no such member, for a project whose retention was never written.
 */
export function readRetention({ switches }: Call, { deploymentExpiration }: Project): object {
  if (deploymentExpiration !== undefined) return { deploymentExpiration };
  if (switches.retentionAbsentUntilWritten) return {};
  const names = ['', 'Production', 'Canceled', 'Errored'].map((name) => `expirationDays${name}`);
  return { deploymentExpiration: Object.fromEntries(names.map((name) => [name, days.unlimited])) };
}

/** How long deployments of a project are kept. Only official clients write it; reads of the project show it. */
export const deploymentRetention: Resource = {
  operations: {},
  clientOperations: {
    'PATCH /v9/projects/{idOrName}/deployment-expiration': operation(
      { on: projectOfPath, body },
      (_, project, content) => {
        retain(project, content);
        return { deploymentExpiration: content };
      },
    ),
  },
  seed: {
    project: {
      deploymentRetention: seedOne(body, (_, seeded, project: Project) => retain(project, seeded)),
    },
  },
};
