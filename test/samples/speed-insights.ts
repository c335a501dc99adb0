import { flag, inProject, type Sample } from '../support/sample.ts';

export const speedInsights: Sample = {
  place: (block) => inProject({ speedInsights: block }),
  base: { enabled: true },
  leaves: { enabled: flag },
  seed: { project: { speedInsights: { enabled: true } } },
};
