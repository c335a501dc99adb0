import type { Sample } from '../support/sample.ts';

export const blobConnection: Sample = {
  place: (block) => ({
    projects: { LABEL: {} },
    blobStores: { LABEL: { connections: { LABEL: block } } },
  }),
  leaves: {
    envVarEnvironments: [['production'], ['preview', 'production']],
    envVarPrefix: ['UPLOADS', 'FILES'],
  },
};
