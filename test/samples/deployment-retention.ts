import { inProject, type Sample } from '../support/sample.ts';

const durations: [string, string] = ['1m', '1y'];

export const deploymentRetention: Sample = {
  place: (block) => inProject({ deploymentRetention: block }),
  base: { expiration: '6m' },
  leaves: {
    expiration: ['1d', '3m'],
    expirationProduction: durations,
    expirationCanceled: durations,
    expirationErrored: ['1w', 'unlimited'],
  },
  seed: { project: { deploymentRetention: { expiration: '3m', expirationErrored: 'unlimited' } } },
};
