import { flag, inProject, type Sample } from '../support/sample.ts';

export const check: Sample = {
  place: (block) => inProject({ checks: { e2e: block } }),
  base: {},
  leaves: {
    requires: ['build-ready', 'none'],
    blocks: ['deployment-promotion', 'build-start'],
    targets: [['production', 'preview'], ['preview']],
    timeout: [60, 600],
    isRerequestable: flag,
    source: [
      { kind: 'webhook' },
      { kind: 'git-provider', provider: 'github', externalCheckName: 'ci' },
      { $replace: 'allow' },
    ],
  },
  sdk: {
    create: 'createProjectCheck',
    update: 'updateProjectCheck',
    project: 'projectIdOrName',
    object: 'checkId',
    filledIn: ['requires', 'blocks', 'timeout'],
  },
  seed: { project: { checks: [{ name: 'e2e' }] } },
  requests: async ({ go, all }) => {
    const checks = '/v2/projects/shop/checks';
    const { id } = await go('POST', checks, { name: 'e2e' });
    const { id: deployment } = await go('POST', '/v13/deployments', {
      name: 'shop',
      gitSource: { type: 'github', org: 'acme', repo: 'shop', ref: 'checked' },
    });
    const runs = `/v2/deployments/${deployment}/check-runs`;
    const run = await go('POST', runs, { checkId: id });
    await all(
      ['PATCH', `${runs}/${run.id}`, { status: 'completed', conclusion: 'neutral' }],
      ['GET', `${runs}/${run.id}`],
      ['GET', runs],
      ['GET', `${checks}/${id}/runs`],
    );
    await all(['PATCH', `${checks}/${id}`, { timeout: 60 }], ['DELETE', `${checks}/${id}`]);
  },
};
