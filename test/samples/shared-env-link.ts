import { inProject, type Sample } from '../support/sample.ts';

export const sharedEnvLink: Sample = {
  place: (block) => inProject({ sharedEnvLinks: { env_shared: block } }),
  leaves: {},
};
