import { inProject, type Sample } from '../support/sample.ts';

export const integrationAccess: Sample = {
  place: (block) => inProject({ integrations: { icfg_one: block } }),
  leaves: {},
};
