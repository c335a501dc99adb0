import { inProject, type Sample } from '../support/sample.ts';

export const flagSdkKey: Sample = {
  place: (block) => inProject({ featureFlagSdkKeys: [block] }),
  base: { environment: 'production', type: 'server', label: 'LABEL', $secretTo: 'discard' },
  leaves: {},
  seed: { featureFlags: { sdkKeys: [{ type: 'server', environment: 'production' }] } },
  requests: async ({ go, all }) => {
    const keys = '/v1/projects/shop/feature-flags/sdk-keys';
    const { hashKey } = await go('PUT', keys, { sdkKeyType: 'server', environment: 'production' });
    await all(['DELETE', `${keys}/${hashKey}`]);
  },
};
