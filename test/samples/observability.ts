import { flag, inProject, type Sample } from '../support/sample.ts';

export const observability: Sample = {
  place: (block) => inProject({ observability: block }),
  base: { enabled: true },
  leaves: { enabled: flag },
  seed: { project: { observability: { disabled: true } } },
};
