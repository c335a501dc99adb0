import { inProject, type Sample } from '../support/sample.ts';

const gitSource = { type: 'github', org: 'acme', repo: 'LABEL', ref: 'main' };

export const deployment: Sample = {
  place: (block) =>
    inProject({
      customEnvironments: { staging: {}, nightly: {} },
      deployments: { first: { gitSource }, next: block },
    }),
  base: { gitSource },
  leaves: {
    gitSource: [
      { ...gitSource, sha: 'a'.repeat(40) },
      { type: 'gitlab', projectId: 7, ref: 'main' },
    ],
    deploymentId: [
      '${projects.LABEL.deployments.first.id}',
      '${projects.LABEL.deployments.first.id}',
      { gitSource: undefined },
    ],
    target: ['production', 'staging'],
    customEnvironmentId: ['staging', 'nightly'],
  },
  single: ['deploymentId'],
  seed: {
    account: { builds: { seconds: 0 } },
    project: { deployments: [{ meta: { trueup: 'v1' } }] },
  },
  requests: async ({ go, all, shop }) => {
    const body = { name: 'shop', project: 'shop', gitSource: { ...gitSource, sha: 'b'.repeat(40) } };
    const { id } = await go('POST', '/v13/deployments', body);
    const building = await go('POST', '/v13/deployments?forceNew=1', body);
    shop.deployments.find((one) => one.id === building.id)!.state = 'BUILDING';
    await all(
      ['POST', `/v10/projects/${shop.id}/promote/${id}`],
      ['POST', `/v1/projects/${shop.id}/rollback/${id}?description=again`],
      ['PATCH', `/v12/deployments/${building.id}/cancel`],
      ['DELETE', `/v13/deployments/${id}`],
    );
  },
};
