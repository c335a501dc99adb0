import * as z from 'zod';
import type { Project } from '../account.ts';
import { projectOfPath } from '../find-project.ts';
import { inEveryProject } from '../kept.ts';
import { operation, type Resource } from '../resource.ts';
import type { Switches } from '../switches.ts';
import { parseBody } from '../validate.ts';

/** A project's rolling release as it is read; durations are minutes. */
export interface RollingRelease {
  target: 'production';
  stages: { targetPercentage: number; duration?: number; requireApproval?: boolean }[];
}

declare module '../account.ts' {
  interface ProjectParts {
    /** Null when it was disabled, not there when it was never on. */
    rollingRelease?: RollingRelease | null;
  }
  interface ProjectSeed {
    rollingRelease?: z.input<typeof seed>;
  }
}

// The platform turns skew protection on "with the default value"; its documentation has 12 hours, in seconds.
const defaultSkewProtection = 43_200;

const stage = z.strictObject({
  targetPercentage: z.number().min(0).max(100),
  duration: z.int().min(1).max(10_000).optional(),
});

// The SDK has no body: names and rules are the Terraform provider's and the CLI's.
const updateBody = z
  .strictObject({
    enabled: z.boolean(),
    // The Terraform provider sends an empty type and no stages to disable.
    advancementType: z.enum(['automatic', 'manual-approval', '']).optional(),
    stages: z.array(stage).optional(),
  })
  .superRefine(({ enabled, advancementType, stages = [] }, context) => {
    if (!enabled) return;
    const problem = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    if (!advancementType) problem(['advancementType'], 'is needed to enable rolling releases');
    if (stages.length < 2 || stages.length > 10) problem(['stages'], 'should have 2 to 10 stages');
    for (const [i, { targetPercentage, duration }] of stages.entries()) {
      const last = i === stages.length - 1;
      const before = stages[i - 1];
      if (before !== undefined && targetPercentage <= before.targetPercentage) {
        problem(['stages', i, 'targetPercentage'], 'should be more than that of the stage before');
      }
      if (last && targetPercentage !== 100) {
        problem(['stages', i, 'targetPercentage'], 'should be 100 in the last stage');
      }
      const timed = advancementType === 'automatic' && !last;
      if (timed && duration === undefined) {
        problem(['stages', i, 'duration'], 'is needed with automatic advancement, but in the last stage');
      } else if (!timed && duration !== undefined) {
        problem(
          ['stages', i, 'duration'],
          'belongs to automatic advancement only, and not to the last stage',
        );
      }
    }
  });

/** Writes a checked body into a project. What is read back has no advancementType: the stages tell it. */
function setRollingRelease(project: Project, body: z.infer<typeof updateBody>, switches: Switches): void {
  if (!body.enabled) {
    project.rollingRelease = null;
    return;
  }
  const stages = (body.stages ?? []).map((one, i, { length }) => {
    const asks = i < length - 1 || switches.rollingReleaseLastStageApproval;
    return body.advancementType === 'manual-approval' && asks ? { ...one, requireApproval: true } : one;
  });
  project.rollingRelease = { target: 'production', stages };
  if (!project.skewProtectionMaxAge) project.skewProtectionMaxAge = defaultSkewProtection;
}

const seed = z.strictObject(updateBody.shape).omit({ enabled: true }).required({ advancementType: true });

/** A project's rolling release: the template of later production deployments, null when it is off. */
export const rollingRelease: Resource = {
  ...inEveryProject('rollingRelease', undefined, seed, (making, given, project) =>
    setRollingRelease(project, parseBody(updateBody, { enabled: true, ...given }), making.switches),
  ),
  operations: {
    getRollingReleaseConfig: operation({ on: projectOfPath }, (_, { rollingRelease = null }) => ({
      rollingRelease,
    })),
    updateRollingReleaseConfig: operation({ on: projectOfPath, body: updateBody }, (call, project, body) => {
      setRollingRelease(project, body, call.switches);
      return { rollingRelease: project.rollingRelease };
    }),
    deleteRollingReleaseConfig: operation({ on: projectOfPath }, (_, project) => {
      project.rollingRelease = null;
      return { rollingRelease: null };
    }),
  },
};
