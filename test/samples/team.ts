import { flag, type Sample } from '../support/sample.ts';

export const team: Sample = {
  place: (block) => ({ teams: { LABEL: block } }),
  base: {},
  leaves: {
    name: ['Acme', 'Acme Labs'],
    description: ['We make things.', 'We made things.'],
    emailDomain: ['example.com', 'example.org'],
    previewDeploymentSuffix: ['preview.example.com', 'preview.example.org'],
    enablePreviewFeedback: ['on', 'off'],
    enableProductionFeedback: ['on', 'off'],
    sensitiveEnvironmentVariablePolicy: ['off', 'default'],
    disjunctiveProductionSecretPolicy: ['on', 'off'],
    'remoteCaching.enabled': flag,
    hideIpAddresses: flag,
    hideIpAddressesInLogDrains: flag,
    dpAccessRequestsMode: ['all', 'none'],
    requireVerifiedCommits: flag,
    disableRepositoryDispatchEvents: flag,
    'strictDeploymentProtectionSettings.enabled': flag,
    'strictShareableLinks.enabled': flag,
    'strictPasswordProtectionSettings.enabled': flag,
    'strictConnectors.enabled': flag,
    'nsnbConfig.preference': ['block', 'manual-approval'],
    'saml.enforced': flag,
  },
  requests: async ({ go, all }) => {
    const { id } = await go('POST', '/v1/teams', { slug: 'labs' });
    await all(['PATCH', `/v2/teams/${id}`, { name: 'Labs' }], ['DELETE', `/v1/teams/${id}`, {}]);
  },
};
