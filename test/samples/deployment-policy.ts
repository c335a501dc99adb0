import { inProject, type Sample } from '../support/sample.ts';

const production = { type: 'system', target: 'production' };
const staging = { type: 'custom', environmentId: '$' + '{projects.LABEL.customEnvironments.staging.id}' };
const rule = (environment: object, ...sources: unknown[]) => ({
  ...{ enabled: true, environments: [environment], sources },
});

export const deploymentPolicy: Sample = {
  place: (block) => inProject({ customEnvironments: { staging: {} }, deploymentPolicy: block }),
  leaves: {
    gitSources: [
      [rule(production, { provider: 'github', org: 'acme' })],
      [rule(staging, { provider: 'gitlab', namespace: 'acme', project: 'web' })],
    ],
    deploymentSources: [[rule(production, 'git')], [rule(production, 'cli', 'v0'), rule(staging, 'git')]],
  },
};
