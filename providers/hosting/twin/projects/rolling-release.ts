import * as z from 'zod';
import type { Project } from '../account.ts';
import { projectOfPath } from '../find-project.ts';
import { inEveryProject } from '../kept.ts';
import { operation, type Resource } from '../resource.ts';
import type { Switches } from '../switches.ts';
import { parseBody } from '../validate.ts';
import { rollingReleaseBody } from './rolling-release-body.ts';

/** A project's rolling release as it is read; durations are minutes. */
export interface RollingRelease {
  target: 'production';
  stages: { targetPercentage: number; duration?: number; requireApproval?: boolean }[];
}

declare module '../account.ts' {
  interface ProjectParts {
    /** Null after it was disabled; absent if it was never enabled. */
    rollingRelease?: RollingRelease | null;
  }
  interface ProjectSeed {
    rollingRelease?: z.input<typeof seed>;
  }
}

// The platform turns skew protection on "with the default value"; its documentation has 12 hours, in seconds.
const defaultSkewProtection = 43_200;

/** Writes a checked body into a project. The read form has no advancementType, because the stages imply it. */
function setRollingRelease(
  project: Project,
  body: z.infer<typeof rollingReleaseBody>,
  switches: Switches,
): void {
  if (!body.enabled) {
    project.rollingRelease = null;
    return;
  }
  const isNew = !project.rollingRelease;
  const stages = (body.stages ?? []).map((stage, i, { length }) => {
    const asks = i < length - 1 || switches.rollingReleaseLastStageApproval;
    return body.advancementType === 'manual-approval' && asks ? { ...stage, requireApproval: true } : stage;
  });
  project.rollingRelease = { target: 'production', stages };
  // Only when it is enabled: the Terraform provider's test takes skew protection off and changes the stages, and it stays off.
  if (isNew && !project.skewProtectionMaxAge) project.skewProtectionMaxAge = defaultSkewProtection;
}

const seed = z
  .strictObject(rollingReleaseBody.shape)
  .omit({ enabled: true })
  .required({ advancementType: true });

/** A project's rolling release: how its next deployments to production are rolled out; null if it is off. */
export const rollingRelease: Resource = {
  ...inEveryProject('rollingRelease', undefined, seed, (making, seeded, project) =>
    setRollingRelease(project, parseBody(rollingReleaseBody, { enabled: true, ...seeded }), making.switches),
  ),
  operations: {
    getRollingReleaseConfig: operation({ on: projectOfPath }, (_, { rollingRelease = null }) => ({
      rollingRelease,
    })),
    updateRollingReleaseConfig: operation(
      { on: projectOfPath, body: rollingReleaseBody },
      (call, project, body) => {
        setRollingRelease(project, body, call.switches);
        return { rollingRelease: project.rollingRelease };
      },
    ),
    deleteRollingReleaseConfig: operation({ on: projectOfPath }, (_, project) => {
      project.rollingRelease = null;
      return { rollingRelease: null };
    }),
  },
};
