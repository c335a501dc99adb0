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
    await all(['PATCH', `${checks}/${id}`, { timeout: 60 }], ['DELETE', `${checks}/${id}`]);
  },
};
