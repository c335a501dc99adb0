import * as z from 'zod';

const stage = z.strictObject({
  targetPercentage: z.number().min(0).max(100),
  duration: z.int().min(1).max(10_000).optional(),
  // Sent by the Terraform provider, as a read has it.
  requireApproval: z.boolean().optional(),
});

/**
 * The body that turns rolling releases on or off. The SDK lacks it: names and rules are those of the Terraform provider and the command
 * line.
 */
export const rollingReleaseBody = z
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
