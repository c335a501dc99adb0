import { flag, inProject, type Sample } from '../support/sample.ts';

export const integrationConnection: Sample = {
  place: (block) => ({
    ...inProject({}),
    installations: {
      icfg_LABEL: {
        stores: { one: { integrationProductIdOrSlug: 'one', connections: { LABEL: block } } },
      },
    },
  }),
  leaves: {
    envVarEnvironments: [['production'], ['preview', 'production']],
    makeEnvVarsSensitive: flag,
  },
};
