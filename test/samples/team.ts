import { flag, type Sample } from '../support/sample.ts';

const production = { type: 'system', target: 'production' };
const custom = { type: 'custom', environmentId: 'env_one' };

export const team: Sample = {
  place: (block) => ({ teams: { LABEL: block } }),
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
    'defaultPassport.connectorId': ['scl_one', 'scl_two'],
    'defaultPassport.deploymentType': ['preview', 'all', { defaultPassport: { connectorId: 'scl_one' } }],
    'defaultDeploymentProtection.ssoProtection.deploymentType': ['all', 'preview'],
    'defaultDeploymentProtection.passwordProtection.deploymentType': ['all', 'preview'],
    'defaultDeploymentProtection.passwordProtection.password': [
      'first',
      'second',
      { defaultDeploymentProtection: { passwordProtection: { deploymentType: 'all' } } },
    ],
    'defaultProjectJobs.lint.targets': [['production'], ['production', 'preview']],
    'defaultProjectJobs.typecheck.targets': [['production'], ['preview']],
    'defaultExpirationSettings.expiration': ['2w', '6m'],
    'defaultExpirationSettings.expirationProduction': ['3y', 'unlimited'],
    'defaultExpirationSettings.expirationCanceled': ['1d', '1m'],
    'defaultExpirationSettings.expirationErrored': ['1w', '1y'],
    'deploymentPolicy.gitSources': [
      [{ enabled: true, environments: [production], sources: [{ provider: 'github', org: 'acme' }] }],
      [{ enabled: false, environments: [custom], sources: [{ provider: 'gitlab', namespace: 'acme/web' }] }],
    ],
    'deploymentPolicy.deploymentSources': [
      [{ enabled: true, environments: [production, custom], sources: ['git', 'cli'] }],
      [{ enabled: true, environments: [production], sources: [] }],
    ],
  },
  requests: async ({ go, all }) => {
    const { id } = await go('POST', '/v1/teams', { slug: 'labs' });
    await all(['PATCH', `/v2/teams/${id}`, { name: 'Labs' }], ['DELETE', `/v1/teams/${id}`, {}]);
  },
};
