import type { Sample } from '../support/sample.ts';

export const connectorProject: Sample = {
  place: (block) => ({
    projects: { LABEL: {} },
    connectors: {
      LABEL: { name: 'One', type: 'snowflake-wif', projects: { LABEL: block } },
    },
  }),
  base: { environments: ['preview'] },
  leaves: { environments: [['production'], ['production', 'development']] },
};
