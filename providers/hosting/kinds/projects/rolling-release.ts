import * as z from 'zod';
import { type ApiObject, atomic, defineKind, type Fields, wouldLose } from '#kind';

interface Stage extends ApiObject {
  targetPercentage: number;
  requireApproval?: boolean;
  duration?: number | null;
}

/** Rolls production deployments out in stages. Without it, a new one serves everybody at once. */
export const rollingRelease = defineKind({
  name: 'rollingRelease',
  doc: 'Rolls out production deployments in stages, instead of serving everybody at once.',
  section: 'rollingRelease',
  otherWords: ['rollout', 'canary'],
  parent: 'project',
  key: [],
  form: 2,
  undeclared: ['gate', 'canaryResponseHeader', 'stages.linearShift'],
  fields: () => ({
    advancementType: z
      .enum(['automatic', 'manual-approval'])
      .describe('Whether a stage ends after its duration or by approval.'),
    stages: atomic(
      z
        .array(
          z.strictObject({
            targetPercentage: z.number().min(0).max(100),
            duration: z.int().min(1).max(10_000).optional(),
          }),
        )
        .min(2)
        .max(10),
    ).describe(
      '2 to 10 stages with rising percentages, the last one 100; `duration` in whole minutes, for `automatic` only, and not in the last one.',
    ),
  }),
  example: `projects:
  web:
    rollingRelease:
      advancementType: automatic
      stages: [{ targetPercentage: 10, duration: 60 }, { targetPercentage: 100 }]`,
  rules: {
    check: ({ advancementType, stages }) =>
      problemsOf(advancementType as string, stages as unknown as Stage[]),
  },
  read: { endpoint: 'GET /v1/projects/{project}/rolling-release/config', item: releaseIn },
  decode: (object) => {
    const stages = (object.stages ?? []) as Stage[];
    const isManual = stages.some(({ requireApproval }) => requireApproval);
    const writableStages = stages.map(({ targetPercentage, duration }, index) => ({
      targetPercentage,
      ...(duration == null || isManual || index === stages.length - 1 ? {} : { duration }),
    }));
    return { advancementType: isManual ? 'manual-approval' : 'automatic', stages: writableStages } as Fields;
  },
  encode: (fields) => ({ enabled: true, ...fields }),
  create: 'PATCH /v1/projects/{project}/rolling-release/config',
  update: {
    endpoint: 'PATCH /v1/projects/{project}/rolling-release/config',
    sends: 'whole',
    // The dashboard can set members that have no place in the documented body.
    refuses: (step) => wouldLose(step, step.before?.undeclared ?? []),
  },
  delete: 'DELETE /v1/projects/{project}/rolling-release/config',
});

/**
 * Reports the stages of a rolling release (a deployment for a growing share of visitors) that do not rise to 100
 * percent, and durations that are missing or impossible for its type.
 */
function problemsOf(advancementType: string, stages: Stage[]) {
  const say = (index: number, message: string) => ({ path: ['stages', index], message });
  return stages.flatMap(({ targetPercentage, duration }, index) => [
    ...(index > 0 && targetPercentage <= stages[index - 1]!.targetPercentage
      ? [say(index, 'each stage must have a higher percentage than the previous one')]
      : []),
    ...(index === stages.length - 1 && targetPercentage !== 100
      ? [say(index, 'the last stage must be 100')]
      : []),
    ...(duration === undefined && advancementType === 'automatic' && index < stages.length - 1
      ? [say(index, 'with `advancementType: automatic`, each stage except the last needs a `duration`')]
      : []),
    ...(duration !== undefined && index === stages.length - 1
      ? [say(index, 'the last stage cannot have a `duration`')]
      : []),
    ...(duration !== undefined && advancementType !== 'automatic'
      ? [say(index, 'only `advancementType: automatic` can have durations')]
      : []),
  ]);
}

/** Returns the release in an answer; null there says that there is none. Throws if the answer does not say. */
function releaseIn(answer: ApiObject): ApiObject | undefined {
  if (!('rollingRelease' in answer)) throw new Error('the response does not contain the rolling release');
  return (answer.rollingRelease as ApiObject | null) ?? undefined;
}
