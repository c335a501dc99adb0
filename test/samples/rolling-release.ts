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
  requests: async ({ go, all, shop }) => {
    const release = '/v1/projects/shop/rolling-release';
    await go('PATCH', `${release}/config`, {
      enabled: true,
      advancementType: 'manual-approval',
      stages: stagesOf(5, 50, 100),
    });
    shop.deployments.push({ id: 'dpl_canary', target: 'production', meta: {}, createdAt: 1 });
    const canary = { canaryDeploymentId: 'dpl_canary' };
    await all(
      ['POST', `${release}/start`, canary],
      ['POST', `${release}/approve-stage`, { ...canary, nextStageIndex: 1 }],
      ['GET', `${release}?state=ACTIVE`],
      ['POST', `${release}/complete`, canary],
    );
    await go('DELETE', '/v1/projects/shop/rolling-release/config');
  },
};
