import * as z from 'zod';
import type { Project } from '../account.ts';
import { projectOfPath } from '../find-project.ts';
import { operation, type Resource, seedOne } from '../resource.ts';
import { strings } from '../validate.ts';

/** The static IPs as a read of a project shows them. A PATCH of the project sets `enabled`. */
interface StaticIps {
  enabled: boolean;
  builds: boolean;
  regions: string[];
}

declare module '../account.ts' {
  interface ProjectSeed {
    staticIpSettings?: z.input<typeof seed>;
  }
}

const off: StaticIps = { enabled: false, builds: false, regions: [] };

const builds = z.boolean();
// A body has at least one of the two members.
const updateBody = z.union([
  z.strictObject({ builds, regions: strings.optional() }),
  z.strictObject({ builds: builds.optional(), regions: strings }),
]);

const seed = z.strictObject({ builds: builds.optional(), regions: strings.optional() });

/** How a project uses static IPs. This operation changes it; reads of the project show it. */
export const staticIps: Resource = {
  operations: {
    updateStaticIps: operation(
      { on: projectOfPath, body: updateBody, answers: 'array' },
      (call, project, body) => {
        const staticIps: StaticIps = { ...off, ...(project.staticIps as StaticIps | undefined), ...body };
        project.staticIps = staticIps;
        const timestamp = call.time();
        return staticIps.regions.map((dc) => ({
          envId: 'production',
          connectConfigurationId: `shared-${dc}`,
          dc,
          passive: false,
          buildsEnabled: staticIps.builds,
          createdAt: timestamp,
          updatedAt: timestamp,
        }));
      },
    ),
  },
  seed: {
    project: {
      staticIpSettings: seedOne(seed, (_, seeded, project: Project) => {
        project.staticIps = { ...off, enabled: true, ...seeded };
      }),
    },
  },
};
