import { flag, inProject, type Sample } from '../support/sample.ts';

export const tracingConfig: Sample = {
  place: (block) => inProject({ tracingConfig: block }),
  base: { enabled: true },
  leaves: {
    enabled: flag,
    sampling: [
      [{ type: 'head_sampling', rate: 0.5 }],
      [
        { type: 'head_sampling', rate: 1, env: 'production', requestPath: '/api' },
        { type: 'head_sampling', rate: 0 },
      ],
    ],
  },
  seed: { project: { tracingConfig: { enabled: true } } },
};
