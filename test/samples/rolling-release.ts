import { inProject, type Sample } from '../support/sample.ts';

const stagesOf = (...percentages: number[]) => percentages.map((targetPercentage) => ({ targetPercentage }));

export const rollingRelease: Sample = {
  place: (block) => inProject({ rollingRelease: block }),
  base: { advancementType: 'manual-approval', stages: stagesOf(5, 100) },
  leaves: {
    // Only with durations is anything automatic.
    advancementType: ['manual-approval', 'manual-approval'],
    stages: [
      [{ targetPercentage: 10, duration: 5 }, { targetPercentage: 100 }],
      [
        { targetPercentage: 10, duration: 9 },
        { targetPercentage: 50, duration: 5 },
        { targetPercentage: 100 },
      ],
      {
        advancementType: 'automatic',
        stages: [{ targetPercentage: 5, duration: 5 }, { targetPercentage: 100 }],
      },
    ],
  },
  single: ['advancementType'],
  seed: { project: { rollingRelease: { advancementType: 'manual-approval', stages: stagesOf(5, 100) } } },
  requests: async ({ go }) => {
    await go('DELETE', '/v1/projects/shop/rolling-release/config');
  },
};
