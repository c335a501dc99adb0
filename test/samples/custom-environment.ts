import { inProject, type Sample, text } from '../support/sample.ts';

export const customEnvironment: Sample = {
  place: (block) => inProject({ customEnvironments: { staging: block } }),
  leaves: {
    description: text,
    branchMatcher: [
      { type: 'equals', pattern: 'main' },
      { type: 'startsWith', pattern: 'release/' },
    ],
    copyEnvVarsFrom: ['production', 'preview'],
  },
  seed: { project: { customEnvironments: [{ slug: 'staging' }] } },
  requests: async ({ all }) => {
    const environments = '/v9/projects/shop/custom-environments';
    await all(['POST', environments, { slug: 'qa' }], ['DELETE', `${environments}/qa`]);
  },
};
