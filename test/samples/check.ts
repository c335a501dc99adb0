import { flag, inProject, type Sample } from '../support/sample.ts';

export const check: Sample = {
  place: (block) => inProject({ checks: { e2e: block } }),
  leaves: {
    requires: ['build-ready', 'none'],
    blocks: ['deployment-promotion', 'build-start'],
    targets: [['production', 'preview'], ['preview']],
    timeout: [60, 600],
    isRerequestable: flag,
    source: [{ kind: 'webhook' }, { kind: 'git-provider', provider: 'github', externalCheckName: 'ci' }],
  },
  sdk: { filledIn: ['requires', 'blocks', 'timeout'] },
  seed: { project: { checks: [{ name: 'e2e' }] } },
};
