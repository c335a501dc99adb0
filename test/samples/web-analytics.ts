import { flag, inProject, type Sample } from '../support/sample.ts';

export const webAnalytics: Sample = {
  place: (block) => inProject({ webAnalytics: block }),
  base: { enabled: true },
  leaves: { enabled: flag },
  seed: { project: { webAnalytics: { enabled: true } } },
};
