import { inProject, type Sample, unset } from '../support/sample.ts';

export const crons: Sample = {
  place: (block) => inProject({ crons: block }),
  base: { enabled: true },
  leaves: { enabled: unset },
  seed: { project: { crons: { enabled: false } } },
};
